// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random partitions of a block, and a sequential model on the host of the values that each thread must get.
#pragma once

#include <cstdlib>
#include <random>

#include "conformance.hpp"
#include "operators.hpp"

namespace conformance {

constexpr int most_levels = 5;

// The kind of partition from one level of groups to the next.
enum class cut : int { none, half, eighth, dynamic, labeled, binary };

// The parameters of one case, equal for all threads.
struct plan {
  unsigned int tile;  // size of the tiles of the block, 1 to 1024; 0: coalesced groups of the threads in `mask`
  unsigned int mask;  // the participating lanes of each warp
  int levels;
  cut cuts[most_levels];
  unsigned int sizes[most_levels];  // sizes of the tiles of dynamic partitions
  unsigned int delta, flip;         // distance and xor mask of the shuffles
  int op;
};

struct choice {
  unsigned int value;
  int source;
  int labels[most_levels];
  int predicate;
};

// An operator selected at run time. Kinds 0 to 4 are associative, 5 is not.
struct chosen {
  int kind;
  __host__ __device__ affine operator()(const affine& a, const affine& b) const {
    switch (kind) {
      case 0:
        return affine::then()(a, b);
      case 1:
        return {a.slope + b.slope, a.offset + b.offset};
      case 2:
        return b.slope < a.slope ? b : a;
      case 3:
        return a;
      case 4:
        return {a.slope ^ b.slope, a.offset & b.offset};
      default:
        return {trace()(a.slope, b.slope), trace()(b.offset, a.offset)};
    }
  }
};

// The results of one thread in one of its groups.
struct view {
  unsigned int rank, num_threads, meta_rank, meta_size;
  affine shuffled, up, down, flipped, reduced, inclusive, exclusive;
  int any, all;
  unsigned int ballot, match_any, match_all;
};

inline bool operator==(const view& a, const view& b) { return std::memcmp(&a, &b, sizeof(view)) == 0; }
inline std::ostream& operator<<(std::ostream& out, const affine& a) { return out << a.slope << "x+" << a.offset; }
inline std::ostream& operator<<(std::ostream& out, const view& v) {
  return out << "rank " << v.rank << " of " << v.num_threads << ", meta " << v.meta_rank << " of " << v.meta_size
             << ", shfl " << v.shuffled << ", up " << v.up << ", down " << v.down << ", xor " << v.flipped
             << ", reduce " << v.reduced << ", inclusive " << v.inclusive << ", exclusive " << v.exclusive << ", any "
             << v.any << ", all " << v.all << ", ballot " << v.ballot << ", match_any " << v.match_any << ", match_all "
             << v.match_all;
}

// A group on the host. A static tile reports its full size, even if the end of the block cuts it.
struct node {
  model::group group;
  unsigned int reported;  // num_threads()
  bool of_lanes;          // at most a warp: has ballots and matches
  bool tile;              // a static tile: a dynamic partition of it makes a thread_group
  bool basic = false;     // a thread_group: no shuffles and no collectives
};

// `reported` is the full size of a static tile, 0 for other groups.
inline node make_node(const model::group& g, unsigned int reported, bool of_lanes) {
  return node{g, reported == 0 ? static_cast<unsigned int>(g.size()) : reported, of_lanes, reported != 0};
}

// Partitions a group into the groups of the next level.
inline std::vector<node> cut_node(const node& parent, cut how, unsigned int size, const std::vector<int>& labels) {
  std::vector<node> children;
  auto keep = [&](const std::vector<model::group>& groups, unsigned int reported, bool of_lanes) {
    for (const model::group& g : groups) children.push_back(make_node(g, reported, of_lanes));
  };
  std::vector<int> of_members;
  std::vector<bool> odd;
  for (unsigned int member : parent.group.members) {
    of_members.push_back(labels[member]);
    odd.push_back(labels[member] % 2 == 1);
  }
  switch (how) {
    case cut::half:
    case cut::eighth: {
      const unsigned int tile = parent.reported / (how == cut::half ? 2 : 8);
      std::vector<model::group> tiles = model::tiles(parent.group, tile);
      for (model::group& g : tiles)
        g.count = parent.reported / tile;  // meta_group_size() counts with the parent's full size
      keep(tiles, tile, tile <= 32);
      break;
    }
    case cut::dynamic:
      keep(model::tiles(parent.group, size), 0, true);
      for (node& child : children) child.basic = parent.tile;
      break;
    case cut::labeled:
      keep(model::by_label(parent.group, of_members), 0, true);
      break;
    case cut::binary:
      keep(model::by_predicate(parent.group, odd), 0, true);
      break;
    case cut::none:
      break;
  }
  return children;
}

// Computes the results of each member of the group. Unspecified values are copied from `seen`.
inline void expect_views(const node& n, const plan& p, const memory<choice>& in, const std::vector<view>& seen,
                         std::vector<view>& out) {
  const std::vector<unsigned int>& members = n.group.members;
  const unsigned int there = static_cast<unsigned int>(members.size()), size = n.reported;
  std::vector<affine> values;
  unsigned int ballot = 0;
  int predicates = 0;
  bool alike = true;
  for (unsigned int r = 0; r < there; ++r) {
    const choice& c = in[members[r]];
    values.push_back(affine::of(c.value));
    ballot |= r < 32 && c.predicate != 0 ? 1u << r : 0;
    predicates += c.predicate != 0;
    alike = alike && c.labels[0] == in[members[0]].labels[0];
  }
  const chosen op{p.op == 5 && !n.of_lanes ? 0 : p.op};
  const affine reduced = model::tree(values, op);
  const std::vector<affine> inclusive = model::inclusive(values, op);
  const unsigned int full = there >= 32 ? ~0u : (1u << there) - 1;
  const bool zeros = !n.of_lanes || gives_zeros_for_missing_lanes().is_there;
  auto value_of = [&](unsigned int rank, const affine& any) {
    return rank < there ? values[rank] : zeros ? affine{0, 0} : any;
  };
  for (unsigned int r = 0; r < there; ++r) {
    const view& s = seen[members[r]];
    view v;
    std::memset(static_cast<void*>(&v), 0, sizeof v);
    v.rank = r;
    v.num_threads = size;
    if (!n.basic) {
      v.meta_rank = n.group.index;
      v.meta_size = n.group.count;
      const int source = in[members[r]].source % static_cast<int>(size);
      v.shuffled =
          value_of(static_cast<unsigned int>(source < 0 ? source + static_cast<int>(size) : source), s.shuffled);
      v.up = value_of(r >= p.delta ? r - p.delta : r, s.up);
      v.down = value_of(r + p.delta < size ? r + p.delta : r, s.down);
      v.flipped = value_of((r ^ p.flip) < size ? r ^ p.flip : r, s.flipped);
      v.any = predicates != 0;
      v.all = predicates == static_cast<int>(there);
      v.reduced = reduced;
      v.inclusive = inclusive[r];
      v.exclusive = r == 0 ? affine{0, 0} : inclusive[r - 1];
    }
    if (n.of_lanes && !n.basic) {
      v.ballot = ballot;
      v.match_all = alike ? full : 0;
      for (unsigned int q = 0; q < there; ++q) {
        v.match_any |= in[members[q]].labels[0] == in[members[r]].labels[0] ? 1u << q : 0;
      }
    }
    out[members[r]] = v;
  }
}

// The seed of a run's first case, and the number of its cases; two environment variables set them.
inline unsigned int first_seed() {
  const char* set = std::getenv("COHORT_PROPERTY_SEED");
  return set ? static_cast<unsigned int>(std::strtoul(set, nullptr, 10)) : 20260u;
}
inline unsigned int case_count(unsigned int usual) {
  const char* set = std::getenv("COHORT_PROPERTY_CASES");
  return set ? static_cast<unsigned int>(std::strtoul(set, nullptr, 10)) : usual;
}
inline std::string how_to_repeat(unsigned int seed) {
  return "repeat with COHORT_PROPERTY_SEED=" + std::to_string(seed) + " COHORT_PROPERTY_CASES=1";
}

// Raises a GPU's stack limit, 1 KB for each thread by default. Nested groups compiled for a debugger need far more.
inline void use_deep_stacks() {
#if defined(__CUDACC_DEBUG__)
  const std::size_t bytes = 65536;
#else
  const std::size_t bytes = 16384;
#endif
  if (!on_engine()) {
    ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, bytes), cudaSuccess);
  }
}

// A random shape of 1 to 1024 threads in one, two or three dimensions; small shapes are more frequent.
inline extent random_block(std::mt19937& random) {
  auto below = [&](unsigned int n) { return static_cast<unsigned int>(random() % n); };
  switch (below(6)) {
    case 0:
      return {1 + below(1024), 1, 1};
    case 1:
      return {32u << below(6), 1, 1};
    case 2:
      return {1 + below(40), 1 + below(25), 1};
    case 3:
      return {1 + below(12), 1 + below(9), 1 + below(9)};
    default:
      return {1 + below(100), 1, 1};
  }
}

}  // namespace conformance
