// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "nvrtc/environment.hpp"

namespace cohort::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_results = 512;  // the results that stay in memory
// The form of the files; a file of another form is ignored.
constexpr std::string_view magic = "cohort nvrtc cache 1\n";

uint64_t fnv(uint64_t state, std::string_view text) {
  for (const unsigned char c : text) state = (state ^ c) * 0x100000001b3u;
  return state;
}
uint64_t hash_of(std::string_view text) { return fnv(0xcbf29ce484222325u, text); }

// The results in memory, the oldest first.
struct memory_cache {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<const compiled>> results;
  std::deque<const std::string*> order;  // the keys in `results`, which stay at their addresses; the oldest first
};

memory_cache& memory() {
  static memory_cache* const cache = new memory_cache;  // never destroyed: static objects of the program may compile
  return *cache;
}

void remember(const std::string& key, const compiled& result) {
  memory_cache& cache = memory();
  const std::lock_guard lock(cache.mutex);
  const auto [at, is_new] = cache.results.insert_or_assign(key, std::make_shared<const compiled>(result));
  if (is_new) cache.order.push_back(&at->first);
  if (cache.order.size() > most_results) {
    cache.results.erase(cache.results.find(*cache.order.front()));
    cache.order.pop_front();
  }
}

bool is_valid(const compiled& result) {
  return std::all_of(result.files.begin(), result.files.end(), [](const read_file_stamp& file) {
    const read_file_stamp now = stamp_of(file.path);
    return now.bytes == file.bytes && now.nanoseconds == file.nanoseconds;
  });
}

// The path of the file with the result of a key; empty without COHORT_CACHE.
fs::path file_of(const std::string& key) {
  const std::string folder = environment_variable("COHORT_CACHE");
  if (folder.empty()) return {};
  char name[64];
  std::snprintf(name, sizeof name, "nvrtc-%016llx%016llx", static_cast<unsigned long long>(hash_of(key)),
                static_cast<unsigned long long>(fnv(0x9e3779b97f4a7c15u, key)));
  return fs::path(folder) / name;
}

class writer {
 public:
  void number(uint64_t value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    text_ += value;
  }
  const std::string& bytes() const { return text_; }

 private:
  std::string text_;
};

// Reads the bytes that a writer has written. From the first wrong byte on, all values are empty.
class reader {
 public:
  explicit reader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    if (bytes_.size() < sizeof value) return fail();
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const uint64_t size = number();
    if (size > bytes_.size()) return fail(), "";
    const std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  bool failed() const { return failed_; }
  bool complete() const { return !failed_ && bytes_.empty(); }

 private:
  uint64_t fail() {
    failed_ = true;
    bytes_ = {};
    return 0;
  }
  std::string_view bytes_;
  bool failed_ = false;
};

std::string to_bytes(const std::string& key, const compiled& result) {
  writer out;
  out.text(key);
  out.text(result.image);
  out.text(result.log);
  out.number(result.lowered_names.size());
  for (const std::string& name : result.lowered_names) out.text(name);
  out.number(result.files.size());
  for (const read_file_stamp& file : result.files) {
    out.text(file.path);
    out.number(static_cast<uint64_t>(file.nanoseconds));
    out.number(static_cast<uint64_t>(file.bytes));
  }
  return out.bytes();
}

bool from_bytes(std::string_view bytes, const std::string& key, compiled* result) {
  reader in(bytes);
  if (in.text() != key) return false;
  result->image = in.text();
  result->log = in.text();
  for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) result->lowered_names.push_back(in.text());
  for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
    read_file_stamp file;
    file.path = in.text();
    file.nanoseconds = static_cast<int64_t>(in.number());
    file.bytes = static_cast<int64_t>(in.number());
    result->files.push_back(file);
  }
  return in.complete();
}

// A file is the magic, a hash of the rest, and the rest.
bool read_from_disk(const std::string& key, compiled* result) {
  const fs::path path = file_of(key);
  if (path.empty()) return false;
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  if (!std::string_view(all).starts_with(magic)) return false;
  reader head(std::string_view(all).substr(magic.size()));
  const uint64_t hash = head.number();
  if (head.failed()) return false;
  const std::string_view body = std::string_view(all).substr(magic.size() + sizeof hash);
  return hash == hash_of(body) && from_bytes(body, key, result);
}

void write_to_disk(const std::string& key, const compiled& result) {
  const fs::path path = file_of(key);
  if (path.empty()) return;
  static std::atomic<unsigned> count{0};
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  const fs::path part = path.string() + "." + std::to_string(getpid()) + "." + std::to_string(count++);
  const std::string body = to_bytes(key, result);
  writer head;
  head.number(hash_of(body));
  std::ofstream file(part, std::ios::binary);
  file << magic << head.bytes() << body;
  file.close();
  if (!file) {
    fs::remove(part, ignored);
    return;
  }
  fs::rename(part, path, ignored);  // readers find the whole file or none
}

}  // namespace

read_file_stamp stamp_of(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0) return {path, 0, -1};
  return {path, static_cast<int64_t>(found.st_mtim.tv_sec) * 1000000000 + found.st_mtim.tv_nsec,
          static_cast<int64_t>(found.st_size)};
}

bool find_compiled(const std::string& key, compiled* result) {
  std::shared_ptr<const compiled> known;
  {
    memory_cache& cache = memory();
    const std::lock_guard lock(cache.mutex);
    const auto at = cache.results.find(key);
    if (at != cache.results.end()) known = at->second;
  }
  if (known) {
    if (!is_valid(*known)) return false;
    *result = *known;
    return true;
  }
  compiled read;
  if (!read_from_disk(key, &read) || !is_valid(read)) return false;
  remember(key, read);
  *result = std::move(read);
  return true;
}

void store_compiled(const std::string& key, const compiled& result) {
  remember(key, result);
  write_to_disk(key, result);
}

}  // namespace cohort::nvrtc
