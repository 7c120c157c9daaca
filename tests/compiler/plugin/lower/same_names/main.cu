// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.hpp"

int run_a(int* out);
int run_b(int* out);

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 6 * sizeof(int)));
  expect_equal(run_a(out), 0, "first file runs");
  expect_equal(run_b(out + 3), 0, "second file runs");
  const int wanted[] = {111, 1001, 260, 222, 2002, 470};
  for (int i = 0; i < 6; ++i) expect_equal(out[i], wanted[i], "result", i);
  return result();
}
