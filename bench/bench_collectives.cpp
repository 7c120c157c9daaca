// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares collectives with the barriers of their groups, and the grid's barrier with a bare barrier between threads.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "benches.hpp"
#include "collective_kernels.hpp"
#include "facts.hpp"

namespace bench {

namespace {

constexpr int block_threads = 256;

struct compared {
  collective what;
  const char* name;
};
constexpr compared all_compared[] = {
    {collective::reduce_int, "reduce plus<int>"},           {collective::reduce_float, "reduce plus<float>"},
    {collective::reduce_lambda, "reduce by a lambda"},      {collective::reduce_eight, "reduce of 32 bytes"},
    {collective::scan_int, "inclusive_scan plus<int>"},     {collective::scan_float, "exclusive_scan greater<float>"},
    {collective::scan_eight, "inclusive_scan of 32 bytes"},
};

void against_barrier(report& rows, const settings& how, const collective_set& kernels, bool in_block) {
  const int rounds = in_block ? 300 : 2500;
  const auto time_of = [=, &kernels](collective what) {
    return [=, &kernels] { return nanoseconds_of([&] { kernels.run(in_block, what, rounds); }) / rounds; };
  };
  std::vector<side> sides = {time_of(collective::sync)};
  for (const compared& c : all_compared) sides.push_back(time_of(c.what));
  const auto measured = interleave(sides, plan{how.repeats, std::chrono::microseconds(200)});
  const std::string group = in_block ? ", block of 256 (" : ", tile<32> (";
  for (size_t i = 0; i < std::size(all_compared); ++i) {
    rows.add(all_compared[i].name + group + kernels.compiler + ")", "ns", in_block ? "block.sync()" : "tile.sync()",
             {measured[i + 1], measured[0]}, bar::at_most(in_block ? 2.2 : 1.3));
  }
}

// The peer of grid.sync(): a minimal barrier between threads. It spins for a while, then waits on a futex.
class bare_barrier {
 public:
  explicit bare_barrier(int threads) : threads_(threads) {}

  void wait() {
    const int phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      phase_.notify_all();
      return;
    }
    for (int spin = 0; spin < 2000; ++spin) {
      if (phase_.load(std::memory_order_acquire) != phase) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    while (phase_.load(std::memory_order_acquire) == phase) phase_.wait(phase, std::memory_order_acquire);
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> phase_{0};
};

void run_bare(int threads, int rounds) {
  bare_barrier barrier(threads);
  const auto work = [&] {
    for (int i = 0; i < rounds; ++i) barrier.wait();
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
}

void grid_against_bare(report& rows, const settings& how, const collective_set& kernels) {
  const int workers = usable_cores();
  constexpr int rounds = 1000;
  const auto all = interleave(
      {[&] { return nanoseconds_of([&] { kernels.grid_sync(workers, block_threads, rounds); }, workers) / rounds; },
       [&] { return nanoseconds_of([&] { run_bare(workers, rounds); }, workers) / rounds; },
       [&] { return nanoseconds_of([&] { kernels.block_sync(workers, block_threads, rounds); }, workers) / rounds; }},
      plan{how.repeats, std::chrono::microseconds(500)});
  comparison c{all[0], {}};
  for (size_t i = 0; i < all[1].size(); ++i) c.theirs.push_back(all[1][i] + all[2][i]);
  rows.add(std::string("grid.sync(), 256 threads a worker (") + kernels.compiler + ")", "ns",
           "bare barrier + the blocks' switches", c, bar::at_most(3));
}

}  // namespace

void bench_collectives(report& rows, const settings& how) {
  for (const collective_set* kernels : {&cohortcc_collectives, &plain_collectives}) {
    against_barrier(rows, how, *kernels, false);
    against_barrier(rows, how, *kernels, true);
    grid_against_bare(rows, how, *kernels);
  }
}

}  // namespace bench
