// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in which rank 1 fails in the way that FAULT names:  faults FAULT. Prints `rank R: launch N`, with the
// launch's error.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cohort/cohort.hpp>
#include <cohort/world_mpi.hpp>

namespace {

std::string fault;

bool is(const char* name) { return fault == name; }

void kernel(int barriers) {
  const auto world = cohort::this_world();
  const auto grid = cohort::this_grid();
  for (int i = 0; i < barriers; ++i) {
    if (world.rank() == 1 && i == 3) {
      const bool one = grid.thread_rank() == 5;
      if (is("other_barrier") && one) cohort::this_thread_block().sync();
      if (is("return")) return;
      if (is("illegal_address") && one) *static_cast<volatile int*>(nullptr) = 1;
      if (is("kill") && one) std::raise(SIGKILL);
      if (is("stop") && one) std::raise(SIGSTOP);
      if (is("exit") && one) std::_Exit(3);
      if (is("spin")) {
        for (volatile int forever = 1; forever != 0;) {
        }
      }
      if (is("foreign_put") && one) cohort::put(world, &i, &i, sizeof i, 0);
      if (is("no_rank") && one) world.on(&i, 99);
    }
    world.sync();
  }
}

}  // namespace

int main(int argc, char** argv) {
  fault = argc > 1 ? argv[1] : "";
  cohort::world w;
  if (cohort::world::open(w)) return 1;
  if (argc > 2 && std::strcmp(argv[2], "keep") == 0) w.on_loss(cohort::loss::keep);
  const bool wrong = w.rank() == 1;
  if (wrong && is("close")) return 0;
  if (wrong && is("allocate")) {
    double* p = nullptr;
    return w.allocate(p, 3).number() == 719 ? 4 : 0;
  }
  if (wrong && is("kill_host")) std::raise(SIGKILL);
  const unsigned threads = wrong && is("other_shape") ? 64 : 32;
  const cohort::config shape{wrong && is("refused") ? 1u << 30 : 2u, threads};
  const cohort::error first = cohort::launch_world(w, shape, kernel, is("lost_link") ? 1 << 30 : 10);
  std::fprintf(stderr, "rank %d: launch %d\n", w.rank(), first.number());
  if (w.is_lost()) {
    std::fprintf(stderr, "rank %d: the world is lost\n", w.rank());
    std::_Exit(5);
  }
  fault.clear();
  const cohort::error second = cohort::launch_world(w, {2, 32}, kernel, 3);
  std::fprintf(stderr, "rank %d: second launch %d\n", w.rank(), second.number());
  return first ? 1 : 0;
}
