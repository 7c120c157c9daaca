// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares one switch between fibers with Boost.Context's: 256 fibers in a ring.
#include "../peers/boost_ring.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr int fibers = 256;
constexpr int laps = 400;

peer_side boost_side(boost_ring::stacks stacks) {
  if (!boost_ring::available()) return {{}, "not installed"};
  const auto ring = std::make_shared<boost_ring>(fibers, stacks);
  return {[ring] { return ring->measure(laps); }};
}

}  // namespace

void add_switch_rows(suite& rows) {
  rows.add({.name = "one fiber switch, ring of 256",
            .unit = "ns",
            .peers = {{.name = "Boost.Context, our stacks", .limit = bar::at_most(0.75)},
                      {.name = "Boost.Context, its stacks"}},
            .has_kernel = false},
           [] {
             return row_sides{own_switch_side(),
                              {boost_side(boost_ring::stacks::coloured), boost_side(boost_ring::stacks::own)}};
           });
}

}  // namespace bench
