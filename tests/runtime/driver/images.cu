// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: a program loads kernels that were compiled apart from it. The argument is the image of image_kernels.cu, as a
// library or as a text.
// Without a second argument everything passes; "crash" ends in a report that names the image's source.
#include <cuda.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "../expect.hpp"

namespace {

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

CUfunction kernel_of(CUmodule module, const char* name) {
  CUfunction found = nullptr;
  DRIVER(cuModuleGetFunction(&found, module, name));
  return found;
}

int value_of(CUmodule module, const char* name) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  int value = -1;
  DRIVER(cuModuleGetGlobal(&address, &bytes, module, name));
  EXPECT(bytes == sizeof value);
  DRIVER(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

struct numbers {
  int *in, *out;
  int count = 1000;
  numbers() {
    CALL(cudaMallocManaged(&in, 1000 * sizeof(int)));
    CALL(cudaMallocManaged(&out, sizeof(int)));
    for (int i = 0; i < count; ++i) in[i] = i;
  }
};

void expect_sum(CUmodule module, numbers& data) {
  void* arguments[] = {&data.in, &data.count, &data.out};
  *data.out = 0;
  DRIVER(cuLaunchKernel(kernel_of(module, "sum"), 1, 1, 1, 96, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  EXPECT(*data.out == 999 * 500 * 3 + 1);
}

void two_loads_are_two_modules(const std::string& image, const char* path, numbers& data) {
  CUmodule first = nullptr, second = nullptr;
  DRIVER(cuModuleLoadData(&first, image.data()));
  DRIVER(cuModuleLoad(&second, path));
  EXPECT(first != second);
  expect_sum(first, data);
  expect_sum(first, data);
  expect_sum(second, data);
  EXPECT(value_of(first, "calls") == 2);
  EXPECT(value_of(second, "calls") == 1);
  CUmodule owner = nullptr;
  DRIVER(cuFuncGetModule(&owner, kernel_of(second, "sum")));
  EXPECT(owner == second);
  EXPECT(kernel_of(first, "sum") == kernel_of(first, "sum"));
  CUfunction none = nullptr;
  EXPECT(cuModuleGetFunction(&none, first, "no_kernel") == CUDA_ERROR_NOT_FOUND);

  DRIVER(cuModuleUnload(first));
  EXPECT(cuModuleUnload(first) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuModuleGetFunction(&none, first, "sum") == CUDA_ERROR_INVALID_HANDLE);
  expect_sum(second, data);
  DRIVER(cuModuleUnload(second));
}

// nvcc names them without the mark of internal linkage.
void static_names_are_found(const std::string& image, numbers& data) {
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadData(&module, image.data()));
  EXPECT(value_of(module, "addend") == 40);
  EXPECT(value_of(module, "_ZL6addend") == 40);
  CUdeviceptr none = 0;
  for (const char* name : {"addendum", "ddend", "L6addend", "_ZL5addend", "addend ", ""}) {
    EXPECT(cuModuleGetGlobal(&none, nullptr, module, name) == CUDA_ERROR_NOT_FOUND);
  }
  EXPECT(kernel_of(module, "_Z5storePi") == kernel_of(module, "_ZL5storePi"));
  CUfunction no_kernel = nullptr;
  EXPECT(cuModuleGetFunction(&no_kernel, module, "_Z5storePl") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleGetFunction(&no_kernel, module, "store") == CUDA_ERROR_NOT_FOUND);
  void* arguments[] = {&data.out};
  DRIVER(cuLaunchKernel(kernel_of(module, "_Z5storePi"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  EXPECT(*data.out == 43);
  DRIVER(cuModuleUnload(module));
}

void unloading_waits(const std::string& image, numbers& data) {
  CUmodule module = nullptr;
  DRIVER(cuModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr));
  void* arguments[] = {&data.out};
  *data.out = 0;
  DRIVER(cuLaunchCooperativeKernel(kernel_of(module, "grid_sum"), 2, 1, 1, 64, 1, 1, 0, nullptr, arguments));
  DRIVER(cuModuleUnload(module));
  EXPECT(*data.out == 256);
}

void damaged_images_are_refused(const std::string& image) {
  CUmodule module = nullptr;
  std::string gpu_code = image;
  gpu_code[18] = static_cast<char>(190);  // e_machine: CUDA
  EXPECT(cuModuleLoadData(&module, gpu_code.data()) == CUDA_ERROR_INVALID_IMAGE);
  std::string renamed = image;
  const size_t at = renamed.find("cohort_heap_allocate");
  EXPECT(at != std::string::npos);
  std::memcpy(&renamed[at], "cohort_heap_allXXate", 20);
  EXPECT(cuModuleLoadData(&module, renamed.data()) == CUDA_ERROR_INVALID_IMAGE);
}

void damaged_texts_are_refused(const std::string& image) {
  CUmodule module = nullptr;
  std::string wrong_digit = image;
  wrong_digit[wrong_digit.size() / 2] = '*';
  EXPECT(cuModuleLoadData(&module, wrong_digit.data()) == CUDA_ERROR_INVALID_IMAGE);
  const std::string cut = image.substr(0, image.size() - 100);
  EXPECT(cuModuleLoadData(&module, cut.data()) == CUDA_ERROR_INVALID_IMAGE);
  const std::string first_line = image.substr(0, image.find('\n'));
  EXPECT(cuModuleLoadData(&module, first_line.data()) == CUDA_ERROR_INVALID_IMAGE);
  const size_t digit = image.find_first_of("0123456789");
  const std::string shorter = image.substr(0, digit) + image.substr(digit + 1);  // a smaller number of bytes
  EXPECT(cuModuleLoadData(&module, shorter.data()) == CUDA_ERROR_INVALID_IMAGE);
}

}  // namespace

int main(int count, char** words) {
  std::ifstream file(words[1], std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  EXPECT(!image.empty());
  CUmodule module = nullptr;
  EXPECT(cuModuleLoadData(&module, image.data()) == CUDA_ERROR_NOT_INITIALIZED);
  DRIVER(cuInit(0));
  EXPECT(cuModuleLoadData(&module, image.data()) == CUDA_ERROR_INVALID_CONTEXT);
  CALL(cudaSetDevice(0));
  numbers data;
  if (count > 2) {
    DRIVER(cuModuleLoadData(&module, image.data()));
    void* nowhere = nullptr;
    void* arguments[] = {&nowhere};
    DRIVER(cuLaunchKernel(kernel_of(module, "crash"), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    return cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 1;
  }
  two_loads_are_two_modules(image, words[1], data);
  static_names_are_found(image, data);
  unloading_waits(image, data);
  if (image.find('\0') == std::string::npos) {
    damaged_texts_are_refused(image);
  } else {
    damaged_images_are_refused(image);
  }
  return failures != 0;
}
