// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures barriers and collectives. On one core the peer is our own fiber switch, so the ratio shows the cost beyond
// the switch. On all cores the peer is pocl.
#include "benches.hpp"
#include "facts.hpp"
#include "kernels.hpp"
#include "ring.hpp"

namespace bench {

namespace {

constexpr int warp = 32;
constexpr int block_threads = 256;

// Returns the nanoseconds of one thread in one round, for one block on one core.
template <class Launch>
double of_one_thread(Launch&& launch, int threads, int rounds) {
  return nanoseconds_of([&] { launch(rounds); }) / rounds / threads;
}

// Returns the nanoseconds of one round of one block, while every core runs such a block.
template <class Launch>
double of_one_block(Launch&& launch, int rounds) {
  constexpr int blocks_per_core = 4;
  const int cores = usable_cores();
  return nanoseconds_of([&] { launch(blocks_per_core * cores, rounds); }, cores) / rounds / blocks_per_core;
}

void against_own_switch(report& rows, const settings& how, const kernel_set& kernels) {
  own_ring ring(block_threads);
  const std::string by = std::string(" (") + kernels.compiler + ")";
  const plan p{how.repeats, std::chrono::microseconds(200)};
  const auto all = interleave(
      {[&] {
         const pinned_to_one_core pin;
         return ring.measure(400);
       },
       [&] { return of_one_thread([&](int n) { kernels.block_sync(1, block_threads, n); }, block_threads, 400); },
       [&] { return of_one_thread([&](int n) { kernels.reduce_float(1, n); }, warp, 3000); },
       [&] { return of_one_thread([&](int n) { kernels.reduce_int(1, n); }, warp, 3000); },
       [&] { return of_one_thread([&](int n) { kernels.shuffle(1, n); }, warp, 3000); }},
      p);
  rows.add("block.sync(), 256 threads, each" + by, "ns", "own switch", {all[1], all[0]}, bar::at_most(1.4));
  rows.add("reduce plus<float>, tile<32>, each lane" + by, "ns", "own switch", {all[2], all[0]}, bar::at_most(1.5));
  rows.add("reduce plus<int>, tile<32>, each lane" + by, "ns", "own switch", {all[3], all[0]}, bar::at_most(1.5));
  rows.add("one shfl, tile<32>, each lane" + by, "ns", "own switch", {all[4], all[0]}, bar::at_most(1.5));
}

void against_pocl(report& rows, const settings& how) {
  const plan p{how.repeats, std::chrono::microseconds(500)};
  const std::string sync_name = "barrier and neighbour exchange, 256 threads";
  const std::string sum_name = "reduce plus<float>, tile<32>";
  const side sync = [] { return of_one_block([](int b, int n) { exchange(b, block_threads, n); }, 500) / 2; };
  const side sum = [] { return of_one_block([](int b, int n) { cohortcc_kernels.reduce_float(b, n); }, 4000); };
  opencl_peer& peer = *how.opencl;
  if (!peer.unavailable().empty()) {
    rows.add_alone(sync_name, "ns/block", interleave({sync}, p)[0], "pocl", peer.unavailable());
    rows.add_alone(sum_name, "ns/warp", interleave({sum}, p)[0], "pocl", peer.unavailable());
    return;
  }
  const side pocl_sync = [&] {
    return of_one_block([&](int b, int n) { peer.exchange(b, block_threads, n); }, 500) / 2;
  };
  rows.add(sync_name, "ns/block", "pocl, barrier", interleave(sync, pocl_sync, p));
  const side pocl_sum = [&] { return of_one_block([&](int b, int n) { peer.warp_sums(b, n); }, 4000); };
  rows.add(sum_name, "ns/warp", peer.has_sub_groups() ? "pocl, sub_group_reduce_add" : "pocl, tree in local memory",
           interleave(sum, pocl_sum, p));
}

}  // namespace

void bench_waiting(report& rows, const settings& how) {
  against_own_switch(rows, how, cohortcc_kernels);
  against_own_switch(rows, how, plain_kernels);
  against_pocl(rows, how);
}

}  // namespace bench
