// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of streams for words of memory, and writes of words by streams.
#include "runtime/driver/stream_words.hpp"

#include <utility>
#include <vector>

#include "runtime/driver/call.hpp"

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

}  // namespace

cudaError_t make_words(const CUstreamBatchMemOpParams* list, unsigned count, unsigned flags,
                       std::shared_ptr<word_operation>* made) {
  if (!list || count == 0 || count > longest_batch || flags != 0) return cudaErrorInvalidValue;
  std::vector<word_step> steps;
  for (unsigned i = 0; i < count; ++i) {
    const requested_step requested = step_of(list[i]);
    if (requested.error != cudaSuccess) return requested.error;
    steps.push_back(requested.step);
  }
  *made = std::make_shared<word_operation>(std::move(steps), std::vector(list, list + count));
  return cudaSuccess;
}

namespace {

CUresult submit(CUstream stream, const CUstreamBatchMemOpParams* list, unsigned count, unsigned flags) {
  return runtime_call([&] {
    std::shared_ptr<word_operation> words;
    const cudaError_t error = make_words(list, count, flags, &words);
    return error != cudaSuccess ? error : submit_words(stream, words);
  });
}

CUstreamBatchMemOpParams wait_parameters(CUstreamBatchMemOpType type, CUdeviceptr address, uint64_t value,
                                         unsigned flags) {
  CUstreamBatchMemOpParams p{};
  p.waitValue.operation = type;
  p.waitValue.address = address;
  p.waitValue.value64 = value;
  p.waitValue.flags = flags;
  return p;
}

CUstreamBatchMemOpParams write_parameters(CUstreamBatchMemOpType type, CUdeviceptr address, uint64_t value,
                                          unsigned flags) {
  CUstreamBatchMemOpParams p{};
  p.writeValue.operation = type;
  p.writeValue.address = address;
  p.writeValue.value64 = value;
  p.writeValue.flags = flags;
  return p;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
  const auto p = wait_parameters(CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
  return submit(stream, &p, 1, 0);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
  const auto p = wait_parameters(CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
  return submit(stream, &p, 1, 0);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
  const auto p = write_parameters(CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
  return submit(stream, &p, 1, 0);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
  const auto p = write_parameters(CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
  return submit(stream, &p, 1, 0);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* list, unsigned int flags) {
  return submit(stream, list, count, flags);
}

}  // extern "C"
