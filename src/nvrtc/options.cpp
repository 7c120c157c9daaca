// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/options.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace cohort::nvrtc {
namespace {

enum class value_kind { none, text, truth, number, architecture, standard, on, joined };
enum class effect { pass, own, drop, refuse };

struct option_row {
  std::string_view long_name, short_name;
  value_kind value;
  effect does;
  std::string_view why;
};

constexpr option_row rows[] = {
#define COHORT_NVRTC_OPTION(long_name, short_name, value, does, why) \
  {long_name, short_name, value_kind::value, effect::does, why},
#include "nvrtc/options.inc"
#undef COHORT_NVRTC_OPTION
};

// The long and the short name of an option, in the form of NVRTC's messages.
std::string names_of(const option_row& row) {
  return "--" + std::string(row.long_name) + " (-" + std::string(row.short_name) + ")";
}

std::string error(const std::string& text) { return "nvrtc: error: " + text + "\n"; }

// The row of an option, and the value that follows in one word with the name, if there is one.
struct found_option {
  const option_row* row = nullptr;
  bool has_value = false;
  std::string value;
};

bool matches(std::string_view word, std::string_view dashes, std::string_view name, bool joined, found_option* found) {
  if (!word.starts_with(dashes) || !word.substr(dashes.size()).starts_with(name)) return false;
  const std::string_view rest = word.substr(dashes.size() + name.size());
  if (!rest.empty() && rest[0] != '=' && !joined) return false;
  found->has_value = !rest.empty();
  found->value = rest.empty() ? "" : rest.substr(rest[0] == '=' ? 1 : 0);
  return true;
}

found_option find_option(std::string_view word) {
  found_option found;
  for (const option_row& row : rows) {
    if (matches(word, "--", row.long_name, false, &found)) {
      found.row = &row;
      return found;
    }
  }
  for (const bool joined : {false, true}) {
    for (const option_row& row : rows) {
      if (joined && row.value != value_kind::joined) continue;
      if (matches(word, "-", row.short_name, joined, &found)) {
        found.row = &row;
        return found;
      }
    }
  }
  return found;
}

// Reads "sm_90a" or "compute_75".
bool read_architecture(std::string_view value, option_set* result) {
  const bool real = value.starts_with("sm_");
  if (!real && !value.starts_with("compute_")) return false;
  std::string_view number = value.substr(value.find('_') + 1);
  std::string_view features;
  if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) {
    features = number.substr(number.size() - 1);
    number.remove_suffix(1);
  }
  for (const int each : supported_architectures()) {
    if (number != std::to_string(each)) continue;
    result->architecture = each;
    result->architecture_features = features;
    result->real_architecture = real;
    return true;
  }
  return false;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_standard(std::string_view text) {
  constexpr std::string_view standards[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};
  return std::find(std::begin(standards), std::end(standards), text) != std::end(standards);
}

// The sentence about a value that the row does not take; empty for a correct one.
std::string problem_of(const option_row& row, const std::string& value, option_set* result) {
  switch (row.value) {
    case value_kind::truth:
      return value == "true" || value == "false" ? "" : error(names_of(row) + " expects true or false");
    case value_kind::number:
      return is_number(value) ? "" : error(names_of(row) + " expects an integer value");
    case value_kind::on:
      return value == "on" ? "" : error("invalid argument for option " + names_of(row) + ": " + value);
    case value_kind::architecture:
      return read_architecture(value, result) ? "" : error("invalid value for " + names_of(row));
    case value_kind::standard:
      return is_standard(value) ? "" : error("invalid value for " + names_of(row));
    default:
      return "";
  }
}

// True for the headers of a CUDA toolkit. Their folder would hide Cohort's.
bool is_toolkit(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / "crt" / "host_config.h", ignored);
}

// Options that apply() only notes, because their effect depends on options that may follow.
struct own_options {
  bool debug = false, optimizes = false;
  std::string standard = "c++17";
};

void apply(const option_row& row, const std::string& value, own_options* own, option_set* result) {
  const std::string_view name = row.long_name;
  const bool truth = value == "true";
  if (name == "device-debug") own->debug = true;
  if (name == "dopt") own->optimizes = true;
  if (name == "std" && value == "c++20") own->standard = value;
  if (name == "std" && value != "c++20") own->standard = "c++17";
  if (name == "no-cache") result->cache = false;
  if (name == "no-source-include") result->source_folder = false;
  if (name == "device-as-default-execution-space") result->default_device = true;
  if (name == "display-error-number") result->numbers = true;
  if (name == "no-display-error-number") result->numbers = false;
  if (name == "brief-diagnostics") result->brief = truth;
  if (name == "fdevice-syntax-only") result->syntax_only = true;
  if (name == "include-path" && !value.empty() && !is_toolkit(value)) result->include_folders.push_back(value);
  const auto add = [&](const char* option, const std::string& text) {
    result->words.insert(result->words.end(), {option, text});
  };
  if (name == "define-macro") add("-D", value);
  if (name == "undefine-macro") add("-U", value);
  if (name == "pre-include") add("-include", value);
  if (name == "builtin-move-forward" && !truth) add("-D", "COHORT_NVRTC_NO_MOVE_FORWARD=1");
  if (name == "builtin-initializer-list" && !truth) add("-D", "COHORT_NVRTC_NO_INITIALIZER_LIST=1");
  if (name == "device-int128") add("-D", "__CUDACC_RTC_INT128__=1");
  if (name == "device-float128") add("-D", "__CUDACC_RTC_FLOAT128__=1");
}

std::string read_option(const found_option& found, own_options* own, option_set* result) {
  const option_row& row = *found.row;
  if (row.does == effect::refuse) return error(names_of(row) + " is not supported: " + std::string(row.why));
  if (std::string problem = problem_of(row, found.value, result); !problem.empty()) return problem;
  if (row.does == effect::own) apply(row, found.value, own, result);
  if (row.does == effect::pass) {
    const std::string word = "-" + std::string(row.long_name);
    result->words.push_back(row.value == value_kind::none ? word : word + "=" + found.value);
  }
  return "";
}

}  // namespace

const std::vector<int>& supported_architectures() {
  static const std::vector<int> all = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  return all;
}

std::string read_options(int count, const char* const* options, option_set* result) {
  own_options own;
  for (int i = 0; i < count; ++i) {
    const std::string word = options[i] ? options[i] : "";
    found_option found = find_option(word);
    if (!found.row) return error("unrecognized option " + word + " found");
    if (found.row->value == value_kind::none && found.has_value) {
      return error(names_of(*found.row) + " does not accept any argument");
    }
    if (found.row->value != value_kind::none && !found.has_value) {
      if (i + 1 == count || !options[i + 1]) return error(names_of(*found.row) + " needs a value");
      found.value = options[++i];
    }
    if (std::string problem = read_option(found, &own, result); !problem.empty()) return problem;
  }
  result->words.push_back("-arch=sm_" + std::to_string(result->architecture) + result->architecture_features);
  result->words.push_back("-std=" + own.standard);
  if (own.debug && !own.optimizes) result->words.push_back("-G");
  return "";
}

}  // namespace cohort::nvrtc
