// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of fibers that switch with Boost.Context.
#pragma once

#include <string>

namespace bench {

class boost_ring {
 public:
  enum class stacks {
    coloured,
    own
  };  // first frames in different cache sets as in the engine, or as Boost allocates them
  boost_ring(int fibers, stacks which);
  ~boost_ring();
  boost_ring(const boost_ring&) = delete;
  boost_ring& operator=(const boost_ring&) = delete;

  static bool available();
  static std::string version();
  // Returns the nanoseconds of one switch, averaged over `laps` laps of the ring.
  double measure(int laps);

  struct state;  // the fibers use it, too

 private:
  state* state_;
};

}  // namespace bench
