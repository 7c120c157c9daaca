// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults inside a kernel become reports: stack overflow, illegal address, illegal instruction, division by zero,
// and the watchdog's signal to a thread that neither waits nor returns. Faults elsewhere are passed on to the
// handler that was there before.
#pragma once

namespace cohort::engine {

struct stack;
struct worker;

// Called by a worker's OS thread around its share of a launch: handlers, and a stack for them to run on.
void prepare_faults(worker& w);
void restore_faults(worker& w);

// Puts what a signal handler noted in `w.failed` into words, outside of it. `s` is the stack of the thread that failed.
void explain_fault(worker& w, const stack& s);

// The signal that makes a worker abandon the kernel it runs.
int abandon_signal();

}  // namespace cohort::engine
