// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__kernel void collatz(__global int* out, uint n) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  uint x = i + 1;
  int steps = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  out[i] = steps;
}

__kernel void mandelbrot(__global int* out, int width, int height, int limit) {
  const int px = get_global_id(0);
  const int py = get_global_id(1);
  if (px >= width || py >= height) return;
  const float cx = px * (3.0f / width) - 2.0f;
  const float cy = py * (2.0f / height) - 1.0f;
  float x = 0;
  float y = 0;
  int turns = 0;
  for (; turns < limit && x * x + y * y <= 4.0f; ++turns) {
    const float new_x = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = new_x;
  }
  out[py * width + px] = turns;
}
