// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: asm_register_type.cu:6:
// EXPECT: cannot run the inline PTX 'add.s32 %0, %1, 1' on a CPU: operand d is .s32, and '%0' is a register of .f32
__global__ void k(float* p) {
  float x;
  asm("add.s32 %0, %1, 1;" : "=f"(x) : "r"(threadIdx.x));
  *p = x;
}
int main() { k<<<1, 1>>>(nullptr); }
