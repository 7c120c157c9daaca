// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of checked calls on the host: single comparisons of records, the sentences of reports, and random programs
// whose threads run in random order. A model that matches whole calls, and reads no record, decides which programs can
// end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cohort/machine/ptx/check/call_record.hpp>
#include <cohort/machine/ptx/check/call_rules.hpp>
#include <cohort/machine/ptx/check/finding_text.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace cohort::ptx;
using testing::HasSubstr;

call_record lanes(checked_call call, uint32_t mask, uint32_t line) {
  return call_record(call, {call_scope::lanes, mask}, line);
}
call_record of_block(checked_call call, uint32_t line) { return call_record(call, {call_scope::block, 0}, line); }

// Lets thread `self` compare its record once with `records`, which has one for each thread.
finding look(const std::vector<call_record>& records, uint32_t self, bool strict = false) {
  return look_at_threads(block_view{static_cast<uint32_t>(records.size()), strict}, self, records[self],
                         [&](uint32_t thread) { return records[thread]; });
}

TEST(CallRecord, KeepsItsParts) {
  const call_record record(checked_call::broadcast_of_an_array, {call_scope::multi_grid, 0xdeadbeefu}, 70000);
  EXPECT_EQ(record.call(), checked_call::broadcast_of_an_array);
  EXPECT_EQ(record.scope(), call_scope::multi_grid);
  EXPECT_EQ(record.members(), 0xdeadbeefu);
  EXPECT_EQ(record.line(), 65535u);
  EXPECT_TRUE(record.is_waiting());
  EXPECT_EQ(record.count(), 0u);
  const call_record counted = record.ended().counted(67, 5);
  EXPECT_FALSE(counted.is_waiting());
  EXPECT_EQ(counted.count(), 3u);
  EXPECT_EQ(counted.members(), 5u);
  EXPECT_EQ(counted.line(), 65535u);
  EXPECT_EQ(counted.call(), checked_call::broadcast_of_an_array);
  EXPECT_EQ(call_record().call(), checked_call::none);
  EXPECT_FALSE(call_record().is_waiting());
}

TEST(CallRules, MembershipOfLanes) {
  const block_view block{50, false};
  EXPECT_EQ(check_membership(block, 33, lanes(checked_call::any, 0x0003ffffu, 1)).kind, failure::none);
  EXPECT_EQ(check_membership(block, 33, lanes(checked_call::any, 0x0007ffffu, 1)).kind, failure::missing_lanes);
  EXPECT_EQ(check_membership(block, 33, lanes(checked_call::any, 0x00000001u, 1)).kind, failure::not_a_member);
  EXPECT_EQ(check_membership(block, 3, lanes(checked_call::any, 0xffffffffu, 1)).kind, failure::none);
  EXPECT_EQ(check_membership(block, 33, of_block(checked_call::sync, 1)).kind, failure::none);
}

TEST(CallRules, MismatchesAreFoundByTheLaterThread) {
  std::vector<call_record> records(40);
  records[3] = lanes(checked_call::shfl, 0xffu, 7);
  EXPECT_EQ(look(records, 3).kind, failure::absent);
  EXPECT_EQ(look(records, 3).other, 0u);
  for (uint32_t thread = 0; thread < 8; ++thread) records[thread] = lanes(checked_call::shfl, 0xffu, 7);
  EXPECT_EQ(look(records, 5).kind, failure::none);
  records[6] = lanes(checked_call::any, 0xffu, 7);
  EXPECT_EQ(look(records, 5).kind, failure::other_call);
  EXPECT_EQ(look(records, 6).other, 0u);
  records[6] = lanes(checked_call::shfl, 0xffu, 8);
  EXPECT_EQ(look(records, 5).kind, failure::other_line);
  records[6] = lanes(checked_call::shfl, 0x7fu, 7);
  EXPECT_EQ(look(records, 5).kind, failure::other_group);
  records[6] = lanes(checked_call::shfl, 0xc0u, 7);  // thread 5 is not in that group, and may still call
  EXPECT_EQ(look(records, 5).kind, failure::absent);
  EXPECT_EQ(look(records, 5).other, 6u);
  records[6] = of_block(checked_call::sync, 9);
  EXPECT_EQ(look(records, 5).kind, failure::other_call);
  records[6] = of_block(checked_call::sync, 9).ended();
  EXPECT_EQ(look(records, 5).kind, failure::absent);
}

TEST(CallRules, BarriersOfOneBlockMayHaveTwoLines) {
  std::vector<call_record> records(2, of_block(checked_call::sync, 5));
  records[1] = of_block(checked_call::barrier_wait, 6);
  EXPECT_EQ(look(records, 0).kind, failure::none);
  EXPECT_EQ(look(records, 0, true).kind, failure::other_line);
  records[1] = of_block(checked_call::count, 5);
  EXPECT_EQ(look(records, 0).kind, failure::other_call);
}

TEST(CallRules, ReturnedThreadsAndBarriers) {
  std::vector<call_record> records(70);
  records[1] = of_block(checked_call::sync, 5);
  EXPECT_EQ(look(records, 1).kind, failure::none) << "a barrier of the block does not wait for threads that returned";
  records[1] = of_block(checked_call::reduce, 5);
  EXPECT_EQ(look(records, 1).kind, failure::absent);
  records[1] = call_record(checked_call::sync, {call_scope::grid, 0}, 5);
  EXPECT_EQ(look(records, 1).kind, failure::absent) << "thread 0 executes the barrier of the grid";
  records[0] = records[1];
  EXPECT_EQ(look(records, 1).kind, failure::none);
  records[69] = call_record(checked_call::sync, {call_scope::team, 64}, 5);
  EXPECT_EQ(look(records, 69).kind, failure::absent);
  EXPECT_EQ(look(records, 69).other, 64u) << "the tile begins at thread 64";
  records[0] = call_record(checked_call::barrier_wait, {call_scope::cluster, 0}, 5);
  records[1] = lanes(checked_call::sync, 3, 6);
  EXPECT_EQ(look(records, 1).kind, failure::absent) << "a wait for a cluster waits for arrivals only";
}

TEST(CallRules, BlocksCompareCallsOfOneNumber) {
  const call_record sync(checked_call::sync, {call_scope::cluster, 0}, 5);
  const call_record mine = sync.counted(9, 0);
  EXPECT_EQ(look_at_block(mine, call_record(), 1, false).kind, failure::absent_block);
  EXPECT_EQ(look_at_block(mine, sync.counted(8, 1), 1, false).kind, failure::absent_block);
  EXPECT_EQ(look_at_block(mine, sync.counted(9, 2), 1, false).kind, failure::none);
  EXPECT_EQ(look_at_block(mine, sync.counted(10, 2), 1, false).kind, failure::none);
  EXPECT_EQ(look_at_block(sync.counted(63, 0), sync.counted(64, 2), 1, false).kind, failure::none);
  EXPECT_EQ(look_at_block(sync.counted(64, 0), sync.counted(63, 2), 1, false).kind, failure::absent_block);
  const call_record reduce(checked_call::reduce, {call_scope::cluster, 0}, 5);
  EXPECT_EQ(look_at_block(mine, reduce.counted(9, 2), 3, false).kind, failure::other_block_call);
  EXPECT_EQ(look_at_block(mine, reduce.counted(10, 2), 3, false).kind, failure::none);
  const call_record later(checked_call::reduce, {call_scope::cluster, 0}, 6);
  EXPECT_EQ(look_at_block(reduce.counted(1, 0), later.counted(1, 2), 3, false).kind, failure::other_block_line);
  // A waiting block may read the record of a block that has only arrived: the two calls of a split-phase barrier may
  // stand on two lines.
  const call_record wait(checked_call::barrier_wait, {call_scope::cluster, 0}, 20);
  const call_record arrive(checked_call::barrier_arrive, {call_scope::cluster, 0}, 10);
  EXPECT_EQ(look_at_block(wait.counted(3, 0), arrive.counted(3, 2), 3, true).kind, failure::none);
  const call_record other(checked_call::barrier_wait, {call_scope::cluster, 0}, 21);
  EXPECT_EQ(look_at_block(wait.counted(3, 0), other.counted(3, 2), 3, true).kind, failure::other_block_line);
}

std::string sentence(const finding& found, const call_record& call) {
  const reporting_call by{"file.cu", call.line(), {1, 0, 0}, {2, 3, 0}, {4, 2, 2}, {8, 4, 2}, call, 2.5};
  std::string text;
  describe(found, by, [&](const char* format, auto... values) {
    char line[1000];
    std::snprintf(line, sizeof line, format, values...);
    text += line;
  });
  return text;
}

TEST(FindingText, NamesThreadsBlocksAndLines) {
  const call_record shfl = lanes(checked_call::shfl, 0xff00u, 41);
  const call_record sync = of_block(checked_call::sync, 52);
  EXPECT_EQ(sentence({failure::other_call, 37, sync}, shfl),
            "cohort: file.cu:41: block (1,0,0), thread (2,3,0): shfl of a group in a warp, while thread (5,0,1) waits "
            "for this thread at line 52 in sync of the block: all threads of a group call its collectives in one "
            "order\n");
  EXPECT_THAT(sentence({failure::not_a_member, 37, shfl}, shfl),
              HasSubstr("by a thread that is not in it: lane 5, the group's lanes are 0x0000ff00\n"));
  EXPECT_THAT(sentence({failure::missing_lanes, 37, shfl}, shfl),
              HasSubstr("0x0000ff00 do not all exist in this warp"));
  EXPECT_THAT(sentence({failure::other_line, 9, lanes(checked_call::shfl, 0xff00u, 43)}, shfl),
              HasSubstr("thread (1,1,0) waits at line 43 in another call of shfl"));
  EXPECT_THAT(
      sentence({failure::other_group, 9, lanes(checked_call::shfl, 0xf00u, 41)}, shfl),
      HasSubstr("with the members 0x0000ff00, while thread (1,1,0) waits at line 41 with the members 0x00000f00"));
  EXPECT_THAT(sentence({failure::absent, 9, call_record()}, shfl),
              HasSubstr("has waited 2.5 s for thread (1,1,0), which has called no collective"));
  EXPECT_THAT(sentence({failure::absent, 9, sync.ended()}, shfl), HasSubstr("its last collective was sync at line 52"));
  EXPECT_THAT(sentence({failure::absent, 9, sync}, shfl), HasSubstr("which waits at line 52 in sync of the block"));
  EXPECT_THAT(sentence({failure::absent_block, 13, call_record()}, sync), HasSubstr("for block (1,1,1), which has"));
  EXPECT_THAT(sentence({failure::other_block_call, 13, sync}, sync), HasSubstr("while block (1,1,1) is at line 52 in"));
  EXPECT_THAT(sentence({failure::absent_blocks, 3, {}}, sync), HasSubstr("blocks that have not arrived: 3 of 16\n"));
  EXPECT_THAT(sentence({failure::absent_grids, 3, {}}, sync), HasSubstr("for the other grids of a launch of 3\n"));
  EXPECT_EQ(sentence({}, sync), "");
}

// Random programs

struct event {
  call_record call;
  std::vector<uint32_t> members;
};
using program = std::vector<std::vector<event>>;  // the calls of each thread

std::vector<uint32_t> range(uint32_t begin, uint32_t end, uint32_t threads) {
  std::vector<uint32_t> all;
  for (uint32_t thread = begin; thread < end && thread < threads; ++thread) all.push_back(thread);
  return all;
}

// A call of a random group.
event random_event(std::mt19937& random, uint32_t threads) {
  const checked_call calls[] = {checked_call::sync, checked_call::shfl, checked_call::reduce, checked_call::any};
  const checked_call call = calls[random() % 4];
  const uint32_t line = 1 + random() % 9, thread = random() % threads;
  switch (random() % 4) {
    case 0:
      return {of_block(call, line), range(0, threads, threads)};
    case 1:
      return {call_record(call, {call_scope::team, 64}, line), range(thread / 64 * 64, thread / 64 * 64 + 64, threads)};
    default: {
      std::vector<uint32_t> members;
      uint32_t mask = 0;
      const uint32_t one_in = 1 + random() % 3;
      for (const uint32_t lane : range(thread / 32 * 32, thread / 32 * 32 + 32, threads)) {
        if (lane != thread && random() % one_in != 0) continue;
        members.push_back(lane);
        mask |= 1u << (lane % 32);
      }
      return {lanes(call, mask, line), members};
    }
  }
}

program random_program(std::mt19937& random) {
  program made(1 + random() % 100);
  for (uint32_t count = random() % 12; count != 0; --count) {
    const event next = random_event(random, static_cast<uint32_t>(made.size()));
    for (const uint32_t member : next.members) made[member].push_back(next);
  }
  return made;
}

// Breaks the calls of one thread: skips, swaps or changes one, or lets the thread return.
void mutate(program& changed, std::mt19937& random) {
  std::vector<event>& calls = changed[random() % changed.size()];
  if (calls.empty()) return;
  const size_t at = random() % calls.size();
  switch (random() % 4) {
    case 0:
      calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      std::swap(calls[at], calls[random() % calls.size()]);
      break;
    case 2:
      calls[at].call = call_record(checked_call::ballot, {calls[at].call.scope(), calls[at].call.members()}, 4);
      break;
    default:
      calls.resize(at);
  }
}

bool is_one_call(const call_record& a, const call_record& b) {
  const bool are_barriers = a.call() == checked_call::sync && b.call() == checked_call::sync;
  return a.scope() == b.scope() && a.members() == b.members() && a.call() == b.call() &&
         (are_barriers || a.line() == b.line());
}

// The model: completes whole calls, as long as the next call of all members is the same.
bool can_end(const program& threads) {
  std::vector<size_t> next(threads.size());
  const auto has_ended = [&](uint32_t thread) { return next[thread] == threads[thread].size(); };
  for (bool progress = true; progress;) {
    progress = false;
    for (uint32_t thread = 0; thread < threads.size(); ++thread) {
      if (has_ended(thread)) continue;
      const event& call = threads[thread][next[thread]];
      const bool is_block_barrier = call.call.scope() == call_scope::block && call.call.call() == checked_call::sync;
      bool completes = true;
      for (const uint32_t member : call.members) {
        completes &= has_ended(member) ? is_block_barrier : is_one_call(call.call, threads[member][next[member]].call);
      }
      if (!completes) continue;
      progress = true;
      const std::vector<uint32_t> members = call.members;
      for (const uint32_t member : members) next[member] += has_ended(member) ? 0 : 1;
    }
  }
  for (uint32_t thread = 0; thread < threads.size(); ++thread) {
    if (!has_ended(thread)) return false;
  }
  return true;
}

// The threads of a block, which post, look, execute the hardware's collective, clear and wait, one step at a time.
class simulated_block {
 public:
  simulated_block(const program& threads, uint32_t seed) : threads_(threads), random_(seed) {
    states_.resize(threads.size());
    records_.resize(threads.size());
    next_.resize(threads.size());
  }

  enum class result { ends, fails, hangs };
  result run() {
    std::vector<uint32_t> order = range(0, static_cast<uint32_t>(threads_.size()), 1000);
    while (!has_all_ended()) {
      std::shuffle(order.begin(), order.end(), random_);
      for (const uint32_t thread : order) {
        for (uint32_t steps = random_() % 4; steps != 0; --steps) {
          if (step(thread) == outcome::failed) return result::fails;
        }
      }
      bool progress = false;
      for (const uint32_t thread : order) {
        const outcome done = step(thread);
        if (done == outcome::failed) return result::fails;
        progress |= done == outcome::went_on;
      }
      if (!progress && !has_all_ended()) return stuck();
    }
    return result::ends;
  }

 private:
  enum class state { idle, polling, in_hardware, clearing, leaving, ended };
  enum class outcome { went_on, waits, failed };

  outcome step(uint32_t thread) {
    if (next_[thread] == threads_[thread].size()) {
      const bool is_new = states_[thread] != state::ended;
      states_[thread] = state::ended;
      return is_new ? outcome::went_on : outcome::waits;
    }
    const event& call = threads_[thread][next_[thread]];
    switch (states_[thread]) {
      case state::idle:
        records_[thread] = call.call;
        states_[thread] = state::polling;
        return outcome::went_on;
      case state::polling: {
        const finding found = look(records_, thread);
        if (found.kind == failure::absent) return outcome::waits;
        if (found.kind != failure::none) return outcome::failed;
        states_[thread] = state::in_hardware;
        return outcome::went_on;
      }
      case state::in_hardware:
        if (!all(call, state::in_hardware)) return outcome::waits;
        for (const uint32_t member : call.members) move_on(member, state::clearing);
        return outcome::went_on;
      case state::clearing:
        records_[thread] = records_[thread].ended();
        states_[thread] = state::leaving;
        return outcome::went_on;
      default:
        if (!all(call, state::leaving)) return outcome::waits;
        for (const uint32_t member : call.members) {
          if (states_[member] == state::leaving) ++next_[member];
          move_on(member, state::idle);
        }
        return outcome::went_on;
    }
  }

  void move_on(uint32_t thread, state to) {
    if (states_[thread] != state::ended) states_[thread] = to;
  }
  // True if all members of `call` that have not returned are in state `in`, at calls that the hardware joins into one.
  bool all(const event& call, state in) const {
    for (const uint32_t member : call.members) {
      if (states_[member] == state::ended) continue;
      if (next_[member] == threads_[member].size() || states_[member] != in) return false;
      if (!is_one_call(call.call, threads_[member][next_[member]].call)) return false;
    }
    return true;
  }
  bool has_all_ended() const {
    for (const state each : states_) {
      if (each != state::ended) return false;
    }
    return true;
  }
  // The result once no thread can continue: a polling thread reports when its time limit ends, any other waits for
  // ever.
  result stuck() {
    for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
      if (states_[thread] == state::polling) return result::fails;
    }
    return result::hangs;
  }

  const program& threads_;
  std::mt19937 random_;
  std::vector<state> states_;
  std::vector<call_record> records_;
  std::vector<size_t> next_;
};

TEST(CallRules, RandomProgramsFailExactlyIfTheyCannotEnd) {
  int ended = 0, failed = 0;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    program made = random_program(random);
    ASSERT_TRUE(can_end(made)) << "seed " << seed;
    for (uint32_t count = seed % 3; count != 0; --count) mutate(made, random);
    const bool ends = can_end(made);
    ASSERT_EQ(simulated_block(made, seed).run(), ends ? simulated_block::result::ends : simulated_block::result::fails)
        << "seed " << seed;
    ++(ends ? ended : failed);
  }
  EXPECT_GT(ended, 500);
  EXPECT_GT(failed, 500);
}

}  // namespace
