// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/words.hpp"

#include <cctype>
#include <functional>

#include "options/options.hpp"

namespace cohort {
namespace {

// Splits at the characters that `separates` accepts, outside of quotes. `word` is what precedes the character.
std::vector<std::string> split_quoted(const std::string& text,
                                      const std::function<bool(char c, const std::string& word)>& separates) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;  // an empty word in quotes is a word
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      begun = true;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? '\0' : c;
      begun = true;
    } else if (!quote && separates(c, word)) {
      if (begun) {
        words.push_back(word);
      }
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote) {
    throw usage_error(std::string("there is no second ") + quote + " in the options '" + text + "'");
  }
  if (begun) {
    words.push_back(word);
  }
  return words;
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == ',') {
      if (i > begin) {
        parts.push_back(text.substr(begin, i - begin));
      }
      begin = i + 1;
    }
  }
  return parts;
}

std::vector<std::string> split_words(const std::string& text) {
  return split_quoted(text, [](char c, const std::string&) { return is_space(c); });
}

std::vector<std::string> split_passed_options(const std::string& value) {
  return split_quoted(
      value, [](char c, const std::string& word) { return is_space(c) || (c == ',' && word.rfind("-Wl", 0) != 0); });
}

}  // namespace cohort
