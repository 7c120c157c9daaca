// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a transform on the memory of a program. Numbers of 16 bits, and results in place of an operand with other rows,
// pass through packed copies.
#include "libraries/cufft/transform.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <complex>
#include <vector>

#include "libraries/cufft/pocketfft.hpp"

namespace cohort::cufft {
namespace {

// An array whose rows follow each other. `last`: the elements of the innermost dimension. `padded`: what they take in
// memory.
array contiguous_array(const transform& t, int64_t last, int64_t padded) {
  array a;
  a.extent[0] = t.batch;
  const auto rank = static_cast<size_t>(t.rank);
  for (size_t d = 0; d < rank; ++d) a.extent[dimensions - rank + d] = t.n[d];
  a.extent[innermost] = padded;
  a = packed(a);
  a.extent[innermost] = last;
  return a;
}

array strided_array(const transform& t, const strides& s, int64_t last) {
  array a = contiguous_array(t, last, last);
  int64_t stride = s.stride;
  const auto rank = static_cast<size_t>(t.rank);
  for (size_t d = rank; d-- > 0;) {
    a.stride[dimensions - rank + d] = stride;
    if (d > 0) stride *= s.embed[d];  // the first embed has no meaning
  }
  a.stride[0] = s.distance;
  return a;
}

// True if the result of a row replaces only that row: no other row is overwritten before it is read.
bool has_equal_rows(const transform& t, const array& in, const array& out) {
  if (t.type.what == kind::complex_to_complex) {
    for (size_t d = 0; d < dimensions; ++d) {
      if ((in.extent[d] > 1 || d == innermost) && in.stride[d] != out.stride[d]) return false;
    }
    return true;
  }
  const bool has_columns = in.extent[1] > 1 || in.extent[2] > 1;
  if (t.type.what == kind::complex_to_real && has_columns) return true;  // passes through a copy
  const array& real = has_real_input(t) ? in : out;
  const array& complex = has_real_input(t) ? out : in;
  if (real.stride[innermost] != 1 || complex.stride[innermost] != 1) return false;
  for (size_t d = 0; d < innermost; ++d) {
    if (real.extent[d] == 1) continue;
    if (real.stride[d] != 2 * complex.stride[d] || complex.stride[d] < complex.extent[innermost]) return false;
  }
  return true;
}

template <class T>
void copy_rows(const array& from, const T* source, const array& to, T* target) {
  std::vector<int64_t> starts;
  each_row(to, [&](int64_t offset) { starts.push_back(offset); });
  auto start = starts.begin();
  each_row(from, [&](int64_t offset) {
    for (int64_t i = 0; i < from.extent[innermost]; ++i) {
      target[*start + i * to.stride[innermost]] = source[offset + i * from.stride[innermost]];
    }
    ++start;
  });
}

template <class T>
void run(const transform& t, const execution& e, const array& in, const array& out) {
  job work{t.type.what, e.forward, e.threads, in, out, e.in, e.out};
  if (e.in != e.out || has_equal_rows(t, in, out)) {
    run_job<T>(work);
    return;
  }
  const array copy = packed(in);
  const auto elements = static_cast<size_t>(in.elements());
  work.in_array = copy;
  if (has_real_input(t)) {
    std::vector<T> operand(elements);
    copy_rows(in, static_cast<const T*>(e.in), copy, operand.data());
    work.in = operand.data();
    run_job<T>(work);
  } else {
    std::vector<std::complex<T>> operand(elements);
    copy_rows(in, static_cast<const std::complex<T>*>(e.in), copy, operand.data());
    work.in = operand.data();
    run_job<T>(work);
  }
}

float to_float(__half value) { return __half2float(value); }
float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }
void from_float(float value, __half* at) { *at = __float2half_rn(value); }
void from_float(float value, __nv_bfloat16* at) { *at = __float2bfloat16_rn(value); }

// Calls `use(place in the array, place in packed memory)` for each number, of which an element has one or two.
template <class Use>
void each_number(const array& a, int numbers, const Use& use) {
  int64_t place = 0;
  each_row(a, [&](int64_t offset) {
    for (int64_t i = 0; i < a.extent[innermost]; ++i) {
      for (int part = 0; part < numbers; ++part) use((offset + i * a.stride[innermost]) * numbers + part, place++);
    }
  });
}

template <class Short>
void run_in_float(const transform& t, const execution& e, const array& in, const array& out) {
  const int in_numbers = has_real_input(t) ? 1 : 2;
  const int out_numbers = has_real_output(t) ? 1 : 2;
  std::vector<float> operand(static_cast<size_t>(in.elements() * in_numbers));
  std::vector<float> result(static_cast<size_t>(out.elements() * out_numbers));
  each_number(in, in_numbers, [&](int64_t at, int64_t place) {
    operand[static_cast<size_t>(place)] = to_float(static_cast<const Short*>(e.in)[at]);
  });
  run_job<float>({t.type.what, e.forward, e.threads, packed(in), packed(out), operand.data(), result.data()});
  each_number(out, out_numbers, [&](int64_t at, int64_t place) {
    from_float(result[static_cast<size_t>(place)], static_cast<Short*>(e.out) + at);
  });
}

}  // namespace

size_t size_of(number real) {
  switch (real) {
    case number::single_precision:
      return sizeof(float);
    case number::double_precision:
      return sizeof(double);
    default:
      return sizeof(__half);
  }
}

bool has_real_input(const transform& t) { return t.type.what == kind::real_to_complex; }
bool has_real_output(const transform& t) { return t.type.what == kind::complex_to_real; }
size_t element_size(const transform& t, bool is_real) { return size_of(t.type.real) * (is_real ? 1 : 2); }

transform_arrays arrays_of(const transform& t, bool in_place) {
  const int64_t n = t.n[static_cast<size_t>(t.rank - 1)];
  const int64_t half = n / 2 + 1;
  const auto array_of = [&](const strides& s, bool is_real) {
    const int64_t last = is_real || t.type.what == kind::complex_to_complex ? n : half;
    if (t.has_strides) return strided_array(t, s, last);
    return contiguous_array(t, last, is_real && in_place ? 2 * half : last);
  };
  return {array_of(t.in, has_real_input(t)), array_of(t.out, has_real_output(t))};
}

double cost_of(const transform& t) {
  double n = 1;
  for (size_t d = 0; d < static_cast<size_t>(t.rank); ++d) n *= static_cast<double>(t.n[d]);
  const double complex = 5 * n * std::log2(n + 1) * static_cast<double>(t.batch);
  return t.type.what == kind::complex_to_complex ? complex : complex / 2;
}

void execute(const transform& t, const execution& e) {
  const transform_arrays arrays = arrays_of(t, e.in == e.out);
  switch (t.type.real) {
    case number::half:
      return run_in_float<__half>(t, e, arrays.in, arrays.out);
    case number::bfloat16:
      return run_in_float<__nv_bfloat16>(t, e, arrays.in, arrays.out);
    case number::single_precision:
      return run<float>(t, e, arrays.in, arrays.out);
    case number::double_precision:
      return run<double>(t, e, arrays.in, arrays.out);
  }
}

}  // namespace cohort::cufft
