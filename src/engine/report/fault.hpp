// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults inside a kernel become failures of the launch: stack overflow, illegal address, illegal instruction, division
// by zero, abort, and the watchdog's signal to a lane that neither waits nor returns. Other faults go to the previous
// handler.
#pragma once

#include <cstddef>

namespace cohort::engine {

struct stack;
struct worker;

// prepare_faults() installs the signal handlers and their stack, restore_faults() removes them. A worker's OS thread
// calls both around its share of a launch.
void prepare_faults(worker& w);
void restore_faults(worker& w);

// The top of the worker's stack for the function that ends a failed lane. pre: prepare_faults()
char* rescue_stack(const worker& w);

// Stores in `w.failed` that the current kernel wrote beyond its stack frame. Plain stores: signal handlers call it.
void note_overrun(worker& w);

// Completes `w.failed`, which a signal handler or note_overrun() has filled, with an error number and a sentence. `s`:
// stack of the failed lane
void explain_fault(worker& w, const stack& s);

// Sets the function that adds words about an address to a sentence: cohort_describe_addresses_by of port.hpp.
void describe_addresses_by(void (*describe)(const void* address, char* text, size_t size));

// The signal that makes a worker abandon its kernel.
int abandon_signal();
// Permits abandoning lanes in the program or library that holds `code`.
void abandon_in_module_of(const void* code);

}  // namespace cohort::engine
