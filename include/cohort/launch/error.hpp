// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of a launch, as a number and as a sentence.
#pragma once

#include <stdint.h>

namespace cohort {

// What became of a launch: a CUDA error number (cudaError_t). True in a condition if something went wrong.
class [[nodiscard]] error {
 public:
  constexpr error() = default;
  constexpr explicit error(int number) : number_(number) {}
  // A launch that asked for `asked` blocks at once where `fitting` can be resident.
  constexpr error(int number, uint64_t asked, uint64_t fitting) : number_(number), asked_(asked), fitting_(fitting) {}

  constexpr int number() const { return number_; }
  constexpr explicit operator bool() const { return number_ != 0; }
  friend constexpr bool operator==(error a, error b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(error a, error b) { return a.number_ != b.number_; }

  // Of a cooperative launch that is too large (number 720): the blocks that were asked for, and those that can be
  // resident at once with this block size and shared memory. 0 and 0 for any other error.
  constexpr uint64_t blocks_asked() const { return asked_; }
  constexpr uint64_t blocks_fitting() const { return fitting_; }

 private:
  int number_ = 0;
  uint64_t asked_ = 0, fitting_ = 0;
};

namespace detail {

// Text in a buffer of fixed size, without <stdio.h>.
class short_text {
 public:
  short_text& operator<<(const char* text) {
    for (; *text != '\0'; ++text) put(*text);
    return *this;
  }
  short_text& operator<<(uint64_t number) {
    if (number >= 10) *this << number / 10;
    put(static_cast<char>('0' + number % 10));
    return *this;
  }
  void clear() {
    size_ = 0;
    text_[0] = '\0';
  }
  const char* c_str() const { return text_; }

 private:
  void put(char c) {
    if (size_ + 1 >= sizeof(text_)) return;
    text_[size_++] = c;
    text_[size_] = '\0';
  }
  char text_[256] = {};
  unsigned size_ = 0;
};

inline const char* message_with_numbers(error e) {
  thread_local short_text text;
  text.clear();
  text << "too many blocks in cooperative launch: they must all be resident at once, " << e.blocks_asked()
       << " were asked for and " << e.blocks_fitting();
  if (e.blocks_fitting() == 0) {
    text << " fit: use smaller blocks or less shared memory";
  } else {
    text << " fit: launch at most " << e.blocks_fitting() << ", or take cohort::largest_grid";
  }
  return text.c_str();
}

}  // namespace detail

// One sentence for an error that a launch can give. The text of a launch that was too large is the calling OS
// thread's own and lasts until its next call.
inline const char* message(error e) {
  switch (e.number()) {
    case 0:
      return "success";
    case 1:
      return "invalid value: more shared memory than a block may have, or a bad shape of a cooperative launch";
    case 2:
      return "out of memory for the threads' stacks or the launch's workspace";
    case 9:
      return "invalid configuration: a dimension of the grid or of the block is zero or too large";
    case 98:
      return "invalid device function: the kernel is null";
    case 101:
      return "invalid device number";
    case 217:
      return "peer access is not supported between two of the devices: a launch over several devices needs it";
    case 400:
      return "invalid resource handle: the stream, or in CUDA sources the kernel, is none";
    case 700:
      return "the kernel accessed an illegal address; see the report on stderr";
    case 701:
      return "too many resources requested for launch";
    case 702:
      return "the kernel made no progress for COHORT_TIMEOUT seconds; see the report on stderr";
    case 710:
      return "an assertion in the kernel failed";
    case 714:
      return "the kernel overflowed a stack; see the report on stderr";
    case 719:
      return "the kernel failed: deadlock, misuse or exception; see the report on stderr";
    case 720:
      return e.blocks_asked() != 0 ? detail::message_with_numbers(e)
                                   : "too many blocks in cooperative launch: they must all be resident at once";
    case 801:
      return "not supported: the device cannot do this kind of launch";
    case 900:
      return "a launch over several devices cannot be captured into a graph";
    case 912:
      return "invalid cluster size: each extent of the grid must be a multiple of the cluster's, which has at "
             "most as many blocks as the device allows";
    default:
      return "unknown error";
  }
}

}  // namespace cohort
