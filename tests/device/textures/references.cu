// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references of CUDA 11: fetches of each shape against a model, bindings of each kind of memory,
// the order of bindings and launches, and what is refused. The same references by the driver API's calls. With an
// argument the program fetches without a binding.
#include <cuda.h>

#include <algorithm>

#include "texture_of.hpp"

texture<float> line;
texture<float, cudaTextureType2D> plane(0, cudaFilterModeLinear, cudaAddressModeClamp);
texture<float, cudaTextureType3D, cudaReadModeElementType> volume;
texture<float, cudaTextureType1DLayered> line_layers;
texture<float, cudaTextureType2DLayered> plane_layers;
texture<float, cudaTextureTypeCubemap> cube;
texture<float, cudaTextureTypeCubemapLayered> cube_layers;
static texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
namespace inner {
texture<int2, 1> numbers;
}
texture<ushort, cudaTextureType2D> levels;
surface<void, cudaSurfaceType2D> image;
surface<void, cudaSurfaceType3D> box;

enum class shape { line, plane, volume, line_layers, plane_layers, cube, cube_layers, colours };

struct place {
  float x, y, z;
  int layer;
};

template <shape Shape>
__device__ float4 fetch(place at) {
  if constexpr (Shape == shape::line) return make_float4(tex1D(line, at.x), 0, 0, 0);
  if constexpr (Shape == shape::plane) return make_float4(tex2D(plane, at.x, at.y), 0, 0, 0);
  if constexpr (Shape == shape::volume) return make_float4(tex3D(volume, at.x, at.y, at.z), 0, 0, 0);
  if constexpr (Shape == shape::line_layers) return make_float4(tex1DLayered(line_layers, at.x, at.layer), 0, 0, 0);
  if constexpr (Shape == shape::plane_layers) {
    return make_float4(tex2DLayered(plane_layers, at.x, at.y, at.layer), 0, 0, 0);
  }
  if constexpr (Shape == shape::cube) return make_float4(texCubemap(cube, at.x, at.y, at.z), 0, 0, 0);
  if constexpr (Shape == shape::cube_layers) {
    return make_float4(texCubemapLayered(cube_layers, at.x, at.y, at.z, at.layer), 0, 0, 0);
  }
  if constexpr (Shape == shape::colours) return tex2D(colours, at.x, at.y);
}

template <shape Shape>
__global__ void fetch_all(const place* places, float4* values, int count) {
  const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  if (i < count) values[i] = fetch<Shape>(places[i]);
}

// A coordinate that is exact in float, also in texels of an axis of at most 16, and whose fraction is no rounding tie.
static float coordinate(int size, bool is_normalized) {
  for (;;) {
    const int m = static_cast<int>(random_bits() % ((size + 6) * 1024)) - 3 * 1024;
    if (!is_normalized && (m & 3) != 2) return static_cast<float>(m) / 1024;
    if (is_normalized && (m * size & 15) != 8) return static_cast<float>(m) / 4096;
  }
}

static place random_place(const model::image& of, bool is_normalized, bool is_cube) {
  place at{coordinate(of.width, is_normalized), coordinate(of.height, is_normalized),
           coordinate(of.depth, is_normalized), static_cast<int>(random_bits() % (of.depth + 2)) - 1};
  if (is_cube) {
    float* const components[3] = {&at.x, &at.y, &at.z};
    for (float* component : components) {
      *component = static_cast<float>(2 * (static_cast<int>(random_bits() % 2048) - 1024) + 1) / 2048;
    }
    *components[random_bits() % 3] = random_bits() & 1 ? 1.0f : -1.0f;
  }
  return at;
}

template <shape Shape, class Format>
static void compare(const texture_of<Format>& with, const cudaTextureDesc& desc) {
  constexpr int total = 173;
  constexpr bool is_cube = Shape == shape::cube || Shape == shape::cube_layers;
  check::managed<place> places(total);
  check::managed<float4> values(total);
  for (int i = 0; i < total; ++i) places[i] = random_place(with.image, desc.normalizedCoords, is_cube);
  for (const dim3 block : {dim3(33), dim3(5, 7)}) {
    const int threads = static_cast<int>(block.x * block.y);
    fetch_all<Shape><<<(total + threads - 1) / threads, block>>>(places.data, values.data, total);
    check::synchronize();
    for (int i = 0; i < total; ++i) {
      const place& at = places[i];
      std::array<double, 3> wanted_at{at.x, at.y, at.z};
      model::sampler sampler = with.sampler;
      int layer = with.image.axes < 3 && with.image.depth > 1 ? at.layer : 0;
      if (is_cube) {
        const int face = model::face_of(at.x, at.y, at.z, &wanted_at);
        const int layers = with.image.depth / 6;
        const int own_layer = at.layer < 0 || at.layer >= layers ? layers - 1 : at.layer;
        layer = Shape == shape::cube ? face : 6 * own_layer + face;
        sampler.is_normalized = true;
      }
      const model::channels wanted = model::fetch(with.image, sampler, wanted_at, layer);
      const float got[4] = {values[i].x, values[i].y, values[i].z, values[i].w};
      for (int c = 0; c < Format::count; ++c) {
        ++check::comparisons;
        if (std::fabs(got[c] - wanted[c]) <= Format::error(with.is_srgb) * std::max(1.0, std::fabs(wanted[c])))
          continue;
        char inputs[120], a[40], b[40];
        std::snprintf(inputs, sizeof inputs, "shape %d, %g, %g, %g, layer %d, channel %d", static_cast<int>(Shape),
                      at.x, at.y, at.z, at.layer, c);
        check::describe(a, sizeof a, got[c]), check::describe(b, sizeof b, wanted[c]);
        check::fail("fetch", inputs, a, b);
      }
    }
  }
}

// Binds the reference to arrays under each filter and address mode. The reference has no other setting than `desc`.
template <shape Shape, class Format, class Reference>
static void test(Reference& reference, cudaExtent extent, unsigned flags, cudaTextureReadMode read) {
  for (int which = 0; which < 16; ++which) {
    cudaTextureDesc desc{};
    desc.filterMode = which & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.normalizedCoords = which >> 1 & 1;
    const auto mode = static_cast<cudaTextureAddressMode>(which >> 2);
    for (cudaTextureAddressMode& one : desc.addressMode) one = mode;
    desc.readMode = read;
    texture_of<Format> with(extent, flags, desc);
    reference.filterMode = desc.filterMode;
    reference.normalized = desc.normalizedCoords;
    for (cudaTextureAddressMode& one : reference.addressMode) one = mode;
    CALL(cudaBindTextureToArray(reference, with.array));
    // The binding has copied the settings, so this change has no effect.
    reference.filterMode = cudaFilterModePoint;
    reference.normalized = !desc.normalizedCoords;
    compare<Shape>(with, desc);
    CALL(cudaUnbindTexture(reference));
  }
}

#define EXPECT_ERROR(wanted, call) check::equal(#call, static_cast<int>(call), static_cast<int>(wanted))

__global__ void fetch_numbers(int2* values, int count, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = tex1Dfetch(inner::numbers, first + i);
}

static void test_linear_memory() {
  constexpr int count = 77;
  check::managed<int2> memory(count + 40), values(count);
  for (int i = 0; i < count + 40; ++i) memory[i] = make_int2(3 * i, -i);
  size_t offset = 99;
  EXPECT_ERROR(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, inner::numbers));
  CALL(cudaBindTexture(nullptr, inner::numbers, memory.data, count * sizeof(int2)));
  fetch_numbers<<<3, 33>>>(values.data, count, 5);
  check::synchronize();
  for (int i = 0; i < count; ++i) {
    const bool is_inside = i + 5 < count;
    check::equal("tex1Dfetch", values[i].x, is_inside ? 3 * (i + 5) : 0, i);
    check::equal("tex1Dfetch", values[i].y, is_inside ? -(i + 5) : 0, i);
  }
  // Binds an address inside an allocation; the program adds the offset that the call returns.
  CALL(cudaBindTexture(&offset, inner::numbers, memory.data + 9, count * sizeof(int2)));
  check::equal("offset", offset, 9 * sizeof(int2));
  size_t again = 0;
  CALL(cudaGetTextureAlignmentOffset(&again, inner::numbers));
  check::equal("offset", again, offset);
  fetch_numbers<<<3, 33>>>(values.data, count, static_cast<int>(offset / sizeof(int2)));
  check::synchronize();
  for (int i = 0; i < count; ++i) check::equal("tex1Dfetch", values[i].x, 3 * (i + 9), i);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaBindTexture(nullptr, inner::numbers, memory.data + 9, 64));
  CALL(cudaUnbindTexture(inner::numbers));
  EXPECT_ERROR(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, inner::numbers));

  using colour = format<unsigned char, 4>;
  cudaTextureDesc desc{};
  desc.readMode = cudaReadModeNormalizedFloat;
  desc.filterMode = cudaFilterModeLinear;
  for (cudaTextureAddressMode& one : desc.addressMode) one = cudaAddressModeClamp;
  texture_of<colour> with(make_cudaExtent(13, 6, 0), 0, desc, memory::pitched);
  colours.filterMode = cudaFilterModeLinear;
  colours.normalized = 0;
  for (cudaTextureAddressMode& one : colours.addressMode) one = cudaAddressModeClamp;
  cudaResourceDesc resource{};
  CALL(cudaGetTextureObjectResourceDesc(&resource, with.object));
  CALL(cudaBindTexture2D(nullptr, colours, with.plane, 13, 6, resource.res.pitch2D.pitchInBytes));
  compare<shape::colours>(with, desc);
  CALL(cudaUnbindTexture(colours));
}

// A slow kernel reads the binding of its launch, although the host binds another array meanwhile.
__global__ void fetch_late(float* value, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  value[threadIdx.x] = tex1D(line, static_cast<float>(threadIdx.x));
}

static void test_order() {
  check::managed<float> first(32), second(32);
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t arrays[2];
  for (int a = 0; a < 2; ++a) {
    std::vector<float> texels(32);
    for (int i = 0; i < 32; ++i) texels[i] = static_cast<float>(100 * a + i);
    CALL(cudaMallocArray(&arrays[a], &desc, 32));
    CALL(cudaMemcpy2DToArray(arrays[a], 0, 0, texels.data(), 128, 128, 1, cudaMemcpyHostToDevice));
  }
  line.filterMode = cudaFilterModePoint;
  line.normalized = 0;
  CALL(cudaBindTextureToArray(line, arrays[0], desc));
  fetch_late<<<1, 32>>>(first.data, 30000000);
  const textureReference* found = nullptr;
  CALL(cudaGetTextureReference(&found, &line));
  check::equal("reference", found == &line, true);
  CALL(cudaBindTextureToArray(found, arrays[1], &desc));
  fetch_late<<<1, 32>>>(second.data, 0);
  check::synchronize();
  for (int i = 0; i < 32; ++i) {
    check::equal("first", first[i], static_cast<float>(i), i);
    check::equal("second", second[i], static_cast<float>(100 + i), i);
  }
  CALL(cudaUnbindTexture(&line));
  for (cudaArray_t array : arrays) CALL(cudaFreeArray(array));
}

// Thread (x, y) writes texel (x, y) of an image of 9 x 5.
__global__ void write_image() {
  surf2Dwrite(make_uchar4(threadIdx.x, threadIdx.y, 7, 255), image, threadIdx.x * 4, threadIdx.y);
}
__global__ void read_image(uchar4* values) {
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  values[i] = surf2Dread<uchar4>(image, threadIdx.x * 4 + 4, threadIdx.y, cudaBoundaryModeClamp);
  uchar4 other;
  surf2Dread(&other, image, threadIdx.x * 4, threadIdx.y);
  values[i].z = other.x;
}
__global__ void write_box() {
  surf3Dwrite(static_cast<short>(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), box, threadIdx.x * 2, threadIdx.y,
              threadIdx.z, cudaBoundaryModeZero);
}

static void test_surfaces() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array = nullptr, plain = nullptr;
  CALL(cudaMallocArray(&array, &desc, 9, 5, cudaArraySurfaceLoadStore));
  CALL(cudaMallocArray(&plain, &desc, 9, 5));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaBindSurfaceToArray(image, plain));
  CALL(cudaBindSurfaceToArray(image, array));
  check::managed<uchar4> values(45);
  write_image<<<1, dim3(9, 5)>>>();
  read_image<<<1, dim3(9, 5)>>>(values.data);
  check::synchronize();
  for (int i = 0; i < 45; ++i) {
    check::equal("x", static_cast<int>(values[i].x), std::min(i % 9 + 1, 8), i);
    check::equal("y", static_cast<int>(values[i].y), i / 9, i);
    check::equal("stored", static_cast<int>(values[i].z), i % 9, i);
  }
  const surfaceReference* found = nullptr;
  CALL(cudaGetSurfaceReference(&found, &image));
  EXPECT_ERROR(cudaErrorInvalidSurface, cudaGetSurfaceReference(&found, &plane));
  CALL(cudaFreeArray(array));
  CALL(cudaFreeArray(plain));

  const cudaChannelFormatDesc shorts = cudaCreateChannelDesc<short>();
  cudaArray_t slices = nullptr;
  CALL(cudaMalloc3DArray(&slices, &shorts, make_cudaExtent(3, 4, 2), cudaArraySurfaceLoadStore));
  CALL(cudaBindSurfaceToArray(box, slices));
  write_box<<<1, dim3(5, 5, 2)>>>();
  short texels[24];
  cudaMemcpy3DParms copy{};
  copy.srcArray = slices;
  copy.dstPtr = make_cudaPitchedPtr(texels, 6, 3, 4);
  copy.extent = make_cudaExtent(3, 4, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&copy));
  for (int i = 0; i < 24; ++i) {
    check::equal("box", static_cast<int>(texels[i]), i % 3 + 10 * (i / 3 % 4) + 100 * (i / 12), i);
  }
  CALL(cudaFreeArray(slices));
}

__global__ void fetch_levels(unsigned short* values) {
  values[threadIdx.x] = tex2DLod(levels, 0.5f, 0.5f, static_cast<float>(threadIdx.x));
}

static void test_levels() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned short>();
  cudaMipmappedArray_t array = nullptr;
  CALL(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(4, 4, 0), 3));
  for (unsigned level = 0; level < 3; ++level) {
    cudaArray_t one = nullptr;
    const std::vector<unsigned short> filled(16, static_cast<unsigned short>(50 + level));
    const size_t width = (4u >> level) * sizeof(unsigned short);
    CALL(cudaGetMipmappedArrayLevel(&one, array, level));
    CALL(cudaMemcpy2DToArray(one, 0, 0, filled.data(), width, width, 4u >> level, cudaMemcpyHostToDevice));
  }
  EXPECT_ERROR(cudaErrorInvalidValue, cudaBindTextureToMipmappedArray(levels, array));  // not normalized coordinates
  levels.normalized = 1;
  levels.maxMipmapLevelClamp = 1;
  CALL(cudaBindTextureToMipmappedArray(levels, array));
  check::managed<unsigned short> values(5);
  fetch_levels<<<1, 5>>>(values.data);
  check::synchronize();
  for (int i = 0; i < 5; ++i) check::equal("level", static_cast<int>(values[i]), 50 + std::min(i, 1), i);
  CALL(cudaUnbindTexture(levels));
  CALL(cudaFreeMipmappedArray(array));
}

static void test_refusals() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<ushort1>();
  CALL(cudaMallocArray(&array, &desc, 8, 8));
  EXPECT_ERROR(cudaErrorInvalidChannelDescriptor,
               cudaBindTextureToArray(levels, array, cudaCreateChannelDesc<float>()));
  levels.filterMode = cudaFilterModeLinear;
  EXPECT_ERROR(cudaErrorInvalidFilterSetting, cudaBindTextureToArray(levels, array));
  levels.filterMode = cudaFilterModePoint;
  const textureReference copy = levels;
  EXPECT_ERROR(cudaErrorInvalidTexture, cudaBindTextureToArray(&copy, array, &desc));
  EXPECT_ERROR(cudaErrorInvalidTexture, cudaUnbindTexture(&copy));
  CALL(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaBindTextureToArray(&levels, array, &desc));
  CALL(cudaUnbindTexture(levels));  // not bound
}

// Texture references by handles of the driver API.
static CUmodule own_module() {
  cudaFunction_t kernel = nullptr;
  CUmodule module = nullptr;
  CALL(cudaGetFuncBySymbol(&kernel, reinterpret_cast<const void*>(fetch_numbers)));
  EXPECT_ERROR(CUDA_SUCCESS, cuFuncGetModule(&module, kernel));
  return module;
}
static CUtexref texture_named(const char* name) {
  CUtexref found = nullptr;
  EXPECT_ERROR(CUDA_SUCCESS, cuModuleGetTexRef(&found, own_module(), name));
  return found;
}

static void set_modes(CUtexref reference, int which) {
  const auto filter = which & 1 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  const auto mode = static_cast<CUaddress_mode>(which >> 2);
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFilterMode(reference, filter));
  for (int axis = 0; axis < 3; ++axis) EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetAddressMode(reference, axis, mode));
  CUfilter_mode filter_read;
  CUaddress_mode mode_read;
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetFilterMode(&filter_read, reference));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetAddressMode(&mode_read, reference, 1));
  check::equal("filter", static_cast<int>(filter_read), static_cast<int>(filter));
  check::equal("mode", static_cast<int>(mode_read), static_cast<int>(mode));
}

// Half of the settings are made before the reference is bound, half afterwards: all count for the next launch.
static void test_driver_arrays() {
  using number = format<float, 1>;
  const CUtexref reference = texture_named("plane");
  for (int which = 0; which < 16; ++which) {
    cudaTextureDesc desc{};
    desc.filterMode = which & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.normalizedCoords = which >> 1 & 1;
    for (cudaTextureAddressMode& one : desc.addressMode) one = static_cast<cudaTextureAddressMode>(which >> 2);
    for (float& channel : desc.borderColor) channel = 3.25f;
    texture_of<number> with(make_cudaExtent(11, 7, 0), 0, desc);
    const auto array = reinterpret_cast<CUarray>(with.array);
    if (which % 3 == 0) set_modes(reference, which);
    EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT));
    if (which % 3 != 0) set_modes(reference, which);
    EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetBorderColor(reference, desc.borderColor));
    EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFlags(reference, desc.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0));
    EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFormat(reference, CU_AD_FORMAT_FLOAT, 1));
    compare<shape::plane>(with, desc);
    CUarray bound = nullptr;
    EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetArray(&bound, reference));
    check::equal("array", bound == array, true);
    EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetAddress(nullptr, reference, 0, 0));
  }
  CUarray none = nullptr;
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefGetArray(&none, reference));
}

static void test_driver_memory() {
  constexpr int count = 77;
  check::managed<int2> memory(count + 40), values(count);
  for (int i = 0; i < count + 40; ++i) memory[i] = make_int2(3 * i, -i);
  const CUtexref numbers = texture_named("_ZN5inner7numbersE");
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFlags(numbers, CU_TRSF_READ_AS_INTEGER));
  size_t offset = 99;
  const auto address = reinterpret_cast<CUdeviceptr>(memory.data + 9);
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(nullptr, numbers, address, count * sizeof(int2)));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetAddress(&offset, numbers, address, count * sizeof(int2)));
  check::equal("offset", offset, 9 * sizeof(int2));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFormat(numbers, CU_AD_FORMAT_SIGNED_INT32, 2));
  fetch_numbers<<<3, 33>>>(values.data, count, 9);
  check::synchronize();
  for (int i = 0; i < count; ++i) {
    check::equal("tex1Dfetch", values[i].x, 3 * (i + 9), i);
    check::equal("tex1Dfetch", values[i].y, -(i + 9), i);
  }
  CUdeviceptr base = 0;
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetAddress(&base, numbers));
  check::equal("base", base, reinterpret_cast<CUdeviceptr>(memory.data));

  using colour = format<unsigned char, 4>;
  cudaTextureDesc desc{};
  desc.readMode = cudaReadModeNormalizedFloat;
  desc.filterMode = cudaFilterModeLinear;
  texture_of<colour> with(make_cudaExtent(13, 6, 0), 0, desc, memory::pitched);
  cudaResourceDesc resource{};
  CALL(cudaGetTextureObjectResourceDesc(&resource, with.object));
  const CUtexref plane_of_memory = texture_named("colours");
  const CUDA_ARRAY_DESCRIPTOR described{13, 6, CU_AD_FORMAT_UNSIGNED_INT8, 4};
  const auto first = reinterpret_cast<CUdeviceptr>(with.plane);
  const size_t pitch = resource.res.pitch2D.pitchInBytes;
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress2D(plane_of_memory, &described, first + 4, pitch));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress2D(plane_of_memory, &described, first, pitch + 1));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetAddress2D(plane_of_memory, &described, first, pitch));
  // Integers are not filtered, so the settings are invalid for a texture until the next call.
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFlags(plane_of_memory, CU_TRSF_READ_AS_INTEGER));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFilterMode(plane_of_memory, CU_TR_FILTER_MODE_LINEAR));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFlags(plane_of_memory, 0));
  compare<shape::colours>(with, desc);
  CUarray_format format;
  int channels = 0;
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetFormat(&format, &channels, plane_of_memory));
  check::equal("format", static_cast<int>(format), static_cast<int>(CU_AD_FORMAT_UNSIGNED_INT8));
  check::equal("channels", channels, 4);
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(plane_of_memory, CU_AD_FORMAT_FLOAT, 1));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetAddress(nullptr, plane_of_memory, 0, 0));
}

static void test_driver_surface_and_levels() {
  CUsurfref reference = nullptr;
  EXPECT_ERROR(CUDA_SUCCESS, cuModuleGetSurfRef(&reference, own_module(), "image"));
  const CUDA_ARRAY3D_DESCRIPTOR described{9, 5, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_SURFACE_LDST};
  const CUDA_ARRAY_DESCRIPTOR plain{9, 5, CU_AD_FORMAT_UNSIGNED_INT8, 4};
  CUarray array = nullptr, no_surface = nullptr, bound = nullptr;
  EXPECT_ERROR(CUDA_SUCCESS, cuArray3DCreate(&array, &described));
  EXPECT_ERROR(CUDA_SUCCESS, cuArrayCreate(&no_surface, &plain));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuSurfRefGetArray(&bound, reference));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuSurfRefSetArray(reference, no_surface, 0));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuSurfRefSetArray(reference, array, 1));
  EXPECT_ERROR(CUDA_SUCCESS, cuSurfRefSetArray(reference, array, 0));
  EXPECT_ERROR(CUDA_SUCCESS, cuSurfRefGetArray(&bound, reference));
  check::equal("array", bound == array, true);
  check::managed<uchar4> texels(45);
  write_image<<<1, dim3(9, 5)>>>();
  read_image<<<1, dim3(9, 5)>>>(texels.data);
  check::synchronize();
  for (int i = 0; i < 45; ++i) check::equal("x", static_cast<int>(texels[i].x), std::min(i % 9 + 1, 8), i);
  EXPECT_ERROR(CUDA_SUCCESS, cuArrayDestroy(array));
  EXPECT_ERROR(CUDA_SUCCESS, cuArrayDestroy(no_surface));

  const CUDA_ARRAY3D_DESCRIPTOR halving{4, 4, 0, CU_AD_FORMAT_UNSIGNED_INT16, 1, 0};
  CUmipmappedArray mipmapped = nullptr, found = nullptr;
  EXPECT_ERROR(CUDA_SUCCESS, cuMipmappedArrayCreate(&mipmapped, &halving, 3));
  for (unsigned level = 0; level < 3; ++level) {
    CUarray one = nullptr;
    const std::vector<unsigned short> filled(16, static_cast<unsigned short>(70 + level));
    EXPECT_ERROR(CUDA_SUCCESS, cuMipmappedArrayGetLevel(&one, mipmapped, level));
    EXPECT_ERROR(CUDA_SUCCESS, cuMemcpyHtoA(one, 0, filled.data(), (16u >> (2 * level)) * sizeof(unsigned short)));
  }
  const CUtexref texture = texture_named("levels");
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFlags(texture, CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMipmappedArray(texture, mipmapped, CU_TRSA_OVERRIDE_FORMAT));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMipmapLevelClamp(texture, 1, 2));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMipmapLevelBias(texture, 0.5f));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMipmapFilterMode(texture, CU_TR_FILTER_MODE_POINT));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetMipmappedArray(&found, texture));
  check::equal("mipmapped array", found == mipmapped, true);
  check::managed<unsigned short> values(5);
  fetch_levels<<<1, 5>>>(values.data);
  check::synchronize();
  for (int i = 0; i < 5; ++i) check::equal("level", static_cast<int>(values[i]), 70 + std::min(i + 1, 2), i);
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetAddress(nullptr, texture, 0, 0));
  EXPECT_ERROR(CUDA_SUCCESS, cuMipmappedArrayDestroy(mipmapped));
}

static void test_driver_handles() {
  CUtexref found = nullptr, made = nullptr;
  CUsurfref surface_found = nullptr;
  EXPECT_ERROR(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&found, own_module(), "none"));
  EXPECT_ERROR(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&found, own_module(), "image"));
  EXPECT_ERROR(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef(&surface_found, own_module(), "plane"));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuModuleGetTexRef(nullptr, own_module(), "plane"));
  EXPECT_ERROR(CUDA_ERROR_INVALID_HANDLE, cuModuleGetTexRef(&found, nullptr, "plane"));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefCreate(&made));
  CUarray_format format;
  CUaddress_mode mode;
  int channels = 0, most = 0;
  unsigned flags = 9;
  float bias = 0, lowest = 0, highest = 0, colour[4];
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetFormat(&format, &channels, made));
  check::equal("format", format == CU_AD_FORMAT_FLOAT && channels == 1, true);
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetAddressMode(&mode, made, 2));
  check::equal("mode", static_cast<int>(mode), static_cast<int>(CU_TR_ADDRESS_MODE_WRAP));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetFlags(&flags, made));
  check::equal("flags", flags, 0u);
  const unsigned all =
      CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  float given[4] = {1, 2, 3, 4};
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetFlags(made, all));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetFlags(&flags, made));
  check::equal("flags", flags, all);
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMaxAnisotropy(made, 16));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetMaxAnisotropy(&most, made));
  check::equal("anisotropy", most, 16);
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMipmapLevelBias(made, -1.5f));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetMipmapLevelBias(&bias, made));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetMipmapLevelClamp(made, 2, 7));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetMipmapLevelClamp(&lowest, &highest, made));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefSetBorderColor(made, given));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefGetBorderColor(colour, made));
  check::equal("numbers", bias == -1.5f && lowest == 2 && highest == 7 && colour[3] == 4, true);
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetMaxAnisotropy(made, 17));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFlags(made, 4));
  EXPECT_ERROR(CUDA_ERROR_NOT_SUPPORTED, cuTexRefSetFlags(made, CU_TRSF_SEAMLESS_CUBEMAP));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(made, 3, CU_TR_ADDRESS_MODE_CLAMP));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFilterMode(made, static_cast<CUfilter_mode>(2)));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(made, CU_AD_FORMAT_FLOAT, 3));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuTexRefSetArray(made, nullptr, CU_TRSA_OVERRIDE_FORMAT));

  cudaFunction_t kernel = nullptr;
  CALL(cudaGetFuncBySymbol(&kernel, reinterpret_cast<const void*>(fetch_numbers)));
  const CUtexref numbers = texture_named("_ZN5inner7numbersE");
  EXPECT_ERROR(CUDA_SUCCESS, cuParamSetTexRef(kernel, CU_PARAM_TR_DEFAULT, numbers));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(kernel, 0, numbers));
  EXPECT_ERROR(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(kernel, CU_PARAM_TR_DEFAULT, made));
  EXPECT_ERROR(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(nullptr, CU_PARAM_TR_DEFAULT, numbers));
  EXPECT_ERROR(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(numbers));
  EXPECT_ERROR(CUDA_SUCCESS, cuTexRefDestroy(made));
  EXPECT_ERROR(CUDA_ERROR_INVALID_HANDLE, cuTexRefGetFlags(&flags, made));
}

int main(int argc, char**) {
  if (argc > 1) {
    check::managed<float> value(32);
    fetch_late<<<1, 32>>>(value.data, 0);
    std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 2;
  }
  using number = format<float, 1>;
  constexpr cudaTextureReadMode element = cudaReadModeElementType;
  test<shape::line, number>(line, make_cudaExtent(13, 0, 0), 0, element);
  test<shape::plane, number>(plane, make_cudaExtent(11, 7, 0), 0, element);
  test<shape::volume, number>(volume, make_cudaExtent(5, 3, 6), 0, element);
  test<shape::line_layers, number>(line_layers, make_cudaExtent(9, 0, 4), cudaArrayLayered, element);
  test<shape::plane_layers, number>(plane_layers, make_cudaExtent(7, 5, 3), cudaArrayLayered, element);
  test<shape::cube, number>(cube, make_cudaExtent(5, 5, 6), cudaArrayCubemap, element);
  test<shape::cube_layers, number>(cube_layers, make_cudaExtent(3, 3, 12), cudaArrayCubemap | cudaArrayLayered,
                                   element);
  test<shape::colours, format<unsigned char, 4>>(colours, make_cudaExtent(7, 9, 0), 0, cudaReadModeNormalizedFloat);
  test_linear_memory();
  test_order();
  test_surfaces();
  test_levels();
  test_refusals();
  EXPECT_ERROR(CUDA_SUCCESS, cuInit(0));
  test_driver_arrays();
  test_driver_memory();
  test_driver_surface_and_levels();
  test_driver_handles();
  return check::finish();
}
