// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar loops. The number of turns differs from element to element, so the compiler vectorises neither.
#include "cores.hpp"
#include "hand_written.hpp"

namespace bench::hand_written {

void collatz(int32_t* out, uint32_t n) {
  for_each_range(n, 4096, [=](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      auto x = static_cast<uint32_t>(i + 1);
      int32_t steps = 0;
      while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        ++steps;
      }
      out[i] = steps;
    }
  });
}

void mandelbrot(int32_t* out, int width, int height, int limit) {
  for_each_range(static_cast<size_t>(height), 4, [=](size_t first, size_t last) {
    for (auto py = static_cast<int>(first); py < static_cast<int>(last); ++py) {
      for (int px = 0; px < width; ++px) {
        const float cx = static_cast<float>(px) * (3.0f / static_cast<float>(width)) - 2.0f;
        const float cy = static_cast<float>(py) * (2.0f / static_cast<float>(height)) - 1.0f;
        float x = 0, y = 0;
        int turns = 0;
        for (; turns < limit && x * x + y * y <= 4.0f; ++turns) {
          const float new_x = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = new_x;
        }
        out[py * width + px] = turns;
      }
    }
  });
}

}  // namespace bench::hand_written
