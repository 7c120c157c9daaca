// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/isa/targets.hpp"

#include <string_view>

namespace cohort::ptx {
namespace {

bool is_sm_90a(const target& t) { return t.architecture == 90 && t.features == 'a'; }
bool is_hopper_or_later(const target& t) { return t.architecture >= 90; }
bool has_features(const target& t) { return is_sm_90a(t) || (t.architecture >= 100 && t.features != '\0'); }

// PTX ISA 9.0, "Target ISA Notes" of the instructions. All other instructions of the table are of each architecture.
struct restriction {
  std::string_view name;
  bool (*has)(const target& target);
  std::string_view targets;
};
constexpr restriction restrictions[] = {
    {"wgmma", is_sm_90a, "sm_90a"},
    {"multimem", is_hopper_or_later, "sm_90 and later"},
    {"setmaxnreg", has_features, "sm_90a, and of sm_100 and later with the letter a or f"},
    {"tensormap.replace", has_features, "sm_90a, and of sm_100 and later with the letter a or f"},
};

}  // namespace

std::string refused_target(const instruction& instruction, const target& target) {
  if (target.architecture == 0) {
    return "";
  }
  for (const restriction& each : restrictions) {
    if (instruction.form->pattern.starts_with(each.name) && !each.has(target)) {
      return "-arch=sm_" + std::to_string(target.architecture) +
             (target.features ? std::string(1, target.features) : "") + " lacks the instruction, a feature of " +
             std::string(each.targets) + "; compile with -arch=sm_90a";
    }
  }
  return "";
}

}  // namespace cohort::ptx
