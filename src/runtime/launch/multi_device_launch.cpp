// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/launch.hpp"

#include <algorithm>

#include "runtime/launch/argument_copies.hpp"
#include "runtime/launch/grid_work.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

// One operation in all streams of the launch. It starts when prior work in each stream has ended, runs as the only
// kernel of all its devices, and ends in all streams at once. The flags NoPreSync and NoPostSync permit less waiting
// but do not require it, so they have no effect.
class multi_device_operation : public operation {
 public:
  multi_device_operation(std::vector<cohort_launch> launches, const std::vector<launch_request>& grids,
                         cohort_world* world)
      : operation(operation_kind::kernel), launches_(std::move(launches)), world_(world) {
    for (size_t i = 0; i < launches_.size(); ++i) {
      arguments_.emplace_back(*launches_[i].kernel, grids[i].arguments);
      launches_[i].arguments = arguments_.back().pointers();
    }
  }

 protected:
  // Work that the grids' threads submit belongs to the launch, and runs on the first device.
  cudaError_t execute() override {
    const auto count = static_cast<uint32_t>(launches_.size());
    grid_work work(*this);
    for (cohort_launch& launch : launches_) launch.owner = &work;
    const auto error = static_cast<cudaError_t>(world_ ? cohort_run_world(world_, launches_.data(), count)
                                                       : cohort_run_multi_device(launches_.data(), count));
    if (error == cudaSuccess) return work.run();
    note_kernel_failure(launches_.front().device, error);
    return error;
  }

 private:
  std::vector<cohort_launch> launches_;
  std::vector<argument_copies> arguments_;
  cohort_world* world_;  // null: a launch of this process only
};

bool are_alike(const launch_request& a, const launch_request& b) {
  const auto same = [](const dim3& x, const dim3& y) { return x.x == y.x && x.y == y.y && x.z == y.z; };
  return a.function == b.function && same(a.grid, b.grid) && same(a.block, b.block) &&
         a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

// Finds a created stream. cudaErrorInvalidDevice if a stream of `before` is on the same device.
cudaError_t find_own_stream(cudaStream_t handle, const std::vector<stream*>& before, stream** found) {
  if (!handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = find_stream(handle, found); error != cudaSuccess) return error;
  const bool again =
      std::any_of(before.begin(), before.end(), [&](const stream* other) { return other->device == (*found)->device; });
  return again ? cudaErrorInvalidDevice : cudaSuccess;
}

}  // namespace

cudaError_t launch_together(const std::vector<launch_request>& grids, unsigned flags, cohort_world* world) {
  constexpr unsigned known = cudaCooperativeLaunchMultiDeviceNoPreSync | cudaCooperativeLaunchMultiDeviceNoPostSync;
  if (grids.empty() || (flags & ~known)) return cudaErrorInvalidValue;
  function* called = nullptr;
  cudaError_t error = find_launched(grids.front().function, &called);
  if (error != cudaSuccess) return error;

  std::vector<stream*> streams;
  for (const launch_request& grid : grids) {
    stream* s = nullptr;
    error = find_own_stream(grid.stream, streams, &s);
    if (error != cudaSuccess) return error;
    if (!are_alike(grid, grids.front())) return cudaErrorInvalidValue;
    if (s->recorder) return permit_stream_wait(*s);
    streams.push_back(s);
  }
  std::vector<cohort_launch> launches(grids.size());
  for (size_t i = 0; i < grids.size(); ++i) {
    error = describe_launch(grids[i], *called, streams[i]->device->index, &launches[i]);
    if (error != cudaSuccess) return error;
    launches[i].stream = static_cast<uint32_t>(streams[i]->id);
    launches[i].sm_count = streams[i]->green ? streams[i]->green->sm_count : 0;
  }
  error = static_cast<cudaError_t>(cohort_check_multi_device(launches.data(), static_cast<uint32_t>(launches.size())));
  if (error != cudaSuccess) return error;
  scheduler::instance().submit_together(streams,
                                        std::make_shared<multi_device_operation>(std::move(launches), grids, world));
  return cudaSuccess;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

namespace {

cudaError_t launch_list(const cudaLaunchParams* list, unsigned count, unsigned flags, cohort_world* world) {
  return device_call([&] {
    if (!list || count == 0 || count > static_cast<unsigned>(device_count())) return cudaErrorInvalidValue;
    std::vector<launch_request> grids;
    for (const cudaLaunchParams* p = list; p != list + count; ++p) {
      grids.push_back({p->func, p->gridDim, p->blockDim, p->args, p->sharedMem, p->stream, true});
    }
    return launch_together(grids, flags, world);
  });
}

}  // namespace

extern "C" cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* list, unsigned int count,
                                                              unsigned int flags) {
  return launch_list(list, count, flags, nullptr);
}

extern "C" cudaError_t cohort_launch_world(cohort_world* world, cudaLaunchParams* list, unsigned int count) {
  if (!world) return cudaErrorInvalidValue;
  return launch_list(list, count, 0, world);
}
