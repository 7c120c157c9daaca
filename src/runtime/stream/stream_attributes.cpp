// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of streams. The priority has an effect; the others are hints to a GPU's cache and waits, and are kept.
#include <algorithm>

#include "stream_call.hpp"

namespace cohort::runtime {

namespace {

bool is_valid(const cudaAccessPolicyWindow& window) {
  const bool hit = window.hitProp >= cudaAccessPropertyNormal && window.hitProp <= cudaAccessPropertyPersisting;
  const bool miss = window.missProp == cudaAccessPropertyNormal || window.missProp == cudaAccessPropertyStreaming;
  return hit && miss && window.hitRatio >= 0 && window.hitRatio <= 1;
}

// The attributes that CUDA's reference lists for streams.
cudaError_t set(stream_attributes& kept, cudaStreamAttrID id, const cudaStreamAttrValue& value) {
  switch (id) {
    case cudaStreamAttributeAccessPolicyWindow:
      if (!is_valid(value.accessPolicyWindow)) return cudaErrorInvalidValue;
      kept.window = value.accessPolicyWindow;
      return cudaSuccess;
    case cudaStreamAttributeSynchronizationPolicy:
      if (value.syncPolicy < cudaSyncPolicyAuto || value.syncPolicy > cudaSyncPolicyBlockingSync) {
        return cudaErrorInvalidValue;
      }
      kept.wait = value.syncPolicy;
      return cudaSuccess;
    case cudaStreamAttributeMemSyncDomainMap:
      kept.domains = value.memSyncDomainMap;
      return cudaSuccess;
    case cudaStreamAttributeMemSyncDomain:
      if (value.memSyncDomain != cudaLaunchMemSyncDomainDefault &&
          value.memSyncDomain != cudaLaunchMemSyncDomainRemote) {
        return cudaErrorInvalidValue;
      }
      kept.domain = value.memSyncDomain;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t get(const stream_attributes& kept, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  switch (id) {
    case cudaStreamAttributeAccessPolicyWindow:
      value->accessPolicyWindow = kept.window;
      return cudaSuccess;
    case cudaStreamAttributeSynchronizationPolicy:
      value->syncPolicy = kept.wait;
      return cudaSuccess;
    case cudaStreamAttributeMemSyncDomainMap:
      value->memSyncDomainMap = kept.domains;
      return cudaSuccess;
    case cudaStreamAttributeMemSyncDomain:
      value->memSyncDomain = kept.domain;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id, const cudaStreamAttrValue* value) {
  return stream_call(handle, [&](stream& s) {
    if (!value) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    if (id != cudaStreamAttributePriority) return set(s.attributes, id, *value);
    s.priority = std::clamp(value->priority, greatest_priority, least_priority);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  return stream_call(handle, [&](stream& s) {
    if (!value) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    if (id != cudaStreamAttributePriority) return get(s.attributes, id, value);
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
