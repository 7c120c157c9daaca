// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparisons.hpp"

#include "inputs.hpp"
#include "meshes.hpp"

namespace bench {

namespace {

template <class Inputs, class Problem>
comparison compare(void (*cuda)(const Problem&), void (*openmp)(const Problem&), problem_size size) {
  struct both {
    explicit both(problem_size size) : inputs(size), ours(inputs), theirs(inputs) {}
    Inputs inputs;
    typename Inputs::results ours, theirs;
  };
  const auto d = std::make_shared<both>(size);
  return {{[d] { d->inputs.reset(d->ours); }, [d, cuda] { cuda(d->inputs.problem(d->ours)); }},
          {[d] { d->inputs.reset(d->theirs); }, [d, openmp] { openmp(d->inputs.problem(d->theirs)); }},
          [d] { d->inputs.check(d->ours, d->theirs); }};
}

}  // namespace

namespace COHORT_BENCH_BUILD {

std::vector<program> all_programs() {
#define COHORT_BENCH_PROGRAM(name) \
  {#name, [](problem_size size) { return compare<inputs::name>(cuda::name, openmp::name, size); }},
  return {COHORT_BENCH_PROGRAMS(COHORT_BENCH_PROGRAM)};
#undef COHORT_BENCH_PROGRAM
}

bool has_openmp() { return COHORT_BENCH_OPENMP; }

}  // namespace COHORT_BENCH_BUILD

}  // namespace bench
