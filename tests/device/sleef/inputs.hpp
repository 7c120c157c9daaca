// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs for the comparison of forms: all edge cases, then bit patterns of all magnitudes and numbers of common size.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace sleef {

template <class T>
class input_generator {
 public:
  explicit input_generator(unsigned arguments) : arguments_(arguments) {
    using limits = std::numeric_limits<T>;
    std::vector<T> edges;
    for (T x : {T(0),
                limits::denorm_min(),
                limits::min() / 4,
                std::nextafter(limits::min(), T(0)),
                limits::min(),
                T(1e-30),
                T(0.25),
                T(0.5),
                T(0.75),
                T(1),
                T(1.5),
                T(2),
                T(2.5),
                T(3),
                T(4),
                T(5),
                T(7.5),
                T(10),
                T(33),
                T(34),
                T(38),
                T(39),
                T(88),
                T(88.5),
                T(89),
                T(90),
                T(100.5),
                T(127),
                T(128),
                T(150),
                T(308),
                T(709),
                T(710),
                T(711),
                T(746),
                T(1023),
                T(1024),
                T(1075),
                T(16777216),
                T(16777217),
                T(2147483648.0),
                T(1e15),
                T(4503599627370497.0),
                T(9007199254740991.0),
                T(1e19),
                T(1e22),
                T(1e30),
                limits::max() / 2,
                limits::max(),
                limits::infinity()}) {
      for (T near : {std::nextafter(x, T(0)), x, std::nextafter(x, limits::infinity())}) {
        edges.push_back(near);
        edges.push_back(-near);
      }
    }
    edges.push_back(limits::quiet_NaN());
    if (arguments_ == 1) {
      first_edges_ = edges;
      second_edges_ = edges;
      return;
    }
    for (T x : edges) {
      for (T y : edges) {
        first_edges_.push_back(x);
        second_edges_.push_back(y);
      }
    }
  }

  void next(T& first, T& second) {
    if (made_ < first_edges_.size()) {
      first = first_edges_[made_];
      second = second_edges_[made_++];
      return;
    }
    ++made_;
    if (arguments_ == 1) {
      // Floats: a permutation of all bit patterns, but a quarter are numbers of common size and a quarter near an
      // overflow.
      first = made_ % 4 == 0   ? common()
              : made_ % 4 == 1 ? near_overflow()
              : sizeof(T) == 4 ? pattern(permuted_ += 0x9e3779b9u)
                               : pattern(random());
      second = first;
      return;
    }
    switch (made_ % 5) {
      case 4:  // powers near overflow, or near the smallest number
        first = std::fabs(common());
        second = near_overflow() / std::log(first);
        break;
      case 0:
        first = pattern(random());
        second = pattern(random());
        break;
      case 1:
        first = common();
        second = common();
        break;
      case 2:  // whole numbers, powers among them
        first = std::trunc(common());
        second = std::trunc(common() / 16);
        break;
      default:  // bases near 1 with large exponents, and pairs of neighbours
        first = T(1) + common() / T(1 << 20);
        second = first * (1 + common() / 1024);
    }
  }

 private:
  uint64_t random() {  // splitmix64
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  static T pattern(uint64_t bits) {
    T value;
    if constexpr (sizeof(T) == 4) {
      const auto word = static_cast<uint32_t>(bits);
      std::memcpy(&value, &word, sizeof value);
    } else {
      std::memcpy(&value, &bits, sizeof value);
    }
    return value;
  }
  // A magnitude between 2^-20 and 2^12, evenly in the exponent.
  T common() {
    const uint64_t bits = random();
    const T fraction = T(1) + static_cast<T>(bits >> 11) / T(9007199254740992.0);
    const T magnitude = std::ldexp(fraction, static_cast<int>(bits % 32) - 20);
    return bits & 64 ? -magnitude : magnitude;
  }

  // Arguments for which exp, exp2, exp10, cosh or lgamma overflows, or exp ends in denormals or zero.
  T near_overflow() {
    static const struct {
      double low, high;
    } floats[] = {{88.7, 88.74}, {89.4, 89.43}, {127.99, 128.01}, {38.52, 38.55}, {-104.1, -87}, {4.08e36, 4.09e36}},
      doubles[] = {{709.7827, 709.78272}, {709.7, 710.48}, {1023.99, 1024.01},
                   {308.25, 308.26},      {-745.2, -708},  {2.55e305, 2.56e305}};
    const uint64_t bits = random();
    const auto& range = (sizeof(T) == 4 ? floats : doubles)[bits % 6];
    return static_cast<T>(range.low + static_cast<double>(bits >> 11) / 9007199254740992.0 * (range.high - range.low));
  }

  unsigned arguments_;
  std::vector<T> first_edges_, second_edges_;
  uint64_t made_ = 0, state_ = 1;
  uint32_t permuted_ = 0;
};

}  // namespace sleef
