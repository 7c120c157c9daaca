// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of plain C++ kernels: calls of the engine, which return when the kernel has ended. cuda/backend.hpp has the
// counterpart of each function for CUDA sources.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/cuda_error.hpp"
#include "../../base/limits.hpp"
#include "../../group/grid_workspace.hpp"
#include "../../machine/cpu/library_version.hpp"
#include "../../machine/cpu/port.hpp"
#include "../../machine/cpu/world_port.hpp"
#include "../config.hpp"
#include "../error.hpp"
#include "../parameters.hpp"

namespace cohort {
namespace detail {

// The numbers 0 .. N - 1 as a parameter pack, without <utility>.
template <unsigned... I>
struct indices {};
template <unsigned N, unsigned... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};
template <unsigned... I>
struct make_indices<0, I...> {
  using type = indices<I...>;
};

// Calls the kernel in one thread. arguments[0] is the address of the kernel; each thread gets its own copy of the
// parameters, as on a GPU.
template <class Kernel, class... P, unsigned... I>
void call_kernel(void** arguments, indices<I...>) {
  (*static_cast<const Kernel*>(arguments[0]))(P(*static_cast<const P*>(arguments[I + 1]))...);
}
template <class Kernel, class... P>
void kernel_entry(void** arguments) {
  call_kernel<Kernel, P...>(arguments, typename make_indices<sizeof...(P)>::type{});
}

template <class T>
inline constexpr bool is_function_pointer_v = false;
template <class... P>
inline constexpr bool is_function_pointer_v<void (*)(P...)> = true;

// A kernel, which the engine identifies by its description.
using kernel_handle = const cohort_kernel*;
// The description of a kernel; one for each type.
template <class Kernel, class... P>
kernel_handle describe(const Kernel&, type_list<P...>) {
  static const cohort_kernel described = {
      "(callable)",
      kernel_entry<Kernel, P...>,
      nullptr,
      0,
      1024,
      0,
      is_function_pointer_v<Kernel> ? 1u : 0u,  // 1: reports show the function's name
      nullptr,
      {0, 0, 0}};
  return &described;
}

// The device of a launch: device 0 if the config names none.
inline int device_number(const config& c) { return c.device < 0 ? 0 : c.device; }

inline cohort_launch to_engine(kernel_handle kernel, const config& c, bool cooperative, void** pointers) {
  return {kernel,
          pointers,
          {c.grid.x, c.grid.y, c.grid.z},
          {c.block.x, c.block.y, c.block.z},
          c.shared_bytes,
          cooperative ? 1 : 0,
          device_number(c),
          {c.cluster.x, c.cluster.y, c.cluster.z},
          0};
}

// Extent of a cluster in blocks, from the config: a plain C++ kernel has no __cluster_dims__.
inline dim3 cluster_of(kernel_handle, const config& c) { return c.cluster; }

// Number of blocks of the config's shape that are resident at once on its device. 0 for an invalid shape.
inline uint64_t resident_blocks(kernel_handle kernel, const config& c) {
  const cohort_device* const device = cohort_device_get(device_number(c));
  const uint64_t threads = uint64_t{c.block.x} * c.block.y * c.block.z;
  if (device == nullptr || threads == 0 || threads > 1024) return 0;
  const uint64_t cluster = uint64_t{c.cluster.x} * c.cluster.y * c.cluster.z;
  if (cluster > 1) {
    const int clusters = cohort_max_clusters(kernel, device_number(c), static_cast<uint32_t>(threads), c.shared_bytes,
                                             static_cast<uint32_t>(cluster));
    return clusters <= 0 ? 0 : static_cast<uint64_t>(clusters) * cluster;
  }
  const int blocks = cohort_max_blocks_per_sm(kernel, device_number(c), static_cast<uint32_t>(threads), c.shared_bytes);
  return blocks <= 0 ? 0 : static_cast<uint64_t>(blocks) * static_cast<uint64_t>(device->sm_count);
}

// Runs the kernel on one device and returns an error number. pointers[0] is the address of the kernel's object; the
// address of each parameter follows.
inline int run_launch(kernel_handle kernel, const config& c, bool cooperative, void** pointers) {
  if (c.stream != nullptr) return error_invalid_resource_handle;
  const cohort_launch l = to_engine(kernel, c, cooperative, pointers);
  return cohort_run(&l);
}

// Writes the number of devices; returns 0.
inline int count_devices(int* count) {
  *count = cohort_device_count();
  return 0;
}
// Returns null: launches of plain C++ kernels have no streams.
inline void* multi_device_stream(int) { return nullptr; }

// Runs one grid on each device and returns when all have ended. pointers[i] is for device i: the address of the
// kernel's object, then the address of each parameter.
inline int run_multi_device(kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  if (c.stream != nullptr) return error_invalid_resource_handle;
  cohort_launch launches[max_devices];
  for (int i = 0; i < devices; ++i) {
    launches[i] = to_engine(kernel, c, true, pointers[i]);
    launches[i].device = i;
  }
  return cohort_run_multi_device(launches, static_cast<uint32_t>(devices));
}

// Runs one grid on each device of each process of a world.
inline int world_device(const cohort_world*, int i) { return i; }
inline int run_world(cohort_world* world, kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  if (c.stream != nullptr) return error_invalid_resource_handle;
  cohort_launch launches[max_devices];
  for (int i = 0; i < devices; ++i) {
    launches[i] = to_engine(kernel, c, true, pointers[i]);
    launches[i].device = i;
  }
  return cohort_run_world(world, launches, static_cast<uint32_t>(devices));
}

// Zeroed memory of one launch; freed with this object.
class launch_memory {
 public:
  launch_memory() = default;
  launch_memory(const launch_memory&) = delete;
  ~launch_memory() { __builtin_free(block_); }
  // Returns an error number.
  int make(const config&, size_t bytes, size_t alignment) {
    block_ = __builtin_calloc(1, bytes + alignment);
    if (block_ == nullptr) return error_memory_allocation;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(block_);
    address_ = static_cast<char*>(block_) + (alignment - begin % alignment) % alignment;
    return 0;
  }
  void* address() const { return address_; }

 private:
  void* block_ = nullptr;
  void* address_ = nullptr;
};

}  // namespace detail
}  // namespace cohort
