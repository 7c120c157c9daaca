// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: Each thread needs the place that one thread of its group got
const auto active = cg::coalesced_threads();
int first = 0;
if (active.thread_rank() == 0) first = reserve(counters, active.num_threads());
list[first + active.thread_rank()] = element;
