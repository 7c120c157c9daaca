// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boost_ring.hpp"
#include "ring.hpp"

#if COHORT_BENCH_BOOST

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/version.hpp>

namespace bench {

namespace context = boost::context::detail;

struct boost_ring::state {
  int fibers = 0;
  long left = 0;  // switches that are left to do
  context::fcontext_t host = nullptr;
  std::vector<context::fcontext_t> saved;  // the saved context of each fiber
  std::vector<boost::context::stack_context> own_stacks;
  ring_stacks coloured_stacks;
};

namespace {

struct start {
  boost_ring::state* ring;
  int number;
};

}  // namespace

// Stores the context of the fiber that switched here, and jumps to the next fiber of the ring.
static void run_boost_fiber(context::transfer_t from) {
  const start mine = *static_cast<start*>(from.data);
  boost_ring::state* ring = mine.ring;
  const auto number = static_cast<size_t>(mine.number);
  const size_t count = ring->saved.size();
  context::fcontext_t* before = &ring->saved[(number + count - 1) % count];
  context::fcontext_t* behind = &ring->saved[(number + 1) % count];
  from = context::jump_fcontext(from.fctx, nullptr);
  if (number != 0) {
    for (;;) {
      *before = from.fctx;
      from = context::jump_fcontext(*behind, ring);
    }
  }
  for (;;) {  // the first fiber also counts, and returns to the caller of run()
    if (from.data) {
      *before = from.fctx;
      ring->left -= static_cast<long>(count);
      if (ring->left <= 0) from = context::jump_fcontext(ring->host, nullptr);
    }
    if (!from.data) ring->host = from.fctx;
    from = context::jump_fcontext(*behind, ring);
  }
}

boost_ring::boost_ring(int fibers, stacks which) : state_(new state) {
  state_->fibers = fibers;
  state_->saved.resize(static_cast<size_t>(fibers));
  if (which == stacks::coloured) state_->coloured_stacks.make(fibers);
  for (int i = 0; i < fibers; ++i) {
    void* top = nullptr;
    size_t bytes = 0;
    if (which == stacks::coloured) {
      top = state_->coloured_stacks.top(i);
      bytes = ring_stacks::usable_bytes;
    } else {
      state_->own_stacks.push_back(boost::context::fixedsize_stack(ring_stacks::usable_bytes).allocate());
      top = state_->own_stacks.back().sp;
      bytes = state_->own_stacks.back().size;
    }
    start mine{state_, i};
    auto& saved = state_->saved[static_cast<size_t>(i)];
    saved = context::make_fcontext(top, bytes, run_boost_fiber);
    saved = context::jump_fcontext(saved, &mine).fctx;
  }
}

boost_ring::~boost_ring() {
  for (auto& s : state_->own_stacks) boost::context::fixedsize_stack(ring_stacks::usable_bytes).deallocate(s);
  delete state_;
}

double boost_ring::measure(int laps) {
  const long switches = static_cast<long>(laps) * state_->fibers;
  state_->left = switches;
  const double time =
      nanoseconds_of([&] { state_->saved[0] = context::jump_fcontext(state_->saved[0], nullptr).fctx; });
  return time / static_cast<double>(switches);
}

bool boost_ring::available() { return true; }
std::string boost_ring::version() { return BOOST_LIB_VERSION; }

}  // namespace bench

#else  // without Boost.Context

namespace bench {

struct boost_ring::state {};
boost_ring::boost_ring(int, stacks) : state_(nullptr) {}
boost_ring::~boost_ring() = default;
double boost_ring::measure(int) { return 0; }
bool boost_ring::available() { return false; }
std::string boost_ring::version() { return "not installed"; }

}  // namespace bench

#endif
