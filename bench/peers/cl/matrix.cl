// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__kernel void matrix_product(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float of_a[32][32];
  __local float of_b[32][32];
  const int column = get_local_id(0);
  const int row = get_local_id(1);
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k += 32) {
    of_a[row][column] = a[y * n + k + column];
    of_b[row][column] = b[(k + row) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; ++i) sum += of_a[row][i] * of_b[i][column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
