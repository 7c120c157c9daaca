// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int run(int value);

int main() { return run(3) == 2 * 32 * 3 ? 0 : 1; }
