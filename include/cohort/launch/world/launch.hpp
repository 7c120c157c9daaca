// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The difference between a launch over a world and one over the devices of one process.
#pragma once

#include <stdint.h>

#include "../config.hpp"
#include "../start/prepare.hpp"
#include "world.hpp"

namespace cohort {
namespace detail {

// The processes of a launch over a world; see one_process in prepare.hpp.
class all_processes {
 public:
  explicit all_processes(world_calls::world* w) : world_(w) {}

  int device(int i) const { return world_device(world_, i); }
  int find_smallest(uint64_t* blocks) const { return world_calls::smallest(world_, *blocks, blocks); }
  int refuse(int error) const { return world_calls::refuse(world_, error); }
  int run(kernel_handle kernel, const config& c, int devices, void** const* pointers) const {
    const uint64_t before = world_calls::launches(world_);
    const int result = run_world(world_, kernel, c, devices, pointers);
    // The launch was refused before it reached the engine. The other processes wait for it, so they must be told.
    if (result != 0 && world_calls::launches(world_) == before) return refuse(result);
    return result;
  }

 private:
  world_calls::world* world_;
};

}  // namespace detail
}  // namespace cohort
