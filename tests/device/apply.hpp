// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function of one, two or three arguments in a kernel, one thread for each value.
#pragma once

#include "check.hpp"

template <class Op, class Result, class... Arguments>
__global__ void apply_kernel(Result* results, unsigned count, const Arguments*... arguments) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) results[i] = Op::device(arguments[i]...);
}

// Returns Op::device(values...) for the values at each position of the arguments.
template <class Op, class Result, class First, class... Rest>
std::vector<Result> apply(const std::vector<First>& first, const std::vector<Rest>&... rest) {
  const unsigned count = static_cast<unsigned>(first.size());
  check::managed<Result> results(count);
  auto launch = [&](const First* a, const Rest*... more) {
    apply_kernel<Op, Result, First, Rest...><<<(count + 127) / 128, 128>>>(results.data, count, a, more...);
  };
  check::managed<First> a(first);
  if constexpr (sizeof...(Rest) == 0) {
    launch(a.data);
    check::synchronize();
  } else {
    // Copies the other arguments to managed memory; the copies live until the kernel has ended.
    struct holder {
      const unsigned count;
      decltype(launch)& start;
      const First* a;
      void run(const check::managed<Rest>&... copies) {
        start(a, copies.data...);
        check::synchronize();
      }
    };
    holder{count, launch, a.data}.run(check::managed<Rest>(rest)...);
  }
  return std::vector<Result>(results.data, results.data + count);
}
