// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__kernel void tree_sum(__global const float* in, __global float* out, ulong elements) {
  __local float shared[1024];
  const uint i = get_local_id(0);
  const uint n = get_local_size(0);
  __global const float* mine = in + get_group_id(0) * elements;
  float sum = 0.0f;
  for (ulong k = i; k < elements; k += n) sum += mine[k];
  shared[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = n / 2; stride > 0; stride /= 2) {
    if (i < stride) shared[i] += shared[i + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) out[get_group_id(0)] = shared[0];
}
