// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ring.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

namespace {

constexpr size_t page = 4096;
constexpr size_t colours = 64;
constexpr size_t colour_step = 64;
constexpr size_t pitch = ring_stacks::usable_bytes + page + page * ((ring_stacks::usable_bytes / page) % 2);
static_assert(pitch / page % 2 == 1);

}  // namespace

ring_stacks::~ring_stacks() {
  if (memory_) munmap(memory_, bytes_);
}

void ring_stacks::make(int count) {
  bytes_ = pitch * static_cast<size_t>(count);
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "cohort_bench: no address space for %d stacks\n", count);
    std::exit(1);
  }
  madvise(memory, bytes_, MADV_NOHUGEPAGE);
  memory_ = static_cast<char*>(memory);
}

char* ring_stacks::top(int number) const {
  const auto i = static_cast<size_t>(number);
  return memory_ + pitch * (i + 1) - colour_step * (i % colours);
}

char* ring_stacks::low(int number) const { return memory_ + pitch * static_cast<size_t>(number); }

own_ring::own_ring(int fibers) : contexts_(static_cast<size_t>(fibers)), fibers_(static_cast<size_t>(fibers)) {
  stacks_.make(fibers);
  for (int i = 0; i < fibers; ++i) {
    const auto at = static_cast<size_t>(i);
    fibers_[at] = {this, at};
    cohort_make_context(&contexts_[at], stacks_.low(i), stacks_.top(i), run, &fibers_[at]);
  }
}

void own_ring::run(void* argument) {
  const fiber* self = static_cast<fiber*>(argument);
  own_ring* ring = self->ring;
  const size_t count = ring->contexts_.size();
  cohort::engine::context* mine = &ring->contexts_[self->number];
  cohort::engine::context* behind = &ring->contexts_[(self->number + 1) % count];
  if (self->number != 0) {
    for (;;) cohort_switch(mine, behind);
  }
  for (;;) {  // the first fiber also counts the switches
    cohort_switch(mine, behind);
    ring->left_ -= static_cast<long>(count);
    if (ring->left_ <= 0) cohort_switch(mine, &ring->host_);
  }
}

double own_ring::measure(int laps) {
  const long switches = static_cast<long>(laps) * static_cast<long>(contexts_.size());
  left_ = switches;
  return nanoseconds_of([&] { cohort_switch(&host_, &contexts_[0]); }) / static_cast<double>(switches);
}

}  // namespace bench
