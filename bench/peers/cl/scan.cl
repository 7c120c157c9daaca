// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__kernel void hillis_steele(__global const int* in, __global int* out) {
  __local int buffer[2][1024];
  const int i = get_local_id(0);
  int from = 0;
  buffer[0][i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < 1024; distance *= 2) {
    int value = buffer[from][i];
    if (i >= distance) value += buffer[from][i - distance];
    buffer[1 - from][i] = value;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = buffer[from][i];
}
