// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures of two devices: an object is destroyed while the other device is current, and a reference has a binding for
// each device.
#include "texture_of.hpp"

texture<float, cudaTextureType1D> line;
constexpr long long some_time = 30000000;  // cycles of a kernel that still runs when the host makes its next call

__device__ void spend(long long ticks) {
  const long long begin = clock64();
  while (clock64() - begin < ticks) {
  }
}

__global__ void fetch_object(cudaTextureObject_t texture, float* values) {
  spend(some_time);
  values[threadIdx.x] = tex1D<float>(texture, static_cast<float>(threadIdx.x));
}
__global__ void write_object(cudaSurfaceObject_t surface) {
  spend(some_time);
  surf1Dwrite(2.5f * static_cast<float>(threadIdx.x), surface, static_cast<int>(threadIdx.x * sizeof(float)));
}
__global__ void fetch_reference(float* values) { values[threadIdx.x] = tex1D(line, static_cast<float>(threadIdx.x)); }

constexpr int width = 19;

// An array on a device with the texels 100 * device, 100 * device + 1, ...
static cudaArray_t array_on(int device) {
  CALL(cudaSetDevice(device));
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  float texels[width];
  for (int i = 0; i < width; ++i) texels[i] = static_cast<float>(100 * device + i);
  CALL(cudaMallocArray(&array, &desc, width, 0, cudaArraySurfaceLoadStore));
  CALL(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice));
  return array;
}

static void test_destruction() {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_on(1);
  const cudaTextureDesc sampler{};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  check::managed<float> values(width);
  CALL(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr));
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  fetch_object<<<1, width>>>(texture, values.data);
  CALL(cudaSetDevice(0));
  CALL(cudaDestroyTextureObject(texture));
  for (int i = 0; i < width; ++i) check::equal("fetched", values[i], static_cast<float>(100 + i), i);
  CALL(cudaSetDevice(1));
  write_object<<<1, width>>>(surface);
  CALL(cudaSetDevice(0));
  CALL(cudaDestroySurfaceObject(surface));
  float texels[width];
  CALL(cudaMemcpy2DFromArray(texels, sizeof texels, resource.res.array.array, 0, 0, sizeof texels, 1,
                             cudaMemcpyDeviceToHost));
  for (int i = 0; i < width; ++i) check::equal("written", texels[i], 2.5f * static_cast<float>(i), i);
  CALL(cudaFreeArray(resource.res.array.array));
}

static void test_bindings() {
  cudaArray_t arrays[2];
  check::managed<float> values(width);
  for (int device = 0; device < 2; ++device) {
    arrays[device] = array_on(device);
    CALL(cudaBindTextureToArray(line, arrays[device]));
  }
  for (int device = 0; device < 2; ++device) {
    CALL(cudaSetDevice(device));
    fetch_reference<<<1, width>>>(values.data);
    check::synchronize();
    for (int i = 0; i < width; ++i) check::equal("bound", values[i], static_cast<float>(100 * device + i), device, i);
  }
  CALL(cudaSetDevice(0));
  CALL(cudaUnbindTexture(line));
  size_t offset = 1;
  check::equal("not bound", static_cast<int>(cudaGetTextureAlignmentOffset(&offset, line)),
               static_cast<int>(cudaErrorInvalidTextureBinding));
  CALL(cudaSetDevice(1));
  CALL(cudaGetTextureAlignmentOffset(&offset, line));
  check::equal("offset", offset, size_t{0});
  CALL(cudaDeviceReset());
  check::equal("reset", static_cast<int>(cudaGetTextureAlignmentOffset(&offset, line)),
               static_cast<int>(cudaErrorInvalidTextureBinding));
  CALL(cudaFreeArray(arrays[0]));
}

int main() {
  test_destruction();
  test_bindings();
  return check::finish();
}
