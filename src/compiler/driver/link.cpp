// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The link of objects, and the folders that build systems read from it.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "compile.hpp"
#include "options/words.hpp"
#include "pass_words.hpp"
#include "system/environment.hpp"
#include "tools/host_tools.hpp"

namespace cohort {

int compiler::device_link() {
  const std::string empty = temporary_.file("device_link.cpp");
  std::ofstream(empty) << "";
  return run({tools_.clang, "-c", "-fPIC", empty, "-o", options_.output.empty() ? "a_dlink.o" : options_.output});
}

int compiler::link(const std::vector<std::string>& objects, const std::string& output) {
  if (!options_.dry_run && !std::filesystem::exists(tools_.library)) {
    std::fprintf(stderr,
                 "cohortcc: error: Cohort's runtime is missing: %s does not exist. Build or install Cohort "
                 "completely (make, make install)\n",
                 tools_.library.c_str());
    return 1;
  }
  command words = {tools_.clang, "-m64"};
  if (options_.shared) {
    words.push_back("-shared");
  }
  if (options_.debug) {
    words.push_back("-g");
  }
  append(words, {"-o", output});
  append(words, objects);
  append(words, library_folders());  // before the user's folders, which may have another CUDA runtime of these names
  append(words, options_.host);
  append(words, coverage_link_words(options_));
  for (const std::string& word : options_.linker) {
    // Left out: the runtime of g++ would answer some of the calls beside clang's.
    if ((uses_openmp(options_) && word == "-lgomp") || (!options_.coverage.empty() && word == "-lgcov")) {
      continue;
    }
    words.push_back(word);
  }
  append(words, tool_words());
  const std::string runtime = !options_.runtime.empty() ? options_.runtime : options_.shared ? "shared" : "static";
  if (runtime == "static") {
    append(words, {"-lcudadevrt", "-lcudart_static"});
  } else if (runtime == "shared") {
    // The shared library resolves all names of the runtime. -lcudart links nothing more: CMake reads it in the text of
    // this command.
    append(words, {"-lcudadevrt", tools_.shared_library, "-Wl,--push-state,--as-needed", "-lcudart", "-Wl,--pop-state",
                   "-Wl,-rpath," + tools_.lib});
  }
  append(words, {"-lrt", "-lpthread", "-ldl", "-lm"});
  append(words, {"-Wl,--push-state,--as-needed", tools_.sleef_stub, "-Wl,--pop-state"});
  if (!tools_.run_path.empty()) {
    words.push_back("-Wl,-rpath," + tools_.run_path);
  }
  const int status = run(words);
  if (status != 0) {
    explain_missing_host_tools(tools_);
    if (uses_openmp(options_)) {
      explain_missing_openmp(tools_);
    }
    if (!coverage_link_words(options_).empty()) {
      explain_missing_counters(tools_);
    }
  }
  return status;
}

// Returns the paths of the libraries that --check and --count need.
compiler::command compiler::tool_words() const {
  command words;
  if (options_.check) {
    for (const std::string& kind : options_.checks) {  // none: the checker finds all kinds
      words.push_back("-Wl,-u,cohort_check_finds_" + kind);
    }
    words.push_back(tools_.checker);
  }
  if (options_.count) {
    append(words, {"-Wl,-u,cohort_count_starts", tools_.counters});
  }
  return words;
}

int compiler::archive(const std::vector<std::string>& objects, const std::string& output) {
  std::error_code ignored;
  if (!options_.dry_run) {
    std::filesystem::remove(output, ignored);  // ar would keep the old members
  }
  command words = {options_.archiver, "rcs"};
  append(words, options_.archive);
  words.push_back(output);
  append(words, objects);
  return run(words);
}

// The folders of libraries. CMake takes them as those of the system, and gives programs no run path to them. Programs
// that it links with the libraries of by-path need none; lib64, whose libcudart.so needs one, is not named here.
compiler::command compiler::library_folders() const {
  return {"-L" + tools_.toolkit + "/lib64/stubs", "-L" + tools_.toolkit + "/lib64/by-path"};
}

void compiler::show_folders() const {
  const std::string lines[] = {
      "_HERE_=" + tools_.toolkit + "/bin",
      "TOP=" + tools_.toolkit,
      "NVVMIR_LIBRARY_DIR=" + tools_.toolkit + "/nvvm/libdevice",
      "PATH=" + environment_variable("PATH"),
      "INCLUDES=" + shell_quoted({"-I" + tools_.toolkit + "/include"}),
      "LIBRARIES=  " + shell_quoted(library_folders()),
      "ARCHITECTURE=-arch compute_" + std::to_string(options_.arch),
  };
  for (const std::string& line : lines) {
    std::fprintf(stderr, "#$ %s\n", line.c_str());
  }
}

}  // namespace cohort
