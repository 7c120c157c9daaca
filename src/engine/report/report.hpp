// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports of failed launches: the kernel, the group, the source places, and the threads that arrived, wait elsewhere or
// returned. Each function claims the session's report, and does nothing if another worker was first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cohort::engine {

struct block;
struct grid;
struct report_body;
struct session;
struct worker;

// The name of the kernel in reports.
std::string kernel_title(const grid& g);
// The first instruction of a plain C++ kernel, which identifies it; null for a kernel of the compiler.
const void* plain_kernel(const grid& g);
// kernel_title() of a plain C++ kernel. Reads the program's debug information.
std::string plain_kernel_title(const void* code);

// Reports a trap, fault or misuse in a lane. The facts are in `w.failed`.
void fail_with_report(worker& w);
// Reports that no thread of `b` can ever run again, or that the barrier of its cluster can never open.
void fail_stuck_block(block& b);
// Reports that no block of a cooperative or multi-device launch can run, and that no barrier between them can open.
void fail_stuck_session(session& s);
// Reports that the grid has only spun for COHORT_TIMEOUT seconds or, under a schedule, for `rounds` rounds. `blocks`:
// the resident blocks of the calling worker.
void fail_spinning(grid& g, const std::vector<std::unique_ptr<block>>& blocks, uint32_t rounds);
// Reports that the launch has run for COHORT_LAUNCH_LIMIT seconds while the calling worker runs no lane. `blocks`: its
// resident blocks.
void fail_over_limit(grid& g, const std::vector<std::unique_ptr<block>>& blocks);
// Prints a line about a launch that has run for `seconds` and continues.
void note_long_launch(const grid& g, double seconds);
// Reports a failure that other processes caused. `sentence` has no period.
void fail_launch(session& s, const std::string& sentence);
// Prints a report about a failure outside of launches.
void print_report(const report_body& report);
// True for COHORT_REPORT=json: a report is a JSON object on a line of its own.
bool reports_are_json();
// Reports a failure that the kernel did not cause. `line` states it.
void fail_with_line(session& s, int error, const char* line);

// Reports failed assertions when no thread of the launch can run any more, or none is left.
void fail_with_assertions(session& s);

// Stores CUDA's line for an assert that failed in the current lane. The launch fails with these lines once its other
// threads have run.
void note_assertion(const char* expression, const char* file, int line, const char* function);
// note_assertion() for a lane that leaves its fiber for good, with error_assert.
[[noreturn]] void fail_assert(const char* expression, const char* file, int line, const char* function);

// Implements cohort_copy_last_report.
size_t copy_last_report(char* buffer, size_t size);

}  // namespace cohort::engine
