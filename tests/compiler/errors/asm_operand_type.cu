// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: asm_operand_type.cu:6:
// EXPECT: asm operand type 'float' of 4 bytes does not match the constraint 'r'
__global__ void k(float* p) {
  int x;
  asm("mov.b32 %0, %1;" : "=r"(x) : "r"(*p));
  *p = x;
}
int main() { k<<<1, 1>>>(nullptr); }
