// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One work-group. A work-group of 32 stands for a warp.

__kernel void barriers_with_live_state(int rounds, __global float* values) {
  const float mine = values[get_local_id(0)];
  for (int r = 0; r < rounds; ++r) barrier(CLK_LOCAL_MEM_FENCE);
  values[get_local_id(0)] = mine + 1.0f;
}

__kernel void exchange(int rounds, __global uint* values) {
  __local uint shared[1024];
  const uint i = get_local_id(0);
  uint value = values[i];
  for (int r = 0; r < rounds; ++r) {
    shared[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value += shared[(i + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  values[i] = value;
}

// Each value becomes the sum divided by the number of work-items, by a tree in local memory.
__kernel void tree_sums(int rounds, __global float* values) {
  __local float shared[1024];
  const uint i = get_local_id(0);
  const uint n = get_local_size(0);
  float value = values[i];
  for (int r = 0; r < rounds; ++r) {
    shared[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint stride = n / 2; stride > 0; stride /= 2) {
      if (i < stride) shared[i] += shared[i + stride];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    value = shared[0] / n;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  values[i] = value;
}

#ifdef SUB_GROUPS
__kernel void warp_sums(int rounds, __global float* values) {
  const uint i = get_local_id(0);
  float value = values[i];
  for (int r = 0; r < rounds; ++r) value = sub_group_reduce_add(value) / 32.0f;
  values[i] = value;
}
#endif
