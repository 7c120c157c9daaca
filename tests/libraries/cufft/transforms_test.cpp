// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of all types, sizes and layouts against the sum that defines them.
#include <algorithm>
#include <vector>

#include "cufft_test.hpp"

namespace {

using namespace cufft_test;

constexpr form forms[] = {form::c2c, form::r2c, form::c2r};
const std::vector<std::vector<int>> lines = {{1},  {2},  {3},  {4},  {5},   {7},   {8},   {11},  {13},  {16},  {31},
                                             {32}, {33}, {49}, {63}, {100}, {127}, {128}, {257}, {360}, {1009}};
const std::vector<std::vector<int>> planes = {{1, 5}, {5, 1}, {1, 1}, {2, 2}, {3, 4}, {7, 9}, {16, 17}, {33, 2}};
const std::vector<std::vector<int>> boxes = {{1, 1, 1}, {2, 3, 5}, {4, 1, 6}, {1, 7, 1}, {5, 6, 7}, {3, 3, 16}};

std::vector<std::vector<int>> all_sizes() {
  std::vector<std::vector<int>> sizes = lines;
  sizes.insert(sizes.end(), planes.begin(), planes.end());
  sizes.insert(sizes.end(), boxes.begin(), boxes.end());
  return sizes;
}

template <class T>
constexpr double tolerance = sizeof(T) == sizeof(double) ? 2e-15 : 1e-6;

template <class T>
class cufft_transform : public testing::Test {};
using numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(cufft_transform, numbers);

// Calls `run(comparison)` for each type and direction, for several batches, in place and out of place.
template <class Run>
void each_comparison(const std::vector<int>& n, const Run& run) {
  for (form what : forms) {
    for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
      if (what != form::c2c && direction == CUFFT_INVERSE) continue;
      for (int batch : {1, 3, 18}) {
        for (bool in_place : {false, true}) {
          if (product(n) > 300 && batch > 3) continue;  // this sum would take seconds
          comparison c{what, n, batch, direction, {}, {}, in_place};
          run(c);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

template <class T>
auto plan_many(const comparison& c, bool with_strides) {
  return [&c, with_strides](cufftHandle* plan) {
    comparison copy = c;
    const auto rank = static_cast<int>(c.n.size());
    return cufftPlanMany(plan, rank, copy.n.data(), with_strides ? copy.in.embed.data() : nullptr, c.in.stride,
                         c.in.distance, with_strides ? copy.out.embed.data() : nullptr, c.out.stride, c.out.distance,
                         type_of<T>(c.what), c.batch);
  };
}

TYPED_TEST(cufft_transform, of_packed_arrays) {
  using T = TypeParam;
  for (const std::vector<int>& n : all_sizes()) {
    each_comparison(n, [&](comparison& c) {
      c.pack();
      c.run<T>(tolerance<T>, plan_many<T>(c, false));
    });
  }
}

TYPED_TEST(cufft_transform, of_the_plans_without_strides) {
  using T = TypeParam;
  for (const std::vector<int>& n : all_sizes()) {
    each_comparison(n, [&](comparison& c) {
      if (n.size() > 1 && c.batch > 1) return;
      c.pack();
      c.run<T>(tolerance<T>, [&](cufftHandle* plan) {
        const cufftType type = type_of<T>(c.what);
        if (n.size() == 1) return cufftPlan1d(plan, n[0], type, c.batch);
        return n.size() == 2 ? cufftPlan2d(plan, n[0], n[1], type) : cufftPlan3d(plan, n[0], n[1], n[2], type);
      });
    });
  }
}

// An array with gaps between elements, rows, planes and transforms. The first embedding has no effect.
layout strided(const std::vector<int>& sizes, int stride, int gap) {
  layout l{sizes, stride, 0};
  size_t elements = static_cast<size_t>(stride);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d > 0) l.embed[d] += gap;
    elements *= static_cast<size_t>(l.embed[d]);
  }
  l.distance = static_cast<int>(elements) + gap;
  return l;
}

TYPED_TEST(cufft_transform, of_strided_arrays) {
  using T = TypeParam;
  for (const std::vector<int>& n : all_sizes()) {
    each_comparison(n, [&](comparison& c) {
      c.in = strided(c.in_sizes(), 2, 1);
      c.out = c.what == form::c2c && c.batch == 3 ? c.in : strided(c.out_sizes(), 3, 2);
      c.run<T>(tolerance<T>, plan_many<T>(c, true));
    });
  }
}

// Transforms whose elements alternate: the batch is the innermost dimension.
TYPED_TEST(cufft_transform, of_interleaved_batches) {
  using T = TypeParam;
  for (const std::vector<int>& n : all_sizes()) {
    each_comparison(n, [&](comparison& c) {
      c.in = {c.in_sizes(), c.batch, 1};
      c.out = {c.out_sizes(), c.batch, 1};
      c.run<T>(tolerance<T>, plan_many<T>(c, true));
    });
  }
}

TYPED_TEST(cufft_transform, with_one_embedding_has_no_strides) {
  using T = TypeParam;
  for (bool has_in : {false, true}) {
    comparison c{form::c2c, {5, 7}, 3, CUFFT_FORWARD, {}, {}, false};
    c.pack();
    int n[] = {5, 7}, embed[] = {50, 70};
    c.run<T>(tolerance<T>, [&](cufftHandle* plan) {
      return cufftPlanMany(plan, 2, n, has_in ? embed : nullptr, 9, 1, has_in ? nullptr : embed, 9, 1,
                           type_of<T>(form::c2c), 3);
    });
  }
}

TYPED_TEST(cufft_transform, of_overlapping_operands) {
  using T = TypeParam;
  // Transforms of overlapping windows: a window has 16 numbers and moves by 5.
  constexpr int length = 16, step = 5, count = 9;
  std::vector<T> signal(length + step * (count - 1));
  for (size_t i = 0; i < signal.size(); ++i) signal[i] = static_cast<T>(number_at(i));
  const device_array<T> in(signal), out(std::vector<T>(2 * 9 * count));
  int n[] = {length};
  cufftHandle plan;
  ASSERT_EQ(cufftPlanMany(&plan, 1, n, n, 1, step, n, 1, 9, type_of<T>(form::r2c), count), CUFFT_SUCCESS);
  ASSERT_EQ(execute(plan, form::r2c, in.get(), out.get(), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<T> found = out.values();
  for (size_t b = 0; b < count; ++b) {
    const auto first = signal.begin() + static_cast<std::ptrdiff_t>(b) * step;
    const std::vector<wide> expected = transform(std::vector<wide>(first, first + length), {length}, CUFFT_FORWARD);
    for (size_t k = 0; k < 9; ++k) {
      EXPECT_NEAR(found[(b * 9 + k) * 2], expected[k].real(), 16 * tolerance<T>);
      EXPECT_NEAR(found[(b * 9 + k) * 2 + 1], expected[k].imag(), 16 * tolerance<T>);
    }
  }
  ASSERT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

// Lengths whose sums take too long: a signal comes back from its spectrum, and one wave has one line.
TYPED_TEST(cufft_transform, of_long_arrays) {
  using T = TypeParam;
  for (const int n : {1 << 17, 3 << 15, 65537, 100003}) {
    std::vector<T> wave(2 * static_cast<size_t>(n));
    const int frequency = n / 3;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * M_PI * static_cast<double>(static_cast<long>(i) * frequency % n) / n;
      wave[2 * static_cast<size_t>(i)] = static_cast<T>(std::cos(angle));
      wave[2 * static_cast<size_t>(i) + 1] = static_cast<T>(std::sin(angle));
    }
    const device_array<T> signal(wave);
    cufftHandle plan;
    ASSERT_EQ(cufftPlan1d(&plan, n, type_of<T>(form::c2c), 1), CUFFT_SUCCESS);
    ASSERT_EQ(execute(plan, form::c2c, signal.get(), signal.get(), CUFFT_FORWARD), CUFFT_SUCCESS);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const std::vector<T> lines_found = signal.values();
    for (int k = 0; k < n; ++k) {
      ASSERT_NEAR(lines_found[2 * static_cast<size_t>(k)], k == frequency ? n : 0, n * tolerance<T>) << n << " " << k;
      ASSERT_NEAR(lines_found[2 * static_cast<size_t>(k) + 1], 0, n * tolerance<T>) << n << " " << k;
    }
    ASSERT_EQ(execute(plan, form::c2c, signal.get(), signal.get(), CUFFT_INVERSE), CUFFT_SUCCESS);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const std::vector<T> back = signal.values();
    for (size_t i = 0; i < back.size(); ++i) ASSERT_NEAR(back[i] / n, wave[i], 4 * tolerance<T>) << n << " " << i;
    ASSERT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  }
}

// Enough work for several threads, where the machine has them.
TYPED_TEST(cufft_transform, of_a_large_plane) {
  using T = TypeParam;
  for (form what : forms) {
    comparison c{what, {96, 128}, 4, CUFFT_FORWARD, {}, {}, false};
    c.pack();
    c.run<T>(tolerance<T>, plan_many<T>(c, false));
  }
}

}  // namespace
