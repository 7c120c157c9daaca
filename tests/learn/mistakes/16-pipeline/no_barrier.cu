// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: or the barrier at the end of a step
if (s + 1 < parts) {
  cg::memcpy_async(block, buffer[(s + 1) % 2], in + (s + 1) * n, n * sizeof(int));
  cg::wait_prior<1>(block);
} else {
  cg::wait(block);
}
sum += (s + 1) * buffer[s % 2][n - 1 - t];
