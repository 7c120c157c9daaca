// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies: the bytes that arrive, and the moment at which they do.
#include "bulk.hpp"
#include "check.hpp"

// Stages of `stage` words go through two buffers. Thread 0 starts the copies; all wait for each phase, or poll it.
template <bool Polls>
__global__ void through_two_buffers(const unsigned* in, unsigned* out, unsigned stage, unsigned stages) {
  extern __shared__ __align__(128) unsigned buffers[];
  __shared__ uint64_t full[2];
  const unsigned threads = blockDim.x * blockDim.y, rank = threadIdx.y * blockDim.x + threadIdx.x;
  in += blockIdx.x * stage * stages;
  out += blockIdx.x * stage * stages;
  if (rank == 0) {
    bulk::init(&full[0], 1);
    bulk::init(&full[1], 1);
    bulk::fence();
  }
  __syncthreads();
  const auto start = [&](unsigned s) {
    bulk::arrive_and_expect(&full[s % 2], stage * 4);
    bulk::load(buffers + s % 2 * stage, in + s * stage, stage * 4, &full[s % 2]);
  };
  if (rank == 0) start(0);
  for (unsigned s = 0; s < stages; ++s) {
    if (rank == 0 && s + 1 < stages) start(s + 1);
    Polls ? bulk::poll(&full[s % 2], s / 2 % 2) : bulk::wait(&full[s % 2], s / 2 % 2);
    for (unsigned i = rank; i < stage; i += threads) out[s * stage + i] = buffers[s % 2 * stage + i] * 3 + s;
    __syncthreads();
  }
}

static void test_stages() {
  for (const dim3 shape : {dim3(1), dim3(33), dim3(16, 8), dim3(200)}) {
    for (const unsigned stage : {4u, 20u, 512u}) {
      const unsigned stages = 7, blocks = 3, count = stage * stages * blocks;
      check::managed<unsigned> in(count), out(count);
      for (unsigned i = 0; i < count; ++i) in[i] = i * 2654435761u;
      for (const auto kernel : {through_two_buffers<false>, through_two_buffers<true>}) {
        for (unsigned i = 0; i < count; ++i) out[i] = 0;
        kernel<<<blocks, shape, 2 * stage * 4>>>(in.data, out.data, stage, stages);
        check::synchronize();
        for (unsigned i = 0; i < count; ++i) {
          check::equal("stage", out[i], in[i] * 3 + i / stage % stages, shape.x, stage, i);
        }
      }
    }
  }
}

// Values of the destination before and after a wait, and the value that arrives if the source changes.
struct moments {
  unsigned before_wait, after_wait;
  unsigned stored_before, stored_late, stored_read;
};

__global__ void late(moments* out, unsigned* global) {
  __shared__ __align__(128) unsigned shared[3][4];
  __shared__ uint64_t full;
  bulk::init(&full, 1);
  for (auto& row : shared) {
    for (unsigned& word : row) word = 1;
  }
  bulk::fence();
  bulk::arrive_and_expect(&full, 16);
  bulk::load(shared[0], global, 16, &full);
  out->before_wait = shared[0][0];
  bulk::wait(&full, 0);
  out->after_wait = shared[0][0];

  bulk::store(global + 4, shared[1], 16);
  bulk::commit();
  out->stored_before = global[4];
  shared[1][0] = 2;  // too early: the copy has not read its source
  bulk::wait_groups<0>();
  out->stored_late = global[4];

  bulk::store(global + 8, shared[2], 16);
  bulk::commit();
  bulk::wait_reads<0>();
  shared[2][0] = 2;
  bulk::wait_groups<0>();
  out->stored_read = global[8];
}

static void test_moments() {
  check::managed<moments> out(1);
  check::managed<unsigned> global(12);
  for (unsigned i = 0; i < 12; ++i) global[i] = 7;
  late<<<1, 1>>>(out.data, global.data);
  check::synchronize();
  const moments& m = out[0];
  check::equal("before the wait", m.before_wait, 1u);
  check::equal("after the wait", m.after_wait, 7u);
  check::equal("before the store's wait", m.stored_before, 7u);
  check::equal("a source changed too early", m.stored_late, 2u);
  check::equal("a source changed after its read", m.stored_read, 1u);
}

// Each thread stores parts in bulk groups of its own and waits for all but the latest group.
__global__ void groups(unsigned* out, unsigned* seen) {
  __shared__ __align__(16) unsigned values[96][4][4];
  const unsigned rank = threadIdx.x;
  unsigned* const own = out + rank * 16;
  for (unsigned g = 0; g < 4; ++g) {
    for (unsigned i = 0; i < 4; ++i) values[rank][g][i] = rank * 100 + g * 10 + i;
  }
  bulk::fence();
  for (unsigned g = 0; g < 4; ++g) {
    bulk::store(own + g * 4, values[rank][g], 16);
    bulk::commit();
    bulk::wait_groups<1>();
    seen[rank * 4 + g] = own[g * 4] + (g > 0 ? own[g * 4 - 4] : 0);
  }
}

static void test_groups() {
  for (const unsigned threads : {1u, 40u, 96u}) {
    check::managed<unsigned> out(threads * 16), seen(threads * 4);
    groups<<<1, threads>>>(out.data, seen.data);
    check::synchronize();
    for (unsigned i = 0; i < threads * 16; ++i) {
      check::equal("at the end", out[i], i / 16 * 100 + i / 4 % 4 * 10 + i % 4, threads, i);
    }
    for (unsigned i = 0; i < threads * 4; ++i) {  // the newest group is still on its way
      check::equal("all but one group", seen[i], i % 4 == 0 ? 0 : i / 4 * 100 + (i % 4 - 1) * 10, threads, i);
    }
  }
}

// Block 0 loads for some blocks of its cluster; each block then sends its buffer to the next one.
__global__ void __cluster_dims__(3) exchange(const unsigned* in, unsigned* received, unsigned* sent, uint16_t blocks) {
  __shared__ __align__(128) unsigned buffer[64], from_other[64];
  __shared__ uint64_t full[2];
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    bulk::init(&full[0], 1);
    bulk::init(&full[1], 1);
    bulk::fence();
  }
  buffer[threadIdx.x] = 1000 + rank;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  const bool receives = blocks >> rank & 1;
  if (threadIdx.x == 0) {
    if (receives) bulk::arrive_and_expect(&full[0], 256);
    bulk::arrive_and_expect(&full[1], 256);
    if (rank == 0) bulk::load_for(buffer, in + blockIdx.x / 3 * 64, 256, &full[0], blocks);
  }
  if (receives) bulk::wait(&full[0], 0);
  received[blockIdx.x * 64 + threadIdx.x] = buffer[threadIdx.x];
  bulk::fence();
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) {
    bulk::send(bulk::map(from_other, (rank + 1) % 3), buffer, 256, bulk::map(&full[1], (rank + 1) % 3));
  }
  bulk::wait(&full[1], 0);
  sent[blockIdx.x * 64 + threadIdx.x] = from_other[threadIdx.x];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

static void test_clusters() {
  for (const uint16_t blocks : {1, 5, 6, 7}) {
    check::managed<unsigned> in(128), received(6 * 64), sent(6 * 64);
    for (unsigned i = 0; i < 128; ++i) in[i] = i * 40503u;
    exchange<<<6, 64>>>(in.data, received.data, sent.data, blocks);
    check::synchronize();
    const auto expected = [&](unsigned cluster, unsigned rank, unsigned i) {
      return blocks >> rank & 1 ? in[cluster * 64 + i] : 1000 + rank;
    };
    for (unsigned i = 0; i < 6 * 64; ++i) {
      const unsigned cluster = i / 192, rank = i / 64 % 3;
      check::equal("multicast", received[i], expected(cluster, rank, i % 64), blocks, i);
      check::equal("from the block before", sent[i], expected(cluster, (rank + 2) % 3, i % 64), blocks, i);
    }
  }
}

// All blocks reduce their words into one set of words.
#define REDUCE(name, opcode)                                                                                   \
  struct name {                                                                                                \
    static __device__ void reduce(void* to, const void* from) {                                                \
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." opcode " [%0], [%1], 512;" ::"l"(to), \
                   "r"(bulk::address(from))                                                                    \
                   : "memory");                                                                                \
    }                                                                                                          \
  }
REDUCE(add_u32, "add.u32");
REDUCE(min_s32, "min.s32");
REDUCE(max_u64, "max.u64");
REDUCE(min_s64, "min.s64");
REDUCE(inc_u32, "inc.u32");
REDUCE(dec_u32, "dec.u32");
REDUCE(and_b32, "and.b32");
REDUCE(xor_b64, "xor.b64");
REDUCE(add_f32, "add.f32");
REDUCE(add_f64, "add.f64");

template <class Operation>
__global__ void reduce(char* to, const char* from) {
  __shared__ __align__(128) char values[512];
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) values[i] = from[blockIdx.x * 512 + i];
  bulk::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Operation::reduce(to, values);
    bulk::commit();
    bulk::wait_groups<0>();
  }
}

template <class Operation, class Number, class Model>
static void test_reduction(const char* name, Model model) {
  const unsigned blocks = 9, count = 512 / sizeof(Number);
  check::generator random;
  check::managed<Number> to(count), from(blocks * count);
  const auto number = [&] {  // small numbers, whose floating-point sums are exact in each order
    return sizeof(Number) == 8 || random() % 2 ? static_cast<Number>(static_cast<int>(random() % 2001) - 1000)
                                               : static_cast<Number>(random() % 31);
  };
  std::vector<Number> expected(count);
  for (unsigned i = 0; i < count; ++i) to[i] = expected[i] = number();
  for (unsigned i = 0; i < blocks * count; ++i) from[i] = number();
  reduce<Operation><<<blocks, 64>>>(reinterpret_cast<char*>(to.data), reinterpret_cast<const char*>(from.data));
  check::synchronize();
  for (unsigned b = 0; b < blocks; ++b) {
    for (unsigned i = 0; i < count; ++i) expected[i] = model(expected[i], from[b * count + i]);
  }
  for (unsigned i = 0; i < count; ++i) check::equal(name, to[i], expected[i], i);
}

// Blocks run in any order, so all use one operand for `inc` and `dec`.
template <class Operation, class Model>
static void test_counter(const char* name, Model model) {
  const unsigned blocks = 9, count = 128;
  check::managed<unsigned> to(count), from(blocks * count);
  std::vector<unsigned> expected(count);
  for (unsigned i = 0; i < count; ++i) to[i] = expected[i] = i % 13;
  for (unsigned i = 0; i < blocks * count; ++i) from[i] = i % count % 7 + 2;
  reduce<Operation><<<blocks, 64>>>(reinterpret_cast<char*>(to.data), reinterpret_cast<const char*>(from.data));
  check::synchronize();
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned b = 0; b < blocks; ++b) expected[i] = model(expected[i], i % 7 + 2);
    check::equal(name, to[i], expected[i], i);
  }
}

static void test_reductions() {
  const auto sum = [](auto a, auto b) { return a + b; };
  const auto least = [](auto a, auto b) { return b < a ? b : a; };
  const auto most = [](auto a, auto b) { return a < b ? b : a; };
  test_reduction<add_u32, unsigned>("add.u32", sum);
  test_reduction<min_s32, int>("min.s32", least);
  test_reduction<max_u64, unsigned long long>("max.u64", most);
  test_reduction<min_s64, long long>("min.s64", least);
  test_reduction<and_b32, unsigned>("and.b32", [](unsigned a, unsigned b) { return a & b; });
  test_reduction<xor_b64, unsigned long long>("xor.b64", [](auto a, auto b) { return a ^ b; });
  test_reduction<add_f32, float>("add.f32", sum);
  test_reduction<add_f64, double>("add.f64", sum);
  test_counter<inc_u32>("inc.u32", [](unsigned a, unsigned b) { return a >= b ? 0 : a + 1; });
  test_counter<dec_u32>("dec.u32", [](unsigned a, unsigned b) { return a == 0 || a > b ? b : a - 1; });
}

// Each case breaks one rule.
__global__ void broken(int which, unsigned* global) {
  extern __shared__ __align__(128) unsigned large[];
  __shared__ __align__(128) unsigned shared[64];
  __shared__ uint64_t full;
  if (threadIdx.x != 5) return;
  bulk::init(&full, 1);
  bulk::fence();
  if (which == 0) bulk::load(shared + 1, global, 16, &full);
  if (which == 1) bulk::load(shared, global + 2, 16, &full);
  if (which == 2) bulk::load(shared, global, 24, &full);
  if (which == 3) bulk::store(global + 1, shared, 16);
  if (which == 4) bulk::load_for(shared, global, 16, &full, 2);
  if (which == 5) bulk::load(global, global + 16, 16, &full);
  if (which == 6) {  // more bytes than a phase can count
    for (int i = 0; i < 40; ++i) bulk::load(large, global, 32768, &full);
    bulk::wait(&full, 0);
  }
}

int main(int argc, char** argv) {
  if (argc > 1) {
    check::managed<unsigned> global(8192);
    broken<<<1, 32, 32768>>>(std::atoi(argv[1]), global.data);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
  }
  test_stages();
  test_moments();
  test_groups();
  test_clusters();
  test_reductions();
  return check::finish();
}
