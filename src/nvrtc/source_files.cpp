// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/source_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "nvrtc/environment.hpp"

namespace cohort::nvrtc {
namespace {

namespace fs = std::filesystem;

// The name of the function in which the compiler's plugin finds the name expressions.
constexpr const char* name_expressions_function = "__nvrtc_name_expressions";

// The text as a string literal that C++ and JSON both accept.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// A #line directive that gives the next line a number and a file name. Messages then name the user's sources instead of
// the files of this folder.
std::string line_directive(int line, std::string_view name) {
  return "#line " + std::to_string(line) + " " + literal(name) + "\n";
}

// The function that holds the name expressions. An expression may end with a comment, hence the line ends. clang finds
// no overloaded kernel in a function of the device only.
std::string function_of(const std::vector<std::string>& expressions) {
  std::string text =
      "\nstatic inline __attribute__((host, device, unused)) void " + std::string(name_expressions_function) + "() {\n";
  for (size_t i = 0; i < expressions.size(); ++i) {
    text += "[[maybe_unused]] const void* expression" + std::to_string(i) + " = (const void*)(\n";
    text += line_directive(static_cast<int>(i) + 1, "__nv_name_map") + expressions[i] + "\n);\n";
  }
  return text + "}\n";
}

std::string text_of(const source_texts& texts, bool default_device) {
  std::string text;
  if (default_device) {
    text +=
        "#pragma clang force_cuda_host_device begin\n"
        "#pragma clang attribute push(__attribute__((device)), apply_to = variable(is_global))\n";
  }
  text += line_directive(1, texts.name) + texts.source;
  if (default_device) text += "\n#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n";
  if (!texts.expressions.empty()) text += function_of(texts.expressions);
  return text;
}

// How many folders above its own a name leads to: 2 for "../../x.h".
int folders_above(const fs::path& name) {
  int depth = 0, most = 0;
  for (const fs::path& part : name) {
    depth += part == ".." ? 1 : part == "." ? 0 : -1;
    most = std::max(most, depth);
  }
  return most;
}

// Makes each folder that the name goes through, which the system needs even before "..": "a" for "a/../b.h".
void make_folders(const fs::path& root, const fs::path& name) {
  std::error_code ignored;
  fs::path folder = root;
  for (const fs::path& part : name.parent_path()) {
    folder = part == ".." ? folder.parent_path() : part == "." ? folder : folder / part;
    fs::create_directories(folder, ignored);
  }
}

std::string make_folder() {
  const std::string root = temporary_root();
  std::string pattern = (fs::path(root) / "cohort-nvrtc-XXXXXX").string();
  if (!mkdtemp(pattern.data())) {
    throw std::runtime_error("a temporary folder cannot be made in " + root + ": " + std::strerror(errno) +
                             ". Name another one in TMPDIR");
  }
  return pattern;
}

}  // namespace

source_files::source_files(const source_texts& texts, bool default_device) : folder_(make_folder()) {
  write(source(), text_of(texts, default_device));
  write_headers(texts);
}

source_files::~source_files() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void source_files::write(const std::string& path, const std::string& text) const {
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    fs::remove_all(folder_, ignored);
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
  }
}

void source_files::write_headers(const source_texts& texts) {
  int above = 0;
  for (const auto& [name, text] : texts.headers) above = std::max(above, folders_above(name));
  headers_ = path("headers");
  for (int i = 0; i < above; ++i) headers_ += "/up";
  std::error_code ignored;
  fs::create_directories(headers_, ignored);
  std::string rows;
  for (size_t i = 0; i < texts.headers.size(); ++i) {
    const auto& [name, text] = texts.headers[i];
    const bool absolute = fs::path(name).is_absolute();
    const std::string place =
        absolute ? path("absolute/" + std::to_string(i))
                 : (fs::path(headers_) / fs::path(name).lexically_normal()).lexically_normal().string();
    if (!absolute) make_folders(headers_, name);
    write(place, line_directive(1, name) + text);
    if (!absolute) continue;
    if (!rows.empty()) rows += ",";
    rows += "{\"type\": \"file\", \"name\": " + literal(name) + ", \"external-contents\": " + literal(place) + "}";
  }
  if (rows.empty()) return;
  overlay_ = path("overlay.json");
  write(overlay_, "{\"version\": 0, \"use-external-names\": false, \"roots\": [" + rows + "]}\n");
}

}  // namespace cohort::nvrtc
