// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a result means nothing without: the machine, the compilers, the peers' versions, the commit.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

struct machine_facts {
  std::string date;      // 2026-01-31
  std::string time;      // 23:59:59 UTC
  std::string cpu;       // as the CPU names itself
  std::string cpu_slug;  // the same for a file name
  std::string system;    // kernel and its release
  std::string commit;    // `git describe` of the sources; "unknown" outside of a checkout
  int cores = 0;         // that this process may use
  std::vector<std::pair<std::string, std::string>> versions;
};

machine_facts find_machine_facts(const std::string& source_folder);

// CPUs that this process may use.
int usable_cores();

// Keeps the calling thread on one of its CPUs while it lives.
class pinned_to_one_core {
 public:
  pinned_to_one_core();
  ~pinned_to_one_core();
  pinned_to_one_core(const pinned_to_one_core&) = delete;
  pinned_to_one_core& operator=(const pinned_to_one_core&) = delete;

 private:
  std::vector<unsigned char> before_;
};

}  // namespace bench
