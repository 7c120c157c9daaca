// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures whole programs beside loops with OpenMP, on all CPUs: only the launches and loops, without making the
// inputs.
#include "../programs/comparisons.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

// Returns runs a second.
side runs_of(const std::shared_ptr<comparison>& both, comparison::side comparison::* which) {
  return [both, which] {
    const comparison::side& one = (*both).*which;
    one.reset();
    return 1e9 / nanoseconds_of(one.run);
  };
}

row_sides program_sides(const program& p) {
  const auto both = std::make_shared<comparison>(p.make(problem_size::full));
  for (const comparison::side* one : {&both->ours, &both->theirs}) {
    one->reset();
    one->run();
  }
  both->check();
  if (!native::has_openmp()) return {runs_of(both, &comparison::ours), {{{}, "the compiler has no OpenMP"}}};
  return {runs_of(both, &comparison::ours), {{runs_of(both, &comparison::theirs)}}};
}

void add_programs(suite& rows, const std::vector<program>& programs, const std::string& suffix) {
  for (const program& p : programs) {
    rows.add({.name = "programs." + p.name + suffix,
              .unit = "runs/s",
              .peers = {{.name = "OpenMP",
                         .limit = bar::at_least(0.8),
                         .mean = "programs, geometric mean" + suffix,
                         .mean_limit = bar::at_least(1.2)}},
              .on = cpus::all},
             [p] { return program_sides(p); });
  }
}

}  // namespace

void add_program_rows(suite& rows) {
  add_programs(rows, native::all_programs(), "");
#if COHORT_BENCH_AVX2
  add_programs(rows, avx2::all_programs(), ", built for AVX2");
#endif
}

}  // namespace bench
