// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every collective of one group, back to back without a barrier, and the expected results.
#pragma once

#include <cohort/launch.hpp>
#include <cstdlib>
#include <model/kernel_test.hpp>
#include <random>
#include <type_traits>

namespace testing_kernels {

template <class T>
struct results {
  T reduced, inclusive, exclusive, sent, invoked, reduced_again;
  unsigned long long count;
  bool any, all, any_of_none, all_of_all;
};

COHORT_HOST_DEVICE inline bool answer(unsigned long long index) { return index * 2654435761u % 7 < 3; }

// `rank` is the rank of the caller in the group, `index` its index in the arrays.
template <class Op, class T, class Group>
COHORT_DEVICE void call_all(const Group& group, const T* in, results<T>* out, unsigned long long index,
                            unsigned long long source) {
  const T mine = in[index];
  results<T>& r = out[index];
  r.reduced = cohort::reduce(group, mine, Op());
  r.inclusive = cohort::inclusive_scan(group, mine, Op());
  r.exclusive = cohort::exclusive_scan(group, mine, Op());
  r.sent = cohort::broadcast(group, mine, source);
  r.count = cohort::count(group, answer(index));
  r.any = cohort::any(group, answer(index));
  r.all = cohort::all(group, answer(index));
  r.any_of_none = cohort::any(group, false);
  r.all_of_all = cohort::all(group, true);
  r.invoked = cohort::invoke_one_broadcast(group, [&] { return mine; });
  const Op op{};
  r.reduced_again = cohort::reduce(group, r.inclusive, op);
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Compares the results of the group with the model. Its threads are begin .. begin + size - 1 of the arrays.
template <class Op, class T>
void expect_all(const buffer<T>& in, const buffer<results<T>>& out, std::size_t begin, std::size_t size,
                model::nesting shape, std::size_t source) {
  const Op op{};
  const std::vector<T> values(in.data() + begin, in.data() + begin + size);
  const T total = model::tree(values, shape, op);
  const std::vector<T> inclusive = model::inclusive(values, shape, op);
  const std::vector<T> exclusive = model::exclusive(values, shape, T{}, op);
  const T again = model::tree(inclusive, shape, op);
  unsigned long long count = 0;
  for (std::size_t i = 0; i < size; ++i) count += answer(begin + i);
  for (std::size_t i = 0; i < size; ++i) {
    SCOPED_TRACE(testing::Message() << "rank " << i << " of " << size << ", from thread " << begin);
    const results<T>& r = out[begin + i];
    ASSERT_TRUE(same_bits(r.reduced, total)) << "reduce";
    ASSERT_TRUE(same_bits(r.inclusive, inclusive[i])) << "inclusive_scan";
    ASSERT_TRUE(same_bits(r.exclusive, exclusive[i])) << "exclusive_scan";
    ASSERT_TRUE(same_bits(r.sent, source < size ? values[source] : T{})) << "broadcast";
    ASSERT_TRUE(same_bits(r.invoked, values[0])) << "invoke_one_broadcast";
    ASSERT_TRUE(same_bits(r.reduced_again, again)) << "reduce again";
    ASSERT_EQ(r.count, count);
    ASSERT_EQ(r.any, count != 0);
    ASSERT_EQ(r.all, count == size);
    ASSERT_FALSE(r.any_of_none);
    ASSERT_TRUE(r.all_of_all);
  }
}

// Random values: numbers of all magnitudes, both zeros, any bytes. Signed integers are small enough for a sum of a few
// thousand of them.
template <class T>
struct random_value {
  static T make(std::mt19937& random) {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) >= sizeof(int)) {
      return static_cast<T>(random()) / 4096;
    } else {
      return T(random());
    }
  }
};
template <>
struct random_value<float> {
  static float make(std::mt19937& random) {
    if (random() % 8 == 0) return random() % 2 != 0 ? -0.0f : 0.0f;
    return std::ldexp(static_cast<float>(random()) - 2e9f, static_cast<int>(random() % 40) - 40);
  }
};
template <std::size_t Bytes>
struct random_value<sized<Bytes>> {
  static sized<Bytes> make(std::mt19937& random) { return sized<Bytes>::of(static_cast<unsigned>(random())); }
};

// Combines byte by byte; the result depends on the order and the sides of the operands.
template <std::size_t Bytes>
struct bytes_op {
  COHORT_HOST_DEVICE sized<Bytes> operator()(const sized<Bytes>& a, const sized<Bytes>& b) const {
    sized<Bytes> result;
    for (std::size_t i = 0; i < Bytes; ++i) {
      result.bytes[i] = static_cast<unsigned char>(a.bytes[i] * 3u + (b.bytes[Bytes - 1 - i] ^ 0x5au) * 7u);
    }
    return result;
  }
};

// Adds floats. A sum of negative zeros is -0.0f, unless the library inserts an operand of +0.0f.
struct add {
  COHORT_HOST_DEVICE float operator()(float a, float b) const { return a + b; }
};

template <class T>
void fill(buffer<T>& in, unsigned seed) {
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = random_value<T>::make(random);
}

// The arrays of one launch, with a value for each thread, and the source of the broadcast.
template <class T>
struct arrays {
  arrays(std::size_t threads, unsigned seed)
      : in(threads), out(threads), source(static_cast<unsigned>(threads * 3 / 4)) {
    fill(in, seed);
  }
  buffer<T> in;
  buffer<results<T>> out;
  unsigned int source;
};

// Waits for the launch and expects success.
inline void expect_success(cohort::error e) {
  ASSERT_FALSE(e) << cohort::message(e);
#if COHORT_CUDA_SOURCE
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
#endif
}

}  // namespace testing_kernels
