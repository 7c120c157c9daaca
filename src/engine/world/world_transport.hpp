// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "engine/state/session.hpp"
#include "engine/world/world.hpp"

namespace cohort::engine {

// The transport of a launch over several processes. The last block of the process that arrives at the barrier starts an
// exchange, and idle workers poll it. No worker blocks in the network, so other blocks can run meanwhile.
class world_transport : public transport {
 public:
  world_transport(session& s, cohort_world& w) : session_(s), world_(w) {}

  void raise_phase() override;
  void put(size_t offset, const void* from, size_t bytes) override;
  bool poll() override;
  void fail(int) override {}  // end() informs the other processes

  // Informs the other processes that all grids of this one have ended, and fails the launch if another process is at
  // another step. Called once, when no worker runs the launch any more. `error`: the error for which the grids did not
  // begin, or 0.
  void end(int error);

 private:
  void test();
  void complete();
  void deliver_data();
  void lose_world(const std::string& why);
  void fail_steps(uint32_t other);

  session& session_;
  cohort_world& world_;
  std::atomic<bool> in_flight_{false};
  std::atomic_flag polled_ = ATOMIC_FLAG_INIT;  // one worker at a time calls the network
  uint64_t barriers_ = 0;
  uint32_t tests_ = 0;  // tests since the time was read
  bool ended_ = false;  // all processes have agreed that the launch is over
  deadline limit_;
};

// Functions for kernels, which fail the launch after misuse. `place`: the source place of the call.
void* world_address(session& s, const void* address, uint32_t rank, const void* place);
void world_put(session& s, void* to, const void* from, size_t bytes, uint32_t rank, const void* place);

// The staging buffer of a rank for arrays, also in launches over several devices without a world. Null: on another
// host.
char* array_staging(session& s, uint32_t rank, const void* place);
// Copies bytes to `offset` in the staging buffer of a rank on another host. pre: array_staging() has returned null
void array_put(session& s, uint32_t rank, size_t offset, const void* from, size_t bytes);

}  // namespace cohort::engine
