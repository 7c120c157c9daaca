// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in the form of a text, made by `cohortcc -ptx` (src/compiler/driver/text_image.cpp).
#pragma once

#include <string>
#include <vector>

namespace cohort::runtime {

// True if such a text begins at `data`.
bool is_text_image(const void* data);

// The bytes of the image in `text`. Returns an empty text, or a sentence that says why there are none.
std::string read_text_image(const char* text, std::vector<char>* bytes);

}  // namespace cohort::runtime
