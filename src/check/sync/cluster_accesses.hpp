// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributed shared memory has the lifetime of its block. A block of the cluster that accesses it must do so before
// something that the owner waits for: in another order of execution, the owner could have ended.
#pragma once

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

struct access;
struct accessor;
struct block_clock;

// Records an access of the thread to shared memory of `owner`, another block of its cluster.
void note_cluster_access(const accessor& c, const access& now, tools::block_view owner);
// Reports the accesses that nothing orders before the end of the block. pre: all threads of the block have returned
void report_cluster_accesses(block_clock& b);

}  // namespace cohort::check
