// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of an image, which -ptx writes: programs read a file of PTX as a text that a zero ends.
#pragma once

#include <string>

namespace cohort {

// A line with the mark and the number of bytes, then the bytes as lines of base64. The runtime reads it in
// src/runtime/image/text_image.cpp.
std::string text_image(const std::string& bytes);

}  // namespace cohort
