// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch as an operation of a stream or a graph.
#pragma once

#include <algorithm>
#include <memory>

#include "runtime/error/core_dump.hpp"
#include "runtime/error/log.hpp"
#include "runtime/launch/argument_copies.hpp"
#include "runtime/launch/cluster.hpp"
#include "runtime/launch/grid_work.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/state/operation.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

// The attributes of a launch that a node of a graph has beside its parameters.
struct kernel_attributes {
  bool cooperative = false;
  uint32_t cluster[3]{};  // size of the cluster in blocks; zeros: the size with which the kernel was compiled
  int priority = 0;       // added to the stream's priority
  // Hints, which have no effect on a CPU.
  cudaClusterSchedulingPolicy scheduling = cudaClusterSchedulingPolicyDefault;
  unsigned carveout = static_cast<unsigned>(cudaSharedmemCarveoutDefault);
  stream_attributes hints{};
};

class kernel_operation : public operation {
 public:
  // Copies the arguments. `name` is the host name of the kernel `called`. `launch_priority` is added to the stream's.
  kernel_operation(const void* name, function& called, const cohort_launch& launch, void** arguments,
                   int launch_priority)
      : operation(operation_kind::kernel),
        name_(name),
        called_(called),
        launch_(launch),
        arguments_(*launch.kernel, arguments) {
    launch_.arguments = arguments_.pointers();
    own_priority_ = priority = launch_priority;
  }
  // A launch by the running thread `launcher`.
  kernel_operation(const void* name, function& called, const cohort_launch& launch, void** arguments,
                   const cohort_launcher& launcher)
      : kernel_operation(name, called, launch, arguments, 0) {
    launcher_ = launcher;
    launch_.launcher = &launcher_;
  }
  // The launch of the graph that this launch is a part of: a graph_environment. Null for no graph, and for a graph
  // whose kernels cannot launch graphs.
  std::shared_ptr<operation> environment;
  const void* name() const { return name_; }
  const cohort_launch& launch() const { return launch_; }
  operation_ref again() const override {
    const auto made = std::make_shared<kernel_operation>(name_, called_, launch_, arguments_.pointers(), own_priority_);
    made->attributes_ = attributes_;
    return made;
  }
  kernel_attributes attributes() const {
    kernel_attributes all = attributes_;
    all.cooperative = launch_.cooperative != 0;
    all.priority = own_priority_;
    return all;
  }
  // Remembers that the launch has chosen its cluster's size.
  void choose_cluster(const uint32_t (&blocks)[3]) { std::copy_n(blocks, 3, attributes_.cluster); }
  // Makes a launch that differs in its attributes. Returns the error for which CUDA refuses such a launch.
  cudaError_t change(const kernel_attributes& all, std::shared_ptr<const operation>* made) const {
    cohort_launch changed = launch_;
    changed.cooperative = all.cooperative;
    cluster_request asked{};
    asked.size = {all.cluster[0], all.cluster[1], all.cluster[2]};
    asked.has_size = asked.size != extent{};
    extent cluster;
    const extent grid{launch_.grid[0], launch_.grid[1], launch_.grid[2]};
    const cudaError_t impossible = find_cluster(called_, launch_.device, grid, asked, &cluster);
    if (impossible != cudaSuccess) return impossible;
    std::copy_n(&cluster.x, 3, changed.cluster);
    if (const int error = cohort_check_launch(&changed)) return static_cast<cudaError_t>(error);
    const auto fresh = std::make_shared<kernel_operation>(name_, called_, changed, arguments_.pointers(), all.priority);
    fresh->attributes_ = all;
    *made = fresh;
    return cudaSuccess;
  }
  // cudaErrorInvalidResourceHandle with a sentence if the kernel's module has been unloaded, as for any unknown kernel.
  cudaError_t permits_again() const override {
    if (!called_.is_unloaded()) return cudaSuccess;
    say(cudaLogLevelError,
        "a graph cannot be launched: the module of the kernel %s of one of its nodes was unloaded; keep "
        "the module, or give the node another kernel",
        called_.unloaded_name().c_str());
    return cudaErrorInvalidResourceHandle;
  }
  // Runs the grid, without the work that its threads submit, which goes to `work`.
  cudaError_t run_grid(grid_work& work) {
    launch_.stream = stream;
    launch_.owner = &work;
    const auto error = static_cast<cudaError_t>(cohort_run(&launch_));
    if (error != cudaSuccess) note_kernel_failure(launch_.device, error);
    return error;
  }

 protected:
  cudaError_t execute() override {
    grid_work work(*this);
    const cudaError_t error = run_grid(work);
    return error != cudaSuccess ? error : work.run();
  }

 private:
  const void* name_;
  function& called_;
  cohort_launch launch_;
  argument_copies arguments_;
  int own_priority_;
  kernel_attributes attributes_;  // launch_ and own_priority_ hold `cooperative` and `priority` in place of this
  cohort_launcher launcher_{};
};

}  // namespace cohort::runtime
