// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of puzzle 1: launches and the host model.
#include "kernel.cu"
#include "puzzle.hpp"

int main(int argc, char** argv) {
  puzzle::check check(argc, argv);
  for (const dim3 shape : {dim3(7), dim3(9, 5), dim3(5, 3, 2)}) {
    const unsigned threads = shape.x * shape.y * shape.z;
    if (!check.begin(puzzle::text("<<<2, (", shape.x, ", ", shape.y, ", ", shape.z, ")>>>"))) break;
    const puzzle::ints out(2 * threads);
    number_threads<<<2, shape>>>(out);
    check.wait();
    puzzle::values expected, only_x(2 * threads, puzzle::unwritten);
    for (unsigned i = 0; i < 2 * threads; ++i) {
      expected.push_back(static_cast<int>(10 * (i % threads)));
      if (i % threads < shape.x) only_x[i] = expected[i];
    }
    check.compare("out", {"thread", threads}, out.read(), expected)
        .mistake("Only the threads of the first row have stored. threadIdx.x is no rank: it ignores y and z.", only_x);
  }
  return check.end();
}
