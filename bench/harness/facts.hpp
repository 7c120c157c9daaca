// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that a result is stored with: the machine, the compilers and the commit.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

struct machine_facts {
  std::string date;      // 2026-01-31
  std::string time;      // 23:59:59 UTC
  std::string cpu;       // the CPU's own model name
  std::string cpu_slug;  // `cpu` in a form for file names
  std::string system;    // the kernel and its release
  std::string commit;    // `git describe` of the sources; "unknown" outside of a checkout
  int cores = 0;         // the number that this process may use
  std::vector<std::pair<std::string, std::string>> versions;
};

machine_facts find_machine_facts(const std::string& source_folder);

}  // namespace bench
