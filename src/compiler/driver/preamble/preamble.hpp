// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The preamble: the headers that cohortcc includes before each CUDA source. They take most of the time of a small
// source, so a pass reads them in precompiled form where one exists that gives equal objects, diagnostics and rules of
// make. --make-preamble makes the forms, the build those of common options, and with COHORT_CACHE the first
// compilation. Each is valid as long as its files, clang and the plugin keep their sizes and times.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "options/options.hpp"
#include "tools/toolchain.hpp"

namespace cohort {

struct preamble {
  std::string header;              // path of clang's precompiled header
  std::vector<std::string> words;  // files of the preamble, as a rule of make lists them

  // The words of clang's command with the precompiled header in the place of the headers.
  std::vector<std::string> replace_in(std::vector<std::string> command) const;
  // True if a diagnostic names a file of the preamble: without the precompiled form its text may differ.
  bool is_named_in(const std::string& diagnostics) const;
  // The rule of make that a pass without the precompiled form writes. `has_system_headers`: -MD, not -MMD. Returns
  // nothing if the rule is not for `target`.
  std::optional<std::string> rule(const std::string& written, const std::string& target, const std::string& source,
                                  bool has_system_headers) const;
};

// The folders and macros of the user that may change what the preamble means.
struct preamble_context {
  std::vector<std::string> folders;  // folders that are searched before those of the system
  std::vector<std::string> macros;   // -DNAME=VALUE and -UNAME, in order
};

// The words of the pass that makes the preamble where the macros of the user that it depends on are `macros`.
using preamble_command = std::function<std::vector<std::string>(const std::vector<std::string>& macros)>;

// Where precompiled preambles are: the installation's own folder, the user's cohort/preamble in XDG_CACHE_HOME or
// ~/.cache, and the folder named by COHORT_CACHE.
class preamble_store {
 public:
  explicit preamble_store(const toolchain& tools) : tools_(tools) {}

  // Returns nothing where no precompiled form fits.
  std::optional<preamble> find(const preamble_command& command, const preamble_context& context) const;

  // Makes the forms that find() needs with the same arguments: in COHORT_CACHE if it is set, in the installation if it
  // takes files, or else in the user's folder. Throws std::runtime_error with a sentence if that fails.
  void make(const preamble_command& command, const preamble_context& context) const;

 private:
  const toolchain& tools_;
};

// The options of a pass that makes the preamble: those of the pass that reads it, without the macros and folders, which
// go to `context`, and without what affects only the generated code. Returns nothing where an option may affect the
// preamble in another way. `optimization`: the level of the pass, "-O3".
std::optional<options> preamble_options(const options& chosen, const std::string& optimization,
                                        preamble_context* context);

}  // namespace cohort
