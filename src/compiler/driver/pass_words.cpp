// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_words.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace cohort {

std::vector<std::string> cuda_warning_words(const options& chosen) {
  std::vector<std::string> words = {"-Werror=unknown-attributes",
                                    "-Werror=ignored-attributes",
                                    "-Wno-pass-failed",
                                    "-Wno-error=register",  // nvcc only warns of it
                                    "-Wno-error=c++11-narrowing",
                                    "-Wno-error=reserved-user-defined-literal",  // "text"MACRO
                                    "-Wno-unused-command-line-argument"};
  for (const std::string& word : chosen.warnings) {
    words.push_back("-fplugin-arg-cohort-warnings-" + word);
  }
  if (chosen.relaxed_constexpr) {
    words.push_back("-fplugin-arg-cohort-relaxed-constexpr");
  }
  return words;
}

std::vector<std::string> cpp_warning_words(const options& chosen) {
  std::vector<std::string> words = {"-Wno-unused-command-line-argument"};
  if (chosen.warnings_are_errors) {
    words.push_back("-Werror");
  }
  return words;
}

std::vector<std::string> host_compiler_words(const options& chosen) {
  std::vector<std::string> words = chosen.host;
  // The plugin makes errors of the warnings that it shows. clang would make them of those that it hides, too.
  std::replace(words.begin(), words.end(), std::string("-Werror"),
               std::string("-fplugin-arg-cohort-warnings-host-error"));
  return words;
}

bool uses_openmp(const options& chosen) {
  return std::any_of(chosen.host.begin(), chosen.host.end(),
                     [](const std::string& word) { return word == "-fopenmp" || word.rfind("-fopenmp=", 0) == 0; });
}

// Defines _OPENMP, by which headers choose host functions; nvcc defines it in both passes. The value is that of g++ 12:
// with a higher one clang's <omp.h> has pragmas that need -fopenmp, which device code cannot have.
std::vector<std::string> openmp_device_words(const options& chosen) {
  if (!uses_openmp(chosen)) {
    return {};
  }
  return {"-D_OPENMP=201511", "-Wno-source-uses-openmp"};
}

namespace {

namespace fs = std::filesystem;

bool counts_arcs(const options& chosen) {
  return std::find(chosen.coverage.begin(), chosen.coverage.end(), "--coverage") != chosen.coverage.end();
}

// The path of the coverage files without an ending, as gcc names them: main.o has main.gcno, and main.cu of a program
// prog has prog-main.gcno.
fs::path notes_of(const options& chosen, const input_file& input, const std::string& object) {
  if (chosen.what == action::compile) {
    return fs::absolute(object).replace_extension();
  }
  const fs::path program = chosen.output.empty() ? "a" : chosen.output;
  return fs::absolute(program).replace_extension().string() + "-" + fs::path(input.path).stem().string();
}

// A regular expression for the files below a folder, as clang names them: without symbolic links.
std::string files_below(const std::string& folder) {
  std::error_code ignored;
  std::string pattern = "^";
  for (const char c : fs::weakly_canonical(folder, ignored).string()) {
    if (std::string_view(".+*?()[]{}|^$\\").find(c) != std::string_view::npos) {
      pattern += '\\';
    }
    pattern += c;
  }
  return pattern + "/";
}

}  // namespace

std::vector<std::string> coverage_words(const options& chosen, const toolchain& tools, const input_file& input,
                                        const std::string& object, coverage_pass pass) {
  std::vector<std::string> words = chosen.coverage;
  if (words.empty()) {
    return words;
  }
  if (pass == coverage_pass::device) {
    words.push_back("-fprofile-update=atomic");  // several workers run one kernel at the same time
  }
  if (pass != coverage_pass::cpp) {
    words.push_back("-fplugin-arg-cohort-coverage");
  }
  if (counts_arcs(chosen)) {
    const std::string notes =
        notes_of(chosen, input, object).string() + (pass == coverage_pass::device ? ".device" : "");
    for (const std::string& word :
         {"-coverage-notes-file=" + notes + ".gcno", "-coverage-data-file=" + notes + ".gcda"}) {
      words.insert(words.end(), {"-Xclang", word});
    }
    words.push_back("-fprofile-exclude-files=" + files_below(tools.cudart) + ";" + files_below(tools.compat) + ";" +
                    files_below(tools.include + "/cohort"));
  }
  return words;
}

std::vector<std::string> coverage_link_words(const options& chosen) {
  std::vector<std::string> words;
  for (const std::string& word : chosen.coverage) {
    if (word == "--coverage" || word.rfind("-fprofile-instr-generate", 0) == 0) {
      words.push_back(word);
    }
  }
  return words;
}

}  // namespace cohort
