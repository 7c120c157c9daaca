// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/state/cuda_version.hpp"

#include <atomic>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Constant initialization: modules register before the constructors of this library may run.
static std::atomic<int> chosen_version{CUDART_VERSION};

int cuda_version() { return chosen_version; }

void raise_cuda_version(int version) {
  for (int before = chosen_version; before < version && !chosen_version.compare_exchange_weak(before, version);) {
  }
}

}  // namespace cohort::runtime
