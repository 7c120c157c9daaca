// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "../peers/versions.hpp"

namespace bench {

namespace {

class session {
 public:
  explicit session(const suite& rows) : rows_(rows) {
    answers_ = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);  // a library's own output must not look like an answer
  }
  ~session() { std::fclose(answers_); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  bool execute(const std::string& line) {
    const size_t space = line.find(' ');
    const std::string command = line.substr(0, space);
    const std::string argument = space == std::string::npos ? "" : line.substr(space + 1);
    if (command == "row") {
      if (!make_row(argument)) return false;
    } else if (command == "run") {
      const side& s = side_at(std::strtoul(argument.c_str(), nullptr, 10));
      s();
      std::fprintf(answers_, "value %.9g\n", s());
    } else if (command == "version") {
      for (const auto& peer : peer_versions()) {
        std::fprintf(answers_, "peer %s: %s\n", peer.first.c_str(), peer.second.c_str());
      }
      std::fprintf(answers_, "end\n");
    } else {
      return false;
    }
    return std::fflush(answers_) == 0;
  }

 private:
  bool make_row(const std::string& name) {
    const suite_row* row = rows_.find(name);
    if (!row) return false;
    sides_ = {};  // frees the last row's memory first
    sides_ = row->make();
    std::fprintf(answers_, "sides %zu\n", sides_.peers.size());
    for (const peer_side& p : sides_.peers) std::fprintf(answers_, "%s\n", p.missing.c_str());
    return true;
  }
  const side& side_at(size_t i) const { return i == 0 ? sides_.ours : sides_.peers.at(i - 1).measure; }

  const suite& rows_;
  row_sides sides_;
  std::FILE* answers_;
};

}  // namespace

int serve(const suite& rows) {
  session s(rows);
  for (std::string line; std::getline(std::cin, line);) {
    if (!s.execute(line)) {
      std::fprintf(stderr, "cohort_bench: the measuring process cannot execute '%s'\n", line.c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace bench
