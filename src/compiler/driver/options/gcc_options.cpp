// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/option_table.hpp"

namespace cohort {
namespace {

// Beginnings of names after `-f` or `-fno-`. clang 19 refuses every listed option of g++ 12, except those in
// `of_clang`.
const char* const families[] = {
    // optimization
    "aggressive-loop-optimizations", "branch-probabilities", "code-hoisting", "combine-stack-adjustments",
    "compare-elim", "conserve-stack", "cprop-registers", "crossjumping", "cse-", "dce", "devirtualize-at-ltrans", "dse",
    "early-inlining", "forward-propagate", "gcse-", "graphite", "guess-branch-probability", "hoist-adjacent-loads",
    "if-conversion", "indirect-inlining", "inline-atomics", "inline-limit", "ipa-", "ira-", "isolate-erroneous-paths",
    "live-range-shrinkage", "loop-", "lra-remat", "modulo-sched", "move-loop-", "optimize-strlen", "partial-inlining",
    "peephole", "predictive-commoning", "rename-registers", "reorder-", "rerun-cse-after-loop",
    "reschedule-modulo-scheduled-loops", "sched-", "sched2-", "schedule-", "section-anchors", "sel-sched-",
    "selective-scheduling", "shrink-wrap", "simd-cost-model=", "split-ivs-in-unroller", "split-loops", "split-paths",
    "split-wide-types", "ssa-", "store-merging", "thread-jumps", "tree-", "vect-cost-model",
    "version-loops-for-strides",
    // messages and debug information
    "analyzer", "compare-debug", "concepts-diagnostics-depth=", "diagnostics-", "dump-", "gnu-unique", "mem-report",
    "merge-debug-strings", "opt-info", "track-macro-expansion", "var-tracking"};

// Options of these families that clang accepts.
const char* const of_clang[] = {"diagnostics-absolute-paths",
                                "diagnostics-color",
                                "diagnostics-fixit-info",
                                "diagnostics-format",
                                "diagnostics-hotness-threshold",
                                "diagnostics-parseable-fixits",
                                "diagnostics-print-source-range-info",
                                "diagnostics-show-category",
                                "diagnostics-show-hotness",
                                "diagnostics-show-line-numbers",
                                "diagnostics-show-note-include-stack",
                                "diagnostics-show-option",
                                "diagnostics-show-template-tree",
                                "tree-slp-vectorize",
                                "tree-vectorize"};

template <class Names>
bool begins_with_one(const std::string& name, const Names& names) {
  for (const char* beginning : names) {
    if (name.rfind(beginning, 0) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_hint_for_gcc(const std::string& option) {
  if (option.rfind("-f", 0) != 0) {
    return false;
  }
  const std::string name = option.substr(option.rfind("-fno-", 0) == 0 ? 5 : 2);
  return begins_with_one(name, families) && !begins_with_one(name, of_clang);
}

}  // namespace cohort
