// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a person reads when a launch fails: which kernel, which group, where in the source, who arrived, who waits
// elsewhere, who returned.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace cohort::engine {

struct block;
struct cluster;
struct failure;
struct grid;
struct session;
struct thread;

// Prints the report to stderr and keeps it for cohort_copy_last_report().
void publish_report(const std::string& report);

// A thread failed by itself: trap, fault, misuse. `t` is null where it is not known.
std::string describe_failure(const grid& g, const failure& f, const thread* t);
// No thread of the block can ever run again.
std::string describe_stuck_block(const grid& g, const block& b);
// The barrier of a cluster can never open.
std::string describe_stuck_cluster(const grid& g, const cluster& c);
// No block of a cooperative or multi-device launch can run, and no barrier between them can open any more.
std::string describe_stuck_session(const session& s);
// Nothing but spinning for too long; `blocks` are those of the worker that noticed.
std::string describe_spinning(const grid& g, const std::vector<std::unique_ptr<block>>& blocks);

// CUDA's line for a device-side assert that failed.
std::string describe_assert(const thread& t, const char* expression, const char* file, int line, const char* function);

}  // namespace cohort::engine
