// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL's all-reduce. NCCL is no part of the toolkit: its library is loaded if it is found.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>

// The functions of NCCL that are used, with the types of its C interface.
struct nccl {
  int (*init_all)(void** communicators, int count, const int* devices);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int op, void* communicator, cudaStream_t);
  int (*group_start)();
  int (*group_end)();
  static constexpr int type_float = 7, op_sum = 0;

  // Null without the library. NVLink multicast stays off, since our side does not use it either.
  static const nccl* find() {
    static nccl found;
    static const bool exists = [] {
      setenv("NCCL_NVLS_ENABLE", "0", 0);
      void* const library = dlopen("libnccl.so.2", RTLD_NOW);
      if (library == nullptr) return false;
      found.init_all = reinterpret_cast<decltype(init_all)>(dlsym(library, "ncclCommInitAll"));
      found.all_reduce = reinterpret_cast<decltype(all_reduce)>(dlsym(library, "ncclAllReduce"));
      found.group_start = reinterpret_cast<decltype(group_start)>(dlsym(library, "ncclGroupStart"));
      found.group_end = reinterpret_cast<decltype(group_end)>(dlsym(library, "ncclGroupEnd"));
      return found.init_all != nullptr && found.all_reduce != nullptr && found.group_start != nullptr &&
             found.group_end != nullptr;
    }();
    return exists ? &found : nullptr;
  }
};
