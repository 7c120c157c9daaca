// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "preamble/make_rule.hpp"

namespace cohort {

std::optional<std::vector<std::string>> prerequisites(const std::string& rule, const std::string& target) {
  if (rule.compare(0, target.size() + 1, target + ":") != 0) {
    return std::nullopt;
  }
  std::vector<std::string> words;
  std::string word;
  for (size_t i = target.size() + 1; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n', next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (c == '\\' && next != '\n' && next != '\0') {
      word += {c, next};
      ++i;
    } else if (c != ' ' && c != '\n' && c != '\\') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

std::string unescaped(const std::string& word) {
  std::string name;
  for (size_t i = 0; i < word.size(); ++i) {
    const char next = i + 1 < word.size() ? word[i + 1] : '\0';
    if ((word[i] == '\\' && (next == ' ' || next == '#')) || (word[i] == '$' && next == '$')) {
      ++i;
    }
    name += word[i];
  }
  return name;
}

std::string make_rule(const std::string& target, const std::vector<std::string>& words) {
  constexpr size_t most_columns = 75;
  std::string text = target + ":";
  size_t columns = text.size();
  for (const std::string& word : words) {
    const size_t size = unescaped(word).size() + 1;
    if (columns + size + 2 > most_columns) {
      text += " \\\n ";
      columns = 2;
    }
    text += " " + word;
    columns += size;
  }
  return text + "\n";
}

}  // namespace cohort
