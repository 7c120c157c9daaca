// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp intrinsics in blocks with full and partial warps, in one and two dimensions, against a model with all lanes.
#include <functional>
#include <type_traits>

#include "check.hpp"

static const dim3 shapes[] = {dim3(32), dim3(64), dim3(45), dim3(7), dim3(1), dim3(5, 9), dim3(4, 3, 6)};

__device__ unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

// Returns a different value for each thread.
template <class T>
__host__ __device__ T value_of(unsigned rank) {
  return static_cast<T>((rank + 1) * 0x9e3779b97f4a7c15ull);
}

// Computes one result for each pattern, width and argument.
template <class T>
__global__ void shuffle(T* results, unsigned mask, int width, int argument) {
  const unsigned rank = rank_in_block();
  if ((mask >> rank % 32 & 1) == 0) return;
  T* mine = results + rank * 4;
  const T value = value_of<T>(rank);
  static_assert(std::is_same<decltype(__shfl_sync(mask, value, 0)), T>::value, "the type is kept");
  if (width == 32) {
    mine[0] = __shfl_sync(mask, value, argument);
    mine[1] = __shfl_up_sync(mask, value, static_cast<unsigned>(argument));
    mine[2] = __shfl_down_sync(mask, value, static_cast<unsigned>(argument));
    mine[3] = __shfl_xor_sync(mask, value, argument);
  } else {
    mine[0] = __shfl_sync(mask, value, argument, width);
    mine[1] = __shfl_up_sync(mask, value, static_cast<unsigned>(argument), width);
    mine[2] = __shfl_down_sync(mask, value, static_cast<unsigned>(argument), width);
    mine[3] = __shfl_xor_sync(mask, value, argument, width);
  }
}

// Returns the lane that a shuffle reads, by the rules of the programming guide.
static int source_lane(int pattern, int lane, int width, int argument) {
  const int segment = lane / width * width, place = lane % width;
  if (pattern == 0) return segment + ((argument % width) + width) % width;
  const int step = argument % 32;
  if (pattern == 1) return place - step < 0 ? lane : lane - step;
  if (pattern == 2) return place + step >= width ? lane : lane + step;
  const int partner = lane ^ step;
  return partner / width > lane / width ? lane : partner;  // reading an earlier segment is allowed
}

template <class T>
static void test_shuffles(const char* name) {
  for (const dim3& shape : shapes) {
    const unsigned threads = shape.x * shape.y * shape.z;
    for (unsigned mask : {0xffffffffu, 0x0f0ff0f1u}) {
      for (int width : {1, 2, 4, 8, 16, 32}) {
        for (int argument : {0, 1, 2, 3, 5, 8, 16, 17, 31, 32, 37}) {
          check::managed<T> results(threads * 4);
          shuffle<T><<<1, shape>>>(results.data, mask, width, argument);
          check::synchronize();
          for (unsigned rank = 0; rank < threads; ++rank) {
            const int lane = static_cast<int>(rank % 32);
            if ((mask >> lane & 1) == 0) continue;
            for (int pattern = 0; pattern < 4; ++pattern) {
              const int from = source_lane(pattern, lane, width, argument);
              const unsigned from_rank = rank / 32 * 32 + static_cast<unsigned>(from);
              if (from_rank >= threads || (mask >> from & 1) == 0) continue;  // undefined value
              check::equal(name, results[rank * 4 + pattern], value_of<T>(from_rank), pattern, threads, rank, width,
                           argument);
            }
          }
        }
      }
    }
  }
}

struct votes {
  unsigned ballot, match_int, match_double, match_all, match_all_equal, add, low, high, bits_and, bits_or, bits_xor;
  int any, all, uni, all_equal, all_equal_2, signed_add, signed_low, signed_high;
};

__host__ __device__ int vote_of(unsigned rank) { return (rank * 2654435761u >> 13) % 3 == 0; }
__host__ __device__ int class_of(unsigned rank) { return static_cast<int>(rank * 2654435761u >> 20) % 4 - 1; }

__global__ void vote(votes* results, unsigned mask) {
  const unsigned rank = rank_in_block();
  if ((mask >> rank % 32 & 1) == 0) return;
  votes& r = results[rank];
  const int value = class_of(rank), predicate = vote_of(rank) * 8;
  r.ballot = __ballot_sync(mask, predicate);
  r.any = __any_sync(mask, predicate != 0 && rank > 40);
  r.all = __all_sync(mask, rank > 40 || predicate != 0 || rank % 32 > 3);
  r.uni = __uni_sync(mask, rank < 32);
  r.match_int = __match_any_sync(mask, value);
  r.match_double = __match_any_sync(mask, value * 0.5);
  r.match_all = __match_all_sync(mask, value, &r.all_equal);
  r.match_all_equal = __match_all_sync(mask, static_cast<unsigned long long>(rank / 32) << 40, &r.all_equal_2);
  const unsigned word = value_of<unsigned>(rank);
  r.add = __reduce_add_sync(mask, word);
  r.low = __reduce_min_sync(mask, word);
  r.high = __reduce_max_sync(mask, word);
  r.bits_and = __reduce_and_sync(mask, word | 0x11);
  r.bits_or = __reduce_or_sync(mask, word & 0xff0ff0ff);
  r.bits_xor = __reduce_xor_sync(mask, word);
  r.signed_add = __reduce_add_sync(mask, static_cast<int>(word));
  r.signed_low = __reduce_min_sync(mask, static_cast<int>(word));
  r.signed_high = __reduce_max_sync(mask, static_cast<int>(word));
  __syncwarp(mask);
}

static void test_votes() {
  for (const dim3& shape : shapes) {
    const unsigned threads = shape.x * shape.y * shape.z;
    for (unsigned mask : {0xffffffffu, 0x80000001u, 0x0f0ff0f1u, 0x7fffffffu}) {
      check::managed<votes> results(threads);
      vote<<<1, shape>>>(results.data, mask);
      check::synchronize();
      for (unsigned rank = 0; rank < threads; ++rank) {
        if ((mask >> rank % 32 & 1) == 0) continue;
        votes w{};
        w.low = w.bits_and = ~0u, w.all = w.all_equal = w.all_equal_2 = 1;
        w.signed_low = INT32_MAX, w.signed_high = INT32_MIN;
        unsigned members = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
          const unsigned other = rank / 32 * 32 + lane;
          if (other >= threads || (mask >> lane & 1) == 0) continue;
          const unsigned word = value_of<unsigned>(other), bit = 1u << lane;
          const int signed_word = static_cast<int>(word);
          members |= bit;
          if (vote_of(other)) w.ballot |= bit;
          if (vote_of(other) && other > 40) w.any = 1;
          if (!(other > 40 || vote_of(other) || other % 32 > 3)) w.all = 0;
          if (class_of(other) == class_of(rank)) w.match_int |= bit;
          if (class_of(other) != class_of(rank)) w.all_equal = 0;
          w.add += word, w.bits_and &= word | 0x11, w.bits_or |= word & 0xff0ff0ff, w.bits_xor ^= word;
          w.low = word < w.low ? word : w.low, w.high = word > w.high ? word : w.high;
          w.signed_low = signed_word < w.signed_low ? signed_word : w.signed_low;
          w.signed_high = signed_word > w.signed_high ? signed_word : w.signed_high;
        }
        const votes& r = results[rank];
        check::equal("__ballot_sync", r.ballot, w.ballot, threads, mask, rank);
        check::equal("__any_sync", r.any != 0, w.any != 0, threads, mask, rank);
        check::equal("__all_sync", r.all != 0, w.all != 0, threads, mask, rank);
        check::equal("__uni_sync", r.uni != 0, true, threads, mask, rank);
        check::equal("__match_any_sync int", r.match_int, w.match_int, threads, mask, rank);
        check::equal("__match_any_sync double", r.match_double, w.match_int, threads, mask, rank);
        check::equal("__match_all_sync", r.match_all, w.all_equal ? members : 0, threads, mask, rank);
        check::equal("__match_all_sync predicate", r.all_equal != 0, w.all_equal != 0, threads, mask, rank);
        check::equal("__match_all_sync 64", r.match_all_equal, members, threads, mask, rank);
        check::equal("__match_all_sync 64 predicate", r.all_equal_2 != 0, true, threads, mask, rank);
        check::equal("__reduce_add_sync", r.add, w.add, threads, mask, rank);
        check::equal("__reduce_min_sync", r.low, w.low, threads, mask, rank);
        check::equal("__reduce_max_sync", r.high, w.high, threads, mask, rank);
        check::equal("__reduce_and_sync", r.bits_and, w.bits_and, threads, mask, rank);
        check::equal("__reduce_or_sync", r.bits_or, w.bits_or, threads, mask, rank);
        check::equal("__reduce_xor_sync", r.bits_xor, w.bits_xor, threads, mask, rank);
        check::equal("__reduce_add_sync int", r.signed_add, static_cast<int>(w.add), threads, mask, rank);
        check::equal("__reduce_min_sync int", r.signed_low, w.signed_low, threads, mask, rank);
        check::equal("__reduce_max_sync int", r.signed_high, w.signed_high, threads, mask, rank);
      }
    }
  }
}

// The two halves of a warp vote in different branches, after some lanes have returned.
__global__ void apart(unsigned* results) {
  const unsigned lane = threadIdx.x;
  if (lane >= 28) return;
  unsigned result;
  if (lane % 2 == 0) {
    result = __ballot_sync(0x55555555u, lane % 3 == 0);
    result += static_cast<unsigned>(__all_sync(0x55555555u, 1));
  } else {
    result = __popc(__activemask());
    result += __reduce_add_sync(0xaaaaaaaau, lane) * 100;
  }
  results[lane] = result;
}

static void test_apart() {
  check::managed<unsigned> results(32);
  apart<<<1, 32>>>(results.data);
  check::synchronize();
  unsigned ballot = 0, sum = 0;
  for (unsigned lane = 0; lane < 28; ++lane) {
    if (lane % 6 == 0) ballot |= 1u << lane;
    if (lane % 2 == 1) sum += lane;
  }
  for (unsigned lane = 0; lane < 28; ++lane)
    check::equal("halves of a warp", results[lane], lane % 2 == 0 ? ballot + 1 : 14 + 100 * sum, lane);
}

// A mask may name lanes that have returned, and lanes that the block does not have. They match nothing.
__global__ void match_after_returns(unsigned* results, int* equal) {
  const unsigned rank = threadIdx.x;
  if (rank % 5 == 2) return;
  results[3 * rank] = __match_all_sync(0xffffffffu, 7, &equal[2 * rank]);
  results[3 * rank + 1] =
      __match_all_sync(0xffffffffu, static_cast<unsigned long long>(rank / 32) << 40, &equal[2 * rank + 1]);
  asm volatile("match.all.sync.b32 %0, %1, 0xffffffff;" : "=r"(results[3 * rank + 2]) : "r"(rank / 64));
}

static void test_match_after_returns() {
  for (unsigned threads : {7u, 32u, 45u}) {
    check::managed<unsigned> results(3 * threads);
    check::managed<int> equal(2 * threads);
    match_after_returns<<<1, threads>>>(results.data, equal.data);
    check::synchronize();
    unsigned left[2] = {0, 0};
    for (unsigned rank = 0; rank < threads; ++rank) left[rank / 32] |= (rank % 5 != 2 ? 1u : 0u) << rank % 32;
    for (unsigned rank = 0; rank < threads; ++rank) {
      if (rank % 5 == 2) continue;
      for (unsigned i = 0; i < 3; ++i)
        check::equal("match_all after returns", results[3 * rank + i], left[rank / 32], threads, rank, i);
      for (unsigned i = 0; i < 2; ++i)
        check::equal("match_all's predicate", equal[2 * rank + i] != 0, true, threads, rank, i);
    }
  }
}

int main() {
  test_shuffles<int>("int");
  test_shuffles<unsigned>("unsigned");
  test_shuffles<long>("long");
  test_shuffles<unsigned long>("unsigned long");
  test_shuffles<long long>("long long");
  test_shuffles<unsigned long long>("unsigned long long");
  test_shuffles<float>("float");
  test_shuffles<double>("double");
  test_votes();
  test_apart();
  test_match_after_returns();
  return check::finish();
}
