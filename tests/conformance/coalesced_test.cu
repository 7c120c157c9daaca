// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_group, labeled_partition and binary_partition: sections C.4.2.2, C.5.2 and C.5.3 of the guide.
#include "conformance.hpp"

namespace {

using namespace conformance;

struct input {
  unsigned int value;
  int label;
  bool flag;
  int source;  // argument of shfl, which the kernel takes modulo the group's size
  unsigned int delta;
  int predicate;
  int small;
};

struct seen {
  unsigned int rank, num_threads, size, meta_rank, meta_size;
  unsigned int shfl, up, down;
  int any, all;
  unsigned int ballot, match_any, match_all;
  int match_predicate;
};

__device__ seen look(const cg::coalesced_group& g, const input& in) {
  static_assert(same_type<decltype(g.thread_rank()), unsigned int>);
  static_assert(same_type<decltype(g.num_threads()), unsigned int>);
  seen s;
  g.sync();
  s.rank = g.thread_rank();
  s.num_threads = g.num_threads();
  s.size = g.size();
  s.meta_rank = g.meta_group_rank();
  s.meta_size = g.meta_group_size();
  s.shfl = g.shfl(in.value, in.source % static_cast<int>(g.size()));
  s.up = g.shfl_up(in.value, static_cast<int>(in.delta));
  s.down = g.shfl_down(in.value, in.delta);
  s.any = g.any(in.predicate);
  s.all = g.all(in.predicate);
  s.ballot = g.ballot(in.predicate);
  s.match_any = g.match_any(in.small);
  s.match_all = g.match_all(in.small, s.match_predicate);
  return s;
}

std::vector<input> inputs(std::size_t threads, unsigned int seed) {
  std::vector<input> all(threads);
  unsigned int state = seed * 2654435761u + static_cast<unsigned int>(threads);
  auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  const unsigned int labels = 1 + seed % 5;
  const unsigned int delta = seed % 4;  // equal in all threads
  for (input& in : all) {
    in = {next(),
          static_cast<int>(next() % labels),
          next() % 2 == 0,
          static_cast<int>(next() % 1000),
          delta,
          next() % 4 ? 3 : 0,
          static_cast<int>(next() % 2)};
  }
  return all;
}

// Compares the results of the members of group g with the model.
void check_group(const model::group& g, const memory<input>& in, const memory<seen>& out) {
  const unsigned int size = static_cast<unsigned int>(g.size());
  const unsigned int full = size == 32 ? ~0u : (1u << size) - 1;
  auto value = [&](unsigned int rank) -> const input& { return in[g.members[rank]]; };
  unsigned int ballot = 0, alike = 0;
  for (unsigned int r = 0; r < size; ++r) {
    ballot |= (value(r).predicate != 0 ? 1u : 0u) << r;
    alike += value(r).small == value(0).small;
  }
  for (unsigned int r = 0; r < size; ++r) {
    SCOPED_TRACE("thread " + std::to_string(g.members[r]));
    const seen& s = out[g.members[r]];
    const input& mine = value(r);
    unsigned int match = 0;
    for (unsigned int q = 0; q < size; ++q) match |= (value(q).small == mine.small ? 1u : 0u) << q;
    ASSERT_EQ(s.num_threads, size);
    ASSERT_EQ(s.size, size);
    ASSERT_EQ(s.rank, r);
    ASSERT_EQ(s.meta_rank, g.index);
    ASSERT_EQ(s.meta_size, g.count);
    ASSERT_EQ(s.shfl, value(static_cast<unsigned int>(mine.source) % size).value);
    ASSERT_EQ(s.up, value(r >= mine.delta ? r - mine.delta : r).value);
    ASSERT_EQ(s.down, value(r + mine.delta < size ? r + mine.delta : r).value);
    ASSERT_EQ(s.any != 0, ballot != 0);
    ASSERT_EQ(s.all != 0, ballot == full);
    ASSERT_EQ(s.ballot, ballot);
    ASSERT_EQ(s.match_any, match);
    ASSERT_EQ(s.match_all, alike == size ? full : 0u);
    ASSERT_EQ(s.match_predicate, alike == size);
  }
}

template <class T>
std::vector<T> of_members(const model::group& g, const memory<input>& in, T input::* field) {
  std::vector<T> all;
  for (unsigned int member : g.members) all.push_back(in[member].*field);
  return all;
}

// Runs the kernel over several inputs; `groups` partitions a warp (or tile) of 32 on the host.
template <class Groups>
void check(void (*kernel)(const input*, seen*), unsigned int tile_size, Groups groups) {
  for (extent block : {extent{32}, extent{96}, extent{8, 4, 2}, extent{256}}) {
    for (unsigned int seed = 0; seed < 25; ++seed) {
      SCOPED_TRACE(text(block) + ", input " + std::to_string(seed));
      const unsigned int threads = static_cast<unsigned int>(block.count());
      memory<input> in(threads);
      memory<seen> out(threads);
      const std::vector<input> values = inputs(threads, seed);
      for (unsigned int t = 0; t < threads; ++t) in[t] = values[t];
      run({1}, block, kernel, static_cast<const input*>(in.data()), out.data());
      for (const model::group& tile : model::tiles(model::whole_block(threads), tile_size)) {
        for (const model::group& g : groups(tile, in)) check_group(g, in, out);
      }
    }
  }
}

std::vector<model::group> by_label(const model::group& g, const memory<input>& in) {
  return model::by_label(g, of_members(g, in, &input::label));
}
std::vector<model::group> by_flag(const model::group& g, const memory<input>& in) {
  const std::vector<bool> flags = of_members(g, in, &input::flag);
  return model::by_predicate(g, flags);
}

// Each label takes a different branch.
__global__ void in_branches(const input* in, seen* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  const int branch = in[me].label;
  if (branch == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[me] = look(active, in[me]);
  } else if (branch == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[me] = look(active, in[me]);
  } else if (branch == 2) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[me] = look(active, in[me]);
  } else if (branch == 3) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[me] = look(active, in[me]);
  } else {
    cg::coalesced_group active = cg::coalesced_threads();
    out[me] = look(active, in[me]);
  }
}

TEST(Coalesced, ThreadsOfABranch) {
  CONFORMS("C.4.2.2.1", "C.4.2.2.3", "C.4.2.2.4", "C.4.2.2.6", "C.4.2.2.7", "C.4.2.2.8", "C.4.2.2.9");
  check(in_branches, 32, [](const model::group& warp, const memory<input>& in) {
    std::vector<model::group> groups = by_label(warp, in);
    for (model::group& g : groups) g.index = 0, g.count = 1;  // coalesced_threads() is not a partition
    return groups;
  });
}

__global__ void by_label_of_tile(const input* in, seen* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  out[me] = look(cg::labeled_partition(cg::tiled_partition<16>(cg::this_thread_block()), in[me].label), in[me]);
}
__global__ void by_label_of_coalesced(const input* in, seen* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  cg::coalesced_group active = cg::coalesced_threads();
  cg::coalesced_group mine = cg::labeled_partition(active, in[me].label);
  out[me] = look(mine, in[me]);
}
__global__ void by_label_of_a_branch(const input* in, seen* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  if (in[me].flag) {
    out[me] = look(cg::labeled_partition(cg::coalesced_threads(), static_cast<short>(in[me].label)), in[me]);
  } else {
    out[me] = look(cg::labeled_partition(cg::coalesced_threads(), static_cast<long long>(in[me].label) << 40), in[me]);
  }
}

TEST(Coalesced, LabeledPartition) {
  CONFORMS("C.2.7", "C.2.8", "C.4.2.2.5", "C.4.2.2.8", "C.5.2.1");
  check(by_label_of_tile, 16, by_label);
  check(by_label_of_coalesced, 32, by_label);
  check(by_label_of_a_branch, 32, [](const model::group& warp, const memory<input>& in) {
    std::vector<model::group> groups;
    for (const model::group& branch : by_flag(warp, in)) {
      for (const model::group& g : by_label(branch, in)) groups.push_back(g);
    }
    return groups;
  });
}

__global__ void by_flag_of_tile(const input* in, seen* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  out[me] = look(cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), in[me].flag), in[me]);
}
__global__ void by_flag_of_coalesced(const input* in, seen* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  if (in[me].label == 0) {
    out[me] = look(cg::binary_partition(cg::coalesced_threads(), in[me].flag), in[me]);
  } else {
    out[me] = look(cg::binary_partition(cg::coalesced_threads(), in[me].flag), in[me]);
  }
}

TEST(Coalesced, BinaryPartition) {
  CONFORMS("C.2.7", "C.2.8", "C.4.2.2.5", "C.4.2.2.8", "C.5.3.1");
  check(by_flag_of_tile, 32, by_flag);
  check(by_flag_of_coalesced, 32, [](const model::group& warp, const memory<input>& in) {
    std::vector<bool> zero;
    for (int label : of_members(warp, in, &input::label)) zero.push_back(label == 0);
    std::vector<model::group> groups;
    for (const model::group& branch : model::by_predicate(warp, zero)) {
      for (const model::group& g : by_flag(branch, in)) groups.push_back(g);
    }
    return groups;
  });
}

// binary_partition must make the groups of labeled_partition with the labels 0 and 1.
__global__ void both_partitions(const int* flags, unsigned int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned int me = threadIdx.x;
  cg::coalesced_group a = cg::binary_partition(tile, flags[me] != 0);
  cg::coalesced_group b = cg::labeled_partition(tile, flags[me]);
  out[4 * me] = a.size() == b.size() && a.thread_rank() == b.thread_rank();
  out[4 * me + 1] = a.shfl(me, 0) == b.shfl(me, 0);
  out[4 * me + 2] = a.meta_group_size() == b.meta_group_size();
  out[4 * me + 3] = a.ballot(static_cast<int>(me % 3)) == b.ballot(static_cast<int>(me % 3));
}

TEST(Coalesced, BinaryPartitionIsLabeledByZeroAndOne) {
  CONFORMS("C.5.3.1");
  memory<int> flags(64);
  memory<unsigned int> out(4 * 64);
  for (unsigned int seed = 0; seed < 40; ++seed) {
    const std::vector<input> values = inputs(64, seed);
    for (int t = 0; t < 64; ++t) flags[t] = seed == 0 ? 0 : seed == 1 ? 1 : values[t].flag;
    run({1}, {64}, both_partitions, static_cast<const int*>(flags.data()), out.data());
    for (int i = 0; i < 4 * 64; ++i) ASSERT_EQ(out[i], 1) << "input " << seed << ", value " << i;
  }
}

// The guide's example: odd and even ranks of a tile form two groups. Every thread arrives at a different time.
__global__ void odd_and_even(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const unsigned int me = block.thread_rank();
  for (unsigned int i = 0; i < me; ++i) atomicAdd(out + 5 * blockDim.x, 1u);
  const bool odd = (me & 1) != 0;
  auto half = cg::binary_partition(tile, odd);
  for (unsigned int i = 0; i < 31 - me % 32; ++i) atomicAdd(out + 5 * blockDim.x, 1u);
  auto quarter = cg::labeled_partition(half, static_cast<int>(half.thread_rank() % 2));
  unsigned int* mine = out + 5 * me;
  mine[0] = half.size();
  mine[1] = half.thread_rank();
  mine[2] = half.meta_group_rank();
  mine[3] = half.shfl(me, 15);
  mine[4] = quarter.size() * 100 + quarter.thread_rank();
}

TEST(Coalesced, OddAndEven) {
  CONFORMS("C.5.3.4", "C.5.2.2", "C.5.3.2");
  memory<unsigned int> out(5 * 96 + 1);
  run({1}, {96}, odd_and_even, out.data());
  for (unsigned int t = 0; t < 96; ++t) {
    const unsigned int rank = t % 32 / 2;
    const unsigned int expected[] = {16, rank, t % 2, t - t % 32 + 30 + t % 2, 800 + rank / 2};
    for (int k = 0; k < 5; ++k) ASSERT_EQ(out[5 * t + k], expected[k]) << "thread " << t << ", value " << k;
  }
}

__global__ void threads_2_4_8(int* out) {
  const unsigned int me = threadIdx.x;
  if (me % 32 == 2 || me % 32 == 4 || me % 32 == 8) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[3 * me] = static_cast<int>(active.size());
    out[3 * me + 1] = static_cast<int>(active.thread_rank());
    out[3 * me + 2] = active.shfl(static_cast<int>(me), 1);
    active.sync();
  }
}

TEST(Coalesced, ThreadsTwoFourAndEight) {
  CONFORMS("C.4.2.2.12", "C.4.2.2.6");
  memory<int> out(3 * 64);
  out.fill(-1);
  run({1}, {64}, threads_2_4_8, out.data());
  for (int t = 0; t < 64; ++t) {
    const int rank = t % 32 == 2 ? 0 : t % 32 == 4 ? 1 : t % 32 == 8 ? 2 : -1;
    ASSERT_EQ(out[3 * t], rank < 0 ? -1 : 3) << t;
    ASSERT_EQ(out[3 * t + 1], rank) << t;
    ASSERT_EQ(out[3 * t + 2], rank < 0 ? -1 : t - t % 32 + 4) << t;
  }
}

// The threads of the group diverge between two collectives.
__global__ void diverge_again(int* out) {
  const unsigned int me = threadIdx.x;
  int sum = -1;
  if (me % 4 != 3) {
    cg::coalesced_group active = cg::coalesced_threads();
    sum = active.shfl(static_cast<int>(me), static_cast<int>(active.size() - 1));
    if (me % 2 == 0) {
      for (unsigned int i = 0; i < me; ++i) atomicAdd(out + blockDim.x, 1);
    } else if (me % 3 == 0) {
      atomicAdd(out + blockDim.x, 2);
    }
    active.sync();
    sum += 1000 * active.shfl_down(static_cast<int>(me), 1);
    sum += 1000000 * static_cast<int>(active.any(me % 32 == 30));
  }
  out[me] = sum;
}

TEST(Coalesced, GroupOutlivesDivergence) {
  CONFORMS("C.4.2.2.2");
  memory<int> out(65);
  out[64] = 0;
  run({1}, {64}, diverge_again, out.data());
  for (int t = 0; t < 64; ++t) {
    if (t % 4 == 3) {
      ASSERT_EQ(out[t], -1);
      continue;
    }
    const int warp = t - t % 32;
    const int next = t % 32 == 30 ? t : t + 1 + (t % 4 == 2);
    ASSERT_EQ(out[t], warp + 30 + 1000 * next + 1000000) << t;
  }
}

template <class T>
__global__ void shuffle_all(T* out) {
  const unsigned int me = threadIdx.x;
  if (me % 3 == 1) return;
  cg::coalesced_group g = cg::coalesced_threads();
  const T mine = T::of(me);
  out[3 * me] = g.shfl(mine, static_cast<int>(g.size() - 1 - g.thread_rank()));
  out[3 * me + 1] = g.shfl_up(mine, 2);
  out[3 * me + 2] = g.shfl_down(mine, 3);
}

template <std::size_t Bytes>
void check_size() {
  SCOPED_TRACE(Bytes);
  memory<sized<Bytes>> out(3 * 32);
  run({1}, {32}, shuffle_all<sized<Bytes>>, out.data());
  std::vector<unsigned int> members;
  for (unsigned int t = 0; t < 32; ++t) {
    if (t % 3 != 1) members.push_back(t);
  }
  const std::size_t n = members.size();
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t from[] = {n - 1 - r, r >= 2 ? r - 2 : r, r + 3 < n ? r + 3 : r};
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(out[3 * members[r] + k] == sized<Bytes>::of(members[from[k]])) << "rank " << r << ", shuffle " << k;
    }
  }
}

TEST(Coalesced, ShufflesOfEverySize) {
  CONFORMS("C.4.2.2.10");
  check_size<1>();
  check_size<2>();
  check_size<3>();
  check_size<4>();
  check_size<7>();
  check_size<8>();
  check_size<12>();
  check_size<16>();
  check_size<31>();
  check_size<32>();
}

// Warp-aggregated increment: one atomic for the threads of a branch.
__device__ int add_aggregated(int* counter) {
  cg::coalesced_group g = cg::coalesced_threads();
  int previous = 0;
  if (g.thread_rank() == 0) previous = atomicAdd(counter, static_cast<int>(g.num_threads()));
  return static_cast<int>(g.thread_rank()) + g.shfl(previous, 0);
}

__global__ void filter(const int* values, int* kept, int* counter) {
  const unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[me] > 0) kept[add_aggregated(counter)] = values[me];
}

TEST(Coalesced, AggregatedIncrementGivesEachThreadASlot) {
  CONFORMS("C.4.2.2.1.1", "E2.1");
  const int n = 5 * 200;
  memory<int> values(n), kept(n), counter(1);
  int positive = 0;
  for (int i = 0; i < n; ++i) positive += (values[i] = i * 7919 % 13 < 6 ? i + 1 : -i) > 0;
  counter[0] = 0;
  run({5}, {200}, filter, static_cast<const int*>(values.data()), kept.data(), counter.data());
  ASSERT_EQ(counter[0], positive);
  std::vector<int> expected, found(kept.begin(), kept.begin() + positive);
  for (int value : values) {
    if (value > 0) expected.push_back(value);
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

}  // namespace
