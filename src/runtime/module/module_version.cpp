// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/module_version.hpp"

#include <cstring>

#include "runtime/module/cpu_features.hpp"

namespace cohort::runtime {

namespace {

std::string refusal_of(const cohort_module_version& version, const std::string& lacking) {
  return std::string("is compiled for another CPU (") + version.cpu + "): this one lacks " + lacking +
         "; compile it with cohortcc on this machine, or with --cpu=x86-64-v3 for most machines";
}

}  // namespace

module_choice choose_version(const cohort_module& module) {
  const cohort_module_version* const end = module.versions + module.version_count;
  // All versions call the functions of the first one, so the CPU needs its features.
  if (const std::string lacking = lacking_cpu_features(module.versions->features); !lacking.empty()) {
    return {nullptr, refusal_of(*module.versions, lacking)};
  }
  const char* const named = cohort_device_get(0)->cpu;
  std::string names;
  const cohort_module_version* chosen = nullptr;
  for (const cohort_module_version* version = module.versions; version != end; ++version) {
    const std::string lacking = lacking_cpu_features(version->features);
    if (named && std::strcmp(named, version->cpu) == 0 && !lacking.empty())
      return {nullptr, refusal_of(*version, lacking)};
    if (named ? std::strcmp(named, version->cpu) == 0 : lacking.empty()) chosen = version;
    names += (names.empty() ? "" : ", ") + std::string(version->cpu);
  }
  if (!chosen) return {nullptr, std::string("has no version for COHORT_CPU=") + named + "; it has these: " + names};
  return {chosen, ""};
}

}  // namespace cohort::runtime
