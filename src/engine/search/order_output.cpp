// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/order_output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/report/report.hpp"
#include "engine/search/messages.hpp"
#include "engine/search/story.hpp"

namespace cohort::engine {

namespace {

// Returns why the file cannot be written; null after writing it.
const char* write_file(const std::string& path, const std::string& text) {
  struct stat found;
  if (lstat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) return "it is no regular file";
  std::string temporary = path + ".XXXXXX";
  const int descriptor = mkostemp(temporary.data(), 0);
  if (descriptor < 0) return std::strerror(errno);
  const bool written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool closed = close(descriptor) == 0;
  if (written && closed && rename(temporary.c_str(), path.c_str()) == 0) return nullptr;
  const char* const why = std::strerror(errno);
  unlink(temporary.c_str());
  return why;
}

}  // namespace

void print_order(const order_record& run, const std::string& json) {
  if (!reports_are_json()) return print(stderr, story_text(run));
  std::string line = json;
  std::replace(line.begin(), line.end() - 1, '\n', ' ');
  print(stderr, line);
}

void write_order(const std::string& path, const std::string& json) {
  if (const char* const why = write_file(path, json)) {
    return print(stderr, "  " + path + " cannot be written (" + why +
                             "); COHORT_SCHEDULE=search:N,file:PATH names another file\n");
  }
  print(stderr, "  COHORT_SCHEDULE=file:" + path + " repeats it, cohort-view " + path + " draws it\n");
}

}  // namespace cohort::engine
