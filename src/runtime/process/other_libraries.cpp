// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/other_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "cuda.h"
#include "cuda_runtime_api.h"

#pragma weak cuInit  // this file must not link the driver API into a program

namespace cohort::runtime {
namespace {

Dl_info library_of(const void* address) {
  Dl_info info{};
  dladdr(address, &info);
  return info;
}

// Whether a library is a filter: it has only the names of another one, such as libcudart.so of a package without links.
bool is_filter(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    if (library.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
         entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_FILTER) return true;
    }
  }
  return false;
}

struct search {
  const void* own;                 // address of this library, which may be opened under NVIDIA's name
  unsigned long long known_loads;  // number of loaded libraries at the last search
  unsigned long long loads = 0;
  std::string found{};
};

int look_at(dl_phdr_info* library, size_t, void* data) {
  search& s = *static_cast<search*>(data);
  s.loads = library->dlpi_adds;
  if (s.loads == s.known_loads) return 1;
  const std::string_view path = library->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool is_own = reinterpret_cast<const void*>(library->dlpi_addr) == s.own;
  const bool is_cuda = name.starts_with("libcudart.so") || name.starts_with("libcuda.so");
  if (is_cuda && !is_own && !is_filter(*library)) s.found = path;
  return !s.found.empty();
}

// Needed because constructors of modules may run in several threads at one time.
std::mutex mutex;
unsigned long long known_loads = 0;
bool reported = false, reported_reached = false;

}  // namespace

bool calls_reach_this_library() {
  std::lock_guard lock(mutex);
  const void* const own = library_of(reinterpret_cast<const void*>(&calls_reach_this_library)).dli_fbase;
  search s{own, known_loads};
  if (!reported) {
    dl_iterate_phdr(look_at, &s);
    known_loads = s.loads;
  }
  if (!s.found.empty()) {
    reported = true;
    std::fprintf(stderr,
                 "cohort: the process also holds %s, another CUDA library: each of the two has its own memory, streams "
                 "and kernels\n",
                 s.found.c_str());
  }
  // The dynamic linker resolves these names for this library as it does for a module.
  for (const void* call : {reinterpret_cast<const void*>(&cudaLaunchKernel), reinterpret_cast<const void*>(&cuInit)}) {
    const Dl_info reached = library_of(call);
    if (!call || reached.dli_fbase == own) continue;
    if (!reported_reached) {
      reported_reached = true;
      std::fprintf(stderr,
                   "cohort: calls of the CUDA API reach %s, so that kernels of cohortcc cannot run: open it without "
                   "RTLD_GLOBAL, or behind the libraries of cohortcc\n",
                   reached.dli_fname);
    }
    return false;
  }
  return true;
}

}  // namespace cohort::runtime
