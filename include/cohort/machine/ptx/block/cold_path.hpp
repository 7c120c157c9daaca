// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Out-of-line calls of algorithms for rare team shapes.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"

namespace cohort {
namespace ptx {

struct cold_path {
  /// Returns Algorithm::run<Pairs>(size, value, op). Kept out of line where the operator has no state: inlined, the
  /// code costs instruction-cache misses, and registers and predicates of the hot paths.
  /// @tparam Pairs the size is 64; else it is another one
  template <class Algorithm, bool Pairs, class T, class Op>
  COHORT_FN static T run(uint32_t size, const T& value, Op& op) {
    if constexpr (detail::is_stateless_v<Op, T>) {
      return run_out_of_line<Algorithm, Pairs, T, Op>(size, value);
    } else {
      return Algorithm::template run<Pairs>(size, value, op);
    }
  }

 private:
  template <class Algorithm, bool Pairs, class T, class Op>
  COHORT_DEVICE static __attribute__((noinline)) T run_out_of_line(uint32_t size, T value) {
    typename detail::remove_cv<Op>::type op{};
    return Algorithm::template run<Pairs>(Pairs ? 64 : size, value, op);
  }
};

}  // namespace ptx
}  // namespace cohort
