// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part that the checks of all puzzles share: managed memory, the comparison of values with a host model, and the
// file of results that `cohort learn` draws. Run by hand, a check prints one line for each launch.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace puzzle {

using values = std::vector<int>;

// Fills each result before its launch; a value that is still there was not written.
constexpr int unwritten = -77777;

// Joins texts and numbers: text("<<<2, ", n, ">>>").
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream joined;
  (joined << ... << parts);
  return joined.str();
}

// Integers in managed memory, which kernels and the host can access.
class ints {
 public:
  explicit ints(const values& initial) : size_(initial.size()) {
    if (cudaMallocManaged(&data_, (size_ > 0 ? size_ : 1) * sizeof(int)) != cudaSuccess) std::abort();
    for (size_t i = 0; i < size_; ++i) data_[i] = initial[i];
  }
  explicit ints(size_t size, int initial = unwritten) : ints(values(size, initial)) {}
  ~ints() { cudaFree(data_); }
  ints(const ints&) = delete;
  ints& operator=(const ints&) = delete;

  operator int*() const { return data_; }
  values read() const { return values(data_, data_ + size_); }

 private:
  int* data_ = nullptr;
  size_t size_;
};

// How a picture arranges values: the thing that owns one (`thread`, `element`, `block`), the number of values of a
// block or 0 where blocks do not matter, the size of the tiles to set apart or 0, and the number of blocks of each
// device or 0 where there is one device.
struct layout {
  const char* unit;
  unsigned per_block = 0;
  unsigned tile = 0;
  unsigned blocks_per_device = 0;
};

// Numbers without a pattern, in the range [low, high].
inline values numbers(size_t count, int low, int high, unsigned seed = 1) {
  values made(count);
  unsigned state = 2654435769u * seed + 1;
  for (int& value : made) {
    state = state * 1664525u + 1013904223u;
    value = low + static_cast<int>((state >> 10) % static_cast<unsigned>(high - low + 1));
  }
  return made;
}

// Compares launch after launch with a model. The first one that differs ends the check.
class check {
 public:
  // The first argument of the program, if any, names the file for the results.
  check(int argc, char** argv) : file_(argc > 1 ? argv[1] : "") {}

  // Begins a launch with this description. Returns false after a failure: the launches that follow are left out.
  bool begin(const std::string& description) {
    if (failed_) return false;
    description_ = description;
    json_ += (json_.empty() ? "" : ",\n") + ("{\"launch\": " + quoted(description)) + "}";
    return true;
  }

  // Waits for the launch. A launch that failed has no values to compare.
  void wait() {
    const cudaError_t launch = cudaGetLastError(), end = cudaDeviceSynchronize();
    note(launch != cudaSuccess ? launch : end);
  }

  // Waits for the work of one stream, on any device.
  void wait_for(cudaStream_t stream) { note(cudaStreamSynchronize(stream)); }

  // Compares the values of the array `name` with those of the model.
  check& compare(const std::string& name, layout shape, const values& found, const values& expected) {
    differs_ = false;
    if (error_) return *this;
    found_ = found;
    size_t wrong = 0, first = 0;
    for (size_t i = expected.size(); i-- > 0;) {
      if (i >= found.size() || found[i] != expected[i]) first = i, ++wrong;
    }
    differs_ = wrong > 0;
    if (failed_ && !differs_) return *this;
    failed_ = failed_ || differs_;
    if (file_.empty()) print(name, wrong, first, found, expected);
    arrays_ += (arrays_.empty() ? "" : ",\n  ") +
               text("{\"name\": ", quoted(name), ", \"unit\": ", quoted(shape.unit),
                    ", \"per_block\": ", shape.per_block, ", \"tile\": ", shape.tile,
                    ", \"blocks_per_device\": ", shape.blocks_per_device, ", \"launch\": ", quoted(description_),
                    ",\n   \"expected\": ", list(expected), ",\n   \"found\": ", list(found), "}");
    return *this;
  }

  // Explains the difference of the last comparison, if the values found are those that this mistake makes.
  check& mistake(const std::string& explanation, const values& made) {
    if (differs_ && found_ == made) add("mistake", quoted(explanation));
    return *this;
  }

  // Writes the results. Returns the exit status of the program.
  int end() {
    if (!file_.empty()) {
      std::FILE* const out = std::fopen(file_.c_str(), "w");
      if (out == nullptr) {
        std::perror(file_.c_str());
        return 2;
      }
      std::fprintf(out, "{\"unwritten\": %d, \"launches\": [\n%s],\n \"arrays\": [\n  %s]}\n", unwritten, json_.c_str(),
                   arrays_.c_str());
      std::fclose(out);
    }
    return failed_ ? 1 : 0;
  }

 private:
  static std::string quoted(const std::string& raw) {
    std::string result = "\"";
    for (const char c : raw) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }
  static std::string list(const values& all) {
    std::string result = "[";
    for (size_t i = 0; i < all.size(); ++i) result += (i > 0 ? ", " : "") + std::to_string(all[i]);
    return result + "]";
  }
  static std::string shown(int value) { return value == unwritten ? "not written" : std::to_string(value); }
  void print(const std::string& name, size_t wrong, size_t first, const values& found, const values& expected) const {
    if (wrong == 0) {
      std::printf("%s: %s is right\n", description_.c_str(), name.c_str());
      return;
    }
    const std::string first_found = first < found.size() ? shown(found[first]) : "missing";
    std::printf("%s: %zu of %zu values of %s are wrong; %s[%zu] is %s, expected %d\n", description_.c_str(), wrong,
                expected.size(), name.c_str(), name.c_str(), first, first_found.c_str(), expected[first]);
  }
  void note(cudaError_t error) {
    if (error == cudaSuccess || error_) return;
    failed_ = error_ = true;
    if (file_.empty()) std::printf("%s: %s\n", description_.c_str(), cudaGetErrorString(error));
    add("error", quoted(cudaGetErrorString(error)));
  }
  void add(const std::string& field, const std::string& value) {
    json_.pop_back();
    json_ += ", \"" + field + "\": " + value + "}";
  }

  std::string file_, description_, json_, arrays_;
  values found_;
  bool failed_ = false, error_ = false, differs_ = false;
};

}  // namespace puzzle
