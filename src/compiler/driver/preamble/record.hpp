// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record beside a precompiled header: what it was made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cohort {

struct preamble_record {
  // A file, with its time and size when the header was precompiled.
  struct stamp {
    std::string path;
    long long nanoseconds = 0, bytes = -1;  // `bytes` is -1 for a file that does not exist
    bool operator==(const stamp& other) const = default;
  };

  std::string key;                    // all that the precompiled header depends on, except the files
  std::string header;                 // name of the precompiled header beside the record; empty: clang cannot make it
  std::vector<stamp> files;           // the files that were read, clang and the plugin
  std::vector<std::string> words;     // the files in the rule of make, as -MD writes them
  std::vector<std::string> searched;  // names of the headers that clang looked up in folders
  std::string identifiers;            // all identifiers of the files, each between line ends

  bool is_current() const;  // true if no file has changed
  bool has_identifier(const std::string& name) const {
    return identifiers.find("\n" + name + "\n") != std::string::npos;
  }
};

preamble_record::stamp stamp_of(const std::string& path);

// Returns nothing for a text that is no whole record for `key`.
std::optional<preamble_record> parse_record(const std::string& text, const std::string& key);
std::string text_of(const preamble_record& record);

}  // namespace cohort
