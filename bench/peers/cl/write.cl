// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__kernel void write_ids(__global int* out, uint slots) {
  out[get_group_id(0) % slots * get_local_size(0) + get_local_id(0)] = get_global_id(0);
}
