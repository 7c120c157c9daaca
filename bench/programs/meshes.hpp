// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of the programs on irregular data: matrices, graphs, meshes, particles and keys.
#pragma once

#include "inputs.hpp"

namespace bench::inputs {

struct sparse_product {
  explicit sparse_product(problem_size size) : rows(either(size, 100000, 1003)) {
    for (int i = 0; i < rows; ++i) first[i + 1] = first[i] + random_word(i) % 40;
    column = array<int32_t>(first[rows], [this](size_t i) { return random_word(i) % rows; });
    value = array<float>(first[rows], unit_random);
  }
  int rows;
  array<int32_t> first{static_cast<size_t>(rows) + 1}, column{1};
  array<float> value{1}, vector{static_cast<size_t>(rows), [](size_t i) { return unit_random(i + 3); }};

  struct results {
    explicit results(const sparse_product& in) : out(in.rows) {}
    array<float> out;
  };
  void reset(const results&) const {}
  problems::sparse_product problem(const results& r) const {
    return {first.data(), column.data(), value.data(), vector.data(), r.out.data(), rows};
  }
  void check(const results& ours, const results& theirs) const { expect_close("sparse_product", ours.out, theirs.out); }
};

struct breadth_first {
  explicit breadth_first(problem_size size) : nodes(either(size, 200000, 2003)) {
    for (int i = 0; i < nodes; ++i) first[i + 1] = first[i] + 1 + random_word(i) % 8;
    edge = array<int32_t>(first[nodes], [this](size_t i) { return random_word(i + 12345) % nodes; });
  }
  int nodes;
  array<int32_t> first{static_cast<size_t>(nodes) + 1}, edge{1};

  struct results {
    explicit results(const breadth_first& in) : distance(in.nodes), frontier(in.nodes), next(in.nodes), count(1) {}
    array<int32_t> distance, frontier, next, count;
  };
  void reset(const results&) const {}
  problems::breadth_first problem(const results& r) const {
    return {first.data(), edge.data(), r.distance.data(), r.frontier.data(), r.next.data(), r.count.data(), nodes};
  }
  void check(const results& ours, const results& theirs) const {
    expect_same("breadth_first", ours.distance, theirs.distance);
    const auto reached = std::count_if(ours.distance.data(), ours.distance.data() + nodes, [](int d) { return d > 1; });
    const int32_t most = reached > nodes / 2;
    const int32_t expected = 1;
    expect_equal("breadth_first reaches most nodes", &most, &expected, 1);
  }
};

struct k_means {
  explicit k_means(problem_size size) : n(either(size, 1 << 17, 2003)) {}
  static constexpr int axes = problems::k_means::axes, clusters = problems::k_means::clusters;
  int n;
  array<float> points{static_cast<size_t>(axes) * n, [](size_t i) { return unit_random(i) + random_word(i + 1) % 3; }};

  struct results {
    explicit results(const k_means& in)
        : centers(axes * clusters), sums(axes * clusters), counts(clusters), nearest(in.n) {}
    array<float> centers, sums;
    array<int32_t> counts, nearest;
  };
  void reset(const results& r) const {
    for (size_t i = 0; i < r.centers.size(); ++i) r.centers[i] = static_cast<float>(3 * unit_random(i + 555));
  }
  problems::k_means problem(const results& r) const {
    return {points.data(), r.centers.data(), r.sums.data(), r.counts.data(), r.nearest.data(), n, 5};
  }
  // If the sides add in different orders, a point may change to another center, which moves the center by 1 / 100 in
  // the small problem.
  void check(const results& ours, const results& theirs) const {
    expect_close("k_means", ours.centers, theirs.centers, 1e-3);
  }
};

struct particles {
  explicit particles(problem_size size) : side(either(size, 7, 3)) {
    constexpr int per_cell = problems::particles::per_cell;
    for (size_t i = 0; i < position.size() / 4; ++i) {
      const size_t cell = i / per_cell, edge = static_cast<size_t>(side);
      const size_t corner[] = {cell % edge, cell / edge % edge, cell / edge / edge};
      for (size_t a = 0; a < 3; ++a) position[4 * i + a] = static_cast<float>(corner[a] + unit_random(3 * i + a));
      position[4 * i + 3] = static_cast<float>(unit_random(i + 31337));
    }
  }
  int side;
  array<float> position{static_cast<size_t>(side) * side * side * problems::particles::per_cell * 4};

  struct results {
    explicit results(const particles& in) : force(in.position.size()) {}
    array<float> force;
  };
  void reset(const results&) const {}
  problems::particles problem(const results& r) const { return {position.data(), r.force.data(), side}; }
  // Forces in opposite directions cancel, so relative errors are large.
  void check(const results& ours, const results& theirs) const {
    expect_close("particles", ours.force, theirs.force, 1e-3);
  }
};

struct radix_sort {
  explicit radix_sort(problem_size size) : n(either(size, (1 << 20) - 37, 5003)) {}
  int n;
  array<uint32_t> keys{static_cast<size_t>(n), random_word};

  struct results {
    explicit results(const radix_sort& in)
        : keys(in.keys.size()),
          other(in.keys.size()),
          counts((in.keys.size() / problems::radix_sort::tile + 1) * problems::radix_sort::digits) {}
    array<uint32_t> keys, other, counts;
  };
  void reset(const results& r) const { copy(keys, r.keys); }
  problems::radix_sort problem(const results& r) const { return {r.keys.data(), r.other.data(), r.counts.data(), n}; }
  void check(const results& ours, const results& theirs) const { expect_same("radix_sort", ours.keys, theirs.keys); }
};

struct euler_mesh {
  // The cells form a plane with `row` columns; within each 64, their numbers are permuted.
  explicit euler_mesh(problem_size size) : row(either(size, 256, 64)), elements(either(size, 320, 15) * row) {
    for (int i = 0; i < elements; ++i) {
      const int at = place(i), x = at % row;  // `place` is its own inverse
      const int others[] = {x > 0 ? at - 1 : -1, x < row - 1 ? at + 1 : -1, at - row,
                            at + row < elements ? at + row : -1};
      for (int f = 0; f < faces; ++f) {
        neighbour[static_cast<size_t>(f) * elements + i] = others[f] < 0 ? -1 : place(others[f]);
        normal[(3 * static_cast<size_t>(f) + (f < 2 ? 0 : 1)) * elements + i] = f % 2 == 0 ? -1.0f : 1.0f;
      }
    }
  }
  static constexpr int faces = problems::euler_mesh::faces, variables = problems::euler_mesh::variables;
  static int place(int cell) { return cell / 64 * 64 + cell % 8 * 8 + cell / 8 % 8; }
  int row, elements;
  array<int32_t> neighbour{static_cast<size_t>(faces) * elements};
  array<float> normal{static_cast<size_t>(3 * faces) * elements};
  array<float> volume{static_cast<size_t>(elements), [](size_t i) { return 1 + unit_random(i); }};
  array<float> start{static_cast<size_t>(variables) * elements, [this](size_t i) {
                       const size_t variable = i / elements;
                       const double noise = 0.1 * unit_random(i);
                       return variable == 0 ? 1 + noise : variable == 4 ? 2.5 + noise : noise;
                     }};

  struct results {
    explicit results(const euler_mesh& in) : state(in.start.size()), flux(in.start.size()), length(in.elements) {}
    array<float> state, flux, length;
  };
  void reset(const results& r) const { copy(start, r.state); }
  problems::euler_mesh problem(const results& r) const {
    return {neighbour.data(), normal.data(),   volume.data(), r.state.data(),
            r.flux.data(),    r.length.data(), elements,      5};
  }
  void check(const results& ours, const results& theirs) const { expect_close("euler_mesh", ours.state, theirs.state); }
};

}  // namespace bench::inputs
