// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of the examples: --name VALUE, --name=VALUE, --flag and --help.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace example {

// Declares the options of one program, then parses the command line. A bad argument ends the program with status 2.
class options {
 public:
  options(const char* program, const char* summary) : program_(program), summary_(summary) {}

  // Declares an integer option in [low, high]. `value` is the default, and parse() overwrites it.
  options& number(const char* name, long long& value, long long low, long long high, const char* meaning) {
    entries_.push_back({name, meaning, &value, nullptr, low, high});
    return *this;
  }

  // Declares an option without a value. parse() sets `value` if the option is given.
  options& flag(const char* name, bool& value, const char* meaning) {
    entries_.push_back({name, meaning, nullptr, &value, 0, 0});
    return *this;
  }

  void parse(int argc, char** argv) const {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      if (argument == "--help" || argument == "-h") {
        print_help();
        std::exit(0);
      }
      const size_t equals = argument.find('=');
      const std::string name = argument.substr(0, equals);
      const entry* found = find(name);
      if (found == nullptr) fail("unknown argument '" + argument + "'");
      if (found->flag != nullptr) {
        if (equals != std::string::npos) fail(name + " takes no value");
        *found->flag = true;
        continue;
      }
      if (equals == std::string::npos && i + 1 == argc) fail(name + " needs a value");
      read_number(*found, equals == std::string::npos ? argv[++i] : argument.substr(equals + 1));
    }
  }

 private:
  struct entry {
    const char* name;
    const char* meaning;
    long long* number;
    bool* flag;
    long long low, high;
  };

  const entry* find(const std::string& name) const {
    for (const entry& e : entries_) {
      if (name == e.name) return &e;
    }
    return nullptr;
  }

  void read_number(const entry& e, const std::string& text) const {
    errno = 0;
    char* end = nullptr;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || errno != 0 || value < e.low || value > e.high) {
      fail(std::string(e.name) + " needs an integer from " + std::to_string(e.low) + " to " + std::to_string(e.high) +
           ", not '" + text + "'");
    }
    *e.number = value;
  }

  void print_help() const {
    std::printf("%s: %s\n\nusage: %s [options]\n", program_, summary_, program_);
    for (const entry& e : entries_) {
      const std::string left = std::string(e.name) + (e.number != nullptr ? " N" : "");
      std::printf("  %-16s %s", left.c_str(), e.meaning);
      if (e.number != nullptr) std::printf(" (%lld to %lld, default %lld)", e.low, e.high, *e.number);
      std::printf("\n");
    }
    std::printf("  %-16s %s\n", "--help", "print this text");
  }

  [[noreturn]] void fail(const std::string& reason) const {
    std::fprintf(stderr, "%s: %s; see %s --help\n", program_, reason.c_str(), program_);
    std::exit(2);
  }

  const char* program_;
  const char* summary_;
  std::vector<entry> entries_;
};

// Prints the last line of an example, and returns its exit status: 0 if every check succeeded.
inline int verdict(bool right, const char* what) {
  std::printf("%s: %s\n", right ? "verified" : "FAILED", what);
  return right ? 0 : 1;
}

}  // namespace example
