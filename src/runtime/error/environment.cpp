// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/error/environment.hpp"

#include <cstdlib>
#include <string>

namespace cohort::runtime {

const char* environment_variable(const char* name) {
  const char* const value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

namespace {

bool read_switch(const char* name, bool otherwise) {
  const char* const text = environment_variable(name);
  return text ? std::atoi(text) != 0 : otherwise;
}

std::string read_text(const char* name, const char* otherwise) {
  const char* const text = environment_variable(name);
  return text ? text : otherwise;
}

// The names of CUCoredumpGenerationFlags, bit by bit.
constexpr const char* flag_names[] = {
    "skip_nonrelocated_elf_images", "skip_global_memory", "skip_shared_memory", "skip_local_memory", "skip_abort",
    "skip_constbank_memory"};

}  // namespace

core_dump_settings settings_of_environment() {
  core_dump_settings made;
  const std::string flags = read_text("CUDA_COREDUMP_GENERATION_FLAGS", "");
  for (int bit = 0; bit < 6; ++bit) {
    if (flags.find(flag_names[bit]) != std::string::npos) made.generation_flags |= 1 << bit;
  }
  made.is_written = read_switch("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", false);
  made.aborts = read_switch("CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", true);
  made.is_lightweight = read_switch("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", false);
  made.file = read_text("CUDA_COREDUMP_FILE", "core.cuda.%h.%p");
  made.pipe = read_text("CUDA_COREDUMP_PIPE", "corepipe.cuda.%h.%p");
  return made;
}

}  // namespace cohort::runtime
