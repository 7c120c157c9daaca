// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of NVRTC for tests: texts as strings, results as strings.
#pragma once

#include <gtest/gtest.h>

#include <nvrtc.h>

#include <string>
#include <utility>
#include <vector>

namespace test {

using texts = std::vector<std::string>;

class program {
 public:
  explicit program(const std::string& source, const std::vector<std::pair<std::string, std::string>>& headers = {},
                   const char* name = "name.cu") {
    std::vector<const char*> names, contents;
    for (const auto& [header, text] : headers) {
      names.push_back(header.c_str());
      contents.push_back(text.c_str());
    }
    EXPECT_EQ(nvrtcCreateProgram(&handle, source.c_str(), name, static_cast<int>(headers.size()), contents.data(),
                                 names.data()),
              NVRTC_SUCCESS);
  }
  program(const program&) = delete;
  ~program() { EXPECT_EQ(nvrtcDestroyProgram(&handle), NVRTC_SUCCESS); }

  nvrtcResult compile(const texts& options = {}) {
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    return nvrtcCompileProgram(handle, static_cast<int>(words.size()), words.data());
  }

  std::string log() const { return text(nvrtcGetProgramLogSize, nvrtcGetProgramLog); }
  std::string ptx() const { return text(nvrtcGetPTXSize, nvrtcGetPTX); }
  std::string cubin() const { return text(nvrtcGetCUBINSize, nvrtcGetCUBIN); }

  std::string lowered(const char* expression) const {
    const char* name = nullptr;
    EXPECT_EQ(nvrtcGetLoweredName(handle, expression, &name), NVRTC_SUCCESS) << expression;
    return name ? name : "";
  }

  nvrtcProgram handle = nullptr;

 private:
  // A text without its closing zero.
  std::string text(nvrtcResult (*size_of)(nvrtcProgram, size_t*), nvrtcResult (*get)(nvrtcProgram, char*)) const {
    size_t size = 0;
    EXPECT_EQ(size_of(handle, &size), NVRTC_SUCCESS);
    std::string result(size + 1, '?');
    EXPECT_EQ(get(handle, result.data()), NVRTC_SUCCESS);
    EXPECT_EQ(result.back(), '?');  // nothing is written after the size
    if (size == 0) return "";
    EXPECT_EQ(result[size - 1], '\0');
    return result.substr(0, size - 1);
  }
};

}  // namespace test
