// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 18: launches and the host model.
#include <algorithm>

#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const int n : {160, 137, 50}) {
    if (!check.begin(puzzle::text("<<<4, 40>>>, cooperative, n = ", n))) break;
    const puzzle::values values = puzzle::numbers(n, -999, 999, n);
    const puzzle::ints in(values), largest(4), out(n);
    int *in_data = in, *largest_data = largest, *out_data = out, count = n;
    void* arguments[] = {&in_data, &count, &largest_data, &out_data};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(below_largest), 4, 40, arguments);
    check.wait();
    puzzle::values expected, of_blocks;
    for (int i = 0; i < n; ++i) {
      const auto first = values.begin() + i / 40 * 40, end = values.begin() + std::min(i / 40 * 40 + 40, n);
      expected.push_back(*std::max_element(values.begin(), values.end()) - values[i]);
      of_blocks.push_back(*std::max_element(first, end) - values[i]);
    }
    check.compare("out", {"thread", 40}, out.read(), expected)
        .mistake("Each block has used its own largest element. The other blocks are missing.", of_blocks);
  }
  return check.end();
}
