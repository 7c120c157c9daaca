// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of calls that load or link code. Images need no translation: only the log buffers have an effect.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cuda.h"
#include "cuda_runtime_api.h"

namespace cohort::runtime {

// True if both lists exist and each option is one of CUjit_option, which includes the options of cudaJitOption.
template <class Option>
bool are_jit_options(const Option* options, void* const* values, unsigned count) {
  if (count == 0) return true;
  if (!options || !values) return false;
  return std::all_of(options, options + count, [](Option each) {
    const int number = static_cast<int>(each);
    return number >= 0 && number < CU_JIT_NUM_OPTIONS;
  });
}

class jit_log {
 public:
  // `Option` is cudaJitOption or CUjit_option, which have the same numbers. pre: are_jit_options()
  template <class Option>
  jit_log(const Option* options, void** values, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      switch (static_cast<int>(options[i])) {
        case cudaJitWallTime:
          values[i] = nullptr;  // the bits of 0.0f: no time, because nothing is translated
          break;
        case cudaJitInfoLogBuffer:
          info_.buffer = static_cast<char*>(values[i]);
          break;
        case cudaJitInfoLogBufferSizeBytes:
          info_.size = &values[i];
          break;
        case cudaJitErrorLogBuffer:
          errors_.buffer = static_cast<char*>(values[i]);
          break;
        case cudaJitErrorLogBufferSizeBytes:
          errors_.size = &values[i];
          break;
        default:
          break;
      }
    }
    info_.capacity = info_.bytes();
    errors_.capacity = errors_.bytes();
    write_error("");
  }

  // Replaces the text of the error log, as far as it fits.
  void write_error(std::string_view text) {
    info_.write("");
    errors_.write(text);
  }

 private:
  struct log {
    char* buffer = nullptr;
    void** size = nullptr;  // the option's value: the buffer's size, replaced by the size of the text
    size_t capacity = 0;

    size_t bytes() const { return buffer && size ? static_cast<uint32_t>(reinterpret_cast<uintptr_t>(*size)) : 0; }
    void write(std::string_view text) {
      const size_t used = capacity > 0 ? std::min(text.size(), capacity - 1) : 0;
      if (capacity > 0) {
        std::memcpy(buffer, text.data(), used);
        buffer[used] = '\0';
      }
      if (size) *size = reinterpret_cast<void*>(used);
    }
  };

  log info_, errors_;
};

}  // namespace cohort::runtime
