// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures one block's barriers, on one core.
#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/kernels.hpp"
#include "../kernels/programs.hpp"
#include "../peers/hand_written.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr int threads = 256;
constexpr int warp = 32;
constexpr int verified_rounds = 5;

// A kind of wait. Its row compares the time of each thread in one round with that of a bare switch, so it shows the
// cost beyond the switch.
struct wait {
  const char* name;
  void (*kernel_set::*run)(int, int);  // a kernel with blocks of one warp; null: the barrier of a block of 256
};

void add_waits(suite& rows, const kernel_set& kernels, const std::string& how, gangs mode) {
  constexpr wait all[] = {{"block.sync(), 256 threads, each", nullptr},
                          {"reduce plus<float>, tile<32>, each lane", &kernel_set::reduce_float},
                          {"reduce plus<int>, tile<32>, each lane", &kernel_set::reduce_int},
                          {"one shfl, tile<32>, each lane", &kernel_set::shuffle}};
  for (const wait& w : all) {
    const double limit = w.run ? 1.5 : 1.4;
    rows.add({.name = w.name + (" (" + how + ")"),
              .unit = "ns",
              .peers = {{.name = "own switch",
                         .limit = bar::at_most(limit),
                         .quantity = own_switch_quantity,
                         .lowest_ratio = 0.7}},
              .mode = mode,
              .has_kernel = false},
             [w, &kernels] {
               constexpr int block_rounds = 400;
               constexpr int warp_rounds = 3000;
               const side ours =
                   w.run ? time_of(double{warp} * warp_rounds, [w, &kernels] { (kernels.*w.run)(1, warp_rounds); })
                         : time_of(double{threads} * block_rounds,
                                   [&kernels] { kernels.block_sync(1, threads, block_rounds); });
               return row_sides{ours, {{own_switch_side()}}};
             });
  }
}

template <class T>
struct two_arrays {
  array<T> ours{threads};
  array<T> theirs{threads};
};

using live_state_kernel = void (*)(int, int, float*);

row_sides live_state_sides(live_state_kernel kernel) {
  constexpr int rounds = 2000;
  const auto d = std::make_shared<two_arrays<float>>();
  const array<float> ones(threads, [](size_t) { return 1; });
  kernel(threads, verified_rounds, d->ours.data());
  expect_equal("barriers with live state", d->ours.data(), ones.data(), threads);
  return {time_of(rounds, [d, kernel] { kernel(threads, rounds, d->ours.data()); }),
          {opencl_side([d, &ones] {
             const auto values = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, values](int n) {
               opencl::peer().run("barriers_with_live_state", opencl_shape::line(1, threads), n, *values);
             };
             run(verified_rounds);
             values->update_host();
             expect_equal("pocl's barriers with live state", d->theirs.data(), ones.data(), threads);
             return time_of(rounds, [run] { run(rounds); });
           }),
           {own_switch_side()}}};
}

row_sides exchange_sides() {
  constexpr int rounds = 1000;
  const auto d = std::make_shared<two_arrays<uint32_t>>();
  const auto hand = std::make_shared<array<uint32_t>>(threads, [](size_t i) { return i; });
  for (size_t i = 0; i < threads; ++i) d->ours[i] = d->theirs[i] = static_cast<uint32_t>(i);
  exchange(threads, verified_rounds, d->ours.data());
  hand_written::exchange(hand->data(), threads, verified_rounds);
  // After n rounds a value is the sum of C(n, k) times the value k places further.
  constexpr uint32_t binomials[] = {1, 5, 10, 10, 5, 1};
  const array<uint32_t> expected(threads, [&](size_t i) {
    uint32_t sum = 0;
    for (size_t k = 0; k <= verified_rounds; ++k) sum += binomials[k] * static_cast<uint32_t>((i + k) % threads);
    return sum;
  });
  expect_equal("exchange", d->ours.data(), expected.data(), threads);
  expect_equal("hand-written exchange", hand->data(), expected.data(), threads);
  return {time_of(rounds, [d] { exchange(threads, rounds, d->ours.data()); }),
          {opencl_side([d, &expected] {
             const auto values = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, values](int n) {
               opencl::peer().run("exchange", opencl_shape::line(1, threads), n, *values);
             };
             run(verified_rounds);
             values->update_host();
             expect_equal("pocl's exchange", d->theirs.data(), expected.data(), threads);
             return time_of(rounds, [run] { run(rounds); });
           }),
           {time_of(rounds, [hand] { hand_written::exchange(hand->data(), threads, rounds); })},
           {own_switch_side()}}};
}

row_sides block_sum_sides() {
  constexpr int rounds = 1000;
  const auto value = [](size_t i) { return static_cast<double>(i % 7) + 0.5; };
  const auto d = std::make_shared<two_arrays<float>>();
  const auto hand = std::make_shared<array<float>>(threads, value);
  double sum = 0;
  for (size_t i = 0; i < threads; ++i) {
    d->ours[i] = d->theirs[i] = static_cast<float>(value(i));
    sum += value(i);
  }
  const array<float> expected(threads, [&](size_t) { return sum / threads; });
  block_sums(threads, verified_rounds, d->ours.data());
  hand_written::sum_rounds(hand->data(), threads, verified_rounds);
  expect_near("reduce over a block", d->ours.data(), expected.data(), threads, 1e-5);
  expect_near("hand-written sum of a block", hand->data(), expected.data(), threads, 1e-5);
  return {time_of(rounds, [d] { block_sums(threads, rounds, d->ours.data()); }),
          {{time_of(rounds, [hand] { hand_written::sum_rounds(hand->data(), threads, rounds); })},
           opencl_side([d, &expected] {
             const auto values = std::make_shared<opencl_buffer>(d->theirs.data(), d->theirs.bytes());
             const auto run = [d, values](int n) {
               opencl::peer().run("tree_sums", opencl_shape::line(1, threads), n, *values);
             };
             run(verified_rounds);
             values->update_host();
             expect_near("pocl's sum of a block", d->theirs.data(), expected.data(), threads, 1e-5);
             return time_of(rounds, [run] { run(rounds); });
           }),
           {own_switch_side()}}};
}

}  // namespace

void add_barrier_rows(suite& rows) {
  add_waits(rows, cohortcc_kernels, "cohortcc, fibers", gangs::off);
  add_waits(rows, plain_kernels, "g++", gangs::as_compiled);
  const peer_spec own_switch = {.name = "own switch", .quantity = own_switch_quantity};
  const auto add_live_state = [&](const char* name, double limit, live_state_kernel kernel) {
    rows.add({.name = name, .unit = "ns", .peers = {{.name = "pocl"}, own_switch}, .at_most = limit},
             [kernel] { return live_state_sides(kernel); });
  };
  add_live_state("block barrier, 256 threads with live state", 12, native::barriers_with_live_state);
  add_live_state("block barrier, 256 threads with live state, gangs of 32", 40, gangs_of_32::barriers_with_live_state);
  rows.add({.name = "neighbour exchange, 256 threads, two barriers",
            .unit = "ns",
            .peers = {{.name = "pocl", .limit = bar::at_most(1)}, {.name = "hand-written loop"}, own_switch},
            .at_most = 120},
           exchange_sides);
  rows.add({.name = "reduce of 256 floats over a block",
            .unit = "ns",
            .peers = {{.name = "hand-written loop"}, {.name = "pocl, tree in local memory"}, own_switch},
            .at_most = 60},
           block_sum_sides);
}

}  // namespace bench
