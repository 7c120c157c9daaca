// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// aarch64: NEON has 32 registers of 128 bits. Vectors of SVE, whose length the program reads when it runs, serve no
// gang.
#include "gang/target/vector_target.hpp"

namespace cohort {

vector_target aarch64_target(std::string_view) {
  return {.registers = {128, 24}, .widest_gang = 32, .widest_waiting_gang = 32, .slowdown = 2, .stated_vector_bits = 0};
}

}  // namespace cohort
