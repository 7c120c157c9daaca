// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surfaces of each shape: kernels write and read texels of arrays. A place outside gives 0, is clamped or ends the
// launch. With an argument the program makes one wrong access.
#include "texture_of.hpp"

enum class shape { line, plane, volume, line_layered, plane_layered, cubemap, cubemap_layered };

template <class T, shape Shape>
__device__ T read(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  if constexpr (Shape == shape::line) return surf1Dread<T>(surface, x, mode);
  if constexpr (Shape == shape::plane) return surf2Dread<T>(surface, x, y, mode);
  if constexpr (Shape == shape::volume) return surf3Dread<T>(surface, x, y, z, mode);
  if constexpr (Shape == shape::line_layered) return surf1DLayeredread<T>(surface, x, z, mode);
  if constexpr (Shape == shape::plane_layered) return surf2DLayeredread<T>(surface, x, y, z, mode);
  if constexpr (Shape == shape::cubemap) return surfCubemapread<T>(surface, x, y, z, mode);
  if constexpr (Shape == shape::cubemap_layered) {
    T value;
    surfCubemapLayeredread(&value, surface, x, y, z, mode);
    return value;
  }
}

template <class T, shape Shape>
__device__ void write(T value, cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  if constexpr (Shape == shape::line) surf1Dwrite(value, surface, x, mode);
  if constexpr (Shape == shape::plane) surf2Dwrite(value, surface, x, y, mode);
  if constexpr (Shape == shape::volume) surf3Dwrite(value, surface, x, y, z, mode);
  if constexpr (Shape == shape::line_layered) surf1DLayeredwrite(value, surface, x, z, mode);
  if constexpr (Shape == shape::plane_layered) surf2DLayeredwrite(value, surface, x, y, z, mode);
  if constexpr (Shape == shape::cubemap) surfCubemapwrite(value, surface, x, y, z, mode);
  if constexpr (Shape == shape::cubemap_layered) surfCubemapLayeredwrite(value, surface, x, y, z, mode);
}

struct extent {
  int width, height, depth;
};

// Thread `i` stands for texel (x, y, z), from `beside` texels before the first to `beside` after the last in each axis.
struct position {
  int x, y, z;
};
__host__ __device__ inline extent extent_around(extent e, extent beside) {
  return {e.width + 2 * beside.width, e.height + 2 * beside.height, e.depth + 2 * beside.depth};
}
__host__ __device__ inline position position_of(int i, extent e, extent beside) {
  const extent all = extent_around(e, beside);
  return {i % all.width - beside.width, i / all.width % all.height - beside.height,
          i / (all.width * all.height) - beside.depth};
}

template <class T>
__host__ __device__ T value_of(int i) {
  T value;
  for (unsigned b = 0; b < sizeof(T); ++b)
    reinterpret_cast<unsigned char*>(&value)[b] = static_cast<unsigned char>(i * 7 + b);
  return value;
}

template <class T, shape Shape>
__global__ void write_all(cudaSurfaceObject_t surface, extent e, extent beside, int count,
                          cudaSurfaceBoundaryMode mode) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const position at = position_of(i, e, beside);
  write<T, Shape>(value_of<T>(i), surface, at.x * static_cast<int>(sizeof(T)), at.y, at.z, mode);
}

template <class T, shape Shape>
__global__ void read_all(cudaSurfaceObject_t surface, extent e, extent beside, int count, T* values,
                         cudaSurfaceBoundaryMode mode) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const position at = position_of(i, e, beside);
  values[i] = read<T, Shape>(surface, at.x * static_cast<int>(sizeof(T)), at.y, at.z, mode);
}

template <class T, shape Shape>
static void test(const cudaChannelFormatDesc& desc, extent e, unsigned flags) {
  const bool is_line = Shape == shape::line || Shape == shape::line_layered;
  const bool has_slices = Shape != shape::line && Shape != shape::plane;
  cudaArray_t array = nullptr;
  CALL(cudaMalloc3DArray(&array, &desc, make_cudaExtent(e.width, is_line ? 0 : e.height, has_slices ? e.depth : 0),
                         flags | cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  const int count = e.width * e.height * e.depth;
  write_all<T, Shape><<<(count + 44) / 45, 45>>>(surface, e, {0, 0, 0}, count, cudaBoundaryModeTrap);
  check::synchronize();
  std::vector<T> texels(count);
  cudaMemcpy3DParms copy{};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(texels.data(), e.width * sizeof(T), e.width, e.height);
  copy.extent = make_cudaExtent(e.width, e.height, e.depth);
  copy.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&copy));
  const auto same = [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
  for (int i = 0; i < count; ++i) check::equal("written", same(texels[i], value_of<T>(i)), true, i);

  // Axes that the shape does not have get no positions outside.
  const extent beside{2, is_line ? 0 : 2, has_slices ? 2 : 0};
  const extent all = extent_around(e, beside);
  const int more = all.width * all.height * all.depth;
  check::managed<T> values(more);
  for (const cudaSurfaceBoundaryMode mode : {cudaBoundaryModeZero, cudaBoundaryModeClamp}) {
    read_all<T, Shape><<<(more + 63) / 64, 64>>>(surface, e, beside, more, values.data, mode);
    check::synchronize();
    for (int i = 0; i < more; ++i) {
      position at = position_of(i, e, beside);
      const position inside{std::min(std::max(at.x, 0), e.width - 1), std::min(std::max(at.y, 0), e.height - 1),
                            std::min(std::max(at.z, 0), e.depth - 1)};
      const bool is_inside = at.x == inside.x && at.y == inside.y && at.z == inside.z;
      const T zero{};
      const T& wanted = is_inside || mode == cudaBoundaryModeClamp
                            ? texels[(inside.z * e.height + inside.y) * e.width + inside.x]
                            : zero;
      check::equal("read", same(values[i], wanted), true, i);
    }
  }
  // Writes outside the surface change nothing.
  write_all<T, Shape><<<(more + 63) / 64, 64>>>(surface, e, beside, more, cudaBoundaryModeZero);
  check::synchronize();
  CALL(cudaMemcpy3D(&copy));
  for (int i = 0; i < more; ++i) {
    const position at = position_of(i, e, beside);
    if (at.x < 0 || at.y < 0 || at.z < 0 || at.x >= e.width || at.y >= e.height || at.z >= e.depth) continue;
    check::equal("written", same(texels[(at.z * e.height + at.y) * e.width + at.x], value_of<T>(i)), true, i);
  }
  CALL(cudaDestroySurfaceObject(surface));
  CALL(cudaFreeArray(array));
}

__global__ void wrong(cudaSurfaceObject_t surface, int x, int y) {
  if (threadIdx.x == 5) surf2Dwrite(1.0f, surface, x, y);
}

// Prints the error of a launch whose thread 5 writes to a wrong place.
static int run_wrong(int x, int y) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  CALL(cudaMallocArray(&resource.res.array.array, &desc, 9, 4, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface = 0;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  wrong<<<1, 32>>>(surface, x, y);
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 2;
}

int main(int argc, char** argv) {
  if (argc == 3) return run_wrong(std::atoi(argv[1]), std::atoi(argv[2]));
  test<float, shape::line>(cudaCreateChannelDesc<float>(), {37, 1, 1}, 0);
  test<uchar4, shape::plane>(cudaCreateChannelDesc<uchar4>(), {13, 9, 1}, 0);
  test<short, shape::volume>(cudaCreateChannelDesc<short>(), {7, 5, 3}, 0);
  test<float4, shape::volume>(cudaCreateChannelDesc<float4>(), {5, 3, 6}, 0);
  test<unsigned char, shape::line_layered>(cudaCreateChannelDesc<unsigned char>(), {19, 1, 4}, cudaArrayLayered);
  test<int2, shape::plane_layered>(cudaCreateChannelDesc<int2>(), {11, 6, 3}, cudaArrayLayered);
  test<longlong2, shape::plane_layered>(cudaCreateChannelDesc<int4>(), {3, 5, 2}, cudaArrayLayered);
  test<ushort4, shape::cubemap>(cudaCreateChannelDesc<ushort4>(), {5, 5, 6}, cudaArrayCubemap);
  test<char2, shape::cubemap_layered>(cudaCreateChannelDesc<char2>(), {3, 3, 12}, cudaArrayCubemap | cudaArrayLayered);
  return check::finish();
}
