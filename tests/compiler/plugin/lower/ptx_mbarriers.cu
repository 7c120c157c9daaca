// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarriers in inline PTX: each operation against a model on the host, stages between producers and consumers by each
// form of waiting, copies that arrive, and arrivals, stores and reductions in another block of the cluster.
#include "../check.hpp"

#include <cstdint>

__device__ unsigned in_shared(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }
__device__ unsigned in_block(const void* at, unsigned rank) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(in_shared(at)), "r"(rank));
  return mapped;
}
__device__ void init(uint64_t* bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(in_shared(bar)), "r"(count) : "memory");
}
__device__ void sync_cluster() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }

// One thread performs operations one after another.
enum operation : int {
  arrives,
  arrives_many,
  drops,
  drops_many,
  no_complete,
  expects,
  completes,
  arrives_expecting,
  drops_expecting,
  starts_again
};
struct step {
  operation what;
  unsigned number;
};
struct outcome {
  unsigned pending;                 // pending count of the state that the operation returned
  unsigned over, parity0, parity1;  // whether the newest state's phase is over, and the phase of each parity
};

__global__ void perform(const step* steps, int count, unsigned expected, outcome* out) {
  __shared__ uint64_t bar;
  const unsigned at = in_shared(&bar);
  init(&bar, expected);
  uint64_t state = 0;
  for (int i = 0; i < count; ++i) {
    const unsigned n = steps[i].number;
    switch (steps[i].what) {
      case arrives:
        asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&bar) : "memory");
        break;
      case arrives_many:
        asm volatile("mbarrier.arrive.release.cluster.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(n)
                     : "memory");
        break;
      case drops:
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
        break;
      case drops_many:
        asm volatile("mbarrier.arrive_drop.relaxed.cta.b64 %0, [%1], %2;" : "=l"(state) : "l"(&bar), "r"(n) : "memory");
        break;
      case no_complete:
        asm volatile("mbarrier.arrive.noComplete.release.cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "l"(&bar), "r"(n)
                     : "memory");
        break;
      case expects:
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(n) : "memory");
        break;
      case completes:
        asm volatile("mbarrier.complete_tx.b64 [%0], %1;" ::"l"(&bar), "r"(n) : "memory");
        break;
      case arrives_expecting:
        asm volatile("mbarrier.arrive.expect_tx.b64 %0, [%1], %2;" : "=l"(state) : "l"(&bar), "r"(n) : "memory");
        break;
      case drops_expecting:
        asm volatile("mbarrier.arrive_drop.expect_tx.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(n)
                     : "memory");
        break;
      case starts_again:
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");  // the second inval has no effect
        init(&bar, n);
        asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&bar) : "memory");
        break;
    }
    outcome& o = out[i];
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(o.pending) : "l"(state));
    asm volatile(
        "{ .reg .pred p, q, r; mbarrier.test_wait.shared.b64 p, [%3], %4; selp.u32 %0, 1, 0, p;"
        "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 q, [%3], 0; selp.u32 %1, 1, 0, q;"
        "mbarrier.test_wait.parity.relaxed.cta.b64 r, [%5], 1; selp.u32 %2, 1, 0, r; }"
        : "=r"(o.over), "=r"(o.parity0), "=r"(o.parity1)
        : "r"(at), "l"(state), "l"(&bar)
        : "memory");
  }
}

// A model of PTX's rules for an mbarrier, in the words of the PTX ISA.
struct model {
  long long pending, expected, bytes = 0;
  long long phase = 0, state_phase = 0, state_pending = 0;
  explicit model(unsigned count) : pending(count), expected(count) {}
  void arrive(unsigned count) {
    state_phase = phase;
    state_pending = pending;
    pending -= count;
    complete_phase();
  }
  void complete_phase() {
    if (pending != 0 || bytes != 0) return;
    ++phase;
    pending = expected;
  }
  outcome perform(const step& s) {
    switch (s.what) {
      case arrives:
        arrive(1);
        break;
      case arrives_many:
      case no_complete:
        arrive(s.number);
        break;
      case drops:
        --expected;
        arrive(1);
        break;
      case drops_many:
        expected -= s.number;
        arrive(s.number);
        break;
      case expects:
        bytes += s.number;
        break;
      case completes:
        bytes -= s.number;
        complete_phase();
        break;
      case arrives_expecting:
        bytes += s.number;
        arrive(1);
        break;
      case drops_expecting:
        bytes += s.number;
        --expected;
        arrive(1);
        break;
      case starts_again:
        *this = model(s.number);
        arrive(1);
        break;
    }
    return {static_cast<unsigned>(state_pending), phase != state_phase, phase % 2 != 0, phase % 2 == 0};
  }
};

void check_operations() {
  constexpr step script[] = {{arrives, 0},
                             {arrives_many, 2},
                             {arrives, 0},
                             {no_complete, 2},
                             {arrives_many, 1},
                             {arrives_expecting, 64},
                             {completes, 48},
                             {completes, 16},
                             {arrives, 0},
                             {completes, 100},
                             {arrives_many, 2},
                             {arrives_expecting, 100},
                             {arrives_many, 4},
                             {drops, 0},
                             {arrives_many, 3},
                             {arrives, 0},
                             {drops_many, 2},
                             {arrives, 0},
                             {arrives_expecting, 1048575},
                             {completes, 1048575},
                             {drops_expecting, 8},
                             {completes, 8},
                             {starts_again, 1048575},
                             {arrives_many, 1048573},
                             {arrives, 0},
                             {starts_again, 2},
                             {expects, 12},
                             {completes, 12},
                             {expects, 5},
                             {arrives, 0},
                             {completes, 5},
                             {arrives, 0}};
  constexpr int count = sizeof script / sizeof *script;
  step* steps;
  outcome* out;
  EXPECT_SUCCESS(cudaMallocManaged(&steps, sizeof script));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * sizeof(outcome)));
  for (int i = 0; i < count; ++i) steps[i] = script[i];
  perform<<<1, 1>>>(steps, count, 4, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  if (failures) return;
  model wanted(4);
  for (int i = 0; i < count; ++i) {
    const outcome o = wanted.perform(script[i]);
    expect_equal(out[i].pending, o.pending, "pending_count", i);
    expect_equal(out[i].over, o.over, "test_wait", i);
    expect_equal(out[i].parity0, o.parity0, "test_wait.parity 0", i);
    expect_equal(out[i].parity1, o.parity1, "test_wait.parity 1", i);
  }
}

template <int Form>
__device__ void wait(uint64_t* bar, unsigned parity) {
  const unsigned at = in_shared(bar);
  if constexpr (Form == 0) {  // waits as CUTLASS does
    asm volatile(
        "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
        "@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(at),
        "r"(parity)
        : "memory");
  } else if constexpr (Form == 1) {  // waits with a time limit
    unsigned done = 0;
    for (unsigned tries = 0; !done && tries < 1u << 20; ++tries) {
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.b64 p, [%1], %2, 1000; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "l"(bar), "r"(parity)
                   : "memory");
    }
  } else if constexpr (Form == 2) {  // polls without suspension
    unsigned done = 0;
    while (!done) {
      asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(at), "r"(parity)
                   : "memory");
    }
  } else {
    unsigned done = 0;
    while (!done) {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; "
          "}"
          : "=r"(done)
          : "r"(at), "r"(parity)
          : "memory");
      if (!done) __nanosleep(100);
    }
    asm volatile("fence.acq_rel.cta;" ::: "memory");
  }
}

// The first `producers` threads fill stages, the others empty them; each side arrives once for each thread.
template <int Form, int Stages>
__global__ void stages(int producers, int rounds, int* out) {
  __shared__ uint64_t full[Stages], empty[Stages];
  __shared__ int values[Stages][1024];
  const int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  const int i = static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  for (int s = i; s < Stages; s += threads) {
    init(&full[s], producers);
    init(&empty[s], threads - producers);
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int s = round % Stages;
    const unsigned parity = round / Stages % 2;
    if (i < producers) {
      wait<Form>(&empty[s], parity ^ 1);
      values[s][i] = round * 1000 + i;
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(in_shared(&full[s])) : "memory");
    } else {
      wait<Form>(&full[s], parity);
      sum += values[s][(i * 7 + round) % producers];
      asm volatile("mbarrier.arrive.release.cta.b64 _, [%0];" ::"l"(&empty[s]) : "memory");
    }
  }
  out[blockIdx.x * threads + i] = sum;
}

template <int Form, int Stages>
void check_stages(dim3 block, int producers, int rounds) {
  const int threads = static_cast<int>(block.x * block.y * block.z), blocks = 3;
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, blocks * threads * sizeof(int)));
  stages<Form, Stages><<<blocks, block>>>(producers, rounds, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < blocks * threads; ++t) {
    const int i = t % threads;
    int sum = 0;
    for (int round = 0; round < rounds && i >= producers; ++round) sum += round * 1000 + (i * 7 + round) % producers;
    expect_equal(out[t], sum, "stages", t);
  }
  EXPECT_SUCCESS(cudaFree(out));
}
template <int Form>
void check_stages_of_form() {
  check_stages<Form, 1>(dim3(2), 1, 7);
  check_stages<Form, 2>(dim3(65), 32, 9);
  check_stages<Form, 3>(dim3(33, 3), 40, 11);
  check_stages<Form, 2>(dim3(16, 4, 4), 128, 5);
}

// Each thread copies a word; the phase counts one arrival for each thread.
__global__ void copies(const int* in, int* out, int* early, int counted) {
  __shared__ uint64_t bar;
  __shared__ int values[100];
  const int i = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
  values[i] = -1;
  if (i == 0) init(&bar, n);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(in_shared(&values[i])), "l"(&in[i]) : "memory");
  early[i] = values[i];
  if (counted) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(in_shared(&bar)) : "memory");
  } else {
    asm volatile("cp.async.mbarrier.arrive.b64 [%0];" ::"l"(&bar) : "memory");
    asm volatile("mbarrier.arrive.b64 _, [%0];" ::"l"(&bar) : "memory");
  }
  wait<0>(&bar, 0);
  out[i] = values[(i + 37) % n];
}

struct remote {
  unsigned words[4];
  unsigned long long wide[2];
  unsigned sum, largest, smallest, bits, count;
  unsigned long long total;
};

// Each block stores to the next block and arrives at its mbarrier.
__global__ void __cluster_dims__(3, 1, 1) to_next_block(remote* out) {
  __shared__ uint64_t stored, arrived;
  __shared__ remote values;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const unsigned next = (rank + 1) % 3, i = threadIdx.x;
  if (i == 0) {
    init(&stored, 2);
    init(&arrived, 40);
    values = {{0, 0, 0, 0}, {0, 0}, 5, 7, 7, 6, 3, 100};
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 52;" ::"r"(in_shared(&stored)) : "memory");
  }
  sync_cluster();
  const unsigned bar = in_block(&stored, next);
  if (i == 1) {
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 8;" ::"r"(bar) : "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, 4}, [%4];" ::"r"(
                     in_block(values.words, next)),
                 "r"(rank), "r"(rank + 10), "r"(rank + 20), "r"(bar)
                 : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(
                     in_block(values.wide, next)),
                 "l"(uint64_t{1} << (40 + rank)), "l"(~uint64_t{0}), "r"(bar)
                 : "memory");
#define REDUCE(operation, type, field, constraint, value)                                                   \
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." operation "." type \
               " [%0], %1, [%2];" ::"r"(in_block(&values.field, next)),                                     \
               constraint(value), "r"(bar)                                                                  \
               : "memory")
    REDUCE("add", "u32", sum, "r", rank);
    REDUCE("max", "u32", largest, "r", 6 + rank);
    REDUCE("min", "s32", smallest, "r", -static_cast<int>(rank));
    REDUCE("xor", "b32", bits, "r", 15u);
    REDUCE("inc", "u32", count, "r", 3u);
    REDUCE("add", "u64", total, "l", (uint64_t{1} << 33) + rank);
  }
  if (i >= 8) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 2;" ::"r"(in_block(&arrived, next))
                 : "memory");
  } else {
    asm volatile("mbarrier.arrive_drop.shared::cluster.b64 _, [%0];" ::"r"(in_block(&arrived, next)) : "memory");
  }
  wait<0>(&stored, 0);
  wait<1>(&arrived, 0);
  if (i == 24 - 1) out[blockIdx.x] = values;
  sync_cluster();
}

int main() {
  check_operations();
  check_stages_of_form<0>();
  check_stages_of_form<1>();
  check_stages_of_form<2>();
  check_stages_of_form<3>();
  int *in, *out, *early;
  EXPECT_SUCCESS(cudaMallocManaged(&in, 100 * sizeof(int)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, 100 * sizeof(int)));
  EXPECT_SUCCESS(cudaMallocManaged(&early, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) in[i] = 5 * i + 2;
  for (int counted = 0; counted < 2; ++counted) {
    for (const int threads : {1, 31, 100}) {
      copies<<<1, threads>>>(in, out, early, counted);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      for (int i = 0; i < threads; ++i) {
        expect_equal(out[i], in[(i + 37) % threads], "copies", i);
        expect_equal(early[i], -1, "as late as allowed", i);
      }
    }
  }
  remote* values;
  EXPECT_SUCCESS(cudaMallocManaged(&values, 6 * sizeof(remote)));
  to_next_block<<<6, 24>>>(values);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int b = 0; b < 6; ++b) {
    const unsigned from = static_cast<unsigned>(b + 2) % 3;
    const remote& v = values[b];
    const unsigned words[] = {from, from + 10, from + 20, 4};
    for (int k = 0; k < 4; ++k) expect_equal(v.words[k], words[k], "st.async.v4", b);
    expect_equal(v.wide[0], 1ull << (40 + from), "st.async.v2", b);
    expect_equal(v.wide[1], ~0ull, "st.async.v2", b);
    expect_equal(v.sum, 5 + from, "red.async.add", b);
    expect_equal(v.largest, 6 + from > 7 ? 6 + from : 7, "red.async.max", b);
    expect_equal(static_cast<int>(v.smallest), -static_cast<int>(from), "red.async.min", b);
    expect_equal(v.bits, 9u, "red.async.xor", b);
    expect_equal(v.count, 0u, "red.async.inc", b);
    expect_equal(v.total, 100 + (1ull << 33) + from, "red.async.add.u64", b);
  }
  return result();
}
