// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Green contexts of the driver API, and the resources that they are made from. The multiprocessors of a part are not
// told apart, only counted: any of the device's workers may run its kernels.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/driver/call.hpp"
#include "runtime/stream/device_event.hpp"
#include "runtime/stream/stream_call.hpp"

namespace cohort::runtime {

namespace {

// The origin of a CUdevResource, stored in its private bytes (_internal_padding).
struct resource_origin {
  uint64_t split;  // the number of the split that made it; 0: the resource of a device or of a context
  uint32_t device;
  uint32_t part;    // index among the results of the split; the remainder is the last
  uint32_t marked;  // resource_mark, if this file made the bytes
};
static_assert(sizeof(resource_origin) <= sizeof(CUdevResource::_internal_padding));
constexpr uint32_t resource_mark = 0x534d5253;

// Multiprocessors of the smallest part, as on compute capability 9.0, whose clusters have up to eight blocks. A device
// with fewer than 16 multiprocessors is split into single ones.
constexpr unsigned group_of_large_devices = 8, group_without_clusters = 2;
unsigned smallest_part(unsigned multiprocessors, bool for_clusters) {
  if (multiprocessors < 2 * group_of_large_devices) return 1;
  return for_clusters ? group_of_large_devices : group_without_clusters;
}

CUdevResource make_resource(uint32_t device, unsigned multiprocessors, uint64_t split, uint32_t part) {
  CUdevResource made;
  std::memset(&made, 0, sizeof made);
  made.type = multiprocessors == 0 ? CU_DEV_RESOURCE_TYPE_INVALID : CU_DEV_RESOURCE_TYPE_SM;
  const unsigned smallest = multiprocessors == 0 ? 0 : smallest_part(multiprocessors, true);
  made.sm.smCount = multiprocessors;
  made.sm.minSmPartitionSize = made.sm.smCoscheduledAlignment = smallest;
  const resource_origin origin{split, device, part, resource_mark};
  std::memcpy(made._internal_padding, &origin, sizeof origin);
  return made;
}

CUresult read_origin(const CUdevResource& resource, resource_origin* origin) {
  if (resource.type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  std::memcpy(origin, resource._internal_padding, sizeof *origin);
  return origin->marked == resource_mark ? CUDA_SUCCESS : CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
}

// A list of resources for one context. There is no call that destroys it.
struct descriptor {
  uint32_t device;
  unsigned multiprocessors;
};

class descriptor_table {
 public:
  CUdevResourceDesc add(const descriptor& made) {
    auto fresh = std::make_unique<descriptor>(made);
    const auto handle = reinterpret_cast<CUdevResourceDesc>(fresh.get());
    const std::lock_guard lock(mutex_);
    all_.emplace(handle, std::move(fresh));
    return handle;
  }
  const descriptor* find(CUdevResourceDesc handle) {
    const std::lock_guard lock(mutex_);
    const auto at = all_.find(handle);
    return at == all_.end() ? nullptr : at->second.get();
  }
  uint64_t next_split() {
    const std::lock_guard lock(mutex_);
    return ++splits_;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<CUdevResourceDesc, std::unique_ptr<descriptor>> all_;
  uint64_t splits_ = 0;
};

// The only table. Never destroyed.
descriptor_table& descriptors() {
  static descriptor_table* const all = new descriptor_table;
  return *all;
}

// The number of multiprocessors of a group, of `left` ones that are not yet in a group. 0: there are not enough.
CUresult size_of_group(const CU_DEV_SM_RESOURCE_GROUP_PARAMS& group, unsigned all, unsigned left, unsigned* size) {
  constexpr unsigned most_coscheduled = 32;
  const bool fills = group.flags & CU_DEV_SM_RESOURCE_GROUP_BACKFILL;
  const unsigned together = group.coscheduledSmCount ? group.coscheduledSmCount : smallest_part(all, true);
  const bool has_reserved =
      std::any_of(std::begin(group.reserved), std::end(group.reserved), [](unsigned x) { return x != 0; });
  if (has_reserved || together > most_coscheduled || (group.flags & ~7u)) return CUDA_ERROR_INVALID_VALUE;
  if (group.flags & ~static_cast<unsigned>(CU_DEV_SM_RESOURCE_GROUP_BACKFILL)) {
    return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;  // no locality domain exists
  }
  const unsigned whole_groups = left / together * together;
  const unsigned smallest = smallest_part(all, false);
  *size = group.smCount ? group.smCount : fills ? left / smallest * smallest : whole_groups;
  if (group.smCount > all || *size % smallest != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!fills && *size % together != 0) return CUDA_ERROR_INVALID_VALUE;
  const bool fits = *size <= (fills ? left : whole_groups);
  return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
}

CUresult write_resource(CUdevResource* resource, CUdevResourceType type, int device, const green_context* green) {
  if (!resource) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  const cohort_device* const described = cohort_device_get(device);
  const unsigned all = described ? static_cast<unsigned>(described->sm_count) : 1;
  *resource = make_resource(static_cast<uint32_t>(device), green ? green->sm_count : all, 0, 0);
  return CUDA_SUCCESS;
}

template <class Body>
CUresult green_call(CUgreenCtx handle, Body&& body) {
  return ready_call([&]() -> CUresult {
    context* c = nullptr;
    const CUresult error = find_green_context(handle, &c);
    return error != CUDA_SUCCESS ? error : body(*c);
  });
}

CUgreenCtx green_handle_of(context* c) { return reinterpret_cast<CUgreenCtx>(c); }

// Calls `body(context&)` for the context of a stream. The handles of default streams stand for the calling thread's
// context.
template <class Body>
CUresult stream_context_call(CUstream handle, Body&& body) {
  return context_call([&]() -> CUresult {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return to_result(error);
    context* c = &primary_context(s->device->index);
    const CUresult error = s->green ? find_context(s->green->handle, &c) : CUDA_SUCCESS;
    return error != CUDA_SUCCESS ? error : body(*c);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
  return on_device_call(device, [&] { return write_resource(resource, type, device, nullptr); });
}

CUresult cuCtxGetDevResource(CUcontext handle, CUdevResource* resource, CUdevResourceType type) {
  return context_call([&] {
    context* c = current_context();
    const CUresult error = handle ? find_context(handle, &c) : CUDA_SUCCESS;
    return error != CUDA_SUCCESS ? error : write_resource(resource, type, c->device, c->green.get());
  });
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource* resource, CUdevResourceType type) {
  return green_call(handle, [&](context& c) { return write_resource(resource, type, c.device, c.green.get()); });
}

CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* count, const CUdevResource* input,
                                     CUdevResource* remaining, unsigned int flags, unsigned int least) {
  return ready_call([&]() -> CUresult {
    constexpr unsigned known =
        CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
    if (!count || !input || (flags & ~known)) return CUDA_ERROR_INVALID_VALUE;
    resource_origin origin{};
    if (const CUresult error = read_origin(*input, &origin); error != CUDA_SUCCESS) return error;
    const unsigned all = input->sm.smCount;
    if (least > all) return CUDA_ERROR_INVALID_VALUE;
    if (origin.split != 0) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    const unsigned smallest = smallest_part(all, !(flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING));
    const unsigned each = (std::max(least, 1u) + smallest - 1) / smallest * smallest;
    const unsigned possible = all / each;
    if (possible == 0) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    const unsigned made = result ? std::min(*count, possible) : possible;
    *count = made;
    const uint64_t split = descriptors().next_split();
    for (unsigned i = 0; result && i < made; ++i) result[i] = make_resource(origin.device, each, split, i);
    if (remaining) *remaining = make_resource(origin.device, all - made * each, split, made);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevSmResourceSplit(CUdevResource* result, unsigned int count, const CUdevResource* input,
                              CUdevResource* remainder, unsigned int flags, CU_DEV_SM_RESOURCE_GROUP_PARAMS* groups) {
  return ready_call([&]() -> CUresult {
    if (count == 0 || !input || !groups || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    resource_origin origin{};
    if (const CUresult error = read_origin(*input, &origin); error != CUDA_SUCCESS) return error;
    if (origin.split != 0) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    const unsigned all = input->sm.smCount;
    unsigned left = all;
    std::vector<unsigned> sizes(count);
    for (unsigned i = 0; i < count; ++i) {
      if (const CUresult error = size_of_group(groups[i], all, left, &sizes[i]); error != CUDA_SUCCESS) return error;
      const unsigned together = groups[i].coscheduledSmCount ? groups[i].coscheduledSmCount : smallest_part(all, true);
      if (result && sizes[i] < together) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
      left -= sizes[i];
    }
    const uint64_t split = descriptors().next_split();
    for (unsigned i = 0; i < count; ++i) {
      groups[i].smCount = sizes[i];
      if (!result) continue;
      result[i] = make_resource(origin.device, sizes[i], split, i);
      if (groups[i].coscheduledSmCount) result[i].sm.smCoscheduledAlignment = groups[i].coscheduledSmCount;
    }
    if (remainder) *remainder = make_resource(origin.device, left, split, count);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* made, CUdevResource* resources, unsigned int count) {
  return ready_call([&]() -> CUresult {
    if (!made || !resources || count == 0) return CUDA_ERROR_INVALID_VALUE;
    resource_origin first{}, next{};
    unsigned multiprocessors = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (const CUresult error = read_origin(resources[i], i == 0 ? &first : &next); error != CUDA_SUCCESS)
        return error;
      multiprocessors += resources[i].sm.smCount;
      if (i == 0) continue;
      const bool one_split = first.split != 0 && first.split == next.split && first.device == next.device;
      for (unsigned before = 0; before < i && one_split; ++before) {
        resource_origin other{};
        if (read_origin(resources[before], &other) == CUDA_SUCCESS && other.part == next.part) {
          return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        }
      }
      if (!one_split) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    }
    *made = descriptors().add({first.device, multiprocessors});
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxCreate(CUgreenCtx* made, CUdevResourceDesc handle, CUdevice device, unsigned int flags) {
  return on_device_call(device, [&]() -> CUresult {
    const descriptor* const described = descriptors().find(handle);
    if (!made || !described || flags != CU_GREEN_CTX_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
    if (described->device != static_cast<uint32_t>(device)) return CUDA_ERROR_INVALID_VALUE;
    *made = green_handle_of(&add_green_context(device, described->multiprocessors));
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxDestroy(CUgreenCtx handle) {
  return green_call(handle, [](context& c) { return destroy_green_context(c); });
}

CUresult cuCtxFromGreenCtx(CUcontext* found, CUgreenCtx handle) {
  return green_call(handle, [&](context& c) {
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    *found = handle_of(&c);
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxGetId(CUgreenCtx handle, unsigned long long* id) {
  return ready_call([&]() -> CUresult {
    context* c = nullptr;
    if (handle) {
      if (const CUresult error = find_green_context(handle, &c); error != CUDA_SUCCESS) return error;
    } else {
      c = current_context();
      if (!c || !c->green) return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    *id = c->green->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxStreamCreate(CUstream* made, CUgreenCtx handle, unsigned int flags, int priority) {
  return green_call(handle, [&](context& c) -> CUresult {
    if (!made || flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    const device_scope on(c);
    return to_result(cudaStreamCreateWithPriority(made, flags, priority));
  });
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx handle, CUevent event) {
  return green_call(handle, [&](context& c) { return on_whole_context(c, event, record_on_device); });
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx handle, CUevent event) {
  return green_call(handle, [&](context& c) { return on_whole_context(c, event, wait_on_device); });
}

CUresult cuStreamGetGreenCtx(CUstream handle, CUgreenCtx* green) {
  return stream_context_call(handle, [&](context& c) {
    if (!green) return CUDA_ERROR_INVALID_VALUE;
    *green = c.green ? green_handle_of(&c) : nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetDevResource(CUstream handle, CUdevResource* resource, CUdevResourceType type) {
  return stream_context_call(handle,
                             [&](context& c) { return write_resource(resource, type, c.device, c.green.get()); });
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext* found) {
  return stream_context_call(handle, [&](context& c) {
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    *found = handle_of(&c);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetCtx_v2(CUstream handle, CUcontext* found, CUgreenCtx* green) {
  return stream_context_call(handle, [&](context& c) {
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    *found = handle_of(&primary_context(c.device));
    if (green) *green = c.green ? green_handle_of(&c) : nullptr;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
