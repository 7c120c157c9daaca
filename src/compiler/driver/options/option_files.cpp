// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/option_files.hpp"

#include <filesystem>

#include "options/options.hpp"
#include "options/words.hpp"
#include "system/environment.hpp"
#include "system/process.hpp"

namespace cohort {
namespace {

constexpr int deepest_nesting = 16;

class expander {
 public:
  std::vector<std::string> result;

  void add_all(const std::vector<std::string>& arguments, int depth) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      const size_t equals = argument.find('=');
      const std::string name = argument.substr(0, equals);
      if (argument.size() > 1 && argument[0] == '@') {
        add_file(argument.substr(1), depth);
      } else if (name == "--options-file" || name == "-options-file" || name == "-optf" || name == "--optf") {
        if (equals == std::string::npos && i + 1 == arguments.size()) {
          throw usage_error("option " + argument + " needs a value");
        }
        for (const auto& file :
             split_list(equals == std::string::npos ? arguments[++i] : argument.substr(equals + 1))) {
          add_file(file, depth);
        }
      } else {
        result.push_back(argument);
      }
    }
  }

 private:
  void add_file(const std::string& path, int depth) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      throw usage_error("there is no option file '" + path + "'");
    }
    if (depth == deepest_nesting) {
      throw usage_error("option file '" + path + "' includes itself, or files are nested too deep");
    }
    add_all(split_words(read_file(path)), depth + 1);
  }
};

}  // namespace

std::vector<std::string> expand_option_files(const std::vector<std::string>& arguments) {
  expander all;
  all.add_all(arguments, 0);
  return all.result;
}

std::vector<std::string> with_nvcc_flags(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  if (const std::string host_compiler = environment_variable("NVCC_CCBIN"); !host_compiler.empty()) {
    result = {"-ccbin", host_compiler};
  }
  const std::vector<std::string> first = split_words(environment_variable("NVCC_PREPEND_FLAGS"));
  result.insert(result.end(), first.begin(), first.end());
  result.insert(result.end(), arguments.begin(), arguments.end());
  const std::vector<std::string> last = split_words(environment_variable("NVCC_APPEND_FLAGS"));
  result.insert(result.end(), last.begin(), last.end());
  return result;
}

}  // namespace cohort
