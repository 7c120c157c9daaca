// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured kernels in OpenCL C. opencl_peer.cpp reads this file at run time.

__kernel void exchange(__global int* out, int rounds) {
  __local int shared[1024];
  const int i = get_local_id(0);
  const int n = get_local_size(0);
  int value = i;
  for (int r = 0; r < rounds; ++r) {
    shared[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value += shared[(i + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = value;
}

// A work-group of 32 stands for a warp. Without sub-groups, as in Debian 12's pocl 3.1, it adds in local memory.
__kernel void warp_sums(__global float* out, int rounds) {
  float value = get_local_id(0);
#ifdef SUB_GROUPS
  for (int r = 0; r < rounds; ++r) value = sub_group_reduce_add(value) * 0.03125f;
#else
  __local float shared[32];
  const int i = get_local_id(0);
  for (int r = 0; r < rounds; ++r) {
    shared[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = 16; stride > 0; stride /= 2) {
      if (i < stride) shared[i] += shared[i + stride];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    value = shared[0] * 0.03125f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  out[get_global_id(0)] = value;
}

__kernel void write_ids(__global int* out, unsigned slots) {
  out[get_group_id(0) % slots * get_local_size(0) + get_local_id(0)] = get_global_id(0);
}

__kernel void batched_sum(__global const float* in, __global float* out, unsigned long elements) {
  __local float shared[1024];
  const unsigned i = get_local_id(0);
  const unsigned n = get_local_size(0);
  __global const float* mine = in + get_group_id(0) * elements;
  float sum = 0.0f;
  for (unsigned long k = i; k < elements; k += n) sum += mine[k];
  shared[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (unsigned stride = n / 2; stride > 0; stride /= 2) {
    if (i < stride) shared[i] += shared[i + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) out[get_group_id(0)] = shared[0];
}
