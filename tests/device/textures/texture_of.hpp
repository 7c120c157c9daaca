// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures with random texels of each format, beside their models.
#pragma once

#include <cuda_fp16.h>

#include <type_traits>

#include "../check.hpp"
#include "model.hpp"

#define CALL(call)                                                                                  \
  do {                                                                                              \
    const cudaError_t error_of_call = (call);                                                       \
    if (error_of_call != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_of_call)); \
      std::exit(2);                                                                                 \
    }                                                                                               \
  } while (0)

inline check::generator random_bits;

// The scalar of a texel, how many there are, and its value in a fetch.
template <class Scalar, int Count>
struct format {
  using scalar = Scalar;
  static constexpr int count = Count;
  static constexpr bool is_half = std::is_same_v<Scalar, __half>;
  static constexpr bool is_float = is_half || std::is_same_v<Scalar, float>;

  static cudaChannelFormatDesc desc() {
    const int bits = 8 * sizeof(Scalar);
    return cudaCreateChannelDesc(bits, Count > 1 ? bits : 0, Count > 2 ? bits : 0, Count > 2 ? bits : 0,
                                 is_float                   ? cudaChannelFormatKindFloat
                                 : std::is_signed_v<Scalar> ? cudaChannelFormatKindSigned
                                                            : cudaChannelFormatKindUnsigned);
  }
  static Scalar random() {
    if constexpr (is_float) {
      return static_cast<Scalar>(static_cast<float>(random_bits() % 4001) / 2000.0f - 1.0f);
    } else {
      return static_cast<Scalar>(random_bits());
    }
  }
  // A border colour, truncated to a normalized integer of the format.
  static double rounded_colour(double x) {
    const double most = std::numeric_limits<Scalar>::max();
    return std::trunc(std::min(std::max(x, std::is_signed_v<Scalar> ? -1.0 : 0.0), 1.0) * most) / most;
  }
  // The tolerance for a filter's results: one unit of its precision, two for signed 8-bit texels.
  static double error(bool is_srgb) {
    if (is_srgb) return 0.01;
    return is_half ? 5e-4 : is_float || sizeof(Scalar) == 4 ? 1e-6 : std::is_signed_v<Scalar> ? 6.2e-5 : 1.6e-5;
  }
  static double value(Scalar x, bool is_normalized, bool is_srgb, int channel) {
    if constexpr (is_half) {
      return __half2float(x);
    } else if constexpr (is_float) {
      return x;
    } else {
      if (!is_normalized || sizeof(Scalar) == 4) return static_cast<double>(x);
      const double number = static_cast<double>(x) / std::numeric_limits<Scalar>::max();
      if (is_srgb && channel < 3) return number <= 0.04045 ? number / 12.92 : std::pow((number + 0.055) / 1.055, 2.4);
      return number < -1 ? -1 : number;
    }
  }
};

enum class memory { array, pitched };

// A texture, its texels and the model's image. `depth` and `flags` are those of cudaMalloc3DArray.
template <class Format>
struct texture_of {
  using scalar = typename Format::scalar;
  cudaArray_t array = nullptr;
  scalar* plane = nullptr;
  cudaTextureObject_t object = 0;
  model::image image;
  model::sampler sampler;
  bool is_srgb = false;

  texture_of(cudaExtent extent, unsigned flags, const cudaTextureDesc& desc, memory where = memory::array) {
    image.width = static_cast<int>(extent.width);
    image.height = extent.height ? static_cast<int>(extent.height) : 1;
    image.depth = extent.depth ? static_cast<int>(extent.depth) : 1;
    const bool has_layers = flags & (cudaArrayLayered | cudaArrayCubemap);
    image.axes = extent.height == 0 ? 1 : extent.depth == 0 || has_layers ? 2 : 3;
    const size_t count = static_cast<size_t>(image.width) * image.height * image.depth;
    std::vector<scalar> texels(count * Format::count);
    for (size_t i = 0; i < count; ++i) {
      model::channels values{};
      for (int c = 0; c < Format::count; ++c) {
        texels[i * Format::count + c] = Format::random();
        values[c] =
            Format::value(texels[i * Format::count + c], desc.readMode == cudaReadModeNormalizedFloat, desc.sRGB, c);
      }
      image.texels.push_back(values);
    }
    sampler.modes = {desc.addressMode[0], desc.addressMode[1], desc.addressMode[2]};
    sampler.is_linear = desc.filterMode == cudaFilterModeLinear;
    sampler.is_normalized = desc.normalizedCoords;
    is_srgb = desc.sRGB;
    const bool is_normalized = !Format::is_float && sizeof(scalar) < 4 && desc.readMode == cudaReadModeNormalizedFloat;
    for (int c = 0; c < Format::count; ++c) {
      sampler.border[c] = is_normalized ? Format::rounded_colour(desc.borderColor[c]) : desc.borderColor[c];
    }
    if (is_normalized && !desc.sRGB) sampler.steps = std::is_signed_v<scalar> ? 32767 : 65535;
    cudaResourceDesc resource{};
    const cudaChannelFormatDesc channels = Format::desc();
    const size_t row = image.width * Format::count * sizeof(scalar);
    if (where == memory::array) {
      CALL(cudaMalloc3DArray(&array, &channels, extent, flags));
      cudaMemcpy3DParms copy{};
      copy.srcPtr = make_cudaPitchedPtr(texels.data(), row, image.width, image.height);
      copy.dstArray = array;
      copy.extent = make_cudaExtent(image.width, image.height, image.depth);
      copy.kind = cudaMemcpyHostToDevice;
      CALL(cudaMemcpy3D(&copy));
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = array;
    } else {
      size_t pitch = 0;
      CALL(cudaMallocPitch(&plane, &pitch, row, image.height));
      CALL(cudaMemcpy2D(plane, pitch, texels.data(), row, row, image.height, cudaMemcpyHostToDevice));
      resource.resType = cudaResourceTypePitch2D;
      resource.res.pitch2D = {plane, channels, extent.width, extent.height, pitch};
    }
    CALL(cudaCreateTextureObject(&object, &resource, &desc, nullptr));
  }
  texture_of(const texture_of&) = delete;
  ~texture_of() {
    CALL(cudaDestroyTextureObject(object));
    CALL(cudaFreeArray(array));
    CALL(cudaFree(plane));
  }
};
