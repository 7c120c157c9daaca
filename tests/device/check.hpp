// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools for the tests of device functions: inputs with all edge cases, comparisons, the exit status.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace check {

inline long comparisons = 0;
inline long failures = 0;

inline void fail(const char* what, const char* inputs, const char* got, const char* wanted) {
  if (++failures <= 20) std::printf("%s(%s) = %s, should be %s\n", what, inputs, got, wanted);
}

inline void describe(char* text, size_t size, double x) { std::snprintf(text, size, "%a", x); }
inline void describe(char* text, size_t size, float x) { std::snprintf(text, size, "%af", static_cast<double>(x)); }
inline void describe(char* text, size_t size, long double x) { std::snprintf(text, size, "%La", x); }
template <class T>
void describe(char* text, size_t size, T x) {
  std::snprintf(text, size, "%lld", static_cast<long long>(x));
}

// Equal bits, or both NaN.
template <class T>
bool same(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T, class... Inputs>
void equal(const char* what, T got, T wanted, Inputs... inputs) {
  ++comparisons;
  if (same(got, wanted)) return;
  char text[256] = "", a[64], b[64], one[64];
  ((describe(one, sizeof one, inputs), std::strncat(text, text[0] ? ", " : "", 3), std::strncat(text, one, 60)), ...);
  describe(a, sizeof a, got);
  describe(b, sizeof b, wanted);
  fail(what, text, a, b);
}

// Within `ulps` units in the last place of T around the exact result, given in long double.
template <class T, class... Inputs>
void near(const char* what, double ulps, T got, long double exact, Inputs... inputs) {
  ++comparisons;
  const T nearest = static_cast<T>(exact);
  if (same(got, nearest)) return;
  const T magnitude = std::fabs(nearest);
  if (magnitude <= std::numeric_limits<T>::max() && std::isfinite(got)) {
    const T smallest = std::numeric_limits<T>::denorm_min();
    const long double unit = std::fmax(static_cast<long double>(std::nextafter(magnitude, T(INFINITY))) - magnitude,
                                       static_cast<long double>(smallest));
    if (std::isfinite(unit) && std::fabs(static_cast<long double>(got) - exact) <= ulps * unit) return;
  }
  char text[256] = "", a[64], b[64], one[64];
  ((describe(one, sizeof one, inputs), std::strncat(text, text[0] ? ", " : "", 3), std::strncat(text, one, 60)), ...);
  describe(a, sizeof a, got);
  describe(b, sizeof b, nearest);
  fail(what, text, a, b);
}

// A random generator with a fixed sequence.
struct generator {
  uint64_t state = 0x9e3779b97f4a7c15u;
  uint64_t operator()() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
};

template <class T>
struct bits_of;
template <>
struct bits_of<float> {
  typedef uint32_t type;
};
template <>
struct bits_of<double> {
  typedef uint64_t type;
};

// Zeros, bounds, denormals, halves, NaN and infinities of both signs, then numbers of common size, then random bits.
template <class T>
std::vector<T> floating_inputs(size_t count) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0),
              limits::denorm_min(),
              limits::min(),
              std::nextafter(limits::min(), T(0)),
              T(0.25),
              T(0.5),
              T(1),
              std::nextafter(T(1), T(0)),
              std::nextafter(T(1), T(2)),
              T(1.5),
              T(2),
              T(2.5),
              T(3),
              T(10),
              T(100.5),
              T(2147483647),
              T(2147483648),
              T(4294967295),
              T(4294967296),
              T(9223372036854775808.0),
              T(18446744073709551616.0),
              T(1) / limits::epsilon(),
              limits::max(),
              limits::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(limits::quiet_NaN());
  generator random;
  while (values.size() < count) {
    const uint64_t bits = random();
    if (values.size() % 2) {
      values.push_back(static_cast<T>(static_cast<int64_t>(bits)) / static_cast<T>(int64_t(1) << 59));
    } else {
      typename bits_of<T>::type own = static_cast<typename bits_of<T>::type>(bits);
      T x;
      std::memcpy(&x, &own, sizeof x);
      values.push_back(x);
    }
  }
  return values;
}

template <class T>
std::vector<T> integer_inputs(size_t count) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           T(1),
                           T(2),
                           T(-1),
                           T(-2),
                           T(31),
                           T(32),
                           T(33),
                           limits::max(),
                           limits::min(),
                           T(limits::max() - 1),
                           T(limits::min() + 1),
                           T(0x80),
                           T(0x7f),
                           T(0x8000),
                           T(0x7fff),
                           T(0x12345678),
                           T(0xAAAAAAAAAAAAAAAAull),
                           T(0x5555555555555555ull)};
  generator random;
  while (values.size() < count) values.push_back(static_cast<T>(random() >> (random() & 63)));
  return values;
}

// A copy of the values that kernels can read and write.
template <class T>
struct managed {
  T* data = nullptr;
  size_t count;
  explicit managed(size_t n) : count(n) {
    if (cudaMallocManaged(reinterpret_cast<void**>(&data), n * sizeof(T)) != cudaSuccess) std::exit(2);
    std::memset(static_cast<void*>(data), 0, n * sizeof(T));
  }
  explicit managed(const std::vector<T>& values) : managed(values.size()) {
    std::memcpy(static_cast<void*>(data), values.data(), count * sizeof(T));
  }
  managed(const managed&) = delete;
  ~managed() { cudaFree(data); }
  T& operator[](size_t i) { return data[i]; }
};

inline void synchronize() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(error));
    std::exit(2);
  }
}

// Returns the program's exit status. A program without a comparison fails.
inline int finish() {
  std::printf("%ld comparisons, %ld failures\n", comparisons, failures);
  return failures == 0 && comparisons > 0 ? 0 : 1;
}

}  // namespace check
