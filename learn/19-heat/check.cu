// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 19: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const int steps : {1, 7}) {
    const int n = 90 + steps;
    if (!check.begin(puzzle::text("<<<3, 40>>>, cooperative, n = ", n, ", steps = ", steps))) break;
    puzzle::values rod = puzzle::numbers(n, 0, 9000, n), next = rod;
    const puzzle::ints a(rod), b(rod);
    int *a_data = a, *b_data = b, count = n, step_count = steps;
    void* arguments[] = {&a_data, &b_data, &count, &step_count};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(heat), 3, 40, arguments);
    check.wait();
    for (int step = 0; step < steps; ++step) {
      for (int i = 1; i < n - 1; ++i) next[i] = (rod[i - 1] + 2 * rod[i] + rod[i + 1]) / 4;
      rod.swap(next);
    }
    check.compare(steps % 2 == 0 ? "a" : "b", {"element"}, steps % 2 == 0 ? a.read() : b.read(), rod);
  }
  return check.end();
}
