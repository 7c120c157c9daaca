// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches of plain C++ kernels are made of: the engine is called, and returns when the kernel has ended.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/cuda_error.hpp"
#include "../../base/limits.hpp"
#include "../../group/grid_workspace.hpp"
#include "../../machine/cpu/port.hpp"
#include "../config.hpp"
#include "../error.hpp"
#include "../parameters.hpp"

namespace cohort {
namespace detail {

template <unsigned... I>
struct indices {};
template <unsigned N, unsigned... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};
template <unsigned... I>
struct make_indices<0, I...> {
  using type = indices<I...>;
};

// arguments[0] is the kernel; each thread gets its own copy of the parameters, as on a GPU.
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

// What the machine knows a kernel by.
using kernel_handle = const cohort_kernel*;
template <class Kernel, class... P>
kernel_handle describe(const Kernel&, type_list<P...>) {
  static const cohort_kernel described = {"(callable)",
                                          kernel_entry<Kernel, P...>,
                                          nullptr,
                                          0,
                                          1024,
                                          0,
                                          is_function_pointer_v<Kernel> ? 1u : 0u,  // reports name a function
                                          nullptr,
                                          {0, 0, 0}};
  return &described;
}

inline int device_number(const config& c) { return c.device < 0 ? 0 : c.device; }

inline cohort_launch to_engine(kernel_handle kernel, const config& c, bool cooperative, void** pointers) {
  return {kernel,
          pointers,
          {c.grid.x, c.grid.y, c.grid.z},
          {c.block.x, c.block.y, c.block.z},
          c.shared_bytes,
          cooperative ? 1 : 0,
          device_number(c),
          {c.cluster.x, c.cluster.y, c.cluster.z}};
}

// Blocks of a cluster: a plain C++ kernel itself asks for none.
inline dim3 cluster_of(kernel_handle, const config& c) { return c.cluster; }

// Blocks of this shape that are resident at once.
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

// pointers[0] is the address of the kernel's object, then one address for each parameter.
inline int run_launch(kernel_handle kernel, const config& c, bool cooperative, void** pointers) {
  if (c.stream != nullptr) return error_invalid_resource_handle;
  const cohort_launch l = to_engine(kernel, c, cooperative, pointers);
  return cohort_run(&l);
}

inline int count_devices(int* count) {
  *count = cohort_device_count();
  return 0;
}
inline void* multi_device_stream(int) { return nullptr; }
// pointers[i]: as above, for device i.
inline int run_multi_device(kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  if (c.stream != nullptr) return error_invalid_resource_handle;
  cohort_launch launches[max_devices];
  for (int i = 0; i < devices; ++i) {
    launches[i] = to_engine(kernel, c, true, pointers[i]);
    launches[i].device = i;
  }
  return cohort_run_multi_device(launches, static_cast<uint32_t>(devices));
}

// Zeroed memory that belongs to one launch, until this object is gone.
class launch_memory {
 public:
  launch_memory() = default;
  launch_memory(const launch_memory&) = delete;
  ~launch_memory() { __builtin_free(block_); }
  // An error number.
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
