// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's cuda::barrier and cuda::pipeline, which count arrivals. A copy is made when its thread arrives.
#pragma once

#include "groups.hpp"

namespace cuda {

enum thread_scope { thread_scope_thread, thread_scope_block };
enum class pipeline_role { producer, consumer };

struct model_started {
  std::vector<std::vector<cg::model_copy>> stages{1};
  void start(void* to, const void* from, u64 bytes) { stages.back().push_back({to, from, bytes}); }
  void make(u64 first) {
    for (const cg::model_copy& one : stages[first]) std::memcpy(one.to, one.from, one.bytes);
    stages[first].clear();
  }
};
inline std::map<std::pair<const void*, u32>, model_started> model_of_barrier;

template <thread_scope scope>
class barrier {
 public:
  friend void init(barrier* made, std::ptrdiff_t expected) { made->count_ = {static_cast<u32>(expected), 0, 0}; }
  u32 arrive(u32 times = 1) {
    model_of_barrier[{this, model_now}].make(0);
    const u32 phase = count_.phase;
    count_.arrive(times);
    return phase;
  }
  void wait(u32&& phase) { model_wait_phase(count_, phase); }
  void wait_parity(bool parity) {
    if ((count_.phase & 1u) == static_cast<u32>(parity)) model_wait_phase(count_, count_.phase);
  }
  void arrive_and_wait() { wait(arrive()); }
  void arrive_and_drop() {
    model_of_barrier[{this, model_now}].make(0);
    if (count_.arrived + 1 == count_.expected) {
      count_ = {count_.expected - 1, 0, count_.phase + 1};
    } else {
      --count_.expected;
    }
  }

 private:
  model_count count_;
};
template <thread_scope scope>
void memcpy_async(void* to, const void* from, u64 bytes, barrier<scope>& due) {
  model_of_barrier[{&due, model_now}].start(to, from, bytes);
}
template <class Group, thread_scope scope>
void memcpy_async(const Group& group, void* to, const void* from, u64 bytes, barrier<scope>& due) {
  if (group.thread_rank() == 0) memcpy_async(to, from, bytes, due);
}

template <thread_scope scope, u8 stages>
struct pipeline_shared_state {
  model_count produced[stages], consumed[stages];
};

template <thread_scope scope>
class pipeline {
 public:
  pipeline(model_count* produced, model_count* consumed, u32 count)
      : produced_(produced), consumed_(consumed), count_(count) {}

  void producer_acquire() {
    if (produced_ && head_ >= count_) model_wait_phase(consumed_[head_ % count_], head_ / count_ - 1);
  }
  void producer_commit() {
    if (produced_) {
      started_.make(head_);
      produced_[head_ % count_].arrive();
    }
    started_.stages.emplace_back();
    ++head_;
  }
  void consumer_wait() {
    if (produced_) {
      model_wait_phase(produced_[tail_ % count_], tail_ / count_);
    } else {
      started_.make(tail_++);
    }
  }
  void consumer_release() {
    if (!produced_) return;
    consumed_[tail_ % count_].arrive();
    ++tail_;
  }
  model_started started_;

 private:
  model_count *produced_, *consumed_;
  u32 count_, head_ = 0, tail_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() { return {nullptr, nullptr, 0}; }
template <class Group, thread_scope scope, u8 stages>
pipeline<scope> model_pipeline(const Group& group, pipeline_shared_state<scope, stages>& state, u32 producers,
                               u32 consumers) {
  for (u32 i = 0; i < stages && group.thread_rank() == 0; ++i)
    state.produced[i] = {producers, 0, 0}, state.consumed[i] = {consumers, 0, 0};
  group.sync();
  return {state.produced, state.consumed, stages};
}
template <class Group, thread_scope scope, u8 stages>
pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state) {
  return model_pipeline(group, *state, group.size(), group.size());
}
template <class Group, thread_scope scope, u8 stages>
pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state, u64 producers) {
  return model_pipeline(group, *state, static_cast<u32>(producers), group.size() - static_cast<u32>(producers));
}

template <thread_scope scope>
void memcpy_async(void* to, const void* from, u64 bytes, pipeline<scope>& stage) {
  stage.started_.start(to, from, bytes);
}
template <class Group, thread_scope scope>
void memcpy_async(const Group& group, void* to, const void* from, u64 bytes, pipeline<scope>& stage) {
  if (group.thread_rank() == 0) stage.started_.start(to, from, bytes);
}

}  // namespace cuda
