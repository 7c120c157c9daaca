// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/option_words.hpp"

namespace cohort {
namespace {

// A word that sets one option.
struct switch_word {
  llvm::StringLiteral word;
  void (*set)(plugin_options&);
  bool (*is_set)(const plugin_options&);
};

constexpr switch_word switches[] = {
    {"rdc", [](plugin_options& o) { o.relocatable = true; }, [](const plugin_options& o) { return o.relocatable; }},
    {"features=a", [](plugin_options& o) { o.architecture_features = 'a'; },
     [](const plugin_options& o) { return o.architecture_features == 'a'; }},
    {"features=f", [](plugin_options& o) { o.architecture_features = 'f'; },
     [](const plugin_options& o) { return o.architecture_features == 'f'; }},
    {"report", [](plugin_options& o) { o.report = true; }, [](const plugin_options& o) { return o.report; }},
    {"check=race", [](plugin_options& o) { o.check = true; }, [](const plugin_options& o) { return o.check; }},
    {"count", [](plugin_options& o) { o.count = true; }, [](const plugin_options& o) { return o.count; }},
    {"coverage", [](plugin_options& o) { o.coverage = true; }, [](const plugin_options& o) { return o.coverage; }},
    {"gangs=off", [](plugin_options& o) { o.gangs = false; }, [](const plugin_options& o) { return !o.gangs; }},
    {"gangs=all", [](plugin_options& o) { o.all_widths = true; }, [](const plugin_options& o) { return o.all_widths; }},
    {"math=libm", [](plugin_options& o) { o.math = math_library::libm; },
     [](const plugin_options& o) { return o.math == math_library::libm; }},
    {"math=missing", [](plugin_options& o) { o.math = math_library::missing; },
     [](const plugin_options& o) { return o.math == math_library::missing; }},
};

// A word that ends with a number.
struct number_word {
  llvm::StringLiteral start;
  uint32_t plugin_options::* number;
};

constexpr number_word numbers[] = {
    {"arch=", &plugin_options::architecture},
    {"gangs=force=", &plugin_options::gang_width},
};

constexpr llvm::StringLiteral id_start = "id=";

}  // namespace

bool read_word(plugin_options& options, llvm::StringRef word) {
  for (const switch_word& each : switches) {
    if (word == each.word) {
      each.set(options);
      return true;
    }
  }
  for (const number_word& each : numbers) {
    llvm::StringRef digits = word;
    if (digits.consume_front(each.start)) {
      return !digits.getAsInteger(10, options.*each.number);
    }
  }
  if (word.consume_front(id_start)) {
    options.id = word.str();
    return true;
  }
  return false;
}

std::vector<std::string> words_of(const plugin_options& options) {
  std::vector<std::string> words;
  for (const switch_word& each : switches) {
    if (each.is_set(options)) {
      words.push_back(each.word.str());
    }
  }
  for (const number_word& each : numbers) {
    if (const uint32_t number = options.*each.number) {
      words.push_back(each.start.str() + std::to_string(number));
    }
  }
  if (!options.id.empty()) {
    words.push_back(id_start.str() + options.id);
  }
  return words;
}

}  // namespace cohort
