// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A measuring process, seen from the process that collects the results.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "row.hpp"

namespace bench {

class measuring_process {
 public:
  // Starts this program as a server. `one_cpu` < 0: on all CPUs.
  measuring_process(int one_cpu, gangs mode);
  ~measuring_process();
  measuring_process(const measuring_process&) = delete;
  measuring_process& operator=(const measuring_process&) = delete;

  // Makes a row's sides. Returns, for each peer, an empty string or why it is missing; nothing if the process ended.
  std::optional<std::vector<std::string>> make_row(const std::string& name);
  // Measures a side once (0: ours); nothing if the process ended.
  std::optional<double> run(size_t side);
  std::vector<std::pair<std::string, std::string>> peer_versions();

 private:
  bool send(const std::string& command);
  std::optional<std::string> receive();

  pid_t pid_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace bench
