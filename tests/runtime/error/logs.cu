// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs and core dumps. `logs.cu PATH` writes its files at PATH; with a second argument, a kernel fails and the program
// aborts after the core dump.
#include <cuda.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "../expect.hpp"

struct received {
  std::vector<std::string> messages;
  std::vector<int> levels;
};

static void receive(void* data, cudaLogLevel level, char* message, size_t length) {
  auto& all = *static_cast<received*>(data);
  all.messages.emplace_back(message, length);
  all.levels.push_back(level);
}
static void receive_by_driver(void* data, CUlogLevel, char*, size_t) { ++*static_cast<int*>(data); }

static bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

static std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void test_log(const std::string& path) {
  received all;
  int of_driver = 0;
  cudaLogsCallbackHandle handle = nullptr;
  CUlogsCallbackHandle driver_handle = nullptr;
  CALL(cudaLogsRegisterCallback(receive, &all, &handle));
  EXPECT(cuLogsRegisterCallback(receive_by_driver, &of_driver, &driver_handle) == CUDA_SUCCESS);
  EXPECT(cudaLogsRegisterCallback(nullptr, &all, &handle) == cudaErrorInvalidValue);
  cudaLogIterator begin = 0, end = 0;
  CALL(cudaLogsCurrent(&begin, 0));
  EXPECT(cudaLogsCurrent(&begin, 1) == cudaErrorInvalidValue);
  EXPECT(cudaLogsCurrent(nullptr, 0) == cudaErrorInvalidValue);

  // A call that fails makes one entry, also if it calls another call. A call that succeeds or is not ready makes none.
  void* memory = nullptr;
  EXPECT(cudaMalloc(&memory, size_t{1} << 60) == cudaErrorMemoryAllocation);
  EXPECT(cuMemFree(77) == CUDA_ERROR_INVALID_VALUE);
  CALL(cudaMalloc(&memory, 64));
  CALL(cudaFree(memory));
  CALL(cudaDeviceSynchronize());
  EXPECT(all.messages.size() == 2 && of_driver == 2);
  EXPECT(has(all.messages[0], "[E] a call returns cudaErrorMemoryAllocation: "));
  EXPECT(has(all.messages[1], "[E] a call returns CUDA_ERROR_INVALID_VALUE: "));
  EXPECT(all.levels[0] == cudaLogLevelError);
  CALL(cudaLogsCurrent(&end, 0));
  EXPECT(end == begin + 2);

  char text[1000];
  size_t size = sizeof text;
  cudaLogIterator at = begin;
  CALL(cudaLogsDumpToMemory(&at, text, &size, 0));
  const std::string both = all.messages[0] + "\n" + all.messages[1] + "\n";
  EXPECT(text == both && size == both.size() && at == end);
  size = sizeof text;
  CALL(cudaLogsDumpToMemory(&at, text, &size, 0));
  EXPECT(size == 0 && text[0] == 0);
  // The buffer holds the newest messages that fit, after a sentence about the others.
  at = begin;
  size = all.messages[1].size() + 2 + strlen("[log truncated]\n");
  CALL(cudaLogsDumpToMemory(&at, text, &size, 0));
  EXPECT("[log truncated]\n" + all.messages[1] + "\n" == text);
  at = begin;
  size = 20;
  EXPECT(cudaLogsDumpToMemory(&at, text, &size, 0) == cudaErrorInvalidValue);
  EXPECT(size == 0 && at == begin);
  EXPECT(cuLogsDumpToFile(&at, path.c_str(), 0) == CUDA_SUCCESS);
  EXPECT(contents(path) == both && at == end);
  EXPECT(cuLogsDumpToFile(&at, nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLogsDumpToFile(&at, (path + "/none").c_str(), 0) == CUDA_ERROR_INVALID_VALUE);

  // Old messages are dropped.
  at = begin;
  for (int i = 0; i < 1000; ++i) EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  EXPECT(all.messages.size() == 1002);
  CALL(cudaLogsDumpToFile(&at, path.c_str(), 0));
  const std::string kept = contents(path);
  EXPECT(has(kept, "[log truncated]\n") && kept.size() > 20000 && kept.size() <= 25600 + 20);
  EXPECT(kept.substr(kept.size() - 1 - all.messages.back().size()) == all.messages.back() + "\n");
  CALL(cudaLogsUnregisterCallback(handle));
  EXPECT(cudaLogsUnregisterCallback(handle) == cudaErrorInvalidValue);
  EXPECT(cuLogsUnregisterCallback(driver_handle) == CUDA_SUCCESS);
  EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  EXPECT(all.messages.size() == 1002);
  (void)cudaGetLastError();
}

// A callback that is unregistered while another thread runs it, and one that unregisters itself.
struct slow_receiver {
  std::atomic<bool> has_begun{false}, is_gone{false}, was_late{false};
};
static void receive_slowly(void* data, cudaLogLevel, char*, size_t) {
  auto& all = *static_cast<slow_receiver*>(data);
  all.has_begun = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (all.is_gone) all.was_late = true;
}
struct once {
  cudaLogsCallbackHandle handle = nullptr;
  int calls = 0;
};
static void receive_once(void* data, cudaLogLevel, char*, size_t) {
  auto& self = *static_cast<once*>(data);
  ++self.calls;
  CALL(cudaLogsUnregisterCallback(self.handle));
}

static void test_unregistration() {
  slow_receiver slow;
  cudaLogsCallbackHandle handle = nullptr;
  CALL(cudaLogsRegisterCallback(receive_slowly, &slow, &handle));
  std::thread other([] { EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice); });
  while (!slow.has_begun) std::this_thread::yield();
  CALL(cudaLogsUnregisterCallback(handle));
  slow.is_gone = true;
  other.join();
  EXPECT(!slow.was_late);
  once self;
  CALL(cudaLogsRegisterCallback(receive_once, &self, &self.handle));
  for (int i = 0; i < 2; ++i) EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  EXPECT(self.calls == 1);
  (void)cudaGetLastError();
}

__global__ void crash(int* at) { at[size_t{1} << 30] = 1; }

template <class T>
static CUresult set(CUcoredumpSettings id, T value, bool is_global = false) {
  size_t size = sizeof value;
  return is_global ? cuCoredumpSetAttributeGlobal(id, &value, &size) : cuCoredumpSetAttribute(id, &value, &size);
}
static CUresult set_text(CUcoredumpSettings id, std::string text, bool is_global = false) {
  size_t size = text.size() + 1;
  return is_global ? cuCoredumpSetAttributeGlobal(id, text.data(), &size)
                   : cuCoredumpSetAttribute(id, text.data(), &size);
}

static void test_attributes(const std::string& path) {
  bool is_written = true;
  size_t size = sizeof is_written;
  EXPECT(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is_written, &size) == CUDA_SUCCESS);
  EXPECT(!is_written && size == 1);
  size = 0;
  EXPECT(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is_written, &size) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuCoredumpGetAttribute(CU_COREDUMP_FILE, nullptr, &size) == CUDA_SUCCESS);
  EXPECT(size == 1024);
  char text[1024];
  EXPECT(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, text, &size) == CUDA_SUCCESS);
  EXPECT(has(text, "core.cuda.") && has(text, std::to_string(getpid()).c_str()));
  EXPECT(set(CU_COREDUMP_ENABLE_ON_EXCEPTION, 1) == CUDA_ERROR_INVALID_VALUE);  // the size is not that of a bool
  EXPECT(set(static_cast<CUcoredumpSettings>(77), true) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(set_text(CU_COREDUMP_FILE, std::string(1024, 'x')) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(set_text(CU_COREDUMP_PIPE, "pipe") == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(set_text(CU_COREDUMP_PIPE, "pipe", true) == CUDA_SUCCESS);
  EXPECT(set(CU_COREDUMP_ENABLE_USER_TRIGGER, true, true) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(set(CU_COREDUMP_ENABLE_USER_TRIGGER, false, true) == CUDA_SUCCESS);
  // A context has the common settings until it gets its own.
  EXPECT(set_text(CU_COREDUMP_FILE, path + ".%p", true) == CUDA_SUCCESS);
  EXPECT(cuCoredumpGetAttribute(CU_COREDUMP_FILE, text, &size) == CUDA_SUCCESS);
  EXPECT(text == path + "." + std::to_string(getpid()));
  EXPECT(set(CU_COREDUMP_GENERATION_FLAGS, static_cast<int>(CU_COREDUMP_SKIP_ABORT)) == CUDA_SUCCESS);
  int flags = 0;
  size = sizeof flags;
  EXPECT(cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS, &flags, &size) == CUDA_SUCCESS);
  EXPECT(flags == CU_COREDUMP_SKIP_ABORT);
  EXPECT(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &size) == CUDA_SUCCESS);
  EXPECT(flags == 0);
  EXPECT(set(CU_COREDUMP_ENABLE_ON_EXCEPTION, true) == CUDA_SUCCESS);
}

int main(int, char** arguments) {
  const std::string path = arguments[1];
  CALL(cudaFree(nullptr));
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  if (arguments[2]) {
    int* memory = nullptr;
    CALL(cudaMalloc(&memory, 64));
    crash<<<1, 1>>>(memory);
    (void)cudaDeviceSynchronize();
    return 0;  // not reached
  }
  unsigned on = 1, found = 7;
  int* memory = nullptr;
  CALL(cudaMalloc(&memory, 64));
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  EXPECT(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address) == CUDA_SUCCESS && found == 0);
  EXPECT(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address + 5) == CUDA_SUCCESS);
  EXPECT(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address) == CUDA_SUCCESS && found == 1);
  EXPECT(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 64) == CUDA_ERROR_INVALID_VALUE);
  test_log(path);
  test_unregistration();
  test_attributes(path);
  // The report of the kernel is in the log and in the core dump, and the program continues.
  received all;
  cudaLogsCallbackHandle handle = nullptr;
  CALL(cudaLogsRegisterCallback(receive, &all, &handle));
  crash<<<1, 1>>>(memory);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(!all.messages.empty() && has(all.messages.front(), "failure in kernel crash"));
  const std::string file = path + "." + std::to_string(getpid());
  EXPECT(has(contents(file), "cudaErrorIllegalAddress\n") && has(contents(file), "failure in kernel crash"));
  unlink(file.c_str());
  return failures != 0;
}
