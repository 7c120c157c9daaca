// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/text_image.hpp"

#include <cstdlib>
#include <cstring>

namespace cohort::runtime {
namespace {

constexpr char mark[] = "// cohort image: ";

// The value of a base64 digit, -1 for other characters.
int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

bool is_text_image(const void* data) {
  return std::strncmp(static_cast<const char*>(data), mark, sizeof mark - 1) == 0;
}

std::string read_text_image(const char* text, std::vector<char>* bytes) {
  const size_t size = std::strtoull(text + sizeof mark - 1, nullptr, 10);
  const char* const line_end = std::strchr(text, '\n');
  unsigned bits = 0, count = 0;
  for (const char* c = line_end ? line_end : ""; *c && bytes->size() < size; ++c) {
    if (*c == '\n' || *c == '\r') continue;
    const int value = value_of(*c);
    if (value < 0) break;
    bits = bits << 6 | static_cast<unsigned>(value);
    if (++count % 4 == 0) {
      for (int shift = 16; shift >= 0 && bytes->size() < size; shift -= 8) {
        bytes->push_back(static_cast<char>(bits >> shift));
      }
    }
  }
  return size != 0 && bytes->size() == size ? "" : "its text is damaged or cut";
}

}  // namespace cohort::runtime
