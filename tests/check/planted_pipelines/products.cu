// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of a pipeline whose consumers are a warpgroup: bulk copies bring the matrices of products (wgmma).
#include "cases.hpp"
#include "pipeline.hpp"

namespace {

enum class defect {
  none,
  no_products_fence,
  no_commit,
  read_before_wait,
  release_before_wait,
  release_of_last_stage,
  no_wait_for_bytes,
  ordinary_write,
  ordinary_write_in_flight,
  matrix_outside,
  missing_warp,
};

struct matrices {
  uint16_t a[64 * 16], b[8 * 16];
};
constexpr int stages = 2, rounds = 5, consumers = 128;

// Warp 4 loads the matrices of each round; warps 0 to 3 multiply and add up. One thread of warps 0 to 3 releases a
// stage, because a product is complete for the warpgroup when one warp has waited for it.
template <defect d>
__global__ void multiply(const matrices* in, float* out) {
  __shared__ alignas(128) matrices stage[stages];
  __shared__ uint64_t full[stages], empty[stages];
  const int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < stages; ++s) {
      init(&full[s], 1);
      init(&empty[s], 1);
    }
  }
  __syncthreads();
  if (t >= consumers) {
    if (t != consumers) return;
    for (int round = 0; round < rounds; ++round) {
      const int s = round % stages;
      wait(&empty[s], (round / stages & 1) ^ 1);
      arrive_expecting(&full[s], sizeof(matrices));
      LOAD(&stage[s], &in[round], static_cast<uint32_t>(sizeof(matrices)), &full[s]);  // @copy
    }
    return;
  }
  float sum[4] = {};
  for (int round = 0; round < rounds; ++round) {
    const int s = round % stages;
    if (d != defect::no_wait_for_bytes) wait(&full[s], round / stages & 1);
    if (d == defect::ordinary_write) {
      stage[s].b[t] = 0x3c00;  // @write
      asm volatile("bar.sync 1, 128;" ::: "memory");
    }
    if (d != defect::no_products_fence) fence_products();
    if (d == defect::missing_warp && t >= 96 && round == rounds - 1) return;
    const uint16_t* const a = d == defect::matrix_outside ? stage[s].a + 120 * 1024 : stage[s].a;
    MULTIPLY(sum, a, stage[s].b);  // @product
    if (d != defect::no_commit) commit_products();
    if (d == defect::read_before_wait && round == rounds - 1) out[t] = sum[0];            // @early
    if (d == defect::ordinary_write_in_flight && round == rounds - 1) stage[s].b[t] = 0;  // @late
    if (d == defect::release_before_wait && t == 32) arrive(&empty[s]);
    if (d == defect::release_of_last_stage) {
      wait_for_products<1>();
      if (t == 32) arrive(&empty[s]);
    } else {
      wait_for_products<0>();
      if (d != defect::release_before_wait && t == 32) arrive(&empty[s]);
    }
  }
  wait_for_products<0>();
  out[t] = sum[0] + sum[1] + sum[2] + sum[3];  // @end
}

template <defect d>
void run() {
  // Elements of A are 1, those of B 2 and more, so all sums of a round are exact.
  auto* const host = new matrices[rounds];
  for (int round = 0; round < rounds; ++round) {
    for (uint16_t& each : host[round].a) each = 0x3c00;
    for (uint16_t& each : host[round].b) each = static_cast<uint16_t>(0x4000 + round * 0x400);
  }
  auto* const in = device_array<matrices>(rounds);
  cudaMemcpy(in, host, rounds * sizeof(matrices), cudaMemcpyHostToDevice);
  delete[] host;
  float* const out = device_array<float>(consumers);
  multiply<d><<<1, consumers + 32>>>(in, out);
  if (d != defect::none) return;
  float found[consumers];
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int t = 0; t < consumers; ++t) {
    if (found[t] != 4 * 16 * (2 + 4 + 8 + 16 + 32)) std::printf("thread %d: %g\n", t, found[t]);
  }
}

constexpr planted_case cases[] = {
    {"no_products_fence", run<defect::no_products_fence>, run<defect::none>},
    {"no_commit", run<defect::no_commit>, run<defect::none>},
    {"read_before_wait", run<defect::read_before_wait>, run<defect::none>},
    {"release_before_wait", run<defect::release_before_wait>, run<defect::none>},
    {"release_of_last_stage", run<defect::release_of_last_stage>, run<defect::none>},
    {"no_wait_for_bytes", run<defect::no_wait_for_bytes>, run<defect::none>},
    {"ordinary_write", run<defect::ordinary_write>, run<defect::none>},
    {"ordinary_write_in_flight", run<defect::ordinary_write_in_flight>, run<defect::none>},
    {"matrix_outside", run<defect::matrix_outside>, run<defect::none>},
    {"missing_warp", run<defect::missing_warp>, run<defect::none>},
};

}  // namespace

int main(int words, char** word) { return run_case(cases, words, word); }
