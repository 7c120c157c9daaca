// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/module_version.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <cohort/machine/cpu/port.hpp>

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

namespace {

// Reads "sm_90a" or "compute_120f". An unknown word runs everywhere.
bool runs_on(const std::string& code, int capability) {
  const size_t digits = code.find('_') + 1;
  const int number = std::atoi(code.c_str() + digits);
  if (digits == 0 || number == 0) return true;
  const char feature = code.back();
  const bool is_family = number / 10 == capability / 10 && number <= capability;
  if (feature == 'a') return number == capability;
  if (feature == 'f' || code.starts_with("sm_")) return is_family;
  return number <= capability;
}

}  // namespace

std::string refusal_of_gpu(const std::string& gpu_code) {
  const cohort_device& device = *cohort_device_get(0);
  if (gpu_code.empty() || device.clock_khz == 0) return "";
  const int capability = 10 * device.compute_major + device.compute_minor;
  for (size_t begin = 0; begin < gpu_code.size();) {
    const size_t end = std::min(gpu_code.find(',', begin), gpu_code.size());
    if (runs_on(gpu_code.substr(begin, end - begin), capability)) return "";
    begin = end + 1;
  }
  return "is compiled for " + gpu_code + ", and " + device.name + " (COHORT_GPU) has compute capability " +
         std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor) +
         ": compile it with -arch=sm_" + std::to_string(capability);
}

}  // namespace cohort::runtime
