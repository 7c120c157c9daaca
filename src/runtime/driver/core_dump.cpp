// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's settings of core dumps, and its calls for logs.
#include "runtime/error/core_dump.hpp"

#include <cstring>
#include <string>

#include "runtime/driver/call.hpp"
#include "runtime/error/environment.hpp"
#include "runtime/error/log.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t most_text_bytes = 1024;  // bytes of a text, with its closing zero

struct core_dump_attribute {
  CUcoredumpSettings id;
  const char* variable;  // an environment variable that has precedence over calls
  size_t bytes;
  bool is_common;  // all contexts share the value
};

constexpr core_dump_attribute attributes[] = {
    {CU_COREDUMP_ENABLE_ON_EXCEPTION, "CUDA_ENABLE_COREDUMP_ON_EXCEPTION", sizeof(bool), false},
    {CU_COREDUMP_TRIGGER_HOST, "CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", sizeof(bool), false},
    {CU_COREDUMP_LIGHTWEIGHT, "CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", sizeof(bool), false},
    {CU_COREDUMP_ENABLE_USER_TRIGGER, "CUDA_ENABLE_USER_TRIGGERED_COREDUMP", sizeof(bool), true},
    {CU_COREDUMP_FILE, "CUDA_COREDUMP_FILE", most_text_bytes, false},
    {CU_COREDUMP_PIPE, "CUDA_COREDUMP_PIPE", most_text_bytes, true},
    {CU_COREDUMP_GENERATION_FLAGS, "CUDA_COREDUMP_GENERATION_FLAGS", sizeof(int), false},
};

const core_dump_attribute* find_attribute(CUcoredumpSettings id) {
  for (const core_dump_attribute& each : attributes) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

// Calls `use` with the member that an attribute stands for. No device writes a core dump on request.
template <class Settings, class Use>
void with_member(Settings& settings, CUcoredumpSettings id, Use&& use) {
  bool by_user = false;
  switch (id) {
    case CU_COREDUMP_ENABLE_ON_EXCEPTION:
      return use(settings.is_written);
    case CU_COREDUMP_TRIGGER_HOST:
      return use(settings.aborts);
    case CU_COREDUMP_LIGHTWEIGHT:
      return use(settings.is_lightweight);
    case CU_COREDUMP_FILE:
      return use(settings.file);
    case CU_COREDUMP_PIPE:
      return use(settings.pipe);
    case CU_COREDUMP_GENERATION_FLAGS:
      return use(settings.generation_flags);
    default:
      return use(by_user);
  }
}

struct member_writer {
  void* value;
  void operator()(const std::string& member) const {
    const std::string text = expand_core_dump_path(member).substr(0, most_text_bytes - 1);
    std::memcpy(value, text.c_str(), text.size() + 1);
  }
  template <class Member>
  void operator()(const Member& member) const {
    std::memcpy(value, &member, sizeof member);
  }
};

struct member_reader {
  const void* value;
  size_t bytes;
  void operator()(std::string& member) const {
    const auto* const text = static_cast<const char*>(value);
    member.assign(text, strnlen(text, bytes));
  }
  template <class Member>
  void operator()(Member& member) const {
    std::memcpy(&member, value, sizeof member);
  }
};

CUresult get_attribute(int device, CUcoredumpSettings id, void* value, size_t* size) {
  const core_dump_attribute* const known = find_attribute(id);
  if (!known || !size) return CUDA_ERROR_INVALID_VALUE;
  const core_dump_settings settings = core_dump_settings_of(device);
  if (value && *size < known->bytes) return CUDA_ERROR_INVALID_VALUE;
  if (value) with_member(settings, id, member_writer{value});
  *size = known->bytes;
  return CUDA_SUCCESS;
}

CUresult set_attribute(int device, CUcoredumpSettings id, const void* value, size_t* size) {
  const core_dump_attribute* const known = find_attribute(id);
  if (!known || !size) return CUDA_ERROR_INVALID_VALUE;
  if (!value) {
    *size = known->bytes;
    return CUDA_SUCCESS;
  }
  const bool is_text = known->bytes == most_text_bytes;
  if (is_text ? *size == 0 || strnlen(static_cast<const char*>(value), *size) >= most_text_bytes
              : *size != known->bytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (environment_variable(known->variable) || (known->is_common && device != all_devices))
    return CUDA_ERROR_NOT_PERMITTED;
  if (id == CU_COREDUMP_ENABLE_USER_TRIGGER && *static_cast<const bool*>(value)) return CUDA_ERROR_NOT_SUPPORTED;
  core_dump_settings settings = core_dump_settings_of(device);
  with_member(settings, id, member_reader{value, *size});
  set_core_dump_settings(device, settings);
  return CUDA_SUCCESS;
}

template <class Body>
CUresult log_call(Body&& body) {
  const last_error_guard kept;
  return to_result(body());
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuCoredumpGetAttribute(CUcoredumpSettings id, void* value, size_t* size) {
  return context_call([&] { return get_attribute(current_context()->device, id, value, size); });
}

CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings id, void* value, size_t* size) {
  return get_attribute(all_devices, id, value, size);
}

CUresult cuCoredumpSetAttribute(CUcoredumpSettings id, void* value, size_t* size) {
  return context_call([&] { return set_attribute(current_context()->device, id, value, size); });
}

CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings id, void* value, size_t* size) {
  return set_attribute(all_devices, id, value, size);
}

CUresult cuLogsRegisterCallback(CUlogsCallback function, void* data, CUlogsCallbackHandle* handle) {
  return log_call([&] {
    // The callback types of both APIs differ only in the name of the level's type.
    return cudaLogsRegisterCallback(reinterpret_cast<cudaLogsCallback_t>(function), data, handle);
  });
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
  return log_call([&] { return cudaLogsUnregisterCallback(handle); });
}

CUresult cuLogsCurrent(CUlogIterator* iterator, unsigned int flags) {
  return log_call([&] { return cudaLogsCurrent(iterator, flags); });
}

CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* path, unsigned int flags) {
  return log_call([&] { return cudaLogsDumpToFile(iterator, path, flags); });
}

CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
  return log_call([&] { return cudaLogsDumpToMemory(iterator, buffer, size, flags); });
}

}  // extern "C"
