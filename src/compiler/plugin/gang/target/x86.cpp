// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86: AVX-512 has 32 registers of 512 bits, AVX2 has 16 of 256 bits.
#include "analysis/cpu_features.hpp"
#include "gang/target/vector_target.hpp"

namespace cohort {

vector_target x86_target(std::string_view features) {
  if (enables(features, "avx512f")) {
    return {.registers = {512, 24},
            .widest_gang = 256,
            .widest_waiting_gang = 256,
            .slowdown = 1,
            .stated_vector_bits = 512,
            .has_mask_registers = true,
            .gathers = true,
            .broadcasts_masks = enables(features, "avx512cd"),
            .permutation = lane_permutation::avx512};
  }
  const bool avx2 = enables(features, "avx2");
  return {.registers = {256, 12},
          .widest_gang = 32,
          .widest_waiting_gang = avx2 ? 128u : 32u,
          .slowdown = 2,
          .stated_vector_bits = 0,
          .gathers = avx2,
          .permutation = avx2 ? lane_permutation::avx2 : lane_permutation::in_memory};
}

}  // namespace cohort
