// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses CPUs for this process. Rows of one core run in a process that is pinned to one CPU from its start, so that
// the engine, the peers and their threads all use this CPU.
#pragma once

namespace bench {

// Returns the number of CPUs that this process may use.
int usable_cpus();

// Returns the CPU that ran a short loop fastest, the last one if several did: a CPU that shares its core with a busy
// one, or that other processes use, would spoil a comparison.
int quietest_cpu();

// Pins the calling thread, and all threads and processes that it starts later.
void pin_to_cpu(int cpu);

}  // namespace bench
