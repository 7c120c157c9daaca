// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of a block and their counting forms, fences between threads, clocks, loads and stores with cache hints.
#include <type_traits>

#include "check.hpp"

struct counts {
  int count, both, either, none, all;
};

// Some threads return first: barriers and counts apply to the others.
__global__ void count_threads(counts* results, unsigned leavers) {
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
  if (rank % 5 < leavers) return;
  __shared__ int turns[4];
  if (rank == 4) turns[0] = 1, turns[1] = 2;
  __syncthreads();
  counts& r = results[rank];
  r.count = __syncthreads_count(rank % 3 == 0 ? static_cast<int>(rank) + 1 : 0);
  r.both = __syncthreads_and(static_cast<int>(rank % 7) - 9);
  r.either = __syncthreads_or(rank == 9 ? 1 << 20 : 0);
  r.none = __syncthreads_or(0);
  r.all = __syncthreads_and(rank != 9);
  if (rank == 4) turns[2] = turns[0] + turns[1];
  __syncthreads();
  r.count += 1000 * turns[2];
}

static void test_counts() {
  for (dim3 shape : {dim3(10), dim3(32), dim3(100), dim3(16, 16), dim3(33, 31)}) {
    for (unsigned leavers : {0u, 1u, 4u}) {
      const unsigned threads = shape.x * shape.y;
      check::managed<counts> results(threads);
      count_threads<<<1, shape>>>(results.data, leavers);
      check::synchronize();
      int divisible = 0;
      for (unsigned rank = 0; rank < threads; ++rank) divisible += rank % 5 >= leavers && rank % 3 == 0;
      for (unsigned rank = 0; rank < threads; ++rank) {
        if (rank % 5 < leavers) continue;
        const counts& r = results[rank];
        check::equal("__syncthreads_count", r.count, divisible + 3000, threads, leavers, rank);
        check::equal("__syncthreads_and", r.both != 0, true, threads, leavers, rank);
        check::equal("__syncthreads_or", r.either != 0, true, threads, leavers, rank);
        check::equal("__syncthreads_or of zeros", r.none != 0, false, threads, leavers, rank);
        check::equal("__syncthreads_and with a zero", r.all != 0, false, threads, leavers, rank);
      }
    }
  }
}

// A tree in shared memory: one thread that passes a barrier early makes the sum wrong.
__global__ void tree(const int* input, int* sums) {
  __shared__ unsigned part[256];  // unsigned: the sums wrap around
  const unsigned i = threadIdx.x;
  part[i] = input[blockIdx.x * blockDim.x + i];
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    __syncthreads();
    if (i < step) part[i] += part[i + step];
  }
  if (i == 0) sums[blockIdx.x] = static_cast<int>(part[0]);
}

static void test_tree() {
  const std::vector<int> values = check::integer_inputs<int>(64 * 256);
  check::managed<int> input(values), sums(64);
  tree<<<64, 256>>>(input.data, sums.data);
  check::synchronize();
  for (unsigned block = 0; block < 64; ++block) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 256; ++i) sum += static_cast<unsigned>(values[block * 256 + i]);
    check::equal("tree", sums[block], static_cast<int>(sum), block);
  }
}

// The last block to finish adds the results of the others, as in the programming guide.
__global__ void last_block(const int* input, volatile int* partial, unsigned* done, int* result) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = input[blockIdx.x] * 3;
    __threadfence();
    last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];
    *result = sum;
    __threadfence_block();
    __threadfence_system();
  }
}

static void test_fence() {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return;  // ThreadSanitizer does not support fences
#endif
#endif
  check::managed<int> input(200), partial(200), result(1);
  check::managed<unsigned> done(1);
  int sum = 0;
  for (int i = 0; i < 200; ++i) input[i] = i * i, sum += 3 * i * i;
  last_block<<<200, 64>>>(input.data, partial.data, done.data, result.data);
  check::synchronize();
  check::equal("last block", result[0], sum);
}

__global__ void clocks(long long* results) {
  static_assert(std::is_same<decltype(clock64()), long long>::value, "clock64 is long long");
  static_assert(std::is_same<decltype(clock()), clock_t>::value, "clock is clock_t");
  const long long start = clock64();
  const clock_t start_short = clock();
  __nanosleep(2000000);
  results[0] = clock64() - start;
  results[1] = clock() - start_short;
  __prof_trigger(1);
  __assume(results[0] != 0);
}

static void test_clocks() {
  check::managed<long long> results(2);
  clocks<<<1, 1>>>(results.data);
  check::synchronize();
  check::equal("clock64 goes on", results[0] > 0, true);
  check::equal("clock goes on", results[1] > 0, true);
}

struct three {
  unsigned char r, g, b;
};
__global__ void hinted(const float4* from, float4* to, const double* numbers, double* copies, const three* colors,
                       three* painted, const unsigned short* shorts, int* sum) {
  float4 v = __ldg(from);
  v.x += __ldca(&from->y) + __ldcg(&from->z) + __ldcs(&from->w) + __ldlu(&from->x);
  __stwt(to, v);
  __stwb(&to[1], __ldcv(from));
  __stcg(copies, __ldcv(numbers));
  __stcs(copies + 1, __ldg(numbers + 1));
  __stwt(copies + 2, numbers[2]);
  __stwt(painted, __ldcv(colors));
  *sum = __ldg(shorts) + __ldcv(shorts + 1);
}

static void test_hinted() {
  check::managed<float4> from(1), to(2);
  check::managed<double> numbers(std::vector<double>{1.5, -2.5, 1e300}), copies(3);
  check::managed<three> colors(1), painted(1);
  check::managed<unsigned short> shorts(std::vector<unsigned short>{60000, 7});
  check::managed<int> sum(1);
  from[0] = make_float4(1, 2, 3, 4);
  colors[0] = three{1, 20, 255};
  hinted<<<1, 1>>>(from.data, to.data, numbers.data, copies.data, colors.data, painted.data, shorts.data, sum.data);
  check::synchronize();
  check::equal("hinted loads", to[0].x * 1000 + to[0].y * 100 + to[0].z * 10 + to[0].w, 11234.0f);
  check::equal("__ldcv float4", to[1].x * 1000 + to[1].y * 100 + to[1].z * 10 + to[1].w, 1234.0f);
  for (int i = 0; i < 3; ++i) check::equal("hinted stores", copies[i], numbers[i], i);
  check::equal("three bytes", painted[0].r * 65536 + painted[0].g * 256 + painted[0].b, 65536 + 20 * 256 + 255);
  check::equal("shorts", sum[0], 60007);
}

int main() {
  test_counts();
  test_tree();
  test_fence();
  test_clocks();
  test_hinted();
  return check::finish();
}
