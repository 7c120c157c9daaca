// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the runtime without a kernel.
#include "scale.hpp"

int main() {
  unsigned char* memory = nullptr;
  unsigned char copy[257] = {};
  if (cudaMalloc(reinterpret_cast<void**>(&memory), sizeof copy) != cudaSuccess) return 1;
  if (cudaMemset(memory, 0x5a, sizeof copy) != cudaSuccess) return 2;
  if (cudaMemcpy(copy, memory, sizeof copy, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  for (const unsigned char byte : copy) {
    if (byte != 0x5a) return 4;
  }
  return print_right();
}
