// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/json_text.hpp"

#include <charconv>

#include "engine/report/text.hpp"
#include "engine/settings/report_version.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

// Length of the UTF-8 sequence at the start of `bytes`; 0 if there is none. (RFC 3629, section 4)
size_t sequence_length(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (length == 0 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
  }
  const bool too_long = (lead == 0xe0 && at(1) < 0xa0) || (lead == 0xf0 && at(1) < 0x90);
  const bool no_character = (lead == 0xed && at(1) >= 0xa0) || (lead == 0xf4 && at(1) >= 0x90);
  return too_long || no_character ? 0 : length;
}

bool names_schedule = true;

}  // namespace

void leave_schedule_out() { names_schedule = false; }

void append_number(std::string& text, uint64_t value) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_microseconds(std::string& text, uint64_t nanoseconds) {
  append_number(text, nanoseconds / 1000);
  const auto rest = static_cast<unsigned>(nanoseconds % 1000);
  text += '.';
  text += static_cast<char>('0' + rest / 100);
  text += static_cast<char>('0' + rest / 10 % 10);
  text += static_cast<char>('0' + rest % 10);
}

void append_quoted(std::string& text, std::string_view bytes) {
  constexpr const char* digits = "0123456789abcdef";
  text += '"';
  while (!bytes.empty()) {
    const size_t length = sequence_length(bytes);
    const char first = bytes[0];
    if (length == 0) {
      text += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      text += '\\';
      text += first;
    } else if (static_cast<unsigned char>(first) < 0x20) {
      text += "\\u00";
      text += digits[static_cast<unsigned char>(first) >> 4];
      text += digits[first & 15];
    } else {
      text.append(bytes.substr(0, length));
    }
    bytes.remove_prefix(length ? length : 1);
  }
  text += '"';
}

void append_triple(std::string& text, std::string_view name, const uint32_t* values) {
  append_quoted(text, name);
  for (int axis = 0; axis < 3; ++axis) {
    text += axis == 0 ? ":[" : ",";
    append_number(text, values[axis]);
  }
  text += ']';
}

std::string quoted(std::string_view bytes) {
  std::string text;
  append_quoted(text, bytes);
  return text;
}

std::string json_origin() {
  const char* const schedule = names_schedule ? read_form_setting("COHORT_SCHEDULE") : nullptr;
  return ", \"version\": " + number(report_version) + (schedule ? ", \"schedule\": " + engine::quoted(schedule) : "");
}

std::string json_triple(const uint32_t* values) {
  return "[" + number(values[0]) + ", " + number(values[1]) + ", " + number(values[2]) + "]";
}

std::string json_ranges(const std::vector<uint64_t>& sorted) {
  std::string text;
  for (const auto& [first, last] : runs_of(sorted)) {
    text += (text.empty() ? "[" : ", [") + number(first) + ", " + number(last) + "]";
  }
  return "[" + text + "]";
}

}  // namespace cohort::engine
