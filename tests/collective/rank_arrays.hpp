// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of array collectives, in which each rank passes and gets an array: the kernel's body for each function, in
// place and out of place, and the results by the model.
#pragma once

#include <gtest/gtest.h>

#include <cohort/cohort.hpp>
#include <cstddef>
#include <cstring>
#include <model/grid_model.hpp>
#include <model/kernel_test.hpp>
#include <vector>

namespace testing_arrays {

using testing_kernels::sized;
using testing_kernels::trace_op;

enum class form {
  reduce,
  reduce_in_place,
  reduce_unordered,
  reduce_with_epilogue,
  scatter,
  scatter_in_place,
  gather,
  gather_in_place,
  broadcast,
  broadcast_in_place,
  several
};

COHORT_HOST_DEVICE constexpr unsigned operand(unsigned rank, std::size_t i) {
  return (rank + 1) * 2654435761u ^ static_cast<unsigned>(i) * 40503u;
}

template <class T>
struct element {
  COHORT_HOST_DEVICE static T of(unsigned number) { return static_cast<T>(number); }
};
template <>
struct element<float> {  // a single operation: compilers may contract a product and a sum into one rounding
  COHORT_HOST_DEVICE static float of(unsigned number) { return static_cast<float>(number) * 1e-3f; }
};
template <std::size_t Bytes>
struct element<sized<Bytes>> {
  COHORT_HOST_DEVICE static sized<Bytes> of(unsigned number) { return sized<Bytes>::of(number); }
};

// Neither commutative nor associative, and each byte of the result depends on both operands.
template <class T>
struct mix {
  COHORT_HOST_DEVICE T operator()(const T& a, const T& b) const {
    unsigned char left[sizeof(T)], right[sizeof(T)], both[sizeof(T)];
    __builtin_memcpy(left, &a, sizeof(T));
    __builtin_memcpy(right, &b, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      both[i] = static_cast<unsigned char>(left[i] * 3u + (right[sizeof(T) - 1 - i] ^ 0x5au) * 7u);
    }
    T result = a;
    __builtin_memcpy(&result, both, sizeof(T));
    return result;
  }
};

// An epilogue whose result depends on the index that it receives.
template <class T>
struct with_index {
  COHORT_HOST_DEVICE T operator()(std::size_t i, const T& value) const {
    return mix<T>()(value, element<T>::of(static_cast<unsigned>(i)));
  }
};

// Fills the operands of rank `rank`, calls the function `rounds` times, and copies results in place to `out`.
template <class T, class Op, class Group>
COHORT_DEVICE void exchange(const Group& all, form what, unsigned rank, unsigned ranks, T* in, T* out,
                            std::size_t count, unsigned root, int rounds) {
  const auto grid = cohort::this_grid();
  const std::size_t operands = count * ranks, mine = count * rank;
  T* in_place = nullptr;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = grid.thread_rank(); i < operands; i += grid.num_threads()) {
      in[i] = element<T>::of(operand(rank, i));
    }
    grid.sync();
    switch (what) {
      case form::reduce:
        cohort::all_reduce(all, out, in, count, Op());
        break;
      case form::reduce_in_place:
        cohort::all_reduce(all, in, in, count, Op());
        in_place = in;
        break;
      case form::reduce_unordered:
        cohort::all_reduce_unordered(all, out, in, count, Op());
        break;
      case form::reduce_with_epilogue:
        cohort::all_reduce(all, out, in, count, Op(), with_index<T>());
        break;
      case form::scatter:
        cohort::reduce_scatter(all, out, in, count, Op());
        break;
      case form::scatter_in_place:
        cohort::reduce_scatter(all, in + mine, in, count, Op());
        in_place = in + mine;
        break;
      case form::gather:
        cohort::all_gather(all, out, in, count);
        break;
      case form::gather_in_place:
        cohort::all_gather(all, in, in + mine, count);
        in_place = in;
        break;
      case form::broadcast:
        cohort::broadcast(all, out, in, count, root);
        break;
      case form::broadcast_in_place:
        cohort::broadcast(all, in, in, count, root);
        in_place = in;
        break;
      case form::several: {
        auto first = cohort::begin_all_reduce(all, out, in, count, Op());
        auto second = cohort::begin_all_gather(all, out + count, in, count);
        auto third = cohort::begin_broadcast(all, out + (ranks + 1) * count, in, count, root);
        first.end();
        second.end();
        third.end();
        break;
      }
    }
    grid.sync();
  }
  if (in_place == nullptr) return;
  const std::size_t results = what == form::gather_in_place ? operands : count;
  for (std::size_t i = grid.thread_rank(); i < results; i += grid.num_threads()) out[i] = in_place[i];
}

// The results that rank `rank` expects.
template <class T, class Op>
std::vector<T> expected(form what, unsigned ranks, unsigned rank, std::size_t count, unsigned root) {
  const auto of_all = [&](std::size_t i) {
    std::vector<T> values;
    for (unsigned r = 0; r < ranks; ++r) values.push_back(element<T>::of(operand(r, i)));
    return values;
  };
  std::vector<T> results;
  const auto add = [&](form part) {
    for (std::size_t i = 0; i < count; ++i) {
      if (part == form::reduce) results.push_back(model::tree(of_all(i), Op()));
      if (part == form::reduce_with_epilogue) results.push_back(with_index<T>()(i, model::tree(of_all(i), Op())));
      if (part == form::scatter) results.push_back(model::tree(of_all(rank * count + i), Op()));
      if (part == form::broadcast) results.push_back(element<T>::of(operand(root, i)));
    }
    for (unsigned r = 0; r < ranks && part == form::gather; ++r) {
      // In place a rank's operands lie where its results will be.
      const std::size_t first = what == form::gather_in_place ? r * count : 0;
      for (std::size_t i = 0; i < count; ++i) results.push_back(element<T>::of(operand(r, first + i)));
    }
  };
  switch (what) {
    case form::reduce_in_place:
    case form::reduce_unordered:
      add(form::reduce);
      break;
    case form::scatter_in_place:
      add(form::scatter);
      break;
    case form::gather_in_place:
      add(form::gather);
      break;
    case form::broadcast_in_place:
      add(form::broadcast);
      break;
    case form::several:
      for (form part : {form::reduce, form::gather, form::broadcast}) add(part);
      break;
    default:
      add(what);
  }
  return results;
}

constexpr form all_forms[] = {form::reduce,          form::reduce_in_place,  form::reduce_with_epilogue,
                              form::scatter,         form::scatter_in_place, form::gather,
                              form::gather_in_place, form::broadcast,        form::broadcast_in_place,
                              form::several};

// Compares the results of one rank, which begin at element `shift` of `found`. All other elements are zero.
template <class T, class Op>
void expect_results(form what, unsigned ranks, unsigned rank, std::size_t count, unsigned root,
                    const std::vector<T>& found, std::size_t shift) {
  const std::vector<T> model = expected<T, Op>(what, ranks, rank, count, root);
  const std::vector<unsigned char> zero(sizeof(T));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_result = i >= shift && i < shift + model.size();
    const void* const right = is_result ? static_cast<const void*>(&model[i - shift]) : zero.data();
    ASSERT_EQ(std::memcmp(&found[i], right, sizeof(T)), 0)
        << "rank " << rank << ", element " << static_cast<long>(i) - static_cast<long>(shift);
  }
}

// The number of elements in a rank's memory for operands, and in its memory for results.
inline std::size_t operands_of(unsigned ranks, std::size_t count, std::size_t shift) {
  return ranks * count + shift + 1;
}
inline std::size_t results_of(unsigned ranks, std::size_t count, std::size_t shift) {
  return (ranks + 2) * count + shift + 1;
}

// Calls test.run<T, Op>(form, count, grid, block, shift, rounds) for all cases.
template <class Test>
void run_forms(const Test& test) {
  for (const form what : all_forms) {
    for (const std::size_t count : {0u, 1u, 2u, 63u, 64u, 65u, 1000u}) {
      test.template run<unsigned, mix<unsigned>>(what, count, {1}, {1});
      test.template run<unsigned, mix<unsigned>>(what, count, {3}, {37});
    }
    test.template run<unsigned, trace_op>(what, 777, {2, 2}, {4, 3, 2});
  }
}
// ptxas takes over ten minutes for the kernels with elements of 300 bytes, so programs that nvcc builds in pieces use
// smaller ones.
#if defined(CONFORMANCE_PIECE)
constexpr std::size_t large_element = 100;
#else
constexpr std::size_t large_element = 300;
#endif

template <class Test>
void run_small_elements(const Test& test) {
  for (const form what : all_forms) {
    test.template run<unsigned char, mix<unsigned char>>(what, 1001, {2}, {33});
    test.template run<sized<3>, mix<sized<3>>>(what, 257, {2}, {33});
    test.template run<unsigned short, mix<unsigned short>>(what, 300, {1}, {64});
  }
}
template <class Test>
void run_large_elements(const Test& test) {
  for (const form what : all_forms) {
    test.template run<unsigned long long, mix<unsigned long long>>(what, 129, {3}, {16});
    test.template run<sized<12>, mix<sized<12>>>(what, 100, {2}, {33});
    test.template run<sized<large_element>, mix<sized<large_element>>>(what, 40, {2}, {33});
  }
}
template <class Test>
void run_element_sizes(const Test& test) {
  run_small_elements(test);
  run_large_elements(test);
}
template <class Test>
void run_alignments(const Test& test) {
  for (const form what : all_forms) {
    for (std::size_t shift = 1; shift < 5; ++shift) {
      test.template run<unsigned char, mix<unsigned char>>(what, 515, {2}, {33}, shift);
      test.template run<float, cohort::plus<float>>(what, 515, {2}, {33}, shift);
    }
  }
}
template <class Test>
void run_long_arrays(const Test& test, std::size_t count) {
  for (const form what : all_forms) {
    test.template run<unsigned, mix<unsigned>>(what, count, {1}, {32});
    test.template run<float, cohort::plus<float>>(what, count, {5}, {40}, 0, 3);
  }
  test.template run<sized<large_element>, mix<sized<large_element>>>(form::reduce, count / 50, {3}, {32});
}
template <class Test>
void run_back_to_back(const Test& test) {
  for (const form what : {form::reduce, form::reduce_in_place, form::several}) {
    for (const std::size_t count : {5u, 3000u, 70001u}) {
      test.template run<unsigned, mix<unsigned>>(what, count, {3}, {37}, 0, 7);
    }
  }
}
template <class Test>
void run_unordered(const Test& test) {
  for (const std::size_t count : {1u, 1000u, 100003u}) {
    test.template run<unsigned, cohort::plus<unsigned>>(form::reduce_unordered, count, {3}, {37});
  }
}

}  // namespace testing_arrays
