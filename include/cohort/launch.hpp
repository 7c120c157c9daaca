// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels written in plain C++: no CUDA compiler, no plugin; link with cohort::cpu.
//
//   void scale(float* data, float factor) {
//     const auto i = cohort::this_grid().thread_rank();
//     data[i] *= factor;
//   }
//   cohort::error e = cohort::launch(blocks, threads, scale, data, 2.0f);
//   if (e) std::fprintf(stderr, "%s\n", cohort::message(e));
#pragma once

#include "base/config.hpp"
#include "base/dim3.hpp"
#include "machine/cpu/port.hpp"

#if COHORT_CUDA_SOURCE
#error "cohort/launch.hpp is for plain C++ kernels; in CUDA sources use <<<>>> or cudaLaunchCooperativeKernel"
#endif

namespace cohort {

// What became of a launch: a CUDA error number (cudaError_t). True in a condition if something went wrong.
class [[nodiscard]] error {
 public:
  constexpr error() = default;
  constexpr explicit error(int number) : number_(number) {}
  constexpr int number() const { return number_; }
  constexpr explicit operator bool() const { return number_ != 0; }
  friend constexpr bool operator==(error a, error b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(error a, error b) { return a.number_ != b.number_; }

 private:
  int number_ = 0;
};

// One sentence for an error that a launch can give.
inline const char* message(error e) {
  switch (e.number()) {
    case 0: return "success";
    case 1: return "invalid value: more shared memory than a block may have, or a bad shape of a cooperative launch";
    case 2: return "out of memory for the threads' stacks";
    case 9: return "invalid configuration: a dimension of the grid or of the block is zero or too large";
    case 98: return "invalid device function: the kernel is null";
    case 101: return "invalid device number";
    case 700: return "the kernel accessed an illegal address; see the report on stderr";
    case 701: return "too many resources requested for launch";
    case 702: return "the kernel made no progress for COHORT_TIMEOUT seconds; see the report on stderr";
    case 710: return "an assertion in the kernel failed";
    case 714: return "the kernel overflowed a stack; see the report on stderr";
    case 719: return "the kernel failed: deadlock, misuse or exception; see the report on stderr";
    case 720: return "too many blocks in cooperative launch: they must all be resident at once";
    default: return "unknown error";
  }
}

// The shape of a launch. `shared_bytes` is the dynamic shared memory of each block.
struct config {
  dim3 grid;                // blocks
  dim3 block;               // threads of a block
  size_t shared_bytes = 0;
  int device = 0;
};

namespace detail {

// std::decay, remove_reference and index_sequence in a few lines: this header stays light.
template <class T>
struct parameter {
  using type = T;
};
template <class T>
struct parameter<T&> : parameter<T> {};
template <class T>
struct parameter<T&&> : parameter<T> {};
template <class T>
struct parameter<const T> : parameter<T> {};
template <class T, unsigned long N>
struct parameter<T[N]> {
  using type = T*;
};
template <class T, unsigned long N>
struct parameter<const T[N]> {
  using type = const T*;
};

template <unsigned... I>
struct indices {};
template <unsigned N, unsigned... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};
template <unsigned... I>
struct make_indices<0, I...> {
  using type = indices<I...>;
};

// arguments[0] is the callable; each thread gets its own copy of the parameters, as on a GPU.
template <class Kernel, class... P, unsigned... I>
void call_kernel(void** arguments, indices<I...>) {
  (*static_cast<const Kernel*>(arguments[0]))(P(*static_cast<const P*>(arguments[I + 1]))...);
}

template <class Kernel, class... P>
void kernel_entry(void** arguments) {
  call_kernel<Kernel, P...>(arguments, typename make_indices<sizeof...(P)>::type{});
}

template <class Kernel, class... P>
error launch(const config& c, bool cooperative, uint32_t flags, const Kernel& kernel, const P&... arguments) {
  static const cohort_kernel described = {"(callable)", kernel_entry<Kernel, P...>, nullptr, 0, 1024, 0, flags,
                                          nullptr};
  void* pointers[] = {const_cast<Kernel*>(&kernel), const_cast<P*>(&arguments)...};
  const cohort_launch l = {&described,
                           pointers,
                           {c.grid.x, c.grid.y, c.grid.z},
                           {c.block.x, c.block.y, c.block.z},
                           c.shared_bytes,
                           cooperative ? 1 : 0,
                           c.device};
  return error(cohort_run(&l));
}

template <class... P, class... A>
error launch_function(const config& c, bool cooperative, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "cohort::launch: as many arguments as the kernel has parameters");
  if (!kernel) return error(98);
  return launch<void (*)(P...), typename parameter<P>::type...>(c, cooperative, 1, kernel,
                                                                static_cast<typename parameter<P>::type>(arguments)...);
}

template <class Kernel, class... A>
error launch_callable(const config& c, bool cooperative, const Kernel& kernel, A&&... arguments) {
  return launch<Kernel, typename parameter<A>::type...>(c, cooperative, 0, kernel,
                                                        static_cast<typename parameter<A>::type>(arguments)...);
}

}  // namespace detail

// Runs `kernel` for each thread of the grid and returns when all have returned. Each thread gets copies of the
// arguments, converted to the parameters' types. A callable object (a lambda) is shared by all threads, as const.
// Called by host code, from any OS thread. The result is a CUDA error number; a failure inside the kernel (deadlock,
// misuse, stack overflow, exception, illegal address) has also printed a report to stderr.
template <class... P, class... A>
error launch(const config& c, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function(c, false, kernel, static_cast<A&&>(arguments)...);
}
template <class... P, class... A>
error launch(dim3 grid, dim3 block, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function(config{grid, block}, false, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch(const config& c, const Kernel& kernel, A&&... arguments) {
  return detail::launch_callable(c, false, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch(dim3 grid, dim3 block, const Kernel& kernel, A&&... arguments) {
  return detail::launch_callable(config{grid, block}, false, kernel, static_cast<A&&>(arguments)...);
}

// The same as a cooperative launch: all blocks are resident at once and this_grid().sync() works. One block more than
// the device holds is refused with error 720 (cudaErrorCooperativeLaunchTooLarge) before anything runs.
template <class... P, class... A>
error launch_cooperative(const config& c, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function(c, true, kernel, static_cast<A&&>(arguments)...);
}
template <class... P, class... A>
error launch_cooperative(dim3 grid, dim3 block, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function(config{grid, block}, true, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_cooperative(const config& c, const Kernel& kernel, A&&... arguments) {
  return detail::launch_callable(c, true, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_cooperative(dim3 grid, dim3 block, const Kernel& kernel, A&&... arguments) {
  return detail::launch_callable(config{grid, block}, true, kernel, static_cast<A&&>(arguments)...);
}

}  // namespace cohort
