// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__kernel void transpose(__global const float* in, __global float* out, int n) {
  __local float shared[32][33];
  const uint i = get_local_id(0);
  const uint row = get_local_id(1);
  uint x = get_group_id(0) * 32 + i;
  uint y = get_group_id(1) * 32 + row;
  for (uint j = 0; j < 32; j += 8) shared[row + j][i] = in[(ulong)(y + j) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 32 + i;
  y = get_group_id(0) * 32 + row;
  for (uint j = 0; j < 32; j += 8) out[(ulong)(y + j) * n + x] = shared[i][row + j];
}
