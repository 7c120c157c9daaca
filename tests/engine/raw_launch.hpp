// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of a callable through port.hpp alone, with all parameters of a launch.
#pragma once

#include <string>
#include <vector>

#include "cohort/machine/cpu/port.hpp"

namespace raw {

struct shape {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t cluster[3] = {};
  int cooperative = 0;
  size_t dynamic_shared = 0;
};

template <class Kernel>
void entry(void** arguments) {
  (*static_cast<const Kernel*>(arguments[0]))();
}

template <class Kernel>
const cohort_kernel& describe() {
  static const cohort_kernel described = {"raw kernel", entry<Kernel>, nullptr, 0, 1024, 0, 0, nullptr};
  return described;
}

inline cohort_launch make(const cohort_kernel& kernel, const shape& s, int device, void** arguments) {
  cohort_launch l{};
  l.kernel = &kernel;
  l.arguments = arguments;
  for (int axis = 0; axis < 3; ++axis) {
    l.grid[axis] = s.grid[axis];
    l.block[axis] = s.block[axis];
    l.cluster[axis] = s.cluster[axis];
  }
  l.cooperative = s.cooperative;
  l.dynamic_shared_bytes = s.dynamic_shared;
  l.device = device;
  return l;
}
template <class Kernel>
cohort_launch make(const shape& s, int device, void** arguments) {
  return make(describe<Kernel>(), s, device, arguments);
}

template <class Kernel>
int launch(const shape& s, const Kernel& kernel) {
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  const cohort_launch l = make<Kernel>(s, 0, arguments);
  return cohort_run(&l);
}

// Launches one grid on each of `devices`, in this order.
template <class Kernel>
int launch_multi_device(const shape& s, const std::vector<int>& devices, const Kernel& kernel) {
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  std::vector<cohort_launch> launches;
  for (int device : devices) {
    launches.push_back(make<Kernel>(s, device, arguments));
    launches.back().cooperative = 1;
  }
  return cohort_run_multi_device(launches.data(), static_cast<uint32_t>(launches.size()));
}

inline std::string last_report() {
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  return text;
}

inline uint32_t thread_rank() { return cohort_current_thread->thread_rank; }
inline uint32_t block_rank() {
  return (cohort_block_index(2) * cohort_grid_dim(1) + cohort_block_index(1)) * cohort_grid_dim(0) +
         cohort_block_index(0);
}

}  // namespace raw
