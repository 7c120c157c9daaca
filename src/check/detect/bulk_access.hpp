// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies (cp.async.bulk). Their accesses are asynchronous, unordered even with their own thread, from the start of
// the copy until its end. The end releases the bytes to the threads that wait for the mbarrier which counts them, or
// makes them accesses of the thread that waits for its bulk group.
#pragma once

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

void start_bulk_copy(const tools::bulk_copy_bytes& e);
// Ends the read of a copy's source: the thread has waited for it and may overwrite the source.
void end_bulk_read(const tools::bulk_copy_bytes& e);
void end_bulk_copy(const tools::bulk_copy_bytes& e);
// Releases what all arrivals and copies of the phase have released to the threads that wait for the phase.
void complete_phase(const tools::bulk_completed_phase& e);

}  // namespace cohort::check
