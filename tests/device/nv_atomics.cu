// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomic functions with an explicit order and scope: many threads on one value, and each result of one thread.
#include "check.hpp"

struct shared_values {
  int sum, difference, smallest;
  unsigned conjunction, disjunction, parity, largest;
  unsigned long long wide;
  float real;
  double counted;
};

__global__ void combine(shared_values* v, unsigned* seen) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  const int old = __nv_atomic_fetch_add(&v->sum, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_or(&seen[old / 32], 1u << (old % 32), __NV_ATOMIC_RELAXED);  // each old value occurs once
  __nv_atomic_sub(&v->difference, 2, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_min(&v->smallest, -static_cast<int>(rank), __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&v->largest, rank ^ 0xffff0000u, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_and(&v->conjunction, ~(1u << (rank % 8)), __NV_ATOMIC_RELAXED);
  __nv_atomic_or(&v->disjunction, 1u << (rank % 5), __NV_ATOMIC_RELEASE);
  __nv_atomic_xor(&v->parity, rank, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&v->wide, 1ull << 33, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(&v->real, 0.5f, __NV_ATOMIC_RELAXED);
  double expected = 0, next = 0;
  __nv_atomic_load(&v->counted, &expected, __NV_ATOMIC_RELAXED);
  do {
    next = expected + 0.25;
  } while (!__nv_atomic_compare_exchange(&v->counted, &expected, &next, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE));
}

__global__ void each(float* cell, unsigned* word, int* results) {
  float value = 1.5f, old = 0;
  __nv_atomic_store(cell, &value, __NV_ATOMIC_RELEASE);
  value = 2.5f;
  __nv_atomic_exchange(cell, &value, &old, __NV_ATOMIC_ACQ_REL);
  results[0] = static_cast<int>(old * 10);
  __nv_atomic_load(cell, &old, __NV_ATOMIC_ACQUIRE);
  results[1] = static_cast<int>(old * 10);
  float wrong = 7.0f, next = 3.5f;
  results[2] = __nv_atomic_compare_exchange(cell, &wrong, &next, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
  results[3] = static_cast<int>(wrong * 10);  // compare_exchange stored the value that it found
  results[4] = __nv_atomic_compare_exchange(cell, &wrong, &next, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_store_n(word, 45u, __NV_ATOMIC_RELAXED);
  results[5] = static_cast<int>(__nv_atomic_exchange_n(word, 46u, __NV_ATOMIC_RELAXED));
  unsigned found = 46;
  results[6] = __nv_atomic_compare_exchange_n(word, &found, 47u, true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
  results[7] = static_cast<int>(__nv_atomic_load_n(word, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE));
}

struct alignas(16) counted_sum {
  unsigned long long sum, count;
};

// Each thread adds its rank and one, once through atomicCAS() and once through compare_exchange.
__global__ void count_in_sixteen_bytes(counted_sum* cell) {
  counted_sum old = {}, found = {}, next = {};
  __nv_atomic_load(cell, &found, __NV_ATOMIC_RELAXED);
  do {
    old = found;
    found = atomicCAS(cell, old, counted_sum{old.sum + threadIdx.x, old.count + 1});
  } while (found.sum != old.sum || found.count != old.count);
  __nv_atomic_load(cell, &old, __NV_ATOMIC_ACQUIRE);
  do {
    next = {old.sum + threadIdx.x, old.count + 1};
  } while (!__nv_atomic_compare_exchange(cell, &old, &next, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED));
}

// Each stored value is returned once: to another thread, or at the end.
__global__ void swap_sixteen_bytes(float4* cell, unsigned* seen) {
  const float rank = static_cast<float>(blockIdx.x * blockDim.x + threadIdx.x);
  float4 value = {rank, -rank, 2 * rank, 7}, old = {};
  if (threadIdx.x % 2 == 0) {
    old = atomicExch(cell, value);
  } else {
    __nv_atomic_exchange(cell, &value, &old, __NV_ATOMIC_RELAXED);
  }
  if (old.y == -old.x && old.z == 2 * old.x && old.w == 7) atomicAdd(&seen[static_cast<unsigned>(old.x)], 1u);
}

static void test_sixteen_bytes(unsigned blocks, unsigned threads) {
  check::managed<counted_sum> sums(1);
  sums[0] = {};
  count_in_sixteen_bytes<<<blocks, threads>>>(sums.data);
  check::synchronize();
  check::equal("16 bytes, sum", sums[0].sum, 1ull * blocks * threads * (threads - 1));
  check::equal("16 bytes, count", sums[0].count, 2ull * blocks * threads);
  check::managed<float4> cell(1);
  check::managed<unsigned> seen(blocks * threads + 1);
  const float first = static_cast<float>(blocks * threads);
  cell[0] = make_float4(first, -first, 2 * first, 7);
  swap_sixteen_bytes<<<blocks, threads>>>(cell.data, seen.data);
  check::synchronize();
  ++seen[static_cast<unsigned>(cell[0].x)];
  for (unsigned i = 0; i <= blocks * threads; ++i) check::equal("16 bytes, exchanged", seen[i], 1u, i);
}

int main() {
  const unsigned blocks = 9, threads = 100, count = blocks * threads;
  check::managed<shared_values> v(1);
  check::managed<unsigned> seen(count / 32 + 1);
  v[0] = {0, 7, 5, 0xffu, 0, 0, 0, 3, 1, 2};
  combine<<<blocks, threads>>>(v.data, seen.data);
  check::synchronize();
  unsigned parity = 0, largest = 0;
  for (unsigned i = 0; i < count; ++i) {
    parity ^= i;
    largest = (i ^ 0xffff0000u) > largest ? i ^ 0xffff0000u : largest;
    check::equal("an old value", seen[i / 32] >> (i % 32) & 1, 1u, i);
  }
  check::equal("add", v[0].sum, static_cast<int>(count));
  check::equal("sub", v[0].difference, 7 - 2 * static_cast<int>(count));
  check::equal("min", v[0].smallest, 1 - static_cast<int>(count));
  check::equal("max", v[0].largest, largest);
  check::equal("and", v[0].conjunction, 0u);
  check::equal("or", v[0].disjunction, 31u);
  check::equal("xor", v[0].parity, parity);
  check::equal("add, 64 bits", v[0].wide, 3 + (static_cast<unsigned long long>(count) << 33));
  check::equal("add, float", v[0].real, 1 + 0.5f * count);
  check::equal("compare_exchange, double", v[0].counted, 2 + 0.25 * count);

  check::managed<float> cell(1);
  check::managed<unsigned> word(1);
  check::managed<int> results(8);
  each<<<1, 1>>>(cell.data, word.data, results.data);
  check::synchronize();
  const int wanted[] = {15, 25, 0, 25, 1, 45, 1, 47};
  for (int i = 0; i < 8; ++i) check::equal("one thread", results[i], wanted[i], i);
  test_sixteen_bytes(1, 1);
  test_sixteen_bytes(9, 100);
  return check::finish();
}
