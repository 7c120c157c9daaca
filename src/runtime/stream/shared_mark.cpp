// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/shared_mark.hpp"

#include "runtime/error/log.hpp"

namespace cohort::runtime {

// In a forked child the mark counts as finished, but the record remains the parent's.
cudaError_t shared_mark::execute() {
  const cudaError_t error = event_mark::execute();
  if (this_process() == maker_) event_->reach(ticket_);
  return error;
}

remote_record latest_remote(const event& e) {
  if (!e.shared) return {};
  const uint64_t latest = e.shared->latest();
  const bool is_local = e.mark && static_cast<const shared_mark&>(*e.mark).ticket() == latest;
  return is_local ? remote_record{} : remote_record{e.shared, latest};
}

cudaError_t result_of(const remote_record& record, shared_event::progress found) {
  if (found != shared_event::progress::lost) return cudaSuccess;
  say(cudaLogLevelError,
      "process %d ended before its stream reached an event that this process waits for\n"
      "  record %llu of an event with cudaEventInterprocess",
      record.event->recorder_of(record.ticket).number, static_cast<unsigned long long>(record.ticket));
  return cudaErrorExternalDevice;
}

}  // namespace cohort::runtime
