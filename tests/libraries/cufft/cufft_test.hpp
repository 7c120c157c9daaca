// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transform with its arrays, and the sum that defines it.
#pragma once

#include <cuda_runtime_api.h>
#include <cufftXt.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace cufft_test {

using wide = std::complex<double>;

// The index of an element in an array with a stride and embeddings, by the formula of cuFFT's guide.
struct layout {
  std::vector<int> embed;
  int stride = 1, distance = 0;

  size_t operator()(int b, const std::vector<int>& at) const {
    size_t place = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      place = place * static_cast<size_t>(embed[d]) + static_cast<size_t>(at[d]);
    }
    return place * static_cast<size_t>(stride) + static_cast<size_t>(b) * static_cast<size_t>(distance);
  }
  size_t size(int batch) const {
    size_t elements = static_cast<size_t>(stride);
    for (int e : embed) elements *= static_cast<size_t>(e);
    return elements + static_cast<size_t>(distance) * static_cast<size_t>(batch);
  }
};

inline size_t product(const std::vector<int>& n) {
  size_t elements = 1;
  for (int length : n) elements *= static_cast<size_t>(length);
  return elements;
}

// Calls `use(index, count of calls before)` for each index, the last dimension first.
template <class Use>
void each_index(const std::vector<int>& n, const Use& use) {
  std::vector<int> at(n.size());
  for (size_t i = 0; i < product(n); ++i) {
    size_t rest = i;
    for (size_t d = n.size(); d-- > 0;) {
      at[d] = static_cast<int>(rest % static_cast<size_t>(n[d]));
      rest /= static_cast<size_t>(n[d]);
    }
    use(at, i);
  }
}

// The transform by its definition: the sum over each dimension in turn, term by term.
inline std::vector<wide> transform(std::vector<wide> x, const std::vector<int>& n, int sign) {
  size_t inner = product(n);
  for (int length : n) {
    const auto count = static_cast<size_t>(length);
    inner /= count;
    std::vector<wide> roots(count);
    for (size_t k = 0; k < count; ++k) {
      const long double angle = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(k) / length;
      roots[k] = {static_cast<double>(std::cos(angle)), sign * static_cast<double>(std::sin(angle))};
    }
    std::vector<wide> y(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t k = i / inner % count;
      const size_t first = i - k * inner;
      std::complex<long double> sum = 0;
      for (size_t j = 0; j < count; ++j) sum += std::complex<long double>(x[first + j * inner] * roots[j * k % count]);
      y[i] = wide(static_cast<double>(sum.real()), static_cast<double>(sum.imag()));
    }
    x = y;
  }
  return x;
}

// Numbers between -1 and 1.
inline double number_at(size_t i) { return static_cast<double>((i * 2654435761u + 12345u) % 20011u) / 10005.0 - 1; }

// Device memory that ends with its scope.
template <class T>
class device_array {
 public:
  explicit device_array(const std::vector<T>& values) : size_(values.size()) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(size_);
    EXPECT_EQ(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }

 private:
  size_t size_;
  T* data_ = nullptr;
};

enum class form { c2c, r2c, c2r };

template <class T>
constexpr cufftType type_of(form f) {
  constexpr bool is_double = sizeof(T) == sizeof(double);
  if (f == form::c2c) return is_double ? CUFFT_Z2Z : CUFFT_C2C;
  if (f == form::r2c) return is_double ? CUFFT_D2Z : CUFFT_R2C;
  return is_double ? CUFFT_Z2D : CUFFT_C2R;
}

template <class T>
cufftResult execute(cufftHandle plan, form f, T* in, T* out, int direction) {
  if constexpr (sizeof(T) == sizeof(double)) {
    auto* const complex_in = reinterpret_cast<cufftDoubleComplex*>(in);
    auto* const complex_out = reinterpret_cast<cufftDoubleComplex*>(out);
    if (f == form::c2c) return cufftExecZ2Z(plan, complex_in, complex_out, direction);
    return f == form::r2c ? cufftExecD2Z(plan, in, complex_out) : cufftExecZ2D(plan, complex_in, out);
  } else {
    auto* const complex_in = reinterpret_cast<cufftComplex*>(in);
    auto* const complex_out = reinterpret_cast<cufftComplex*>(out);
    if (f == form::c2c) return cufftExecC2C(plan, complex_in, complex_out, direction);
    return f == form::r2c ? cufftExecR2C(plan, in, complex_out) : cufftExecC2R(plan, complex_in, out);
  }
}

// A transform to compare with its sum: type, sizes, layouts, batch.
struct comparison {
  form what;
  std::vector<int> n;
  int batch = 1;
  int direction = CUFFT_FORWARD;  // used by complex transforms
  layout in, out;
  bool in_place = false;

  std::vector<int> half() const {
    std::vector<int> sizes = n;
    sizes.back() = sizes.back() / 2 + 1;
    return sizes;
  }
  std::vector<int> in_sizes() const { return what == form::c2r ? half() : n; }
  std::vector<int> out_sizes() const { return what == form::r2c ? half() : n; }
  size_t in_numbers() const { return what == form::r2c ? 1 : 2; }
  size_t out_numbers() const { return what == form::c2r ? 1 : 2; }

  // Gives the arrays the packed layout; in place, rows of real numbers have 2 (n / 2 + 1) elements.
  void pack() {
    const auto packed = [](const std::vector<int>& sizes) {
      return layout{sizes, 1, static_cast<int>(product(sizes))};
    };
    std::vector<int> padded = half();
    padded.back() *= 2;
    in = packed(in_place && what == form::r2c ? padded : in_sizes());
    out = packed(in_place && what == form::c2r ? padded : out_sizes());
  }

  std::string text() const {
    std::string name = what == form::c2c ? "c2c" : what == form::r2c ? "r2c" : "c2r";
    for (int length : n) name += " " + std::to_string(length);
    return name + ", batch " + std::to_string(batch) + ", strides " + std::to_string(in.stride) + " " +
           std::to_string(out.stride) + (in_place ? ", in place" : "") + (direction > 0 ? ", inverse" : "");
  }

  // The operand of transform `b` of the batch, without gaps. Half spectra are those of real numbers.
  std::vector<wide> operand(int b) const {
    std::vector<wide> x(product(n));
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t seed = 2 * i + 77 * static_cast<size_t>(b);
      x[i] = what == form::c2c ? wide(number_at(seed), number_at(seed + 1)) : wide(number_at(seed), 0);
    }
    return x;
  }

  // Makes a plan by `make(handle)`, runs it, and compares the numbers of the result and the gaps of the array.
  template <class T, class Make>
  void run(double tolerance, const Make& make) const {
    constexpr T gap = static_cast<T>(-99);
    const size_t in_size = in.size(batch) * in_numbers(), out_size = out.size(batch) * out_numbers();
    std::vector<T> before(in_place ? std::max(in_size, out_size) : in_size, gap);
    std::vector<T> expected(in_place ? before.size() : out_size, gap);
    std::vector<bool> is_result(expected.size());
    for (int b = 0; b < batch; ++b) {
      const std::vector<wide> x = operand(b);
      const std::vector<wide> y = transform(x, n, what == form::c2c ? direction : CUFFT_FORWARD);
      const bool inverse = what == form::c2r;
      put(inverse ? y : x, in_sizes(), in, b, in_numbers(), 1, &before, nullptr);
      put(inverse ? x : y, out_sizes(), out, b, out_numbers(), inverse ? static_cast<double>(product(n)) : 1, &expected,
          &is_result);
    }
    const device_array<T> operand_array(before), result_array(std::vector<T>(expected.size(), gap));
    cufftHandle plan = CUFFT_PLAN_NULL;
    ASSERT_EQ(make(&plan), CUFFT_SUCCESS) << text();
    T* const result = in_place ? operand_array.get() : result_array.get();
    ASSERT_EQ(execute(plan, what, operand_array.get(), result, direction), CUFFT_SUCCESS) << text();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    const std::vector<T> found = in_place ? operand_array.values() : result_array.values();
    double largest = 0, difference = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      if (!is_result[i]) {
        ASSERT_TRUE(in_place || found[i] == gap) << text() << ": a gap at " << i;
        continue;
      }
      largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
      difference = std::max(difference, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
    }
    ASSERT_LE(difference, tolerance * std::max(1.0, largest)) << text();
    ASSERT_TRUE(in_place || operand_array.values() == before) << text() << ": the operand";
  }

 private:
  // Stores the values of transform `b` by its layout. `sizes` are its extents, the last one halved for half spectra.
  template <class T>
  void put(const std::vector<wide>& values, const std::vector<int>& sizes, const layout& places, int b, size_t numbers,
           double factor, std::vector<T>* array, std::vector<bool>* marks) const {
    const layout whole{n, 1, 0};
    each_index(sizes, [&](const std::vector<int>& at, size_t) {
      const wide value = values[whole(0, at)] * factor;
      const size_t place = places(b, at) * numbers;
      (*array)[place] = static_cast<T>(value.real());
      if (numbers == 2) (*array)[place + 1] = static_cast<T>(value.imag());
      for (size_t part = 0; marks && part < numbers; ++part) (*marks)[place + part] = true;
    });
  }
};

}  // namespace cufft_test
