// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch over the GPUs of several processes: one cooperative launch in each, whose descriptor names the barrier words
// of all. While the grid runs, the host monitors the other processes and ends the grid if one of them is lost.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../../base/cuda_error.hpp"
#include "../../config.hpp"
#include "../api/driver_api.hpp"
#include "../api/runtime_api.hpp"
#include "../device/device_guard.hpp"
#include "../device/single_device.hpp"
#include "../multi_gpu/launch_list.hpp"
#include "open.hpp"

namespace cohort {
namespace detail {

// Identifies the kernel and the shape of a launch in all processes. The address of a kernel differs between processes,
// and older runtimes do not return its name.
inline uint64_t hash_launch(kernel_handle kernel, const config& c) {
  const uint64_t shape[] = {c.grid.x,  c.grid.y,    c.grid.z,    c.block.x,   c.block.y,
                            c.block.z, c.cluster.x, c.cluster.y, c.cluster.z, c.shared_bytes};
  uint64_t hash = hash_bytes(shape, sizeof shape);
  if (const char* const name = api::name_of(kernel)) hash = hash_bytes(name, ::strlen(name), hash);
  return hash;
}

// The reason why a grid was ended before its threads had returned.
enum class early_end { none, failed_rank, lost_rank };

// One launch in this process.
template <class Unused>
class world_launch {
 public:
  // `arguments` holds the address of each parameter.
  world_launch(gpu_world& w, kernel_handle kernel, const config& c, void** arguments)
      : world_(w),
        kernel_(kernel),
        config_(c),
        arguments_(arguments),
        blocks_(uint64_t{c.grid.x} * c.grid.y * c.grid.z) {
    config_.device = w.device;
    config_.stream = w.stream;
  }

  // Runs this process's grid together with those of the other processes. Returns an error number. After an error that
  // leaves gpu_world::launches unchanged, the others wait for this process's refusal.
  int run() {
    if (world_.lost) return error_launch_failure;
    const relaxed_capture_guard relaxed;
    const device_guard current(world_.device);
    if (const int refused = prepare()) return refused;
    number_ = ++world_.launches;
    if (const int others = agree(world_, world_step::launch, hash_launch(kernel_, config_))) return others;
    int result = start();
    if (result == 0) result = follow();
    world_.has_messages_left = result != 0 || end_ != early_end::none;
    if (world_.processes == 1) return result;
    world_.board.publish_end(number_, result);
    if (end_ == early_end::lost_rank) return lose_world(world_, why_);
    const int others =
        end_ == early_end::failed_rank
            ? agree(world_, world_step::barrier, count_barriers())
            : agree(world_, result == 0 ? world_step::finished : world_step::failed, static_cast<uint64_t>(result));
    return result != 0 ? result : others;
  }

 private:
  // Checks the launch, and clears this process's words before the other processes' grids write to them. Waits for all
  // earlier work on the GPU.
  int prepare() {
    const listed_grid grid = {const_cast<void*>(kernel_), config_.grid, config_.block, arguments_,
                              config_.shared_bytes,       world_.stream};
    const runtime_facts facts{config_.cluster};
    if (const api::error earlier = api::synchronize_device()) return static_cast<int>(earlier);
    if (!facts.is_kernel(kernel_, world_.device)) return error_invalid_device_function;
    if (!facts.is_cooperative(world_.device)) return error_not_supported;
    if (!facts.allows_shape(grid, world_.device)) return error_invalid_value;
    if (blocks_ > facts.resident_blocks(grid, world_.device)) return error_cooperative_launch_too_large;
    const api::error found =
        api::find_module_variable(kernel_, COHORT_MULTI_DEVICE_LAUNCH_NAME, sizeof(multi_grid_descriptor), &variable_);
    if (found != api::success) return static_cast<int>(found);
    const size_t used = multi_grid_bytes(static_cast<size_t>(blocks_), world_.processes);
    const size_t before = world_.has_messages_left ? array_staging_bytes : 0;
    char* const begin = reinterpret_cast<char*>(world_.words) - before;
    return wait_for(world_.stream, api::fill(begin, 0, before + used, world_.stream));
  }

  multi_grid_descriptor describe_launch() const {
    multi_grid_descriptor launch = {};
    launch.count = world_.processes;
    launch.rank = world_.process;
    launch.number = number_;
    launch.blocks = static_cast<uint32_t>(blocks_);
    launch.array_half = array_half_bytes(world_.processes);
    launch.links_add = world_.links_add ? 1 : 0;
    launch.ended = const_cast<const uint32_t*>(&world_.control->ended);
    launch.overdue = const_cast<uint32_t*>(&world_.control->overdue);
    launch.limit_ns = static_cast<uint64_t>(world_.timeout_seconds * 1e9);
    launch.rank_stride = world_.rank_stride;
    for (uint32_t p = 0; p < world_.processes; ++p) {
      const int64_t ranks_up = static_cast<int64_t>(p) - static_cast<int64_t>(world_.process);
      char* const mine = reinterpret_cast<char*>(world_.words);
      launch.words[p] = reinterpret_cast<multi_grid_words*>(mine + ranks_up * world_.rank_stride);
    }
    return launch;
  }

  // Puts the grid into the world's stream.
  int start() {
    api::error result = api::success;
    if (variable_ != nullptr) {
      multi_grid_descriptor launch = describe_launch();
      void* arguments[] = {&world_.descriptor, &launch};
      result = api::launch_cooperative(reinterpret_cast<const void*>(&write_descriptor<Unused>), dim3(1), dim3(1),
                                       arguments, 0, world_.stream);
      if (result == api::success) {
        result = api::copy_on_device(variable_, world_.descriptor, sizeof launch, world_.stream);
      }
    }
    if (result == api::success) result = launch_kernel(kernel_, config_, true, arguments_);
    if (variable_ != nullptr) {  // later kernels belong to no launch over a world
      const api::error cleared = api::fill(variable_, 0, offsetof(multi_grid_descriptor, ended), world_.stream);
      if (result == api::success) result = cleared;
    }
    if (result == api::success) result = api::record_event(world_.ended, world_.stream);
    return static_cast<int>(result);
  }

  // Waits for the grid. Ends it at its next barrier once another process has failed or is lost.
  int follow() {
    patient_wait wait(0);
    double end_after = 0;
    api::error now = api::not_ready;
    while ((now = api::query_event(world_.ended)) == api::not_ready) {
      if (!wait.pause()) continue;
      if (end_ == early_end::none) {
        find_end();
        if (end_ == early_end::none) continue;
        world_.control->ended = number_;
        end_after = clock_seconds() + grace_seconds;
      } else if (clock_seconds() > end_after) {
        why_ += "; the grid of " + rank_name(world_) + " comes to no barrier";
        end_ = early_end::lost_rank;
        return error_launch_failure;
      }
    }
    if (api::peek_at_last_error() == api::not_ready) static_cast<void>(api::take_last_error());
    if (end_ == early_end::none) find_overdue();
    return static_cast<int>(now);
  }

  // Looks for a reason to end the grid.
  void find_end() {
    find_overdue();
    for (uint32_t p = 0; p < world_.processes && end_ == early_end::none; ++p) {
      if (p == world_.process) continue;
      if (world_.board.has_failed(p, number_)) {
        end_ = early_end::failed_rank;
      } else if (world_.board.gave_up(p) || world_.board.has_ended(p)) {
        end_ = early_end::lost_rank;
        why_ = rank_name(world_) + " is in a launch over the world, but " + describe_gone(world_, p);
      }
    }
  }

  // Finds a barrier of this grid that has waited for too long.
  void find_overdue() {
    if (world_.control->overdue != number_) return;
    end_ = early_end::lost_rank;
    why_ = describe_overdue(world_) + describe_missing();
  }
  std::string describe_missing() const {
    const int64_t gone = find_gone(world_);
    if (gone >= 0) return describe_gone(world_, gone);
    for (uint32_t p = 0; p < world_.processes; ++p) {
      if (p == world_.process || !world_.board.has_returned(p, number_)) continue;
      return "rank " + std::to_string(p) + " " + describe({world_step::finished, 0}, world_step::barrier);
    }
    return "another rank has stopped, or computes for longer";
  }

  // The number, modulo 65536, of the barrier at which the grid was ended.
  uint64_t count_barriers() const {
    multi_grid_words words = {};
    static_cast<void>(api::copy_to_host(&words, world_.words, sizeof words));
    return words.blocks >> 16;
  }

  static constexpr double grace_seconds = 10;  // time for a grid to reach its next barrier

  gpu_world& world_;
  kernel_handle kernel_;
  config config_;
  void** arguments_;
  uint64_t blocks_;
  void* variable_ = nullptr;  // multi_device_launch() in the kernel's module; null if the module has none
  uint32_t number_ = 0;
  early_end end_ = early_end::none;
  std::string why_;  // why a rank was lost
};

// The number of this process's only GPU in a world.
inline int world_device(const gpu_world* world, int) { return world->device; }

// Launches this process's grid of a launch over a world. pointers[0] is for the process's only device: its first entry
// is unused, and the address of each parameter follows.
template <class Unused = void>
int run_world(gpu_world* world, kernel_handle kernel, const config& c, int, void** const* pointers) {
  return world_launch<Unused>(*world, kernel, c, pointers[0] + 1).run();
}

}  // namespace detail
}  // namespace cohort
