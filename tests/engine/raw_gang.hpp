// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of gangs through port.hpp alone: vector functions are written by hand, as loops over lanes.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "raw_launch.hpp"

namespace raw {

// Lanes of a gang, at first all of them.
class lane_set {
 public:
  explicit lane_set(const cohort_gang& g) : gang_(g) {
    for (uint32_t lane = 0; lane < g.lanes; ++lane) words_[lane / 32] |= 1u << lane % 32;
  }

  const uint32_t* mask() const { return words_; }
  bool has(uint32_t lane) const { return words_[lane / 32] >> lane % 32 & 1; }
  bool empty() const {
    for (uint32_t word : words_) {
      if (word) return false;
    }
    return true;
  }
  // Calls `with(rank, lane)` for each lane.
  template <class Function>
  void each(Function with) const {
    for (uint32_t lane = 0; lane < gang_.lanes; ++lane) {
      if (has(lane)) with(gang_.first_rank + lane, lane);
    }
  }
  // Removes the lanes for whose ranks `test(rank)` holds. False if none is left.
  template <class Test>
  bool remove_if(Test test) {
    for (uint32_t lane = 0; lane < gang_.lanes; ++lane) {
      if (test(gang_.first_rank + lane)) words_[lane / 32] &= ~(1u << lane % 32);
    }
    return !empty();
  }

 private:
  const cohort_gang& gang_;
  uint32_t words_[32] = {};
};

// Makes `rank` the current thread of the gang, to which the engine's calls for one thread refer.
inline void name_thread(const cohort_gang& g, uint32_t rank) {
  auto* context = const_cast<cohort_thread_context*>(cohort_current_thread);
  for (int axis = 0; axis < 3; ++axis) context->thread_index[axis] = g.thread_index[axis][rank - g.first_rank];
  context->thread_rank = rank;
}

template <class Gang>
void gang_entry(void** arguments, const cohort_gang* g) {
  (*static_cast<const Gang*>(arguments[0]))(*g);
}
template <class Thread>
void thread_entry(void** arguments) {
  (*static_cast<const Thread*>(arguments[1]))();
}
inline constexpr auto no_thread = [] {};

// A kernel with one gang version for each of `widths`, and with `thread` as its version for single threads.
template <class Gang, class Thread>
class gang_kernel {
 public:
  gang_kernel(const std::vector<uint32_t>& widths, const Gang& gang, const Thread& thread)
      : arguments_{const_cast<Gang*>(&gang), const_cast<Thread*>(&thread)} {
    for (uint32_t width : widths) versions_.push_back({gang_entry<Gang>, width, 0, 0});
    described_.gang_versions = versions_.data();
    described_.gang_version_count = static_cast<uint32_t>(versions_.size());
  }

  // Gives the kernel the entry of kernels that cannot wait, which runs a whole block.
  void set_block_entry(void (*entry)(void** arguments)) { described_.block_entry = entry; }

  cohort_launch make(const shape& s, int device = 0) { return raw::make(described_, s, device, arguments_); }
  int launch(const shape& s) {
    const cohort_launch l = make(s);
    return cohort_run(&l);
  }
  // Keeps the report off stderr.
  int launch_quietly(const shape& s) {
    testing::internal::CaptureStderr();
    const int error = launch(s);
    testing::internal::GetCapturedStderr();
    return error;
  }

 private:
  std::vector<cohort_gang_version> versions_;
  cohort_kernel described_{"raw kernel", thread_entry<Thread>, nullptr, 0, 1024, 0, 0, nullptr};
  void* arguments_[2];
};

template <class Gang, class Thread>
int launch_gangs(const shape& s, uint32_t width, const Gang& gang, const Thread& thread) {
  return gang_kernel<Gang, Thread>({width}, gang, thread).launch(s);
}
template <class Gang>
int launch_gangs(const shape& s, uint32_t width, const Gang& gang) {
  return launch_gangs(s, width, gang, no_thread);
}

}  // namespace raw
