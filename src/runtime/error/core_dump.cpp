// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/error/core_dump.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>

#include <cohort/machine/cpu/port/host.hpp>

#include "runtime/error/environment.hpp"
#include "runtime/error/error.hpp"
#include "runtime/error/log.hpp"

namespace cohort::runtime {

namespace {

constexpr int skip_abort = 16;  // CU_COREDUMP_SKIP_ABORT

// The core dump settings of all devices. Never destroyed.
struct settings_table {
  std::mutex mutex;
  core_dump_settings common = settings_of_environment();
  std::map<int, core_dump_settings> own;
};

settings_table& table() {
  static settings_table* const only = new settings_table;
  return *only;
}

std::string last_report() {
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  return text;
}

void write_core_dump(const core_dump_settings& settings, int device, cudaError_t error, const std::string& report) {
  const std::string path = expand_core_dump_path(settings.file);
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "we"), std::fclose);
  if (!file ||
      std::fprintf(file.get(), "device %d, process %d: %s\n%s\n", device, static_cast<int>(getpid()),
                   cudaGetErrorName(error), report.c_str()) < 0 ||
      std::fflush(file.get()) != 0) {
    say(cudaLogLevelError, "the core dump %s cannot be written", path.c_str());
    return;
  }
  const bool aborts = settings.aborts && !(settings.generation_flags & skip_abort);
  say(cudaLogLevelWarning, "the report is in the core dump %s%s", path.c_str(),
      aborts ? "; the program aborts, which CU_COREDUMP_SKIP_ABORT prevents" : "");
  if (aborts) std::abort();
}

}  // namespace

core_dump_settings core_dump_settings_of(int device) {
  const std::lock_guard lock(table().mutex);
  const auto own = table().own.find(device);
  return own == table().own.end() ? table().common : own->second;
}

void set_core_dump_settings(int device, const core_dump_settings& settings) {
  const std::lock_guard lock(table().mutex);
  (device == all_devices ? table().common : table().own[device]) = settings;
}

std::string expand_core_dump_path(const std::string& path) {
  std::string made;
  for (size_t i = 0; i < path.size(); ++i) {
    const char kind = path[i] == '%' && i + 1 < path.size() ? path[i + 1] : '\0';
    char host[256] = "";
    if (kind == 'h') {
      gethostname(host, sizeof host - 1);
      made += host;
    } else if (kind == 'p') {
      made += std::to_string(getpid());
    } else if (kind == 't') {
      made += std::to_string(std::time(nullptr));
    } else {
      made += path[i];
      continue;
    }
    ++i;
  }
  return made;
}

void note_kernel_failure(int device, cudaError_t error) {
  if (!is_fatal(error)) return;
  const std::string report = last_report();
  log_message(cudaLogLevelError, report);
  const core_dump_settings settings = core_dump_settings_of(device);
  if (settings.is_written) write_core_dump(settings, device, error, report);
}

}  // namespace cohort::runtime
