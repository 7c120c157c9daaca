// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/context.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/driver/call.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/state/cuda_version.hpp"
#include "runtime/state/of_thread.hpp"

namespace cohort::runtime {

namespace {

// All contexts of the process. Never destroyed.
struct context_table {
  std::mutex mutex;
  std::vector<std::unique_ptr<context>> primary;  // index: device
  std::unordered_map<const void*, std::unique_ptr<context>> created;
  unsigned long long latest_id = 0;

  context& primary_of(int device) {
    while (primary.size() < static_cast<size_t>(device_count())) {
      primary.push_back(std::make_unique<context>());
      primary.back()->device = static_cast<int>(primary.size()) - 1;
      primary.back()->primary = true;
      primary.back()->id = ++latest_id;
    }
    return *primary[static_cast<size_t>(device)];
  }
  // True if the device has no context in use.
  bool is_free(int device) {
    const auto holds = [device](const auto& entry) {
      return entry.second->device == device && !entry.second->destroyed && !entry.second->green;
    };
    return primary_of(device).retained == 0 && !device_at(device).used_by_runtime &&
           std::none_of(created.begin(), created.end(), holds);
  }
};

context_table& table() {
  static context_table* const all = new context_table;
  return *all;
}

std::atomic<bool> was_started{false};
std::vector<context*>& stack() { return of_thread<std::vector<context*>>(); }

// Keeps a new context and gives it an id.
context* keep(std::unique_ptr<context> fresh) {
  context* const c = fresh.get();
  const std::lock_guard lock(table().mutex);
  c->id = ++table().latest_id;
  table().created.emplace(c, std::move(fresh));
  return c;
}

// Gives up a primary context. Returns true if the device has no context in use any more.
bool release_primary(int device) {
  --table().primary_of(device).retained;
  return table().is_free(device);
}

// Makes the device of the top context the current device of the runtime API.
void choose_top() {
  if (stack().empty()) {
    choose_device(current_device().index, device_choice::none);
    return;
  }
  const context& top = *stack().back();
  choose_device(top.device, device_choice::driver, top.green.get());
}

// Puts the primary context on the stack if a call of the runtime API has chosen a device since the last call of the
// driver API.
void adopt_choice_of_runtime() {
  if (chosen_by() != device_choice::runtime) return;
  if (!stack().empty()) stack().pop_back();
  stack().push_back(&primary_context(current_device().index));
  choose_top();
}

CUresult create(CUcontext* made, unsigned flags, CUdevice device) {
  return on_device_call(device, [&]() -> CUresult {
    const unsigned schedule = flags & CU_CTX_SCHED_MASK;
    if (!made || (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) || (schedule & (schedule - 1))) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    adopt_choice_of_runtime();
    auto fresh = std::make_unique<context>();
    fresh->device = device;
    fresh->flags = flags;
    stack().push_back(keep(std::move(fresh)));
    choose_top();
    *made = handle_of(stack().back());
    return CUDA_SUCCESS;
  });
}

CUresult destroy(context& c) {
  if (c.primary || c.green) return CUDA_ERROR_INVALID_CONTEXT;
  if (current_context() == &c) {
    stack().pop_back();
    choose_top();
  }
  bool was_last = false;
  {
    std::lock_guard lock(table().mutex);
    c.destroyed = true;
    was_last = table().is_free(c.device);
  }
  return was_last ? reset_device(c.device) : CUDA_SUCCESS;
}

}  // namespace

CUresult reset_device(int device) {
  const device_scope on(device);
  return to_result(cudaDeviceReset());
}

CUresult find_context(CUcontext handle, context** found) {
  std::lock_guard lock(table().mutex);
  const auto at = table().created.find(handle);
  if (at != table().created.end()) {
    *found = at->second.get();
    return (*found)->destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
  }
  for (const auto& c : table().primary) {
    if (handle_of(c.get()) != handle) continue;
    *found = c.get();
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_CONTEXT;
}

context& primary_context(int device) {
  std::lock_guard lock(table().mutex);
  return table().primary_of(device);
}

context& add_green_context(int device, uint32_t sm_count) {
  auto fresh = std::make_unique<context>();
  fresh->device = device;
  fresh->green = std::make_unique<green_context>();
  green_context& green = *fresh->green;
  green.handle = handle_of(fresh.get());
  green.device = device;
  green.sm_count = sm_count;
  green.null_stream = add_default_stream(device_at(device), cudaStreamNonBlocking, &green);
  context* const c = keep(std::move(fresh));
  green.id = c->id;
  const std::lock_guard lock(table().mutex);
  ++table().primary_of(device).retained;
  return *c;
}

CUresult find_green_context(CUgreenCtx handle, context** found) {
  const CUresult error = handle ? find_context(reinterpret_cast<CUcontext>(handle), found) : CUDA_ERROR_INVALID_CONTEXT;
  return error == CUDA_SUCCESS && !(*found)->green ? CUDA_ERROR_INVALID_CONTEXT : error;
}

CUresult destroy_green_context(context& c) {
  if (c.green->destroyed.exchange(true)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  drop_stream(c.green->null_stream);
  bool was_last = false;
  {
    const std::lock_guard lock(table().mutex);
    c.destroyed = true;
    was_last = release_primary(c.device);
  }
  return was_last ? reset_device(c.device) : CUDA_SUCCESS;
}

context* current_context() {
  adopt_choice_of_runtime();
  return stack().empty() ? nullptr : stack().back();
}

bool driver_is_ready() { return was_started.load() || was_device_chosen(); }

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  was_started = true;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* made, unsigned int flags, CUdevice device) { return create(made, flags, device); }

CUresult cuCtxCreate_v3(CUcontext* made, CUexecAffinityParam* affinity, int count, unsigned int flags,
                        CUdevice device) {
  if (count < 0) return CUDA_ERROR_INVALID_VALUE;
  return affinity || count > 0 ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : create(made, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext* made, CUctxCreateParams* parameters, unsigned int flags, CUdevice device) {
  if (parameters && parameters->cigParams) return CUDA_ERROR_NOT_SUPPORTED;
  return parameters
             ? cuCtxCreate_v3(made, parameters->execAffinityParams, parameters->numExecAffinityParams, flags, device)
             : create(made, flags, device);
}

CUresult cuCtxDestroy(CUcontext handle) {
  return ready_call([&] {
    context* c = nullptr;
    const CUresult error = find_context(handle, &c);
    return error != CUDA_SUCCESS ? error : destroy(*c);
  });
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  return ready_call([&] {
    context* c = nullptr;
    const CUresult error = find_context(handle, &c);
    if (error != CUDA_SUCCESS) return error;
    adopt_choice_of_runtime();
    stack().push_back(c);
    choose_top();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* popped) {
  return ready_call([&] {
    context* const c = current_context();
    if (!c) return CUDA_ERROR_INVALID_CONTEXT;
    stack().pop_back();
    choose_top();
    if (popped) *popped = handle_of(c);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  return ready_call([&] {
    context* c = nullptr;
    const CUresult error = handle ? find_context(handle, &c) : CUDA_SUCCESS;
    if (error != CUDA_SUCCESS) return error;
    adopt_choice_of_runtime();
    if (!stack().empty()) stack().pop_back();
    if (c) stack().push_back(c);
    choose_top();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* current) {
  return ready_call([&] {
    if (!current) return CUDA_ERROR_INVALID_VALUE;
    *current = handle_of(current_context());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return context_call([&] {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = current_context()->device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  if (!handle) return cuCtxGetDevice(device);
  return ready_call([&] {
    context* c = nullptr;
    if (const CUresult error = find_context(handle, &c); error != CUDA_SUCCESS) return error;
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = c->device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  return context_call([&] {
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int* version) {
  return ready_call([&] {
    context* c = nullptr;
    const CUresult error = handle ? find_context(handle, &c) : CUDA_SUCCESS;
    if (error != CUDA_SUCCESS) return error;
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = cuda_version();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetFlags(unsigned int flags) {
  return context_call([&] {
    const unsigned schedule = flags & CU_CTX_SCHED_MASK;
    const bool known = !(flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) && !(schedule & (schedule - 1));
    if (!known) return CUDA_ERROR_INVALID_VALUE;
    current_context()->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return context_call([&] {
    context* c = current_context();
    const CUresult error = handle ? find_context(handle, &c) : CUDA_SUCCESS;
    if (error != CUDA_SUCCESS) return error;
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    *id = c->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxAttach(CUcontext* attached, unsigned int flags) {
  return context_call([&] {
    if (!attached || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    std::lock_guard lock(table().mutex);
    ++stack().back()->attached;
    *attached = handle_of(stack().back());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDetach(CUcontext handle) {
  return context_call([&] {
    context* c = nullptr;
    if (const CUresult error = find_context(handle, &c); error != CUDA_SUCCESS) return error;
    if (c != current_context() || c->green) return CUDA_ERROR_INVALID_CONTEXT;
    bool was_last = false;
    {
      std::lock_guard lock(table().mutex);
      if (c->primary && c->attached == 1) return CUDA_ERROR_INVALID_CONTEXT;
      was_last = --c->attached == 0;
    }
    return was_last ? destroy(*c) : CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* retained, CUdevice device) {
  return on_device_call(device, [&] {
    if (!retained) return CUDA_ERROR_INVALID_VALUE;
    std::lock_guard lock(table().mutex);
    context& c = table().primary_of(device);
    ++c.retained;
    *retained = handle_of(&c);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return on_device_call(device, [&] {
    bool was_last = false;
    {
      std::lock_guard lock(table().mutex);
      const context& c = table().primary_of(device);
      if (c.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
      was_last = release_primary(device);
    }
    return was_last ? reset_device(device) : CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return on_device_call(device, [&] {
    if (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) return CUDA_ERROR_INVALID_VALUE;
    std::lock_guard lock(table().mutex);
    table().primary_of(device).flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return on_device_call(device, [&] {
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    std::lock_guard lock(table().mutex);
    const context& c = table().primary_of(device);
    *flags = c.flags;
    *active = c.retained > 0 || device_at(device).used_by_runtime;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
