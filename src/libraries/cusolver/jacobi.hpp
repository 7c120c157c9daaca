// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results that calls of Jacobi's method report through their settings. The work of a call keeps them alive after
// the settings.
#pragma once

#include <cusolverDn.h>

#include <atomic>
#include <memory>

namespace cohort::cusolver {

struct jacobi_results {
  std::atomic<double> residual{0};
  std::atomic<bool> is_batch{false};
};
using shared_results = std::shared_ptr<jacobi_results>;

}  // namespace cohort::cusolver

struct syevjInfo {
  cohort::cusolver::shared_results results = std::make_shared<cohort::cusolver::jacobi_results>();
};
struct gesvdjInfo {
  cohort::cusolver::shared_results results = std::make_shared<cohort::cusolver::jacobi_results>();
};

namespace cohort::cusolver {

// The results that the settings share with a call. Null settings give null, which the problem's check() refuses.
template <class Settings>
shared_results results_of(const Settings* settings) {
  return settings ? settings->results : nullptr;
}

}  // namespace cohort::cusolver
