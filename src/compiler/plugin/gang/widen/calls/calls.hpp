// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls. An intrinsic with a vector form gives each lane the scalar's bits, and so do SLEEF's vector forms of functions
// of mathematics. Everything else (atomics, the C library's functions, printf, reports) runs once for each active lane,
// in lane order.
#pragma once

#include "gang/widen/serial/lane_serializer.hpp"
#include "gang/widen/state/widening.hpp"

namespace cohort {

class call_widener : widening_part {
 public:
  explicit call_widener(widening& state) : widening_part(state), serial_(state) {}

  // Widens a call under `mask`. False: the kernel is refused.
  bool widen(llvm::CallInst& call, value* mask);

 private:
  bool stays_scalar(const llvm::CallInst& call) const;
  bool widen_intrinsic(llvm::CallInst& call);
  // math.cpp. False: the function has no form for vectors.
  bool widen_math(llvm::CallInst& call);

  lane_serializer serial_;
};

}  // namespace cohort
