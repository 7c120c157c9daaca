// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of streams. The priority has an effect; the other attributes are hints for a GPU's cache and waits, and
// are only stored.
#include <algorithm>

#include "runtime/stream/stream_attributes.hpp"
#include "runtime/stream/stream_call.hpp"

namespace cohort::runtime {

namespace {

bool is_valid(const cudaAccessPolicyWindow& window) {
  const bool hit = window.hitProp >= cudaAccessPropertyNormal && window.hitProp <= cudaAccessPropertyPersisting;
  const bool miss = window.missProp == cudaAccessPropertyNormal || window.missProp == cudaAccessPropertyStreaming;
  return hit && miss && window.hitRatio >= 0 && window.hitRatio <= 1;
}
bool is_valid(cudaSynchronizationPolicy wait) {
  return wait >= cudaSyncPolicyAuto && wait <= cudaSyncPolicyBlockingSync;
}
bool is_valid(const cudaLaunchMemSyncDomainMap&) { return true; }
bool is_valid(cudaLaunchMemSyncDomain domain) {
  return domain == cudaLaunchMemSyncDomainDefault || domain == cudaLaunchMemSyncDomainRemote;
}

// Calls `use` with the stored attribute and the member of `value` that CUDA's reference lists for streams under `id`.
template <class Kept, class Value, class Use>
cudaError_t with_attribute(Kept& kept, cudaStreamAttrID id, Value& value, Use use) {
  switch (id) {
    case cudaStreamAttributeAccessPolicyWindow:
      return use(kept.window, value.accessPolicyWindow);
    case cudaStreamAttributeSynchronizationPolicy:
      return use(kept.wait, value.syncPolicy);
    case cudaStreamAttributeMemSyncDomainMap:
      return use(kept.domains, value.memSyncDomainMap);
    case cudaStreamAttributeMemSyncDomain:
      return use(kept.domain, value.memSyncDomain);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError_t set_hint(stream_attributes& kept, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  return with_attribute(kept, id, value, [](auto& member, const auto& chosen) {
    if (!is_valid(chosen)) return cudaErrorInvalidValue;
    member = chosen;
    return cudaSuccess;
  });
}

cudaError_t get_hint(const stream_attributes& kept, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  return with_attribute(kept, id, *value, [](const auto& member, auto& result) {
    result = member;
    return cudaSuccess;
  });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id, const cudaStreamAttrValue* value) {
  return stream_call(handle, [&](stream& s) {
    if (!value) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    if (id != cudaStreamAttributePriority) return set_hint(s.attributes, id, *value);
    s.priority = std::clamp(value->priority, greatest_priority, least_priority);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  return stream_call(handle, [&](stream& s) {
    if (!value) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    if (id != cudaStreamAttributePriority) return get_hint(s.attributes, id, value);
    value->priority = s.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return stream_call(to, [&](stream& written) {
    stream* read = nullptr;
    if (const cudaError_t error = find_stream(from, &read); error != cudaSuccess) return error;
    if (read->device != written.device) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    written.attributes = read->attributes;
    written.priority = read->priority;
    return cudaSuccess;
  });
}

}  // extern "C"
