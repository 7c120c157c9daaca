// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures operations of one warp, on one core: 32 values, each round on the last one's results, or rows in memory,
// each round on its own.
#include <algorithm>

#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr int warp = 32;
constexpr int rounds = 10000;
constexpr int verified_rounds = 7;

template <class T>
struct warp_values {
  array<T> ours{warp};
  array<T> hand{warp};
  array<T> theirs{warp};
};

// A row whose two sides run `ours` and `hand` on the same values. The hand-written loop is the model.
template <class T>
row_sides warp_sides(const char* name, void (*ours)(int, T*), void (*hand)(T*, int), T (*initial)(size_t)) {
  const auto d = std::make_shared<warp_values<T>>();
  for (size_t i = 0; i < warp; ++i) d->ours[i] = d->hand[i] = initial(i);
  ours(verified_rounds, d->ours.data());
  hand(d->hand.data(), verified_rounds);
  expect_equal(name, d->ours.data(), d->hand.data(), warp);
  return {time_of(rounds, [d, ours] { ours(rounds, d->ours.data()); }),
          {{time_of(rounds, [d, hand] { hand(d->hand.data(), rounds); })}, {own_switch_side()}}};
}

row_sides reduce_sides() {
  const auto d = std::make_shared<warp_values<float>>();
  for (size_t i = 0; i < warp; ++i) d->ours[i] = d->hand[i] = d->theirs[i] = static_cast<float>(i % 5);
  double sum = 0;
  for (size_t i = 0; i < warp; ++i) sum += static_cast<double>(i % 5);
  const array<float> expected(warp, [&](size_t) { return sum / warp; });
  warp_sums(verified_rounds, d->ours.data());
  hand_written::sum_rounds(d->hand.data(), warp, verified_rounds);
  expect_near("reduce over a tile", d->ours.data(), expected.data(), warp, 1e-5);
  expect_near("hand-written sum of a tile", d->hand.data(), expected.data(), warp, 1e-5);
  return {time_of(rounds, [d] { warp_sums(rounds, d->ours.data()); }),
          {{time_of(rounds, [d] { hand_written::sum_rounds(d->hand.data(), warp, rounds); })},
           opencl_side([d, &expected] {
             const auto values = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const char* const kernel = opencl::peer().has_sub_groups() ? "warp_sums" : "tree_sums";
             const auto run = [d, values, kernel](int n) {
               opencl::peer().run(kernel, opencl_shape::line(1, warp), n, *values);
             };
             run(verified_rounds);
             values->update_host();
             expect_near("pocl's sum of a warp", d->theirs.data(), expected.data(), warp, 1e-5);
             return time_of(rounds, [run] { run(rounds); });
           }),
           {own_switch_side()}}};
}

struct row_sum_data {
  static constexpr int rows = 64;
  static constexpr int passes = 160;
  array<float> values{warp * rows, [](size_t i) { return static_cast<float>(random_word(i) % 1000); }};
  array<float> ours{rows};
  array<float> hand{rows};
};

row_sides row_sum_sides() {
  const auto d = std::make_shared<row_sum_data>();
  const auto run_ours = [d] { warp_row_sums(d->passes, d->values.data(), d->rows, d->ours.data()); };
  const auto run_hand = [d] { hand_written::sum_rows(d->values.data(), d->rows, d->passes, d->hand.data()); };
  run_ours();
  run_hand();
  // The values are whole numbers, so that each order of additions has the same sum.
  expect_equal("sums of rows", d->ours.data(), d->hand.data(), d->rows);
  constexpr int reduces = row_sum_data::passes * row_sum_data::rows;
  return {time_of(reduces, run_ours), {{time_of(reduces, run_hand)}, {own_switch_side()}}};
}

struct count_data {
  static constexpr int rows = 64;
  static constexpr int passes = 160;
  array<uint32_t> words{warp * rows, random_word};
  array<uint32_t> ours{warp};
  array<uint32_t> hand{warp};
};

row_sides count_sides() {
  const auto d = std::make_shared<count_data>();
  const auto run_ours = [d] { warp_counts(d->passes, d->words.data(), d->rows, d->ours.data()); };
  const auto run_hand = [d] { hand_written::count_words(d->words.data(), d->rows, d->passes, d->hand.data()); };
  run_ours();
  run_hand();
  expect_equal("count by ballots", d->ours.data(), d->hand.data(), warp);
  constexpr int ballots = count_data::passes * count_data::rows;
  return {time_of(ballots, run_ours), {{time_of(ballots, run_hand)}, {own_switch_side()}}};
}

struct filter_data {
  static constexpr uint32_t elements = 1 << 20;
  static constexpr int32_t limit = 500;
  array<int32_t> in{elements, [](size_t i) { return random_word(i) % 1000; }};
  array<int32_t> ours{elements + 1};
  array<int32_t> hand{elements + 1};
};

row_sides filter_sides() {
  const auto d = std::make_shared<filter_data>();
  const auto run_ours = [d] { return filter(d->in.data(), d->ours.data(), d->elements, d->limit); };
  const auto run_hand = [d] { return hand_written::filter(d->in.data(), d->hand.data(), d->elements, d->limit); };
  const auto expected = static_cast<size_t>(
      std::count_if(d->in.data(), d->in.data() + d->elements, [](int32_t x) { return x > filter_data::limit; }));
  const size_t counts[] = {run_ours(), run_hand()};
  const size_t expected_counts[] = {expected, expected};
  expect_equal("number of filtered elements", counts, expected_counts, 2);
  // The order of our elements is unspecified, so both sides are sorted.
  std::sort(d->ours.data(), d->ours.data() + expected);
  std::sort(d->hand.data(), d->hand.data() + expected);
  expect_equal("filter", d->ours.data(), d->hand.data(), expected);
  return {time_of(d->elements, run_ours), {{time_of(d->elements, run_hand)}}};
}

}  // namespace

void add_warp_rows(suite& rows) {
  const peer_spec by_hand = {.name = "hand-written loop"};
  const peer_spec own_switch = {.name = "own switch", .quantity = own_switch_quantity};
  rows.add({.name = "reduce plus<float>, tile<32>",
            .unit = "ns",
            .peers = {by_hand, {.name = "pocl, tree in local memory"}, own_switch},
            .at_most = 10},
           reduce_sides);
  rows.add({.name = "reduce plus<float> of rows in memory, tile<32>",
            .unit = "ns",
            .peers = {by_hand, own_switch},
            .at_most = 10},
           row_sum_sides);
  rows.add({.name = "shfl by a varying rank, tile<32>", .unit = "ns", .peers = {by_hand, own_switch}, .at_most = 4},
           [] {
             return warp_sides<int32_t>("shuffle", warp_shuffles, hand_written::shuffle_rounds,
                                        [](size_t i) { return static_cast<int32_t>(i); });
           });
  rows.add({.name = "ballot, tile<32>", .unit = "ns", .peers = {by_hand, own_switch}, .at_most = 2},
           [] { return warp_sides<uint32_t>("ballot", warp_ballots, hand_written::ballot_rounds, random_word); });
  rows.add({.name = "ballot of words in memory, tile<32>", .unit = "ns", .peers = {by_hand, own_switch}, .at_most = 2},
           count_sides);
  rows.add(
      {.name = "inclusive_scan plus<unsigned>, tile<32>", .unit = "ns", .peers = {by_hand, own_switch}, .at_most = 20},
      [] { return warp_sides<uint32_t>("scan", warp_scans, hand_written::scan_rounds, random_word); });
  rows.add({.name = "filter by coalesced_threads(), each element", .unit = "ns", .peers = {by_hand}, .at_most = 1.5},
           filter_sides);
}

}  // namespace bench
