// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: refused_ptx.cu:8:
// EXPECT: on a CPU: no instruction tex is known; docs/ptx.md lists the statements that it can
// EXPECT: cannot run the inline PTX 'tex.1d.v4.s32.s32 {%0, %0, %0, %0}, [t, %1]'
__global__ void k(int* p) {
  int x;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));
  asm volatile("tex.1d.v4.s32.s32 {%0, %0, %0, %0}, [t, %1];" : "=r"(x) : "r"(x));
  *p = x;
}
int main() { k<<<1, 1>>>(nullptr); }
