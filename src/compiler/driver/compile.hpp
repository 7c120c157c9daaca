// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that cohortcc runs: two passes of clang for a CUDA source, merged into one object; and the link.
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"
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
  void add_dependencies(command& words, const input_file& input, const std::string& object) const;
  std::string optimization(bool device) const;
  command debug_information(bool device) const;
  std::string unit_id(const input_file& input, const std::string& object) const;

  int compile_cuda(const input_file& input, const std::string& object);
  int run(const command& words) const;
  // Runs one pass of clang and prints its diagnostics. `output`: where the pass writes, for error messages. `notes`:
  // the file given by notes_word(); empty for host code.
  int run_pass(const command& words, const std::string& output, const std::string& notes = "");
  struct result {
    int status;
    std::string diagnostics;
  };
  // Waits for a pass whose diagnostics go to the file `errors`. Runs it again after notes of the plugin.
  result finish(child& pass, const command& words, const std::string& errors, const std::string& notes) const;
  bool show(const command& words) const;  // prints the command for --verbose and --dryrun; false: do not run it

  const options& options_;
  const toolchain& tools_;
  const temporary_folder& temporary_;
  int count_ = 0;  // temporary names made so far
};

}  // namespace cohort
