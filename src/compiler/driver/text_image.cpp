// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_image.hpp"

#include <algorithm>
#include <cstddef>

namespace cohort {
namespace {

constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr size_t bytes_of_line = 90;  // 90 bytes are 120 digits of base64

void append_base64(std::string& text, const std::string& bytes, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i += 3) {
    unsigned three = 0;
    for (size_t k = 0; k < 3; ++k) {
      three = three << 8 | (i + k < end ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (int shift = 18; shift >= 0; shift -= 6) {
      text += digits[three >> shift & 63];
    }
  }
}

}  // namespace

std::string text_image(const std::string& bytes) {
  std::string text = "// cohort image: " + std::to_string(bytes.size()) + " bytes in base64; this is no PTX\n";
  for (size_t begin = 0; begin < bytes.size(); begin += bytes_of_line) {
    append_base64(text, bytes, begin, std::min(bytes.size(), begin + bytes_of_line));
    text += '\n';
  }
  return text;
}

}  // namespace cohort
