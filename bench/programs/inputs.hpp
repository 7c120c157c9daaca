// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of the programs on regular grids. A struct has the inputs of one size, the arrays that a side writes
// (`results`), and a check that compares both sides.
#pragma once

#include <algorithm>
#include <utility>

#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "comparisons.hpp"
#include "problems.hpp"

namespace bench::inputs {

inline double unit_random(size_t i) { return static_cast<double>(random_word(i)) / 4294967296.0; }

// The odd sizes of the tests have partial blocks.
inline int either(problem_size size, int full, int small) { return size == problem_size::full ? full : small; }

template <class T>
void copy(const array<T>& from, const array<T>& to) {
  std::copy_n(from.data(), from.size(), to.data());
}

inline void expect_close(const char* name, const array<float>& ours, const array<float>& theirs,
                         double relative = 1e-4) {
  expect_near(name, ours.data(), theirs.data(), ours.size(), relative, relative);
}

template <class T>
void expect_same(const char* name, const array<T>& ours, const array<T>& theirs) {
  expect_equal(name, ours.data(), theirs.data(), ours.size());
}

struct lu {
  explicit lu(problem_size size) : n(either(size, 768, 112)) {}
  int n;
  // The matrix is dominant on its diagonal, so LU needs no pivot.
  array<float> matrix{static_cast<size_t>(n) * n,
                      [this](size_t i) { return unit_random(i) + (i % (static_cast<size_t>(n) + 1) == 0 ? n : 0); }};

  struct results {
    explicit results(const lu& in) : matrix(in.matrix.size()) {}
    array<float> matrix;
  };
  void reset(const results& r) const { copy(matrix, r.matrix); }
  problems::lu problem(const results& r) const { return {r.matrix.data(), n}; }
  void check(const results& ours, const results& theirs) const { expect_close("lu", ours.matrix, theirs.matrix); }
};

struct pyramid_1d {
  explicit pyramid_1d(problem_size size) : columns(either(size, 100000, 1003)), rows(either(size, 200, 47)) {}
  int columns, rows;
  array<int32_t> cost{static_cast<size_t>(columns) * rows, [](size_t i) { return random_word(i) % 10; }};

  struct results {
    explicit results(const pyramid_1d& in) : first(in.columns), second(in.columns) {}
    array<int32_t> first, second;
  };
  void reset(const results& r) const { r.first.fill(0); }
  problems::pyramid_1d problem(const results& r) const {
    return {cost.data(), r.first.data(), r.second.data(), columns, rows, 20};
  }
  // The full problem takes 10 launches, so its result is in `first`; the small one takes 3.
  void check(const results& ours, const results& theirs) const {
    if (rows == 200) {
      expect_same("pyramid_1d", ours.first, theirs.first);
    } else {
      expect_same("pyramid_1d", ours.second, theirs.second);
    }
  }
};

struct heat_2d {
  explicit heat_2d(problem_size size)
      : width(either(size, 1024, 61)), height(either(size, 1024, 45)), launches(either(size, 10, 4)) {}
  int width, height, launches;
  array<float> source{static_cast<size_t>(width) * height, [](size_t i) { return unit_random(i + 99) - 0.5; }};
  array<float> start{static_cast<size_t>(width) * height, unit_random};

  struct results {
    explicit results(const heat_2d& in) : first(in.start.size()), second(in.start.size()) {}
    array<float> first, second;
  };
  void reset(const results& r) const { copy(start, r.first); }
  problems::heat_2d problem(const results& r) const {
    return {source.data(), r.first.data(), r.second.data(), width, height, launches, 2};
  }
  void check(const results& ours, const results& theirs) const { expect_close("heat_2d", ours.first, theirs.first); }
};

struct stencil_3d {
  explicit stencil_3d(problem_size size)
      : width(either(size, 160, 45)), height(either(size, 160, 19)), depth(either(size, 160, 7)) {}
  int width, height, depth;
  array<float> start{static_cast<size_t>(width) * height * depth, unit_random};

  struct results {
    explicit results(const stencil_3d& in) : first(in.start.size()), second(in.start.size()) {}
    array<float> first, second;
  };
  void reset(const results& r) const {
    copy(start, r.first);
    copy(start, r.second);
  }
  problems::stencil_3d problem(const results& r) const {
    return {r.first.data(), r.second.data(), width, height, depth, 4};
  }
  void check(const results& ours, const results& theirs) const { expect_close("stencil_3d", ours.first, theirs.first); }
};

struct wavefront {
  explicit wavefront(problem_size size) : n(either(size, 2048, 112)) {}
  int n;
  static constexpr int gap = 10;
  array<int32_t> match{(static_cast<size_t>(n) + 1) * (n + 1),
                       [](size_t i) { return static_cast<int>(random_word(i) % 16) - 6; }};

  struct results {
    explicit results(const wavefront& in) : score(in.match.size()) {}
    array<int32_t> score;
  };
  void reset(const results& r) const {
    for (int i = 0; i <= n; ++i) r.score[i] = r.score[static_cast<size_t>(i) * (n + 1)] = -gap * i;
  }
  problems::wavefront problem(const results& r) const { return {match.data(), r.score.data(), n, gap}; }
  void check(const results& ours, const results& theirs) const { expect_same("wavefront", ours.score, theirs.score); }
};

struct diffusion {
  explicit diffusion(problem_size size) : width(either(size, 1000, 53)), height(either(size, 800, 41)) {}
  int width, height;
  array<float> start{static_cast<size_t>(width) * height, [](size_t i) { return 1 + unit_random(i); }};

  struct results {
    explicit results(const diffusion& in)
        : image(in.start.size()), other(in.start.size()), coefficient(in.start.size()), sums(130) {}
    array<float> image, other, coefficient;
    array<double> sums;
  };
  void reset(const results& r) const { copy(start, r.image); }
  problems::diffusion problem(const results& r) const {
    return {r.image.data(), r.other.data(), r.coefficient.data(), r.sums.data(), width, height, 4, 0.5f};
  }
  void check(const results& ours, const results& theirs) const { expect_close("diffusion", ours.image, theirs.image); }
};

struct despeckle {
  explicit despeckle(problem_size size) : rows(either(size, 1004, 47)), columns(either(size, 916, 23)) {}
  int rows, columns;
  array<float> start{static_cast<size_t>(rows) * columns, unit_random};
  array<int32_t> north{static_cast<size_t>(rows), [](size_t i) { return i == 0 ? 0 : i - 1; }};
  array<int32_t> south{static_cast<size_t>(rows), [this](size_t i) { return std::min<int>(i + 1, rows - 1); }};
  array<int32_t> west{static_cast<size_t>(columns), [](size_t i) { return i == 0 ? 0 : i - 1; }};
  array<int32_t> east{static_cast<size_t>(columns), [this](size_t i) { return std::min<int>(i + 1, columns - 1); }};

  struct results {
    explicit results(const despeckle& in)
        : image(in.start.size()), other(in.start.size()), partials(in.start.size() / 256 + 8) {}
    array<float> image, other, partials;
  };
  void reset(const results& r) const { copy(start, r.image); }
  problems::despeckle problem(const results& r) const {
    return {r.image.data(),    r.other.data(),
            r.partials.data(), north.data(),
            south.data(),      west.data(),
            east.data(),       rows,
            columns,           4};
  }
  void check(const results& ours, const results& theirs) const { expect_close("despeckle", ours.image, theirs.image); }
};

struct back_propagation {
  explicit back_propagation(problem_size size) : count(either(size, 1 << 17, 1 << 9)) {}
  static constexpr int units = problems::back_propagation::hidden_units;
  int count;
  array<float> input{static_cast<size_t>(count), [](size_t i) { return unit_random(i) - 0.5; }};
  array<float> weights{static_cast<size_t>(count) * units, [this](size_t i) { return unit_random(i) / count; }};
  array<float> delta{units, [](size_t i) { return unit_random(i + 7) / 100; }};

  struct results {
    explicit results(const back_propagation& in)
        : weights(in.weights.size()), change(in.weights.size()), hidden(units), partials(in.weights.size() / 16) {}
    array<float> weights, change, hidden, partials;
  };
  void reset(const results& r) const {
    copy(weights, r.weights);
    r.change.fill(0.001f);
  }
  problems::back_propagation problem(const results& r) const {
    return {input.data(), r.weights.data(), r.change.data(), delta.data(), r.hidden.data(), r.partials.data(), count};
  }
  void check(const results& ours, const results& theirs) const {
    expect_close("back_propagation, hidden units", ours.hidden, theirs.hidden);
    expect_close("back_propagation, weights", ours.weights, theirs.weights);
    expect_close("back_propagation, changes", ours.change, theirs.change);
  }
};

struct lookback_scan {
  explicit lookback_scan(problem_size size) : n(either(size, (1 << 23) - 77, 20011)) {}
  int n;
  array<int32_t> in{static_cast<size_t>(n), [](size_t i) { return static_cast<int>(random_word(i) % 64) - 31; }};

  struct results {
    explicit results(const lookback_scan& in)
        : out(in.in.size()), states(in.in.size() / problems::lookback_scan::tile + 2) {}
    array<int32_t> out;
    array<uint64_t> states;
  };
  void reset(const results& r) const { r.states.fill(0); }
  problems::lookback_scan problem(const results& r) const { return {in.data(), r.out.data(), r.states.data(), n}; }
  void check(const results& ours, const results& theirs) const { expect_same("lookback_scan", ours.out, theirs.out); }
};

struct matrix_tiles {
  explicit matrix_tiles(problem_size size) : n(either(size, 768, 112)) {}
  int n;
  array<float> a{static_cast<size_t>(n) * n, unit_random};
  array<float> b{static_cast<size_t>(n) * n, [](size_t i) { return unit_random(i + 7777777); }};

  struct results {
    explicit results(const matrix_tiles& in) : c(in.a.size()) {}
    array<float> c;
  };
  void reset(const results&) const {}
  problems::matrix_tiles problem(const results& r) const { return {a.data(), b.data(), r.c.data(), n}; }
  void check(const results& ours, const results& theirs) const { expect_close("matrix_tiles", ours.c, theirs.c); }
};

struct convolution {
  explicit convolution(problem_size size) : width(either(size, 1920, 299)), height(either(size, 1080, 37)) {}
  int width, height;
  array<float> in{static_cast<size_t>(width) * height, unit_random};
  array<float> filter{2 * problems::convolution::radius + 1, [](size_t i) { return unit_random(i) - 0.3; }};

  struct results {
    explicit results(const convolution& in) : rows(in.in.size()), out(in.in.size()) {}
    array<float> rows, out;
  };
  void reset(const results&) const {}
  problems::convolution problem(const results& r) const {
    return {in.data(), filter.data(), r.rows.data(), r.out.data(), width, height};
  }
  void check(const results& ours, const results& theirs) const { expect_close("convolution", ours.out, theirs.out); }
};

struct histogram {
  explicit histogram(problem_size size) : n(either(size, (1 << 23) - 3, 100003)) {}
  int n;
  array<uint8_t> in{static_cast<size_t>(n), [](size_t i) { return random_word(i) % 7 * (random_word(i) >> 27); }};

  struct results {
    explicit results(const histogram&) : counts(256) {}
    array<uint32_t> counts;
  };
  void reset(const results& r) const { r.counts.fill(0); }
  problems::histogram problem(const results& r) const { return {in.data(), r.counts.data(), n}; }
  void check(const results& ours, const results& theirs) const { expect_same("histogram", ours.counts, theirs.counts); }
};

}  // namespace bench::inputs
