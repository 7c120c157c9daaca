// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: .X______ ________
const auto active = cg::coalesced_threads();
if (active.thread_rank() == 0) list[reserve(counters, static_cast<int>(active.num_threads()))] = element;
