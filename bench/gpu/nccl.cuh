// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL's all-reduce, and graphs of it. NCCL is no part of the toolkit: its library is loaded if it is found.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "multi_grid.cuh"

// The functions of NCCL that are used, with the types of its C interface.
struct nccl {
  int (*init_all)(void** communicators, int count, const int* devices);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int op, void* communicator, cudaStream_t);
  int (*group_start)();
  int (*group_end)();
  static constexpr int type_float = 7, op_sum = 0;

  // Returns null without the library. NVLink multicast stays off in NCCL, because our side does not use it either.
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

// The arrays of one device. They are equal for an all-reduce in place.
struct array_pair {
  float *in, *out;
};

// A graph on each device with all-reduces of NCCL. None exists on one device, without NCCL, or where NCCL fails.
class nccl_graphs {
 public:
  // `rounds` all-reduces of `count` floats. Device d has the arrays arrays_of(d), and does first what before(d) puts
  // into its stream.
  template <class ArraysOf, class Before>
  nccl_graphs(const std::vector<device>& devices, int rounds, std::size_t count, const ArraysOf& arrays_of,
              const Before& before)
      : devices_(devices) {
    const std::vector<void*>& communicators = communicators_of(devices);
    if (communicators.empty()) return;
    const nccl& library = *nccl::find();
    bool good = true;
    each([&](const device& d) { check(cudaStreamBeginCapture(d.stream, cudaStreamCaptureModeRelaxed), "capture"); });
    each(before);
    for (int i = 0; i < rounds; ++i) {
      good = library.group_start() == 0 && good;
      for (std::size_t d = 0; d < devices.size(); ++d) {
        const array_pair a = arrays_of(devices[d]);
        good = library.all_reduce(a.in, a.out, count, nccl::type_float, nccl::op_sum, communicators[d],
                                  devices[d].stream) == 0 &&
               good;
      }
      good = library.group_end() == 0 && good;
    }
    each([&](const device& d) {
      cudaGraph_t graph;
      cudaGraphExec_t ready;
      check(cudaStreamEndCapture(d.stream, &graph), "capture");
      check(cudaGraphInstantiate(&ready, graph, 0), "graph");
      check(cudaGraphDestroy(graph), "graph");
      ready_.push_back(ready);
    });
    if (!good) ready_.clear();
  }
  nccl_graphs(const nccl_graphs&) = delete;
  ~nccl_graphs() {
    for (cudaGraphExec_t graph : ready_) cudaGraphExecDestroy(graph);
  }
  bool exist() const { return !ready_.empty(); }
  void start() const {
    for (std::size_t d = 0; d < devices_.size(); ++d) {
      check(cudaSetDevice(devices_[d].number), "device");
      check(cudaGraphLaunch(ready_[d], devices_[d].stream), "graph");
    }
  }

 private:
  static const std::vector<void*>& communicators_of(const std::vector<device>& devices) {
    static const std::vector<void*> none;
    static std::vector<std::vector<void*>> made;
    for (const std::vector<void*>& each : made) {
      if (each.size() == devices.size()) return each;
    }
    const nccl* const library = devices.size() > 1 ? nccl::find() : nullptr;
    if (library == nullptr) return none;
    std::vector<void*> communicators(devices.size());
    std::vector<int> numbers;
    for (const device& d : devices) numbers.push_back(d.number);
    if (library->init_all(communicators.data(), static_cast<int>(devices.size()), numbers.data()) != 0) return none;
    made.push_back(communicators);
    return made.back();
  }

  template <class Action>
  void each(const Action& action) {
    for (const device& d : devices_) {
      check(cudaSetDevice(d.number), "device");
      action(d);
    }
  }

  const std::vector<device> devices_;
  std::vector<cudaGraphExec_t> ready_;
};
