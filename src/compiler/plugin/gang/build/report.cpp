// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/build/report.hpp"

#include <set>

#include "analysis/source_place.hpp"

#include "llvm/IR/DebugInfoMetadata.h"

namespace cohort {
namespace {

// Such as ", loads gather in lines (12, 14)". Empty if no place is known.
std::string lines_of(const char* what, const std::vector<llvm::DebugLoc>& places) {
  std::set<unsigned> lines;
  for (const llvm::DebugLoc& place : places) {
    const llvm::DILocation* known = place_in_source(place);
    if (known && known->getLine() != 0) {
      lines.insert(known->getLine());
    }
  }
  std::string text;
  for (const unsigned line : lines) {
    text += text.empty() ? std::string(", ") + what + " (" : ", ";
    text += std::to_string(line);
  }
  return text.empty() ? text : text + ")";
}

std::string list_of(const gang_plan& plan, const version_set& versions) {
  std::string text;
  auto add = [&](const version_plan& version, const char* remark) {
    text += text.empty() ? "; versions: " : ", ";
    text += describe(version) + remark;
  };
  for (const version_plan& planned : plan.versions) {
    const bool is_made = (versions.others && versions.others->plan == planned) ||
                         llvm::any_of(versions.rows, [&](const built_version& made) { return made.plan == planned; });
    if (is_made || llvm::is_contained(versions.not_made, planned)) {
      add(planned, is_made ? "" : " (not made)");
    }
  }
  const bool has_others =
      llvm::any_of(plan.versions, [](const version_plan& planned) { return serves_any_block(planned.kind); });
  return has_others || plan.is_short ? text : text + ", other blocks as on the first CPU";
}

}  // namespace

std::string how_other_blocks_run(const version_set& versions) {
  if (!versions.others) {
    return "have a stack for each thread" + (versions.refusal.empty() ? "" : ": " + versions.refusal);
  }
  return versions.others->plan.kind == version_kind::thread_loop ? "run as a loop over their threads" : "";
}

std::string sentence(const gang_plan& plan, const version_set& versions, const std::string& other_blocks) {
  std::string text = "runs " + std::to_string(versions.rows.front().plan.width) + " threads at once";
  text += lines_of("loads gather in lines", versions.notes.gathers);
  text += lines_of("stores scatter in lines", versions.notes.scatters);
  for (const auto& [callee, place] : versions.notes.calls) {
    text += ", " + callee.str() + " is called for each thread";
  }
  if (plan.is_short) {
    text += "; the source is too large for further versions";
  }
  if (!other_blocks.empty()) {
    text += "; blocks of other shapes than rows of " + std::to_string(versions.rows.back().plan.width) + " threads " +
            other_blocks;
  }
  return text + list_of(plan, versions);
}

}  // namespace cohort
