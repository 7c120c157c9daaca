// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of planted defects. `program NAME defect` runs the case NAME with its defect, `program NAME corrected` the
// corrected form. A comment "// here: NAME" marks the lines that a report of the defect may name. PHRASE is a part of
// what the report says about the memory. test_planted.py compares.
#pragma once

#include <cstdio>
#include <cstring>

namespace planted {

class test_case {
 public:
  test_case(const char* name, const char* phrase, void (*run)(bool defect))
      : name_(name), phrase_(phrase), run_(run), next_(head()) {
    head() = this;
  }

  // Runs the case that the arguments name. Without arguments, prints all names and phrases.
  static int main(int argc, char** argv) {
    for (const test_case* each = head(); each; each = each->next_) {
      if (argc < 3) {
        std::printf("%s|%s\n", each->name_, each->phrase_);
      } else if (std::strcmp(each->name_, argv[1]) == 0) {
        each->run_(std::strcmp(argv[2], "defect") == 0);
        std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        return 0;
      }
    }
    return argc < 3 ? 0 : 2;
  }

 private:
  static const test_case*& head() {
    static const test_case* first = nullptr;
    return first;
  }

  const char* name_;
  const char* phrase_;
  void (*run_)(bool);
  const test_case* next_;
};

}  // namespace planted

#define PLANTED(name, phrase)                                   \
  void run_##name(bool defect);                                 \
  planted::test_case case_of_##name(#name, phrase, run_##name); \
  void run_##name([[maybe_unused]] bool defect)
