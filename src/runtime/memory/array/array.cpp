// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/array/array.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/array/array_limits.hpp"

namespace cohort::runtime {

namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
constexpr unsigned refused_flags = cudaArrayColorAttachment | cudaArraySparse | cudaArrayDeferredMapping;

bool fits(const cudaExtent& extent, const image_limits& most) {
  const auto inside = [](size_t size, int limit) { return size <= static_cast<size_t>(limit); };
  return inside(extent.width, most.width) && inside(extent.height, most.height) && inside(extent.depth, most.depth);
}

struct shape_limits {
  image_limits texture, surface;
};

// The limits of the shape that the flags and the extent describe; false for a shape that CUDA does not have.
bool find_limits(const cudaExtent& extent, unsigned flags, shape_limits* limits) {
  const bool is_layered = flags & cudaArrayLayered;
  if (flags & cudaArrayCubemap) {
    if (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0) return false;
    *limits = is_layered ? shape_limits{texture_cubemap_layered, surface_cubemap_layered}
                         : shape_limits{texture_cubemap, surface_cubemap};
    return true;
  }
  if (is_layered) {
    *limits = extent.height ? shape_limits{texture_2d_layered, surface_2d_layered}
                            : shape_limits{texture_1d_layered, surface_1d_layered};
    return extent.depth > 0;
  }
  if (extent.depth) {
    const bool is_alternate = !fits(extent, texture_3d);
    *limits = {is_alternate ? texture_3d_alternate : texture_3d, surface_3d};
    return extent.height > 0;
  }
  *limits = extent.height ? shape_limits{texture_2d, surface_2d} : shape_limits{texture_1d, surface_1d};
  return true;
}

cudaError_t check_shape(const cudaExtent& extent, unsigned flags) {
  if (flags & refused_flags) return cudaErrorNotSupported;
  shape_limits limits{};
  if (flags & ~known_flags || extent.width == 0 || !find_limits(extent, flags, &limits)) return cudaErrorInvalidValue;
  if (!fits(extent, limits.texture)) return cudaErrorInvalidValue;
  if (flags & cudaArraySurfaceLoadStore && !fits(extent, limits.surface)) return cudaErrorInvalidValue;
  if (flags & cudaArrayTextureGather) {
    const bool is_plane = extent.height > 0 && extent.depth == 0;
    if (!is_plane || !fits(extent, texture_2d_gather)) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t describe(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned flags, int device,
                     cudaArray* made) {
  texel_format format;
  cudaError_t error = to_texel_format(desc, &format);
  if (error == cudaSuccess) error = check_shape(extent, flags);
  if (error == cudaSuccess) *made = {desc, format, extent, flags, device, nullptr, nullptr};
  return error;
}

// The extent of a level. Layers are as many in each level.
cudaExtent extent_of_level(const cudaExtent& extent, unsigned flags, unsigned level) {
  const auto halved = [&](size_t size) { return size ? std::max<size_t>(size >> level, 1) : 0; };
  const bool has_layers = flags & (cudaArrayLayered | cudaArrayCubemap);
  return {halved(extent.width), halved(extent.height), has_layers ? extent.depth : halved(extent.depth)};
}

unsigned levels_of(const cudaExtent& extent, unsigned flags) {
  const bool has_layers = flags & (cudaArrayLayered | cudaArrayCubemap);
  size_t longest = std::max(extent.width, extent.height);
  if (!has_layers) longest = std::max(longest, extent.depth);
  return std::max(static_cast<unsigned>(std::bit_width(longest)), 1U);
}

cudaError_t allocate(int device, size_t bytes, char** memory) {
  void* made = nullptr;
  const cudaError_t error = allocation_table::instance().allocate(memory_kind::array, device, bytes, 0, nullptr, &made);
  *memory = static_cast<char*>(made);
  return error;
}

void free_memory(const char* memory) {
  allocation taken;
  const auto is_array = [](const allocation& a) { return a.kind == memory_kind::array; };
  if (allocation_table::instance().take(memory, is_array, &taken)) allocation_table::instance().release(taken);
}

}  // namespace

array_table& array_table::instance() {
  static array_table* const table = new array_table;
  return *table;
}

cudaError_t array_table::make(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned flags, int device,
                              cudaArray_t* made) {
  auto array = std::make_unique<cudaArray>();
  cudaError_t error = describe(desc, extent, flags, device, array.get());
  if (error == cudaSuccess) error = allocate(device, array->bytes(), &array->first);
  if (error != cudaSuccess) return error;
  const std::lock_guard lock(mutex_);
  *made = array.get();
  arrays_[array.get()] = std::move(array);
  return cudaSuccess;
}

cudaError_t array_table::make(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned levels,
                              unsigned flags, int device, cudaMipmappedArray_t* made) {
  auto array = std::make_unique<cudaMipmappedArray>();
  if (levels == 0) return cudaErrorInvalidValue;
  const unsigned most = std::min(levels, levels_of(extent, flags));
  size_t bytes = 0;
  for (unsigned level = 0; level < most; ++level) {
    cudaArray described{};
    const cudaError_t error = describe(desc, extent_of_level(extent, flags, level), flags, device, &described);
    if (error != cudaSuccess) return error;
    described.owner = array.get();
    bytes += described.bytes();
    array->levels.push_back(described);
  }
  const bool is_plane = extent.height > 0;
  if (extent.depth == 0 && !fits(extent, is_plane ? texture_2d_mipmapped : texture_1d_mipmapped)) {
    return cudaErrorInvalidValue;
  }
  char* memory = nullptr;
  if (const cudaError_t error = allocate(device, bytes, &memory); error != cudaSuccess) return error;
  for (cudaArray& level : array->levels) {
    level.first = memory;
    memory += level.bytes();
  }
  const std::lock_guard lock(mutex_);
  *made = array.get();
  mipmapped_[array.get()] = std::move(array);
  return cudaSuccess;
}

const cudaArray* array_table::find(cudaArray_const_t array) {
  const std::lock_guard lock(mutex_);
  if (const auto at = arrays_.find(array); at != arrays_.end()) return at->second.get();
  for (const auto& [key, all_levels] : mipmapped_) {
    const auto* const first = all_levels->levels.data();
    if (array >= first && array < first + all_levels->levels.size()) return array;
  }
  return nullptr;
}

const cudaMipmappedArray* array_table::find(cudaMipmappedArray_const_t array) {
  const std::lock_guard lock(mutex_);
  const auto at = mipmapped_.find(array);
  return at == mipmapped_.end() ? nullptr : at->second.get();
}

bool array_table::release(cudaArray_t array) {
  const std::lock_guard lock(mutex_);
  const auto at = arrays_.find(array);
  if (at == arrays_.end()) return false;
  free_memory(at->second->first);
  arrays_.erase(at);
  return true;
}

bool array_table::release(cudaMipmappedArray_t array) {
  const std::lock_guard lock(mutex_);
  const auto at = mipmapped_.find(array);
  if (at == mipmapped_.end()) return false;
  free_memory(at->second->levels.front().first);
  mipmapped_.erase(at);
  return true;
}

void array_table::drop(int device) {
  const std::lock_guard lock(mutex_);
  std::erase_if(arrays_, [&](const auto& entry) { return entry.second->device == device; });
  std::erase_if(mipmapped_, [&](const auto& entry) { return entry.second->levels.front().device == device; });
}

}  // namespace cohort::runtime
