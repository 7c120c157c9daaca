// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares one switch between fibers with Boost.Context's: 256 fibers in a ring on one core.
#include "benches.hpp"
#include "facts.hpp"
#include "ring.hpp"

namespace bench {

void bench_switch(report& rows, const settings& how) {
  constexpr int fibers = 256;
  constexpr int laps = 100;
  const pinned_to_one_core pin;
  own_ring ours(fibers);
  const plan p{how.repeats * 5, {}};
  const char* name = "one fiber switch, ring of 256";
  if (!boost_ring::available()) {
    const auto alone = interleave(std::vector<side>{[&] { return ours.measure(laps); }}, p);
    rows.add_alone(name, "ns", alone[0], "Boost.Context", "not installed");
    return;
  }
  boost_ring coloured(fibers, boost_ring::stacks::coloured);
  boost_ring own_stacks(fibers, boost_ring::stacks::own);
  const auto all = interleave({[&] { return ours.measure(laps); }, [&] { return coloured.measure(laps); },
                               [&] { return own_stacks.measure(laps); }},
                              p);
  rows.add(name, "ns", "Boost.Context, our stacks", {all[0], all[1]}, bar::at_most(0.75));
  rows.add(name, "ns", "Boost.Context, its stacks", {all[0], all[2]});
}

}  // namespace bench
