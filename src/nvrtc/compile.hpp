// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compilation: from the texts and options of a program to its image, or from the cache.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nvrtc.h>
#include "nvrtc/cache.hpp"
#include "nvrtc/source_files.hpp"

namespace cohort::nvrtc {

struct outcome {
  nvrtcResult status = NVRTC_ERROR_INTERNAL_ERROR;
  compiled result;  // its log is always set; the other members only after NVRTC_SUCCESS
  bool has_cubin = false;
};

// Compiles the texts, or takes the result from the cache. `cancels` may be empty; see run().
outcome compile(const source_texts& texts, int option_count, const char* const* options,
                const std::function<bool()>& cancels);

}  // namespace cohort::nvrtc
