// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in text form, made by `cohortcc -ptx` (src/compiler/driver/text_image.cpp).
#pragma once

#include <string>
#include <vector>

namespace cohort::runtime {

// True if `data` begins with the text form of an image.
bool is_text_image(const void* data);

// Decodes the image in `text`. Returns an empty text, or a sentence that says why there is none.
std::string read_text_image(const char* text, std::vector<char>* bytes);

}  // namespace cohort::runtime
