// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine/state/session.hpp"

namespace cohort::engine {

// The transport of a launch whose grids all run in this process: they share the session and its scratch memory.
class local_transport : public transport {
 public:
  explicit local_transport(session& s) : session_(s) {}

  void raise_phase() override;
  void put(size_t offset, const void* from, size_t bytes) override;
  bool poll() override { return false; }  // no exchange is ever in flight: raise_phase() completes the phase
  void fail(int) override {}              // all grids poll the session's error

 private:
  session& session_;
};

}  // namespace cohort::engine
