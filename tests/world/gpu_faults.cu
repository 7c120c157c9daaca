// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on GPUs in which rank 1 fails in the way that FAULT names:  gpu_faults FAULT [keep]. Prints `rank R: launch
// N`, with the launch's error.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <cohort/cohort.hpp>
#include <cohort/world.hpp>

namespace {

enum class fault : int { none, returns, illegal_address, spins };

__global__ void barriers(fault wrong, int count) {
  const auto world = cohort::this_world();
  for (int i = 0; i < count; ++i) {
    if (world.rank() == 1 && i == 3) {
      if (wrong == fault::returns) return;
      if (wrong == fault::illegal_address && threadIdx.x == 5) *reinterpret_cast<volatile int*>(16) = 1;
      while (wrong == fault::spins) {
      }
    }
    world.sync();
  }
}

// Sends a signal to this process while its kernel runs.
void signal_later(int number) {
  std::thread([number] {
    usleep(500000);
    std::raise(number);
  }).detach();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  cohort::world w;
  if (const cohort::error e = cohort::world::open(w)) {
    std::fprintf(stderr, "rank %d: open %d\n", w.rank(), e.number());
    return 1;
  }
  if (argc > 2 && std::strcmp(argv[2], "keep") == 0) w.on_loss(cohort::loss::keep);
  const bool wrong = w.rank() == 1;
  if (wrong && name == "close") return 0;
  if (wrong && name == "allocate") {
    double* p = nullptr;
    return w.allocate(p, 3).number() == 719 ? 4 : 0;
  }
  if (wrong && name == "kill_host") std::raise(SIGKILL);
  if (wrong && name == "kill") signal_later(SIGKILL);
  if (wrong && name == "stop") signal_later(SIGSTOP);
  const fault in_kernel = name == "return"            ? fault::returns
                          : name == "illegal_address" ? fault::illegal_address
                          : name == "spin"            ? fault::spins
                                                      : fault::none;
  // A signal arrives while the kernel runs. The grid of a stopped process continues, so it has to be finite.
  const int count = name == "kill" ? 1 << 30 : name == "stop" ? 400000 : 10;
  const unsigned threads = wrong && name == "other_shape" ? 64 : 32;
  const cohort::config shape{wrong && name == "refused" ? 1u << 30 : 4u, threads};
  const cohort::error first = cohort::launch_world(w, shape, barriers, in_kernel, count);
  std::fprintf(stderr, "rank %d: launch %d\n", w.rank(), first.number());
  if (w.is_lost()) {
    std::fprintf(stderr, "rank %d: the world is lost\n", w.rank());
    std::_Exit(5);
  }
  const cohort::error second = cohort::launch_world(w, {4, 32}, barriers, fault::none, 3);
  std::fprintf(stderr, "rank %d: second launch %d\n", w.rank(), second.number());
  return first ? 1 : 0;
}
