// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares a launch: the size of the grid if it is largest_grid, the workspace of a kernel that takes one, and the
// parameters. The backend (engine/ or cuda/) then starts it.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/cuda_error.hpp"
#include "../../base/limits.hpp"
#include "../../group/grid_workspace.hpp"
#include "../config.hpp"
#include "../error.hpp"
#include "../parameters.hpp"
#if COHORT_CUDA_SOURCE
#include "../cuda/backend.hpp"
#else
#include "../engine/backend.hpp"
#endif

namespace cohort {
namespace detail {

// Number of blocks of the grid.
inline uint64_t blocks_of(const config& c) { return uint64_t{c.grid.x} * c.grid.y * c.grid.z; }

// True if the grid is largest_grid.
inline bool is_largest_grid(const config& c) {
  return c.grid.x == largest_grid.x && c.grid.y == largest_grid.y && c.grid.z == largest_grid.z;
}

// A grid of at most `blocks` blocks: clusters in a row along x. One cluster if none fits: its launch returns the error.
inline dim3 grid_of(uint64_t blocks, const dim3& cluster) {
  const uint64_t x = cluster.x != 0 ? cluster.x : 1, y = cluster.y != 0 ? cluster.y : 1;
  const uint64_t z = cluster.z != 0 ? cluster.z : 1;
  const uint64_t clusters = blocks / (x * y * z);
  return dim3(static_cast<unsigned int>((clusters == 0 ? 1 : clusters) * x), static_cast<unsigned int>(y),
              static_cast<unsigned int>(z));
}

// The error with this number. If the launch was too large, it also holds the numbers of blocks.
inline error make_error(int number, kernel_handle kernel, const config& c) {
  return number == error_cooperative_launch_too_large ? error(number, blocks_of(c), resident_blocks(kernel, c))
                                                      : error(number);
}

// The parameters of one launch on one device, and the memory that they point to.
template <class List>
class launch_frame;
template <class... P>
class launch_frame<type_list<P...>> {
 public:
  static constexpr bool has_workspace = takes_workspace_v<type_list<P...>>;

  // Allocates the workspace only if the grid fits: the launch returns an error otherwise.
  template <class Kernel, class... A>
  launch_frame(kernel_handle handle, const config& c, const Kernel& kernel, A&&... arguments)
      : result_(make_memory(handle, c)), parameters_(make_parameters(static_cast<A&&>(arguments)...)) {
    pointers_[0] = const_cast<Kernel*>(__builtin_addressof(kernel));
    parameters_.addresses(pointers_ + 1);
  }
  launch_frame(const launch_frame&) = delete;

  int result() const { return result_; }
  void** pointers() { return pointers_; }

 private:
  int make_memory(kernel_handle handle, const config& c) {
    if constexpr (has_workspace) {
      const uint64_t blocks = blocks_of(c);
      if (blocks == 0 || blocks > resident_blocks(handle, c)) return 0;
      return memory_.make(c, grid_workspace::bytes_for(blocks), grid_workspace::slot_alignment);
    }
    return 0;
  }

  template <class... A>
  parameter_pack<P...> make_parameters(A&&... arguments) {
    static_assert(sizeof...(A) + (has_workspace ? 1 : 0) == sizeof...(P),
                  "cohort::launch: as many arguments as the kernel has parameters (the launch passes a "
                  "grid_workspace itself)");
    if constexpr (has_workspace) {
      grid_workspace workspace;
      workspace.memory = memory_.address();
      workspace.slot_bytes = grid_workspace::default_slot_bytes;
      return parameter_pack<P...>(workspace, static_cast<A&&>(arguments)...);
    } else {
      return parameter_pack<P...>(static_cast<A&&>(arguments)...);
    }
  }

  launch_memory memory_;
  int result_;
  parameter_pack<P...> parameters_;
  void* pointers_[sizeof...(P) + 1];
};

// Launches the kernel on one device.
template <class Kernel, class... A>
error launch_one(bool cooperative, config c, const Kernel& kernel, A&&... arguments) {
  using list = typename parameters_of<Kernel>::type;
  const kernel_handle handle = describe(kernel, list{});
  if (cooperative && is_largest_grid(c)) c.grid = grid_of(resident_blocks(handle, c), cluster_of(handle, c));
  launch_frame<list> frame(handle, c, kernel, static_cast<A&&>(arguments)...);
  if (frame.result() != 0) return error(frame.result());
  return make_error(run_launch(handle, c, cooperative, frame.pointers()), handle, c);
}

// The frames of a launch over several devices, one for each device.
template <class List>
class launch_frames {
 public:
  launch_frames() = default;
  launch_frames(const launch_frames&) = delete;
  ~launch_frames() {
    for (int i = 0; i < count_; ++i) delete frames_[i];
  }
  template <class Kernel, class... A>
  int add(kernel_handle handle, const config& c, const Kernel& kernel, const A&... arguments) {
    frames_[count_] = new launch_frame<List>(handle, c, kernel, arguments...);
    pointers_[count_] = frames_[count_]->pointers();
    return frames_[count_++]->result();
  }
  void** const* pointers() const { return pointers_; }

 private:
  int count_ = 0;
  launch_frame<List>* frames_[max_devices] = {};
  void** pointers_[max_devices] = {};
};

// The processes of a launch over the devices of one process: only this one. launch/world/launch.hpp has the counterpart
// for several processes.
struct one_process {
  // The number of the launch's device `i`.
  static int device(int i) { return i; }
  // Replaces the number of blocks that fit here by the smallest of all processes. Returns an error number.
  static int find_smallest(uint64_t*) { return 0; }
  // Refuses the launch in this process. Returns the error.
  static int refuse(int error) { return error; }
  static int run(kernel_handle kernel, const config& c, int devices, void** const* pointers) {
    return run_multi_device(kernel, c, devices, pointers);
  }
};

// The number of blocks that fit on each device of the launch. `c.device` becomes the device with the fewest.
template <class Processes>
uint64_t smallest_resident_blocks(const Processes& processes, kernel_handle handle, int devices, config& c) {
  c.device = processes.device(0);
  uint64_t fitting = resident_blocks(handle, c);
  for (int i = 1; i < devices; ++i) {
    config each = c;
    each.device = processes.device(i);
    const uint64_t blocks = resident_blocks(handle, each);
    if (blocks < fitting) {
      fitting = blocks;
      c.device = each.device;
    }
  }
  return fitting;
}

// Launches one grid on each of the devices 0 .. devices - 1 (0: on all devices) of each process.
template <class Processes, class Kernel, class... A>
error launch_on_devices(const Processes& processes, int devices, config c, const Kernel& kernel,
                        const A&... arguments) {
  using list = typename parameters_of<Kernel>::type;
  const kernel_handle handle = describe(kernel, list{});
  int present = 0;
  const int failed = static_cast<int>(count_devices(&present));
  if (failed != 0) return error(processes.refuse(failed));
  if (devices == 0) devices = present;
  if (devices < 1 || devices > present || devices > max_devices || c.device >= 0) {
    return error(processes.refuse(error_invalid_device));
  }
  uint64_t fitting = smallest_resident_blocks(processes, handle, devices, c);
  if (is_largest_grid(c)) {
    if (const int lost = processes.find_smallest(&fitting)) return error(lost);
    c.grid = grid_of(fitting, cluster_of(handle, c));
  }
  launch_frames<list> frames;
  for (int i = 0; i < devices; ++i) {
    config each = c;
    each.device = processes.device(i);
    each.stream = multi_device_stream(each.device);
    const int made = frames.add(handle, each, kernel, of_device(arguments, i)...);
    if (made != 0) return error(processes.refuse(made));
  }
  return make_error(processes.run(handle, c, devices, frames.pointers()), handle, c);
}

}  // namespace detail
}  // namespace cohort
