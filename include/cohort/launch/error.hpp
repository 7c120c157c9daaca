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
    case 3:
      return "the driver could not be initialized: nvidia-smi shows whether it works";
    case 4:
      return "the CUDA runtime is unloading: the process ends, so launch before main returns";
    case 9:
      return "invalid configuration: a dimension of the grid or of the block is zero or too large";
    case 35:
      return "no NVIDIA driver, or one that is older than the program's CUDA runtime: install a newer driver, or build "
             "with an older CUDA toolkit";
    case 36:
      return "the NVIDIA driver is too old for a call of the launch: install a newer one";
    case 46:
      return "the devices are unavailable: another process holds them exclusively, which nvidia-smi shows, or a kernel "
             "failed before and only a new process can go on";
    case 98:
      return "invalid device function: the kernel is null, or was not compiled as the launch expects";
    case 100:
      return "no device: the driver finds no GPU that this process may use; look at CUDA_VISIBLE_DEVICES";
    case 101:
      return "invalid device number";
    case 200:
      return "the program's code for GPUs is damaged: build it again";
    case 201:
      return "the device's context is gone or of no use to the CUDA runtime: make one with cudaSetDevice";
    case 209:
      return "the program has no code for this GPU: compile for it, with nvcc -arch=native or its -gencode";
    case 214:
      return "the device found an error in its memory that it could not correct; nvidia-smi -q -d ECC tells more";
    case 217:
      return "peer access is not supported between two of the devices: a launch over several devices needs it";
    case 218:
      return "the driver could not compile the program's PTX for this GPU: compile for it, with nvcc -arch=native";
    case 220:
      return "an NVLink failed while the kernel ran; nvidia-smi nvlink -e tells more";
    case 221:
    case 223:
      return "the program has only PTX for this GPU, and the driver's compiler is missing or switched off: compile for "
             "the GPU, with nvcc -arch=native";
    case 222:
      return "the program's PTX is newer than the driver: install a newer driver, or compile for the GPU, with "
             "nvcc -arch=native";
    case 304:
      return "a call of the operating system failed";
    case 400:
      return "invalid resource handle: the stream, or in CUDA sources the kernel, is none";
    case 700:
      return "the kernel accessed an illegal address; see the report on stderr, on a GPU that of compute-sanitizer";
    case 701:
      return "too many resources requested for launch";
    case 702:
      return "the kernel made no progress for COHORT_TIMEOUT seconds, or ran longer than the GPU's display allows; see "
             "the report on stderr";
    case 709:
      return "the device's context has been destroyed: reset the device before the next launch";
    case 710:
      return "an assertion in the kernel failed";
    case 714:
      return "the kernel overflowed a stack; see the report on stderr";
    case 715:
      return "the kernel met an illegal instruction; compute-sanitizer says where";
    case 716:
      return "the kernel accessed a misaligned address: a value must lie at a multiple of its size";
    case 717:
      return "an instruction for global, shared or local memory was given an address of another kind";
    case 718:
      return "the kernel jumped to where no instruction is: a pointer to a function is wrong";
    case 719:
      return "the kernel failed: deadlock, misuse or exception; see the report on stderr, on a GPU that of "
             "compute-sanitizer";
    case 720:
      return e.blocks_asked() != 0 ? detail::message_with_numbers(e)
                                   : "too many blocks in cooperative launch: they must all be resident at once";
    case 800:
      return "not permitted here: a function that a stream calls on the host cannot launch";
    case 801:
      return "not supported: the device cannot do this kind of launch";
    case 802:
      return "the system is not ready for CUDA: the GPUs' fabric manager may not have started yet";
    case 803:
      return "the driver and its libraries are of different versions: reload the driver, or restart the machine";
    case 804:
      return "the CUDA compatibility libraries do not support this GPU: take them off the library path";
    case 805:
    case 806:
    case 807:
    case 808:
    case 809:
    case 810:
      return "CUDA's multi-process service (MPS) refuses this process or has lost it; its log says why";
    case 900:
      return "a launch over several devices cannot be captured into a graph";
    case 901:
      return "the capture of the stream has failed before: end it, then capture again";
    case 905:
      return "the launch depends on work outside the stream's capture: make the streams meet inside it";
    case 906:
      return "a launch into the default stream would wait for a stream that is being captured: launch into a stream "
             "made with cudaStreamNonBlocking";
    case 908:
      return "the stream's capture belongs to another thread: launch from the thread that began it";
    case 912:
      return "invalid cluster size: each extent of the grid must be a multiple of the cluster's, which has at "
             "most as many blocks as the device allows";
    case 999:
      return "the driver failed and does not say why; the system's log may";
    default:
      return "unknown error";
  }
}

}  // namespace cohort
