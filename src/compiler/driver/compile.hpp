// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that cohortcc runs: two passes of clang for a CUDA source, merged into one object; and the link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/options.hpp"
#include "preamble/preamble.hpp"
#include "system/process.hpp"
#include "tools/toolchain.hpp"

namespace cohort {

class compiler {
 public:
  compiler(const options& chosen, const toolchain& tools, const temporary_folder& temporary)
      : options_(chosen), tools_(tools), temporary_(temporary) {}

  // Each function returns the exit status of the commands that it ran; on a failure, errors have been printed.
  int preprocess(const input_file& input);
  int compile(const input_file& input, const std::string& object);
  // Makes an image: a shared library with the device half of a source. The runtime binds it to the process that loads
  // it.
  int make_image(const input_file& input, const std::string& image);
  // Makes the precompiled preambles of both passes. Throws std::runtime_error with a sentence if that fails.
  void make_preambles() const;
  // Makes an empty object. nvcc links device code in a step of its own, whose object goes into the ordinary link.
  int device_link();
  int link(const std::vector<std::string>& objects, const std::string& output);
  // Puts the objects into a static library.
  int archive(const std::vector<std::string>& objects, const std::string& output);
  // Prints the folders in the form of nvcc's --dryrun. CMake and other build systems read these lines.
  void show_folders() const;

 private:
  using command = std::vector<std::string>;

  command cuda_command(const input_file& input) const;
  command host_command(const input_file& input, const std::string& id) const;
  command device_command(const input_file& input, const std::string& id) const;
  command cpp_command(const input_file& input) const;
  command standard_input_words(const input_file& input) const;
  command library_folders() const;
  command tool_words() const;
  void add_plugin(command& words, const std::string& id) const;
  // Returns the file that the pass writes a rule of make to; empty if none.
  std::string add_dependencies(command& words, const input_file& input, const std::string& object) const;
  std::string dependency_target(const std::string& object) const;
  std::string optimization(bool device) const;
  command debug_information(bool device) const;
  std::string unit_id(const input_file& input, const std::string& object) const;

  // One run of clang over a source.
  struct pass {
    command words = {};
    std::string errors = {};  // path of the file for its diagnostics
    std::string notes = {};   // the file given by notes_word(); empty for a C or C++ file
    std::string rule = {};    // path of the file for its rule of make, `target: source ...`; empty if it writes none
    std::string target = {}, source = {};
    std::optional<preamble> prepared = {};

    const std::string& output() const { return words.back(); }
  };
  struct result {
    int status;
    std::string diagnostics;
  };

  // The precompiled preamble for a pass over a CUDA source, if one fits.
  std::optional<preamble> find_preamble(const input_file& input, bool device) const;
  command preamble_words(const options& plain, const command& macros, bool device) const;
  int compile_cuda(const input_file& input, const std::string& object);
  int run(const command& words) const;
  // Runs one pass and prints its diagnostics. `output`: where the pass writes, for error messages.
  int run_pass(const pass& each, const std::string& output) const;
  std::string new_errors_file();
  static command started_words(const pass& each);
  // Waits for a pass, and runs it again after notes of the plugin.
  result finish(child& running, const pass& each) const;
  // Waits for both passes of a source. If the host pass fails, only its errors are printed. Otherwise the device pass
  // adds the diagnostics that the host pass has not printed. Returns the status of the failed pass, or 0.
  int finish_both(child& host_pass, const pass& host, child& device_pass, const pass& device) const;
  // Waits for the first run. Where it has read a precompiled preamble and its diagnostics or its rule of make could
  // differ from those without one, runs the pass without it.
  result finish_first(child& running, const pass& each) const;
  bool correct_rule(const pass& each) const;
  bool show(const command& words) const;  // prints the command for --verbose and --dryrun; false: do not run it

  const options& options_;
  const toolchain& tools_;
  const temporary_folder& temporary_;
  int count_ = 0;  // temporary names made so far
};

}  // namespace cohort
