// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of texture fetches, for a comparison of machines: a million fetches of each kind, whose results become
// one hash, and the first of them in hexadecimal. nvcc and cohortcc compile it; two machines with equal lines fetch
// equal bits. The first coordinates are steps of 1/4096 texel across two texels, which show where fractions are
// rounded.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CALL(call)                                                                        \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

constexpr unsigned count = 1000000, shown = 8192;

struct place {
  float x, y, z;
};

enum class kind { line, plane, volume, plane_layered, cubemap, gather, detail };

template <kind Kind>
__global__ void fetch(cudaTextureObject_t texture, const place* places, float4* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const place at = places[i];
  if (Kind == kind::line) values[i] = tex1D<float4>(texture, at.x);
  if (Kind == kind::plane) values[i] = tex2D<float4>(texture, at.x, at.y);
  if (Kind == kind::volume) values[i] = tex3D<float4>(texture, at.x, at.y, at.z);
  if (Kind == kind::plane_layered) values[i] = tex2DLayered<float4>(texture, at.x, at.y, static_cast<int>(i % 9) - 1);
  if (Kind == kind::cubemap) values[i] = texCubemap<float4>(texture, at.x - 0.5f, at.y - 0.5f, at.z - 0.5f);
  if (Kind == kind::gather) values[i] = tex2Dgather<float4>(texture, at.x, at.y, 0);
  if (Kind == kind::detail) values[i] = tex2DLod<float4>(texture, at.x, at.y, at.z * 6 - 1);
}

static uint64_t next(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

struct texel_format {
  const char* name;
  cudaChannelFormatDesc desc;
  bool is_normalized;
};

// Random texels; floats and halves between -1 and 1.
static std::vector<unsigned char> texels_of(const texel_format& format, size_t texels) {
  const int bits = format.desc.x;
  const int channels = format.desc.w ? 4 : format.desc.y ? 2 : 1;
  std::vector<unsigned char> bytes(texels * channels * bits / 8);
  uint64_t state = 7;
  for (size_t i = 0; i < texels * channels; ++i) {
    const uint64_t random = next(state);
    const float number = static_cast<float>(static_cast<int>(random % 20001) - 10000) / 10000.0f;
    const __half half = __float2half(number);
    const void* from = &random;
    if (format.desc.f == cudaChannelFormatKindFloat) from = bits == 32 ? static_cast<const void*>(&number) : &half;
    std::memcpy(&bytes[i * bits / 8], from, bits / 8);
  }
  return bytes;
}

constexpr int width = 61, height = 37, depth = 7;

template <kind Kind>
static cudaExtent extent_of() {
  if (Kind == kind::line) return make_cudaExtent(width, 0, 0);
  if (Kind == kind::volume || Kind == kind::plane_layered) return make_cudaExtent(width, height, depth);
  if (Kind == kind::cubemap) return make_cudaExtent(height, height, 6);
  return make_cudaExtent(width, height, 0);
}

template <kind Kind>
static void measure(const char* name, const texel_format& format, cudaTextureFilterMode filter,
                    cudaTextureAddressMode mode, bool is_normalized, bool is_srgb = false) {
  const cudaExtent extent = extent_of<Kind>();
  const size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
  const std::vector<unsigned char> texels = texels_of(format, extent.width * rows * slices);
  const size_t row = texels.size() / rows / slices;
  cudaResourceDesc resource{};
  cudaMipmappedArray_t mipmapped = nullptr;
  cudaArray_t array = nullptr;
  const unsigned flags = Kind == kind::plane_layered ? cudaArrayLayered
                         : Kind == kind::cubemap     ? cudaArrayCubemap
                         : Kind == kind::gather      ? cudaArrayTextureGather
                                                     : 0;
  int levels = 1;
  if (Kind == kind::detail) {
    levels = 6;
    CALL(cudaMallocMipmappedArray(&mipmapped, &format.desc, extent, levels));
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmapped;
  } else {
    CALL(cudaMalloc3DArray(&array, &format.desc, extent, flags));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }
  for (int level = 0; level < levels; ++level) {
    cudaMemcpy3DParms copy{};
    copy.dstArray = array;
    if (mipmapped) CALL(cudaGetMipmappedArrayLevel(&copy.dstArray, mipmapped, level));
    copy.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(texels.data()) + level * 64, row, extent.width, rows);
    copy.extent = make_cudaExtent(extent.width >> level, (rows >> level) ? rows >> level : 1, slices);
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
  }
  cudaTextureDesc desc{};
  for (auto& one : desc.addressMode) one = mode;
  desc.filterMode = filter;
  desc.mipmapFilterMode = filter;
  desc.maxMipmapLevelClamp = 100;
  desc.readMode = format.is_normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  desc.normalizedCoords = is_normalized;
  desc.sRGB = is_srgb;
  desc.borderColor[0] = 0.3f, desc.borderColor[1] = 1.7f, desc.borderColor[2] = -0.6f, desc.borderColor[3] = 0.9f;
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));

  std::vector<place> places(count);
  uint64_t state = 1;
  for (unsigned i = 0; i < count; ++i) {
    float at[3];
    for (float& x : at) x = static_cast<float>(next(state) >> 40) / 8388608.0f - 0.5f;  // coordinates from -0.5 to 1.5
    const float sizes[3] = {width, height, depth};
    if (!is_normalized) {
      for (int axis = 0; axis < 3; ++axis) at[axis] *= sizes[axis];
    }
    // Two texels of the first row and slice, at their centres.
    if (i < shown) {
      const float unit = is_normalized ? 1.0f : 0.0f;
      const float x = 10 + static_cast<float>(i) / 4096.0f;
      at[0] = is_normalized ? x / width : x;
      at[1] = unit ? 0.5f / height : 0.5f;
      at[2] = Kind == kind::detail ? static_cast<float>(i) / 8192.0f : unit ? 0.5f / depth : 0.5f;
    }
    places[i] = {at[0], at[1], at[2]};
  }
  place* inputs = nullptr;
  float4* outputs = nullptr;
  CALL(cudaMalloc(&inputs, count * sizeof(place)));
  CALL(cudaMalloc(&outputs, count * sizeof(float4)));
  CALL(cudaMemcpy(inputs, places.data(), count * sizeof(place), cudaMemcpyHostToDevice));
  fetch<Kind><<<(count + 127) / 128, 128>>>(texture, inputs, outputs);
  std::vector<float4> values(count);
  CALL(cudaMemcpy(values.data(), outputs, count * sizeof(float4), cudaMemcpyDeviceToHost));

  uint64_t hash = 0xcbf29ce484222325u;
  for (const float4& value : values) {
    uint32_t words[4];
    std::memcpy(words, &value, sizeof words);
    for (const uint32_t word : words) hash = (hash ^ word) * 0x100000001b3u;
  }
  std::printf("%s %s %s address %d %s%s: %016llx", name, format.name,
              filter == cudaFilterModeLinear ? "linear" : "point", static_cast<int>(mode),
              is_normalized ? "normalized" : "texels", is_srgb ? " sRGB" : "", static_cast<unsigned long long>(hash));
  for (unsigned i = 0; i < count; i += i < shown ? 16 : 8009) {
    uint32_t word;
    std::memcpy(&word, &values[i].x, sizeof word);
    std::printf(" %08x", word);
  }
  std::printf("\n");
  CALL(cudaDestroyTextureObject(texture));
  CALL(cudaFree(inputs));
  CALL(cudaFree(outputs));
  if (mipmapped) CALL(cudaFreeMipmappedArray(mipmapped));
  CALL(cudaFreeArray(array));
}

int main() {
  const texel_format formats[] = {
      {"float", cudaCreateChannelDesc<float>(), false},
      {"float4", cudaCreateChannelDesc<float4>(), false},
      {"half2", cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat), false},
      {"uchar4", cudaCreateChannelDesc<uchar4>(), true},
      {"char2", cudaCreateChannelDesc<char2>(), true},
      {"ushort", cudaCreateChannelDesc<unsigned short>(), true},
      {"short4", cudaCreateChannelDesc<short4>(), true},
  };
  for (const texel_format& format : formats) {
    for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
      measure<kind::line>("1D", format, filter, cudaAddressModeClamp, false);
      for (const cudaTextureAddressMode mode :
           {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
        measure<kind::plane>("2D", format, filter, mode, true);
      }
      measure<kind::plane>("2D", format, filter, cudaAddressModeClamp, false);
      measure<kind::volume>("3D", format, filter, cudaAddressModeClamp, false);
      measure<kind::volume>("3D", format, filter, cudaAddressModeMirror, true);
      measure<kind::plane_layered>("2DLayered", format, filter, cudaAddressModeClamp, false);
      measure<kind::cubemap>("Cubemap", format, filter, cudaAddressModeClamp, true);
      measure<kind::detail>("2DLod", format, filter, cudaAddressModeWrap, true);
    }
    measure<kind::gather>("2Dgather", format, cudaFilterModePoint, cudaAddressModeMirror, true);
  }
  measure<kind::plane>("2D", formats[3], cudaFilterModeLinear, cudaAddressModeClamp, true, true);
  return 0;
}
