// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of streams for words of memory, and writes of words by streams.
#include <vector>

#include "runtime/driver/call.hpp"
#include "runtime/memory/copy/word_operation.hpp"

namespace cohort::runtime {

namespace {

constexpr unsigned longest_batch = 256;

// A step, or the error with which CUDA refuses it.
struct requested_step {
  word_step step{};
  cudaError_t error = cudaSuccess;
};

constexpr requested_step invalid{{}, cudaErrorInvalidValue};
// A flush of remote writes: CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES is 0, as on GPUs without the hardware for it.
constexpr requested_step flush{{}, cudaErrorNotSupported};

requested_step wait_of(CUdeviceptr address, uint64_t value, unsigned flags, bool is_wide) {
  constexpr word_action actions[] = {word_action::wait_greater_or_equal, word_action::wait_equal, word_action::wait_and,
                                     word_action::wait_nor};
  const unsigned comparison = flags & ~static_cast<unsigned>(CU_STREAM_WAIT_VALUE_FLUSH);
  if (comparison > CU_STREAM_WAIT_VALUE_NOR) return invalid;
  if (flags != comparison) return flush;
  return {{actions[comparison], pointer_of(address), is_wide, value}};
}

requested_step write_of(CUdeviceptr address, uint64_t value, unsigned flags, bool is_wide) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return invalid;
  return {{word_action::write, pointer_of(address), is_wide, value}};
}

requested_step step_of(const CUstreamBatchMemOpParams& p) {
  switch (p.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return wait_of(p.waitValue.address, p.waitValue.value, p.waitValue.flags, false);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return wait_of(p.waitValue.address, p.waitValue.value64, p.waitValue.flags, true);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return write_of(p.writeValue.address, p.writeValue.value, p.writeValue.flags, false);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return write_of(p.writeValue.address, p.writeValue.value64, p.writeValue.flags, true);
    case CU_STREAM_MEM_OP_BARRIER:
      if (p.memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU) break;
      return {{word_action::barrier}};
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return p.flushRemoteWrites.flags != 0 ? invalid : flush;
  }
  return invalid;
}

CUresult submit(CUstream stream, const requested_step& requested) {
  return runtime_call(
      [&] { return requested.error != cudaSuccess ? requested.error : submit_words(stream, {requested.step}); });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
  return submit(stream, wait_of(address, value, flags, false));
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
  return submit(stream, wait_of(address, value, flags, true));
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
  return submit(stream, write_of(address, value, flags, false));
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
  return submit(stream, write_of(address, value, flags, true));
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* list, unsigned int flags) {
  return runtime_call([&] {
    if (!list || count == 0 || count > longest_batch || flags != 0) return cudaErrorInvalidValue;
    std::vector<word_step> steps;
    for (unsigned i = 0; i < count; ++i) {
      const requested_step requested = step_of(list[i]);
      if (requested.error != cudaSuccess) return requested.error;
      steps.push_back(requested.step);
    }
    return submit_words(stream, std::move(steps));
  });
}

}  // extern "C"
