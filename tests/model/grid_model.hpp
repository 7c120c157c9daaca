// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of a grid on the host, written from the specification without code of the library: positions, members of
// groups, results of reductions and scans. It enumerates threads one by one where the library computes ranks. Tests
// compare kernels with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace model {

struct extent {
  unsigned x = 1, y = 1, z = 1;
  std::size_t count() const { return std::size_t{x} * y * z; }
};

struct position {
  unsigned x, y, z;
};

// All positions of an extent, x fastest, then y, then z: the index in the vector is the rank.
inline std::vector<position> enumerate(extent e) {
  std::vector<position> all;
  for (unsigned z = 0; z < e.z; ++z) {
    for (unsigned y = 0; y < e.y; ++y) {
      for (unsigned x = 0; x < e.x; ++x) all.push_back({x, y, z});
    }
  }
  return all;
}

// A group: the block ranks of its members, ascending. It is number `index` of the `count` groups of one partition.
struct group {
  std::vector<unsigned> members;
  unsigned index = 0;
  unsigned count = 1;

  std::size_t size() const { return members.size(); }
  bool has(unsigned thread) const { return std::find(members.begin(), members.end(), thread) != members.end(); }
  unsigned rank_of(unsigned thread) const {
    return static_cast<unsigned>(std::find(members.begin(), members.end(), thread) - members.begin());
  }
};

inline group whole_block(unsigned threads) {
  group g;
  for (unsigned t = 0; t < threads; ++t) g.members.push_back(t);
  return g;
}

// Groups of `size` consecutive members; the last group may be partial.
inline std::vector<group> tiles(const group& parent, unsigned size) {
  std::vector<group> all;
  for (unsigned thread : parent.members) {
    if (all.empty() || all.back().size() == size) all.emplace_back();
    all.back().members.push_back(thread);
  }
  for (unsigned i = 0; i < all.size(); ++i) {
    all[i].index = i;
    all[i].count = static_cast<unsigned>(all.size());
  }
  return all;
}

// One group for each label, in the order of the first members. labels[i] is the label of member i.
template <class Label>
std::vector<group> by_label(const group& parent, const std::vector<Label>& labels) {
  std::vector<group> all;
  std::vector<Label> seen;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    std::size_t which = 0;
    while (which < seen.size() && !(seen[which] == labels[i])) ++which;
    if (which == seen.size()) {
      seen.push_back(labels[i]);
      all.emplace_back();
    }
    all[which].members.push_back(parent.members[i]);
  }
  for (unsigned i = 0; i < all.size(); ++i) {
    all[i].index = i;
    all[i].count = static_cast<unsigned>(all.size());
  }
  return all;
}

// Members with false are group 0, members with true group 1. If all agree, they are group 0 of 1.
inline std::vector<group> by_predicate(const group& parent, const std::vector<bool>& predicates) {
  std::vector<group> sides(2);
  for (std::size_t i = 0; i < parent.size(); ++i) sides[predicates[i]].members.push_back(parent.members[i]);
  if (sides[0].members.empty() || sides[1].members.empty()) {
    group all = parent;
    all.index = 0;
    all.count = 1;
    return {all};
  }
  for (unsigned i = 0; i < 2; ++i) {
    sides[i].index = i;
    sides[i].count = 2;
  }
  return sides;
}

// The group that contains `thread`, one of `groups`.
inline const group& of(const std::vector<group>& groups, unsigned thread) {
  for (const group& g : groups) {
    if (g.has(thread)) return g;
  }
  std::abort();
}

// A reduction in the written order: step k combines rank r with rank r + 2^k, for each r that is a multiple of 2^(k+1)
// and has such a partner, as op(lower, higher).
template <class T, class Op>
T tree(std::vector<T> values, Op op) {
  for (std::size_t step = 1; step < values.size(); step += step) {
    std::vector<T> next = values;
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
      if (rank % (step + step) == 0 && rank + step < values.size()) next[rank] = op(values[rank], values[rank + step]);
    }
    values = next;
  }
  return values[0];
}

// An inclusive scan in the written order: step k combines each rank r with bit k set with the last rank before it that
// has the bit clear and the same higher bits, as op(lower, higher).
template <class T, class Op>
std::vector<T> inclusive(std::vector<T> values, Op op) {
  for (std::size_t step = 1; step < values.size(); step += step) {
    std::vector<T> next = values;
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
      if (rank / step % 2 == 0) continue;
      next[rank] = op(values[rank / step * step - 1], values[rank]);
    }
    values = next;
  }
  return values;
}

template <class T, class Op>
std::vector<T> exclusive(const std::vector<T>& values, T first, Op op) {
  std::vector<T> shifted = inclusive(values, op);
  shifted.insert(shifted.begin(), first);
  shifted.pop_back();
  return shifted;
}

// The levels of a group larger than a warp: a collective combines the ranks of each warp, then of each block, then of
// each grid. `block` is the number of threads in a block (0: the group lies in one block), `grid` the number of blocks
// in a grid (0: one grid).
struct nesting {
  std::size_t block = 0, grid = 0;
};

template <class T>
std::vector<std::vector<T>> cut(const std::vector<T>& values, std::size_t size) {
  std::vector<std::vector<T>> pieces;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % size == 0) pieces.emplace_back();
    pieces.back().push_back(values[i]);
  }
  return pieces;
}

// A reduction over several levels: each level is a tree over the results of the level below.
template <class T, class Op>
T tree(const std::vector<T>& values, nesting shape, Op op) {
  std::vector<T> parts;
  if (shape.grid != 0 && values.size() > shape.grid * shape.block) {
    for (const auto& grid : cut(values, shape.grid * shape.block))
      parts.push_back(tree(grid, nesting{shape.block}, op));
  } else if (shape.block != 0 && values.size() > shape.block) {
    for (const auto& block : cut(values, shape.block)) parts.push_back(tree(block, nesting{}, op));
  } else {
    for (const auto& warp : cut(values, 32)) parts.push_back(tree(warp, op));
  }
  return tree(parts, op);
}

// An inclusive scan of one block: each warp scans its lanes, then prepends the scan of the earlier warps' totals.
template <class T, class Op>
std::vector<T> inclusive_of_block(const std::vector<T>& values, Op op) {
  std::vector<std::vector<T>> warps;
  std::vector<T> totals;
  for (const auto& warp : cut(values, 32)) {
    warps.push_back(inclusive(warp, op));
    totals.push_back(warps.back().back());
  }
  const std::vector<T> before = inclusive(totals, op);
  std::vector<T> all;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    for (const T& own : warps[w]) all.push_back(w == 0 ? own : op(before[w - 1], own));
  }
  return all;
}

// An inclusive scan of several blocks: each block scans its threads, then prepends the reduction of the earlier blocks'
// totals, earlier grids first.
template <class T, class Op>
std::vector<T> inclusive(const std::vector<T>& values, nesting shape, Op op) {
  if (shape.block == 0) return inclusive_of_block(values, op);
  std::vector<T> all;
  std::vector<T> totals;
  for (const auto& block : cut(values, shape.block)) {
    const std::vector<T> scanned = inclusive_of_block(block, op);
    const std::size_t in_grids = shape.grid == 0 ? 0 : totals.size() / shape.grid * shape.grid;
    std::vector<T> parts;
    if (in_grids != 0) {
      std::vector<T> grids;
      for (const auto& grid :
           cut(std::vector<T>(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(in_grids)), shape.grid)) {
        grids.push_back(tree(grid, op));
      }
      parts.push_back(tree(grids, op));
    }
    const std::vector<T> rest(totals.begin() + static_cast<std::ptrdiff_t>(in_grids), totals.end());
    if (!rest.empty()) parts.push_back(tree(rest, op));
    for (const T& own : scanned) all.push_back(parts.empty() ? own : op(tree(parts, op), own));
    totals.push_back(scanned.back());
  }
  return all;
}

template <class T, class Op>
std::vector<T> exclusive(const std::vector<T>& values, nesting shape, T first, Op op) {
  std::vector<T> shifted = inclusive(values, shape, op);
  shifted.insert(shifted.begin(), first);
  shifted.pop_back();
  return shifted;
}

// The block shapes of the tests: every size up to 33, odd sizes beyond, in one, two and three dimensions.
inline std::vector<extent> block_shapes() {
  std::vector<extent> shapes;
  for (unsigned x = 1; x <= 33; ++x) shapes.push_back({x, 1, 1});
  for (unsigned x : {40u, 63u, 64u, 65u, 100u, 255u, 256u}) shapes.push_back({x, 1, 1});
  shapes.insert(shapes.end(), {{5, 3, 1}, {3, 5, 7}, {16, 16, 1}, {1, 1, 33}, {2, 31, 1}, {7, 1, 9}, {8, 8, 4}});
  return shapes;
}

}  // namespace model
