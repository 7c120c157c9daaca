// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of one file that another file's kernels use, on three devices.
#include <cstdlib>

#include "../../check.hpp"
#include "shared.hpp"

static __device__ int same_name = 1000;

__global__ void use(int* out) {
  out[3] = count_in_parts();
  out[4] = *pointer_to_counter;
  out[5] = limits[out[0] % 3] + limits[2];
  out[6] = *counter_as<int>;
  out[7] = pointer_to_counter == &counter && list[0] == &counter;
  out[8] = weight<int> ++;
  out[9] = same_name++;
}

int main() {
  setenv("COHORT_DEVICES", "3", 1);
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 10 * sizeof(int)));
  for (int round = 0; round < 2; ++round) {
    for (int d = 0; d < 3; ++d) {
      EXPECT_SUCCESS(cudaSetDevice(d));
      const int start = 10 * d + round;
      EXPECT_SUCCESS(cudaMemcpyToSymbol(counter, &start, sizeof start));
      use_in_parts<<<1, 1>>>(out);
      use<<<1, 1>>>(out);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      const int wanted[] = {start,     start, 4 + 2 * round, start + 3 + round, start + 1, 7 + start % 3 + 9,
                            start + 1, 1,     5 + 2 * round, 1000 + round};
      for (int i = 0; i < 10; ++i) expect_equal(out[i], wanted[i], "value", 100 * d + i);
    }
  }
  return result();
}
