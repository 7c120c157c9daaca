// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thousands of random cases: blocks of 1 to 1024 threads, partitioned at random into tiles, dynamic tiles, labels and
// predicates, up to five levels deep. All results of all threads are compared with a model on the host.
//     COHORT_PROPERTY_SEED    the seed of the first case (a failure prints its seed)
//     COHORT_PROPERTY_CASES   the number of cases
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "random_groups.hpp"

namespace {

using namespace conformance;

struct place {
  const plan& p;
  const choice& mine;
  view* out;  // the calling thread's results, one for each level
};

template <class Group>
__device__ view look(const Group& g, const place& at, bool of_lanes) {
  const affine value = affine::of(at.mine.value);
  const chosen op{at.p.op == 5 && !of_lanes ? 0 : at.p.op};
  view v = {};
  v.rank = static_cast<unsigned int>(g.thread_rank());
  v.num_threads = static_cast<unsigned int>(g.num_threads());
  v.meta_rank = g.meta_group_rank();
  v.meta_size = g.meta_group_size();
  const int size = static_cast<int>(g.num_threads());
  const int source = at.mine.source % size;
  v.shuffled = g.shfl(value, source < 0 ? source + size : source);
  v.up = g.shfl_up(value, at.p.delta);
  v.down = g.shfl_down(value, at.p.delta);
  v.flipped = g.shfl_xor(value, at.p.flip);
  v.any = g.any(at.mine.predicate);
  v.all = g.all(at.mine.predicate);
  v.reduced = cg::reduce(g, value, op);
  v.inclusive = cg::inclusive_scan(g, value, op);
  v.exclusive = cg::exclusive_scan(g, value, op);
  return v;
}
template <class Group>
__device__ view look_at_lanes(const Group& g, const place& at) {
  view v = look(g, at, true);
  int agree = 0;
  v.ballot = g.ballot(at.mine.predicate);
  v.match_any = g.match_any(at.mine.labels[0]);
  v.match_all = g.match_all(at.mine.labels[0], agree);
  if ((v.match_all != 0) != (agree != 0)) v.match_all = ~v.match_all;
  g.sync();
  return v;
}
__device__ view look_at_any(const cg::thread_group& g) {
  view v = {};
  v.rank = static_cast<unsigned int>(g.thread_rank());
  v.num_threads = static_cast<unsigned int>(g.size());
  g.sync();
  return v;
}

__device__ __noinline__ void visit(cg::coalesced_group g, const place& at, int level) {
  at.out[level] = look_at_lanes(g, at);
  if (level + 1 == at.p.levels) return;
  switch (at.p.cuts[level]) {
    case cut::dynamic:
      return visit(cg::tiled_partition(g, at.p.sizes[level]), at, level + 1);
    case cut::labeled:
      return visit(cg::labeled_partition(g, at.mine.labels[level]), at, level + 1);
    case cut::binary:
      return visit(cg::binary_partition(g, at.mine.labels[level] % 2 == 1), at, level + 1);
    default:
      return;
  }
}

template <unsigned int Size>
__device__ __noinline__ void visit_tile(cg::thread_block_tile<Size> tile, const place& at, int level) {
  if constexpr (Size <= 32) {
    at.out[level] = look_at_lanes(tile, at);
  } else {
    at.out[level] = look(tile, at, false);
    tile.sync();
  }
  if (level + 1 == at.p.levels) return;
  const cut how = at.p.cuts[level];
  if constexpr (Size >= 2) {
    if (how == cut::half) return visit_tile<Size / 2>(cg::tiled_partition<Size / 2>(tile), at, level + 1);
  }
  if constexpr (Size >= 8) {
    if (how == cut::eighth) return visit_tile<Size / 8>(cg::tiled_partition<Size / 8>(tile), at, level + 1);
  }
  if constexpr (Size <= 32) {
    if (how == cut::labeled) return visit(cg::labeled_partition(tile, at.mine.labels[level]), at, level + 1);
    if (how == cut::binary) return visit(cg::binary_partition(tile, at.mine.labels[level] % 2 == 1), at, level + 1);
    if (how == cut::dynamic) at.out[level + 1] = look_at_any(cg::tiled_partition(tile, at.p.sizes[level]));
  }
}

__global__ void visit_block(plan p, const choice* in, view* out) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const place at{p, in[me], out + me * most_levels};
  switch (p.tile) {
    case 1:
      return visit_tile<1>(cg::tiled_partition<1>(block), at, 0);
    case 2:
      return visit_tile<2>(cg::tiled_partition<2>(block), at, 0);
    case 4:
      return visit_tile<4>(cg::tiled_partition<4>(block), at, 0);
    case 8:
      return visit_tile<8>(cg::tiled_partition<8>(block), at, 0);
    case 16:
      return visit_tile<16>(cg::tiled_partition<16>(block), at, 0);
    case 32:
      return visit_tile<32>(cg::tiled_partition<32>(block), at, 0);
    case 64:
      return visit_tile<64>(cg::tiled_partition<64>(block), at, 0);
    case 128:
      return visit_tile<128>(cg::tiled_partition<128>(block), at, 0);
    case 256:
      return visit_tile<256>(cg::tiled_partition<256>(block), at, 0);
    case 512:
      return visit_tile<512>(cg::tiled_partition<512>(block), at, 0);
    case 1024:
      return visit_tile<1024>(cg::tiled_partition<1024>(block), at, 0);
    default:
      if (p.mask >> (me % 32) & 1) visit(cg::coalesced_threads(), at, 0);
  }
}

// A random plan in which each partition is valid for its group.
plan random_plan(std::mt19937& random) {
  auto below = [&](unsigned int n) { return static_cast<unsigned int>(random() % n); };
  plan p = {};
  p.tile = below(4) == 0 ? 0 : 1u << below(11);
  p.mask = static_cast<unsigned int>(random()) | (below(3) == 0 ? static_cast<unsigned int>(random()) : 0);
  p.levels = 1 + static_cast<int>(below(most_levels));
  p.delta = below(3) == 0 ? below(100) : below(6);
  p.flip = below(3) == 0 ? below(100) : below(8);
  p.op = static_cast<int>(below(6));
  unsigned int tile = p.tile;  // 0: a coalesced group
  for (int level = 0; level + 1 < p.levels; ++level) {
    std::vector<cut> possible;
    if (tile >= 2) possible.push_back(cut::half);
    if (tile >= 8) possible.push_back(cut::eighth);
    if (tile <= 32) possible.insert(possible.end(), {cut::labeled, cut::binary, cut::dynamic});
    const cut how = possible[below(static_cast<unsigned int>(possible.size()))];
    p.cuts[level] = how;
    p.sizes[level] = 1u << below(6);
    if (how == cut::dynamic && tile != 0) p.levels = level + 2;  // a thread_group cannot be partitioned
    tile = how == cut::half ? tile / 2 : how == cut::eighth ? tile / 8 : 0;
  }
  return p;
}

void test_case(unsigned int seed) {
  SCOPED_TRACE(how_to_repeat(seed));
  std::mt19937 random(seed);
  const extent block = random_block(random);
  const unsigned int threads = static_cast<unsigned int>(block.count());
  const plan p = random_plan(random);
  SCOPED_TRACE(text(block) + " threads, tiles of " + std::to_string(p.tile) + ", " + std::to_string(p.levels) +
               " levels");
  memory<choice> in(threads);
  memory<view> out(threads * most_levels);
  const unsigned int labels = 1 + static_cast<unsigned int>(random() % 6),
                     odds = 1 + static_cast<unsigned int>(random() % 40);
  for (choice& c : in) {
    c.value = static_cast<unsigned int>(random());
    c.source = static_cast<int>(random() % 3000) - 1500;
    for (int& label : c.labels) label = static_cast<int>(random() % labels);
    c.predicate = random() % odds != 0 ? 1 + static_cast<int>(random() % 5) : 0;
  }
  run({1}, block, visit_block, p, static_cast<const choice*>(in.data()), out.data());

  std::vector<node> nodes;
  if (p.tile == 0) {
    for (const model::group& warp : model::tiles(model::whole_block(threads), 32)) {
      model::group g;
      for (unsigned int t : warp.members) {
        if (p.mask >> (t % 32) & 1) g.members.push_back(t);
      }
      if (!g.members.empty()) nodes.push_back(make_node(g, 0, true));
    }
  } else {
    for (const model::group& g : model::tiles(model::whole_block(threads), p.tile)) {
      nodes.push_back(make_node(g, p.tile, p.tile <= 32));
    }
  }
  std::vector<view> expected(threads);
  for (int level = 0; level < p.levels; ++level) {
    std::vector<view> seen(threads);
    for (unsigned int t = 0; t < threads; ++t) seen[t] = out[t * most_levels + static_cast<unsigned int>(level)];
    std::vector<node> next;
    for (const node& n : nodes) {
      expect_views(n, p, in, seen, expected);
      for (unsigned int member : n.group.members) {
        ASSERT_EQ(seen[member], expected[member]) << "level " << level << ", thread " << member;
      }
      if (level + 1 == p.levels) continue;
      std::vector<int> of_level;
      for (const choice& c : in) of_level.push_back(c.labels[level]);
      for (const node& child : cut_node(n, p.cuts[level], p.sizes[level], of_level)) next.push_back(child);
    }
    nodes = next;
  }
}

TEST(RandomGroups, TreesOfGroups) {
  CONFORMS("C.2.8", "C.5.1.3", "C.6.3.1.2", "C.6.3.3.3", "D.7", "D.8", "D.9");
  use_deep_stacks();
  const unsigned int first = first_seed(), cases = case_count(6000);
  for (unsigned int i = 0; i < cases && !HasFailure(); ++i) test_case(first + i);
}

}  // namespace
