// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <cuda/atomic>, which also has cuda::std's atomics: many threads update few values whose totals are known, in kernels
// and on the host.
#include <cuda/atomic>

#include <cohort/base/scope.hpp>

#include <thread>
#include <type_traits>

#include "check.hpp"

constexpr unsigned blocks = 13, threads = 96, all = blocks * threads;

struct small_pair {
  short first, second;
};

struct totals {
  cuda::atomic<int, cuda::thread_scope_device> add, sub, low, high, and_bits, or_bits, xor_bits, exchanged;
  cuda::atomic<unsigned long long, cuda::thread_scope_system> wide, wide_high;
  cuda::atomic<float, cuda::thread_scope_device> fadd, flow;
  cuda::atomic<double> dadd, dsub, dhigh;
  cuda::atomic<unsigned char> bytes;
  cuda::atomic<int*> place;
  cuda::atomic<small_pair> both;
  cuda::std::atomic<unsigned> tickets;
  cuda::std::atomic_flag lock;
  int in_lock, not_atomic, maximum;
  float real;
  int array[4];
};

__global__ void update(totals* t, unsigned* tickets, int* orders) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int hash = static_cast<int>(i * 2654435761u);
  t->add.fetch_add(hash, cuda::memory_order_relaxed);
  t->sub -= hash;
  t->low.fetch_min(hash);
  t->high.fetch_max(hash, cuda::std::memory_order_acq_rel);
  t->and_bits &= ~(1 << i % 16);
  t->or_bits.fetch_or(1 << i % 30);
  t->xor_bits ^= hash;
  t->wide += 0x9e3779b97f4a7c15ull * i;
  t->wide_high.fetch_max(0x9e3779b97f4a7c15ull * i);
  t->fadd += 0.5f;
  t->flow.fetch_min(-static_cast<float>(i));
  t->dadd.fetch_add(i + 0.25);
  t->dsub.fetch_sub(0.5);
  t->dhigh.fetch_max(i * 1.5);
  ++t->bytes;
  t->place++;
  small_pair seen = t->both.load(), next;
  do {
    next = {static_cast<short>(seen.first + 1), static_cast<short>(seen.second - 1)};
  } while (!t->both.compare_exchange_weak(seen, next, cuda::memory_order_acq_rel));
  tickets[i] = t->tickets++;
  while (t->lock.test_and_set(cuda::std::memory_order_acquire)) {
  }
  t->in_lock = t->in_lock + 1;
  t->lock.clear(cuda::std::memory_order_release);
  cuda::atomic_ref<int, cuda::thread_scope_block> reference(t->not_atomic);
  reference.fetch_add(3);
  cuda::atomic_ref<int>(t->maximum).fetch_max(hash);
  cuda::atomic_ref<float, cuda::thread_scope_device>(t->real) += 0.25f;
  cuda::std::atomic_ref<int> cell(t->array[i % 4]);
  cell += 1;
  if (i == 0) orders[0] = t->exchanged.exchange(77);
  if (i == 1) {
    int expected = -1;
    orders[1] = t->place.is_lock_free() && !t->and_bits.compare_exchange_strong(expected, 5) && expected != -1;
  }
}

// One thread publishes a value; the others wait for it with wait() or in a loop.
__global__ void publish(int* out, cuda::atomic<int, cuda::thread_scope_device>* flag, int* data) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) ready.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 40) {
    *data = 123;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    flag->store(1, cuda::memory_order_relaxed);
    flag->notify_all();
    ready.store(9, cuda::std::memory_order_release);
  } else if (threadIdx.x % 2) {
    flag->wait(0, cuda::memory_order_acquire);
  } else {
    while (ready.load(cuda::memory_order_acquire) != 9) {
    }
  }
  out[threadIdx.x] = *data + ready;
}

// The host and a kernel pass a value back and forth.
__global__ void play(cuda::atomic<int>* ball) {
  for (int round = 0; round < 10; ++round) {
    ball->wait(2 * round);
    ball->fetch_add(1);
  }
}

// Volatile objects, in a kernel and on the host.
__host__ __device__ int through_volatile(volatile cuda::std::atomic<int>* value) {
  value->store(3, cuda::std::memory_order_release);
  int expected = 3;
  const bool exchanged = value->compare_exchange_strong(expected, 5);
  *value += value->fetch_add(1) + ++*value;  // 7 + 5 + 7
  return exchanged ? value->load(cuda::std::memory_order_acquire) : -1;
}
__global__ void use_volatile(cuda::std::atomic<int>* value, int* result) { *result = through_volatile(value); }

int main() {
  static_assert(std::is_same_v<cuda::thread_scope, cohort::thread_scope>);
  static_assert(cuda::thread_scope_block == cohort::thread_scope_block);
  static_assert(std::is_trivially_default_constructible_v<cuda::atomic<int>>);
  static_assert(!std::is_copy_constructible_v<cuda::atomic<float>>);
  static_assert(std::is_same_v<cuda::atomic<double>::value_type, double>);
  static_assert(std::is_same_v<cuda::atomic_ref<int*>::difference_type, std::ptrdiff_t>);
  static_assert(sizeof(cuda::atomic<small_pair>) == 4 && alignof(cuda::atomic<small_pair>) == 4);

  check::managed<totals> t(1);
  check::managed<unsigned> tickets(all);
  check::managed<int> orders(2);
  t[0].and_bits = -1;
  t[0].place = t[0].array;
  t[0].exchanged = 11;
  update<<<blocks, threads>>>(t.data, tickets.data, orders.data);
  check::synchronize();
  int add = 0, low = 0, high = 0, bits_or = 0, bits_xor = 0;
  unsigned long long wide = 0, wide_high = 0;
  double dadd = 0;
  for (unsigned i = 0; i < all; ++i) {
    const int hash = static_cast<int>(i * 2654435761u);
    add = static_cast<int>(static_cast<unsigned>(add) + static_cast<unsigned>(hash));
    low = std::min(low, hash), high = std::max(high, hash);
    bits_or |= 1 << i % 30, bits_xor ^= hash;
    const unsigned long long product = 0x9e3779b97f4a7c15ull * i;
    wide += product, wide_high = std::max(wide_high, product);
    dadd += i + 0.25;
  }
  check::equal("fetch_add", t[0].add.load(), add);
  check::equal("-=", t[0].sub.load(), static_cast<int>(0u - static_cast<unsigned>(add)));
  check::equal("fetch_min", t[0].low.load(), low);
  check::equal("fetch_max", t[0].high.load(), high);
  check::equal("&=", t[0].and_bits.load(), static_cast<int>(0xffff0000));
  check::equal("fetch_or", t[0].or_bits.load(), bits_or);
  check::equal("^=", t[0].xor_bits.load(), bits_xor);
  check::equal("+= of 64 bits", t[0].wide.load(), wide);
  check::equal("fetch_max of 64 bits", t[0].wide_high.load(), wide_high);
  check::equal("+= of float", t[0].fadd.load(), all * 0.5f);
  check::equal("fetch_min of float", t[0].flow.load(), -static_cast<float>(all - 1));
  check::equal("fetch_add of double", t[0].dadd.load(), dadd);
  check::equal("fetch_sub of double", t[0].dsub.load(), all * -0.5);
  check::equal("fetch_max of double", t[0].dhigh.load(), (all - 1) * 1.5);
  check::equal("++ of bytes", static_cast<unsigned>(t[0].bytes.load()), all % 256);
  check::equal("++ of a pointer", t[0].place.load() - t[0].array, std::ptrdiff_t{all});
  check::equal("compare_exchange of a class", static_cast<int>(t[0].both.load().first), static_cast<int>(all));
  check::equal("compare_exchange of a class", static_cast<int>(t[0].both.load().second), -static_cast<int>(all));
  check::equal("lock", t[0].in_lock, static_cast<int>(all));
  check::equal("atomic_ref", t[0].not_atomic, static_cast<int>(3 * all));
  check::equal("atomic_ref fetch_max", t[0].maximum, high);
  check::equal("atomic_ref of float", t[0].real, all * 0.25f);
  for (int i = 0; i < 4; ++i) check::equal("cuda::std::atomic_ref", t[0].array[i], static_cast<int>(all / 4), i);
  check::equal("exchange, before", orders[0], 11);
  check::equal("exchange, after", t[0].exchanged.load(), 77);
  check::equal("compare_exchange_strong that fails", orders[1], 1);
  std::vector<int> taken(all);
  for (unsigned i = 0; i < all; ++i) ++taken[tickets[i] % all];
  for (unsigned i = 0; i < all; ++i) check::equal("each ticket once", taken[i], 1, i);

  check::managed<int> out(threads);
  check::managed<int> data(1);
  check::managed<cuda::atomic<int, cuda::thread_scope_device>> flag(1);
  publish<<<1, threads>>>(out.data, flag.data, data.data);
  check::synchronize();
  for (unsigned i = 0; i < threads; ++i) check::equal("published", out[i], 132, i);

  check::managed<cuda::atomic<int>> ball(1);
  play<<<1, 1>>>(ball.data);
  for (int round = 0; round < 10; ++round) {
    ++ball[0];
    ball[0].wait(2 * round + 1);
  }
  check::synchronize();
  check::equal("ball", ball[0].load(), 20);
  check::managed<cuda::std::atomic<int>> object(1);
  check::managed<int> result(1);
  use_volatile<<<1, 1>>>(object.data, result.data);
  check::synchronize();
  cuda::std::atomic<int> own(0);
  check::equal("volatile, in a kernel", result[0], through_volatile(&own));
  check::equal("volatile", result[0], 19);
  return check::finish();
}
