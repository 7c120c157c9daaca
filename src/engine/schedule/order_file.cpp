// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/order_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "engine/settings/report_version.hpp"

namespace cohort::engine {

namespace {

constexpr size_t most_file_bytes = size_t{64} << 20;
constexpr int most_nesting = 64;

// A member of a switch: where its value is stored. `most`: the largest number; 1: true or false.
struct number_member {
  const char* name;
  uint64_t most;
  void (*store)(order_switch&, uint64_t);
};
constexpr number_member number_members[] = {
    {"launch", ~uint64_t{0}, [](order_switch& s, uint64_t v) { s.launch = v; }},
    {"at_block", ~uint64_t{0}, [](order_switch& s, uint64_t v) { s.at.block = v; }},
    {"at_thread", 1023, [](order_switch& s, uint64_t v) { s.at.thread = static_cast<uint32_t>(v); }},
    {"at_point", ~uint64_t{0}, [](order_switch& s, uint64_t v) { s.at.number = v; }},
    {"block", ~uint64_t{0}, [](order_switch& s, uint64_t v) { s.block = v; }},
    {"thread", 1023, [](order_switch& s, uint64_t v) { s.thread = static_cast<uint32_t>(v); }},
    {"polled", 1, [](order_switch& s, uint64_t v) { s.polled = v != 0; }},
};

// Reads JSON (RFC 8259). After the first fault all further reads fail.
class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  const std::string& fault() const { return fault_; }
  bool fail(const std::string& why) {
    if (fault_.empty()) {
      const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
      fault_ = "line " + std::to_string(line) + ": " + why;
    }
    return false;
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size() || fail("text after the object");
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool expect(char c) { return fault_.empty() && (take(c) || fail(std::string("expected '") + c + "'")); }

  // Reads a string up to its closing quote and keeps its escapes. Only members that are skipped may need escapes.
  bool read_string(std::string_view& value) {
    if (!expect('"')) return false;
    const size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ >= text_.size()) {
      at_ = text_.size();  // an escape may be the last character
      return fail("a string has no end");
    }
    value = text_.substr(begin, at_++ - begin);
    return true;
  }
  bool read_number(uint64_t most, uint64_t& value) {
    skip_space();
    const size_t begin = at_;
    value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<uint64_t>(text_[at_] - '0');
      if (value > (most - digit) / 10) return fail("the number is larger than " + std::to_string(most));
      value = value * 10 + digit;
    }
    return at_ != begin || fail("expected a whole number");
  }
  bool read_word(const char* word) {
    skip_space();
    if (text_.substr(at_, std::strlen(word)) != word) return false;
    at_ += std::strlen(word);
    return true;
  }
  // Calls `member(name)` for each member of an object, after its colon.
  template <class Member>
  bool read_object(Member member) {
    if (!expect('{')) return false;
    if (take('}')) return true;
    do {
      std::string_view name;
      if (!read_string(name) || !expect(':') || !member(name)) return false;
    } while (take(','));
    return expect('}');
  }
  template <class Element>
  bool read_array(Element element) {
    if (!expect('[')) return false;
    if (take(']')) return true;
    do {
      if (!element()) return false;
    } while (take(','));
    return expect(']');
  }
  bool skip_value(int depth = 0) {
    skip_space();
    if (depth == most_nesting) return fail("the values are nested too deep");
    if (at_ == text_.size()) return fail("the text has no end");
    std::string_view ignored;
    switch (text_[at_]) {
      case '{':
        return read_object([&](std::string_view) { return skip_value(depth + 1); });
      case '[':
        return read_array([&] { return skip_value(depth + 1); });
      case '"':
        return read_string(ignored);
      default:
        break;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && std::strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", text_[at_])) ++at_;
    return at_ != begin || fail("expected a value");
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_])) ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string fault_;
};

bool read_member(reader& in, std::string_view name, order_switch& s) {
  for (const number_member& m : number_members) {
    if (name != m.name) continue;
    uint64_t value = 0;
    if (m.most == 1) {
      value = in.read_word("true") ? 1 : 0;
      if (!value && !in.read_word("false")) return in.fail("expected true or false");
    } else if (!in.read_number(m.most, value)) {
      return false;
    }
    m.store(s, value);
    return true;
  }
  return in.skip_value();
}

bool read_switch(reader& in, std::vector<order_switch>& switches) {
  order_switch s;
  if (!in.read_object([&](std::string_view name) { return read_member(in, name, s); })) return false;
  if (s.launch == 0) return in.fail("a switch has no launch");
  if ((s.at.block == no_block) != (s.at.number == 0)) return in.fail("a switch has one of at_block and at_point");
  switches.push_back(s);
  return true;
}

}  // namespace

std::string parse_order(std::string_view text, std::vector<order_switch>& switches) {
  reader in(text);
  bool has_switches = false, is_known = false;
  const auto member = [&](std::string_view name) {
    if (name == "version") {
      uint64_t version = 0;
      if (!in.read_number(~uint64_t{0}, version)) return false;
      is_known = version == report_version;
      return is_known || in.fail("version " + std::to_string(version) + " is not " + std::to_string(report_version));
    }
    if (name != "switches") return in.skip_value();
    has_switches = true;
    return in.read_array([&] { return read_switch(in, switches); });
  };
  if (!in.read_object(member) || !in.at_end()) return in.fault();
  if (!is_known || !has_switches) return "it has no members \"version\" and \"switches\"";
  return "";
}

std::string read_order(const std::string& path, std::vector<order_switch>& switches) {
  std::FILE* const file = std::fopen(path.c_str(), "rbe");
  if (!file) return std::strerror(errno);
  std::string text;
  char buffer[65536];
  for (size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0 && text.size() <= most_file_bytes;) {
    text.append(buffer, count);
  }
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return "it cannot be read";
  if (text.size() > most_file_bytes) return "it has more than 64 MiB";
  return parse_order(text, switches);
}

std::string switches_text(const std::vector<order_switch>& switches) {
  std::string text;
  for (const order_switch& s : switches) {
    text += (text.empty() ? "\n  {\"launch\": " : ",\n  {\"launch\": ") + std::to_string(s.launch);
    if (s.at.block != no_block) {
      text += ", \"at_block\": " + std::to_string(s.at.block) + ", \"at_thread\": " + std::to_string(s.at.thread) +
              ", \"at_point\": " + std::to_string(s.at.number);
    }
    text += ", \"block\": " + std::to_string(s.block) + ", \"thread\": " + std::to_string(s.thread);
    text += s.polled ? ", \"polled\": true}" : "}";
  }
  return "[" + text + "]";
}

std::string order_text(const std::vector<order_switch>& switches) {
  return "{\"version\": " + std::to_string(report_version) + ", \"switches\": " + switches_text(switches) + "}\n";
}

}  // namespace cohort::engine
