// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that constructors of a host object call to register its kernels and variables. clang and nvcc define
// their names and signatures.
#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/error/log.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/module/variable_reports.hpp"
#include "runtime/process/other_libraries.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/cuda_version.hpp"

namespace {

// The embedded "fat binary". For cohortcc its data is the module's id, a null-terminated string. Lines may precede it:
// "\1sm_90,compute_90\n", the GPUs that it has code for, each GPU without them, and "\2" "13050\n", a version of CUDA.
struct fat_binary_wrapper {
  int magic;
  int version;
  const char* data;
  void* unused;
};

constexpr int fat_binary_magic = 0x466243b1;

// The rest of the line at `text` if it begins with `mark`; `text` is then the next line.
std::string take_line(char mark, const char*& text) {
  if (*text != mark) return "";
  const char* const begin = text + 1;
  const char* const end = std::strchr(begin, '\n');
  text = end ? end + 1 : "";
  return end ? std::string(begin, end) : "";
}

cohort::runtime::host_module* module_of(void** handle) {
  return reinterpret_cast<cohort::runtime::host_module*>(handle);
}

// The program itself stays until the process ends, unlike a library that dlclose() removes.
bool is_of_program(const void* address) {
  Dl_info info;
  link_map* map = nullptr;
  return dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) && map && !*map->l_name;
}

}  // namespace

using cohort::runtime::symbol_table;

extern "C" {

void cohort_register_module(const cohort_module* module) {
  if (!cohort::runtime::calls_reach_this_library()) return;
  cohort::runtime::add_variable_owner();
  symbol_table::instance().add_device_module(module);
}

void** __cudaRegisterFatBinary(void* wrapper) {
  const auto* binary = static_cast<const fat_binary_wrapper*>(wrapper);
  const bool known = binary && binary->magic == fat_binary_magic && binary->data;
  if (!known) {
    cohort::runtime::say(cudaLogLevelError,
                         "an object that cohortcc did not compile registers GPU code: compile it with cohortcc");
  }
  const char* id = known ? binary->data : "";
  const std::string gpu_code = take_line('\1', id), version = take_line('\2', id);
  if (!version.empty()) cohort::runtime::raise_cuda_version(std::atoi(version.c_str()));
  return reinterpret_cast<void**>(symbol_table::instance().add_host_module(id, wrapper, gpu_code.c_str()));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  cohort::runtime::scheduler::instance().drain();
  // Destructors of static objects that are older than the module run later, and may launch.
  if (is_of_program(module_of(handle)->image)) return;
  symbol_table::instance().remove(module_of(handle));
}

int __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int, uint3*,
                           uint3*, dim3*, dim3*, int*) {
  symbol_table::instance().add_function(module_of(handle), host_function, device_name);
  return 0;
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t bytes, int,
                       int) {
  symbol_table::instance().add_variable(module_of(handle), host_variable, device_name, bytes);
}

void __cudaRegisterTexture(void** handle, const textureReference* host_variable, const void**, const char* device_name,
                           int, int, int) {
  symbol_table::instance().add_variable(module_of(handle), host_variable, device_name, sizeof *host_variable);
}

void __cudaRegisterSurface(void** handle, const surfaceReference* host_variable, const void**, const char* device_name,
                           int, int) {
  symbol_table::instance().add_variable(module_of(handle), host_variable, device_name, sizeof *host_variable);
}

}  // extern "C"
