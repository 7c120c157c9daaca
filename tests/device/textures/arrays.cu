// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA arrays: extents and flags, copies in each direction, and what CUDA refuses.
#include <numeric>

#include "texture_of.hpp"

#define EXPECT_ERROR(error, call)                                         \
  do {                                                                    \
    check::equal(#call, static_cast<int>(call), static_cast<int>(error)); \
    (void)cudaGetLastError();                                             \
  } while (0)

static std::vector<unsigned short> counting(size_t count, int first) {
  std::vector<unsigned short> values(count);
  std::iota(values.begin(), values.end(), static_cast<unsigned short>(first));
  return values;
}

static void expect_equal(const std::vector<unsigned short>& got, const std::vector<unsigned short>& wanted) {
  for (size_t i = 0; i < got.size(); ++i) check::equal("word", got[i], wanted[i], static_cast<long>(i));
}

static cudaArray_t make(cudaExtent extent, unsigned flags = 0) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<ushort2>();
  cudaArray_t array = nullptr;
  CALL(cudaMalloc3DArray(&array, &desc, extent, flags));
  return array;
}

constexpr int width = 13, height = 7, depth = 5;  // texels of two words
constexpr size_t row = 2 * width;                 // words

static void test_planes() {
  cudaArray_t array = nullptr, other = nullptr;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<ushort2>();
  CALL(cudaMallocArray(&array, &desc, width, height));
  CALL(cudaMallocArray(&other, &desc, width, height));
  std::vector<unsigned short> wanted = counting(row * height, 1), got(row * height);
  CALL(cudaMemcpy2DToArray(array, 0, 0, wanted.data(), row * 2, row * 2, height, cudaMemcpyHostToDevice));
  // A box of 5 x 3 texels from a wider plane, into the middle.
  const std::vector<unsigned short> part = counting(40 * 3, 1000);
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  CALL(cudaMemcpy2DToArrayAsync(array, 4 * 4, 2, part.data(), 80, 20, 3, cudaMemcpyHostToDevice, stream));
  CALL(cudaStreamSynchronize(stream));
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 10; ++x) wanted[(y + 2) * row + 8 + x] = part[y * 40 + x];
  }
  CALL(cudaMemcpy2DFromArray(got.data(), row * 2, array, 0, 0, row * 2, height, cudaMemcpyDeviceToHost));
  expect_equal(got, wanted);
  // Bytes from the middle of a row on, over several rows.
  CALL(cudaMemcpyToArray(other, 0, 0, wanted.data(), wanted.size() * 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyArrayToArray(other, 8, 1, array, 4, 3, 90));
  std::vector<unsigned short> moved = wanted;
  for (int i = 0; i < 45; ++i) moved[row + 4 + i] = wanted[3 * row + 2 + i];
  CALL(cudaMemcpyFromArray(got.data(), other, 0, 0, got.size() * 2, cudaMemcpyDeviceToHost));
  expect_equal(got, moved);
  CALL(cudaMemcpy2DArrayToArray(other, 4, 0, array, 0, 4, 24, 3));
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 12; ++x) moved[y * row + 2 + x] = wanted[(y + 4) * row + x];
  }
  CALL(cudaMemcpy2DFromArrayAsync(got.data(), row * 2, other, 0, 0, row * 2, height, cudaMemcpyDefault, stream));
  CALL(cudaStreamSynchronize(stream));
  expect_equal(got, moved);
  const auto to_array = [&](size_t x, size_t y, size_t bytes, size_t rows) {
    return cudaMemcpy2DToArray(array, x, y, wanted.data(), row * 2, bytes, rows, cudaMemcpyHostToDevice);
  };
  EXPECT_ERROR(cudaErrorInvalidValue, to_array(4, 0, row * 2, 1));
  EXPECT_ERROR(cudaErrorInvalidValue, to_array(0, 1, row * 2, height));
  EXPECT_ERROR(cudaErrorInvalidValue, to_array(SIZE_MAX, 0, 4, 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyToArray(array, 0, 6, wanted.data(), row * 2 + 1, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpyToArray(nullptr, 0, 0, wanted.data(), 2, cudaMemcpyHostToDevice));
  CALL(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, to_array(0, 0, 4, 1));
  CALL(cudaFreeArray(other));
  CALL(cudaFreeArray(nullptr));
  CALL(cudaStreamDestroy(stream));
}

// A box between two volumes, and into memory with gaps; through a graph, too.
static void test_volumes() {
  const cudaArray_t from = make(make_cudaExtent(width, height, depth));
  const cudaArray_t to = make(make_cudaExtent(width, height, depth), cudaArrayLayered);
  std::vector<unsigned short> texels = counting(row * height * depth, 7), wanted(texels.size()), got(texels.size());
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), row * 2, width, height);
  copy.dstArray = from;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  copy.srcPtr.ptr = wanted.data();
  copy.dstArray = to;
  CALL(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms box{};
  box.srcArray = from;
  box.srcPos = make_cudaPos(3, 2, 1);
  box.dstArray = to;
  box.dstPos = make_cudaPos(1, 0, 2);
  box.extent = make_cudaExtent(9, 4, 3);
  box.kind = cudaMemcpyDeviceToDevice;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t ready = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &box));
  CALL(cudaGraphInstantiate(&ready, graph, 0));
  CALL(cudaGraphLaunch(ready, 0));
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 18; ++x) {
        wanted[((z + 2) * height + y) * row + 2 + x] = texels[((z + 1) * height + y + 2) * row + 6 + x];
      }
    }
  }
  cudaMemcpy3DParms back{};
  back.srcArray = to;
  back.dstPtr = make_cudaPitchedPtr(got.data(), row * 2, width, height);
  back.extent = make_cudaExtent(width, height, depth);
  back.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&back));
  expect_equal(got, wanted);
  back.extent.depth = depth + 1;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&back));
  back.extent.depth = depth;
  back.srcPos.x = 1;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&back));
  CALL(cudaGraphExecDestroy(ready));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaFreeArray(from));
  CALL(cudaFreeArray(to));
}

static void test_descriptions() {
  const cudaArray_t array = make(make_cudaExtent(width, width, 12), cudaArrayCubemap | cudaArrayLayered);
  cudaChannelFormatDesc desc{};
  cudaExtent extent{};
  unsigned flags = 0;
  CALL(cudaArrayGetInfo(&desc, &extent, &flags, array));
  check::equal("x", desc.x, 16), check::equal("y", desc.y, 16), check::equal("z", desc.z, 0);
  check::equal("kind", static_cast<int>(desc.f), static_cast<int>(cudaChannelFormatKindUnsigned));
  check::equal("width", extent.width, size_t{width}), check::equal("depth", extent.depth, size_t{12});
  check::equal("flags", flags, unsigned{cudaArrayCubemap | cudaArrayLayered});
  CALL(cudaGetChannelDesc(&desc, array));
  check::equal("y", desc.y, 16);
  CALL(cudaFreeArray(array));

  cudaMipmappedArray_t levels = nullptr;
  desc = cudaCreateChannelDesc<float>();
  CALL(cudaMallocMipmappedArray(&levels, &desc, make_cudaExtent(13, 7, 0), 9));
  for (unsigned level = 0; level < 4; ++level) {
    cudaArray_t one = nullptr;
    CALL(cudaGetMipmappedArrayLevel(&one, levels, level));
    CALL(cudaArrayGetInfo(&desc, &extent, &flags, one));
    check::equal("width", extent.width, size_t{13u >> level});
    check::equal("height", extent.height, level < 3 ? size_t{7u >> level} : size_t{1});
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeArray(one));
  }
  cudaArray_t none = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&none, levels, 4));
  CALL(cudaFreeMipmappedArray(levels));
}

static void test_refused_arrays() {
  cudaArray_t array = nullptr;
  const auto make_with = [&](cudaChannelFormatDesc desc, cudaExtent extent, unsigned flags) {
    return cudaMalloc3DArray(&array, &desc, extent, flags);
  };
  const cudaExtent plane = make_cudaExtent(8, 8, 0);
  const auto bits = [](int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return cudaCreateChannelDesc(x, y, z, w, kind);
  };
  constexpr auto invalid = cudaErrorInvalidChannelDescriptor;
  EXPECT_ERROR(invalid, make_with(bits(8, 8, 8, 0, cudaChannelFormatKindUnsigned), plane, 0));
  EXPECT_ERROR(invalid, make_with(bits(8, 16, 0, 0, cudaChannelFormatKindUnsigned), plane, 0));
  EXPECT_ERROR(invalid, make_with(bits(64, 0, 0, 0, cudaChannelFormatKindSigned), plane, 0));
  EXPECT_ERROR(invalid, make_with(bits(8, 0, 0, 0, cudaChannelFormatKindFloat), plane, 0));
  EXPECT_ERROR(invalid, make_with(bits(0, 0, 0, 0, cudaChannelFormatKindNone), plane, 0));
  EXPECT_ERROR(cudaErrorNotSupported,
               make_with(bits(8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1), plane, 0));
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, make_cudaExtent(0, 8, 0), 0));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, make_cudaExtent(131073, 0, 0), 0));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, make_cudaExtent(4, 5, 6), cudaArrayCubemap));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, make_cudaExtent(4, 4, 5), cudaArrayCubemap));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, make_cudaExtent(4, 0, 6), 0));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, plane, cudaArrayLayered));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, make_cudaExtent(4, 4, 4), cudaArrayTextureGather));
  EXPECT_ERROR(cudaErrorNotSupported, make_with(desc, plane, cudaArraySparse));
  EXPECT_ERROR(cudaErrorInvalidValue, make_with(desc, plane, 0x1000));
}

static void test_refused_objects() {
  float* memory = nullptr;
  CALL(cudaMalloc(&memory, 4096));
  const cudaArray_t array = make(make_cudaExtent(8, 8, 0));
  cudaResourceDesc of_array{}, linear{}, plane{};
  of_array.resType = cudaResourceTypeArray;
  of_array.res.array.array = array;
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {memory, cudaCreateChannelDesc<float>(), 4096};
  plane.resType = cudaResourceTypePitch2D;
  plane.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 8, 8, 64};
  cudaTextureDesc desc{};
  cudaTextureObject_t texture = 0;
  const auto create = [&](const cudaResourceDesc& resource) {
    return cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
  };
  desc.filterMode = cudaFilterModeLinear;
  EXPECT_ERROR(cudaErrorInvalidFilterSetting, create(of_array));
  EXPECT_ERROR(cudaSuccess, create(linear));  // linear memory has no filter, so none is refused
  cudaResourceDesc described{};
  EXPECT_ERROR(cudaSuccess, cudaGetTextureObjectResourceDesc(&described, texture));
  check::equal("type", static_cast<int>(described.resType), static_cast<int>(cudaResourceTypeLinear));
  cudaResourceViewDesc view{};
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetTextureObjectResourceViewDesc(&view, texture));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDestroySurfaceObject(texture));
  EXPECT_ERROR(cudaSuccess, cudaDestroyTextureObject(texture));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDestroyTextureObject(texture));
  desc.filterMode = cudaFilterModePoint;
  linear.res.linear.devPtr = memory + 1;
  EXPECT_ERROR(cudaErrorInvalidValue, create(linear));
  plane.res.pitch2D.pitchInBytes = 40;
  EXPECT_ERROR(cudaErrorInvalidPitchValue, create(plane));
  plane.res.pitch2D.pitchInBytes = 0;
  EXPECT_ERROR(cudaErrorInvalidPitchValue, create(plane));
  desc.seamlessCubemap = 1;
  EXPECT_ERROR(cudaErrorNotSupported, create(of_array));
  cudaSurfaceObject_t surface = 0;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &of_array));  // without the flag
  CALL(cudaFreeArray(array));
  desc.seamlessCubemap = 0;
  EXPECT_ERROR(cudaErrorInvalidValue, create(of_array));
  CALL(cudaFree(memory));
}

int main() {
  test_planes();
  test_volumes();
  test_descriptions();
  test_refused_arrays();
  test_refused_objects();
  return check::finish();
}
