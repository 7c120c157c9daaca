// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarriers, and the asynchronous stores that complete bytes of one. The device library has their operations
// (device/ptx/mbarriers.h). An arrival at an mbarrier in another block of the cluster is an arrival at its address.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/registers.hpp"

#include <cohort/machine/cpu/port/mbarrier_state.hpp>

#include "llvm/IR/Instructions.h"

namespace cohort::ptx {
namespace {

llvm::Value* flag(emission& e, bool value) { return e.b.getInt32(value ? 1 : 0); }

unsigned bytes_of(emission& e) { return e.op.vector_size() * e.of().bits / 8; }

}  // namespace

results init_mbarrier(emission& e) {
  call(e.b, ptx_call::cohort_ptx_mbarrier_init, {e.in[0], e.in[1]});
  return {};
}

results invalidate_mbarrier(emission& e) {
  call(e.b, ptx_call::cohort_ptx_mbarrier_inval, {e.in[0]});
  return {};
}

// mbarrier.arrive state, [a], count; with .expect_tx the last operand is a number of bytes. The state is the word
// before the arrival.
results arrive_mbarrier(emission& e) {
  const bool expects = e.op.has("expect_tx");
  llvm::Value* last = e.in.size() > 1 ? e.in[1] : nullptr;
  llvm::Value* count = last && !expects ? last : e.b.getInt32(1);
  llvm::Value* bytes = expects ? last : e.b.getInt32(0);
  return call(e.b, ptx_call::cohort_ptx_mbarrier_arrive,
              {e.in[0], count, bytes, flag(e, e.op.has("arrive_drop")), flag(e, !e.op.has("noComplete")),
               flag(e, e.op.has("relaxed"))});
}

results expect_bytes(emission& e) {
  call(e.b, ptx_call::cohort_ptx_mbarrier_expect, {e.in[0], e.in[1]});
  return {};
}

results complete_bytes(emission& e) {
  call(e.b, ptx_call::cohort_ptx_mbarrier_complete, {e.in[0], e.in[1], flag(e, true)});
  return {};
}

results test_mbarrier(emission& e) {
  llvm::Value* phase = e.b.CreateZExt(e.in[1], e.b.getInt64Ty());
  return is_set(e, call(e.b, ptx_call::cohort_ptx_mbarrier_test,
                        {e.in[0], phase, flag(e, e.op.has("parity")), flag(e, e.op.has("try_wait")),
                         flag(e, e.op.has("relaxed"))}));
}

results count_pending(emission& e) {
  const uint64_t most = cpu::mbarrier_state::most_arrivals;
  return e.b.CreateTrunc(e.b.CreateAnd(e.in[0], most), e.b.getInt32Ty());
}

results arrive_after_copies(emission& e) {
  call(e.b, ptx_call::cohort_ptx_mbarrier_copies, {e.in[0], flag(e, e.op.has("noinc"))});
  return {};
}

results store_async(emission& e) {
  store(e);
  call(e.b, ptx_call::cohort_ptx_mbarrier_complete, {e.in.back(), e.b.getInt32(bytes_of(e)), flag(e, false)});
  return {};
}
results reduce_async(emission& e) {
  atomic(e);
  call(e.b, ptx_call::cohort_ptx_mbarrier_complete, {e.in.back(), e.b.getInt32(bytes_of(e)), flag(e, false)});
  return {};
}

}  // namespace cohort::ptx
