// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA arrays: images in device memory, row after row without gaps. cudaArray is an image, or a level of one.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/memory/array/texel_format.hpp"

namespace cohort::runtime {

// The extent of an array with at least one texel in each axis.
inline cudaExtent texels_of(const cudaExtent& extent) {
  return {extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1};
}

}  // namespace cohort::runtime

struct cudaArray {
  cudaChannelFormatDesc desc;
  cohort::runtime::texel_format format;
  cudaExtent extent;  // as the program has given it: 0 for an axis that the array lacks
  unsigned flags;
  int device;
  char* first;
  const cudaMipmappedArray* owner;  // the mipmapped array that owns the memory; null: this array owns it

  size_t pitch() const { return extent.width * format.bytes(); }
  size_t slice() const { return pitch() * cohort::runtime::texels_of(extent).height; }
  size_t bytes() const { return slice() * cohort::runtime::texels_of(extent).depth; }
};

struct cudaMipmappedArray {
  std::vector<cudaArray> levels;
};

namespace cohort::runtime {

class array_table {
 public:
  // The only table. Made at the first use, never destroyed.
  static array_table& instance();

  // Allocates an array in the memory of `device`.
  cudaError_t make(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned flags, int device,
                   cudaArray_t* made);
  cudaError_t make(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned levels, unsigned flags,
                   int device, cudaMipmappedArray_t* made);
  // Finds the live array of a handle; null for any other handle. The result is valid until the array is freed.
  const cudaArray* find(cudaArray_const_t array);
  const cudaMipmappedArray* find(cudaMipmappedArray_const_t array);
  // Removes an array that owns its memory and returns the memory to the system. False if there is no such array.
  bool release(cudaArray_t array);
  bool release(cudaMipmappedArray_t array);
  // Forgets the arrays of a device whose memory is freed.
  void drop(int device);

 private:
  std::mutex mutex_;
  std::map<const cudaArray*, std::unique_ptr<cudaArray>> arrays_;
  std::map<const cudaMipmappedArray*, std::unique_ptr<cudaMipmappedArray>> mipmapped_;
};

}  // namespace cohort::runtime
