// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares collectives of fibers with the barriers of their groups, and the grid's barrier with a bare barrier between
// OS threads.
#include <atomic>
#include <string>

#include "../kernels/collective_kernels.hpp"
#include "../peers/cores.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr int block_threads = 256;

struct compared {
  collective which;
  const char* name;
};
constexpr compared all_compared[] = {
    {collective::reduce_int, "reduce plus<int>"},           {collective::reduce_float, "reduce plus<float>"},
    {collective::reduce_lambda, "reduce by a lambda"},      {collective::reduce_eight, "reduce of 32 bytes"},
    {collective::scan_int, "inclusive_scan plus<int>"},     {collective::scan_float, "exclusive_scan greater<float>"},
    {collective::scan_eight, "inclusive_scan of 32 bytes"},
};

void against_barrier(suite& rows, const collective_set& kernels, const std::string& how, gangs mode, bool in_block) {
  const std::string barrier = in_block ? "block.sync()" : "tile.sync()";
  for (const compared& c : all_compared) {
    rows.add({.name = std::string(c.name) + (in_block ? ", block of 256 (" : ", tile<32> (") + how + ")",
              .unit = "ns",
              .peers = {{.name = barrier,
                         .limit = bar::at_most(in_block ? 2.2 : 1.3),
                         .quantity = barrier + " (" + how + ")",
                         .lowest_ratio = 0.8}},
              .mode = mode,
              .has_kernel = false},
             [c, in_block, &kernels] {
               const int rounds = in_block ? 300 : 2500;
               const auto run = [=, &kernels](collective which) {
                 return time_of(rounds, [=, &kernels] { kernels.run(in_block, which, rounds); });
               };
               return row_sides{run(c.which), {{run(collective::sync)}}};
             });
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

// Runs on the threads that the hand-written peers keep, because Linux leaves new threads on one CPU for milliseconds. A
// thread that waits at the barrier takes no second range.
void run_bare(int threads, int rounds) {
  bare_barrier barrier(threads);
  for_each_range(threads, 1, [&](size_t, size_t) {
    for (int i = 0; i < rounds; ++i) barrier.wait();
  });
}

void grid_against_bare(suite& rows, const collective_set& kernels, const std::string& how, gangs mode) {
  rows.add({.name = "grid.sync(), 256 threads a worker (" + how + ")",
            .unit = "ns",
            // Where cores share no cache, the engine's own barrier takes half of the bare barrier's time.
            .peers = {{.name = "bare barrier + the blocks' switches", .limit = bar::at_most(3), .lowest_ratio = 0.5}},
            .on = cpus::all,
            .mode = mode,
            .has_kernel = false},
           [&kernels] {
             constexpr int rounds = 1000;
             const int workers = usable_cpus();
             const side bare = time_of(rounds, [workers] { run_bare(workers, rounds); });
             const side switches =
                 time_of(rounds, [=, &kernels] { kernels.block_sync(workers, block_threads, rounds); });
             return row_sides{time_of(rounds, [=, &kernels] { kernels.grid_sync(workers, block_threads, rounds); }),
                              {{[bare, switches] { return bare() + switches(); }}}};
           });
}

}  // namespace

void add_collective_rows(suite& rows) {
  const auto add = [&rows](const collective_set& kernels, const std::string& how, gangs mode) {
    against_barrier(rows, kernels, how, mode, false);
    against_barrier(rows, kernels, how, mode, true);
    grid_against_bare(rows, kernels, how, mode);
  };
  add(cohortcc_collectives, "cohortcc, fibers", gangs::off);
  add(plain_collectives, "g++", gangs::as_compiled);
}

}  // namespace bench
