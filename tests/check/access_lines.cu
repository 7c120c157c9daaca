// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that the optimizer moves or merges: reports still name their lines. The comments and marks are those of
// races.cu, and test_races.py compares.
#include <cstdio>

// The first read moves in front of the loop, and each iteration reuses the value that the last one read.
// race: a b 1
__global__ void read_before_loop(int* most, const int* x, int turns) {
  for (int k = 0; k < turns; ++k) {
    const int value = x[turns * static_cast<int>(threadIdx.x) + k];
    if (*most < value) {  // [a]
      *most = value;      // [b]
    }
  }
}
// The stores of two arms become one, whose address depends on the arm taken.
// race: a b 1
__global__ void stores_of_arms(int* box) {
  if (threadIdx.x == 0) {
    box[1] = 42;  // [a]
  } else if (threadIdx.x == 1) {
    box[2] = box[1];  // [b]
  }
}
// The stores of both arms to one address become one store after the branch. Its line is that of the condition.
// race: a a 1
__global__ void equal_stores_of_arms(int* box, int other) {
  if (threadIdx.x == 0) {  // [a]
    box[1] = 42;
  } else {
    box[1] = other;
  }
}
// The loads of two arms become one load in front of the condition.
// race: a c 1
// race: b c 1
__global__ void loads_of_arms(int* box, int* out, int factor, bool multiplies) {
  if (threadIdx.x == 0) {
    if (multiplies) {
      out[0] = box[1] * factor;  // [a]
    } else {
      out[1] = box[1] / factor;  // [b]
    }
  } else {
    box[1] = 7;  // [c]
  }
}

int main() {
  int *memory = nullptr, host[64];
  cudaMalloc(&memory, sizeof host);
  for (int i = 0; i < 64; ++i) host[i] = 64 - i;
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(memory + 8, 0, sizeof(int));
  read_before_loop<<<1, 2>>>(memory + 8, memory + 16, 4);
  stores_of_arms<<<1, 2>>>(memory);
  equal_stores_of_arms<<<1, 2>>>(memory, 3);
  loads_of_arms<<<1, 2>>>(memory, memory + 4, 3, true);
  loads_of_arms<<<1, 2>>>(memory, memory + 4, 3, false);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
