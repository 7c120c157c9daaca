// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches of each shape, format, filter, address mode and read mode, each thread against a model.
#include <algorithm>

#include "texture_of.hpp"

enum class shape { line, plane, volume, line_layered, plane_layered, cubemap, cubemap_layered };

struct place {
  float x, y, z;
  int layer;
};

template <class T, shape Shape>
__device__ T fetch(cudaTextureObject_t texture, place at) {
  if constexpr (Shape == shape::line) return tex1D<T>(texture, at.x);
  if constexpr (Shape == shape::plane) return tex2D<T>(texture, at.x, at.y);
  if constexpr (Shape == shape::volume) return tex3D<T>(texture, at.x, at.y, at.z);
  if constexpr (Shape == shape::line_layered) return tex1DLayered<T>(texture, at.x, at.layer);
  if constexpr (Shape == shape::plane_layered) return tex2DLayered<T>(texture, at.x, at.y, at.layer);
  if constexpr (Shape == shape::cubemap) return texCubemap<T>(texture, at.x, at.y, at.z);
  if constexpr (Shape == shape::cubemap_layered) return texCubemapLayered<T>(texture, at.x, at.y, at.z, at.layer);
}

template <class T, shape Shape>
__global__ void fetch_all(cudaTextureObject_t texture, const place* places, T* values, unsigned count) {
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x * blockDim.y + rank;
  if (i < count) values[i] = fetch<T, Shape>(texture, places[i]);
}

// A coordinate that is exact in float, also as a number of texels, and whose fraction is no tie in rounding.
static float coordinate(int size, bool is_normalized) {
  for (;;) {
    if (is_normalized) {
      const int m = static_cast<int>(random_bits() % (5 * 4096)) - 2 * 4096;
      if ((static_cast<long>(m) * size & 15) != 8) return static_cast<float>(m) / 4096;
    } else {
      const int m = static_cast<int>(random_bits() % ((size + 6) * 1024)) - 3 * 1024;
      if ((m & 3) != 2) return static_cast<float>(m) / 1024;
    }
  }
}

template <class T>
static double channel(const T& value, int c) {
  using scalar = std::remove_cv_t<std::remove_reference_t<decltype(value.x)>>;
  return static_cast<double>(reinterpret_cast<const scalar*>(&value)[c]);
}

template <class T, shape Shape, class Format>
static void compare(const texture_of<Format>& texture, int count) {
  constexpr bool is_cubemap = Shape == shape::cubemap || Shape == shape::cubemap_layered;
  constexpr unsigned total = 331;
  check::managed<place> places(total);
  check::managed<T> values(total);
  for (unsigned i = 0; i < total; ++i) {
    place at{coordinate(texture.image.width, texture.sampler.is_normalized),
             coordinate(texture.image.height, texture.sampler.is_normalized),
             coordinate(texture.image.depth, texture.sampler.is_normalized),
             static_cast<int>(random_bits() % (texture.image.depth + 2)) - 1};
    if (is_cubemap) {
      // Across the face the component is 1, so the coordinates in the face are exact.
      float* const components[3] = {&at.x, &at.y, &at.z};
      for (float* component : components) {
        const int m = static_cast<int>(random_bits() % 2048) - 1024;
        *component = static_cast<float>(2 * m + 1) / 2048;
      }
      *components[random_bits() % 3] = random_bits() & 1 ? 1.0f : -1.0f;
      at.layer = static_cast<int>(random_bits() % (texture.image.depth / 6 + 2)) - 1;
    }
    places[i] = at;
  }
  for (const dim3 block : {dim3(33), dim3(16, 3), dim3(64, 2), dim3(32)}) {
    const unsigned threads = block.x * block.y;
    std::memset(static_cast<void*>(values.data), 0, total * sizeof(T));
    fetch_all<T, Shape><<<(total + threads - 1) / threads, block>>>(texture.object, places.data, values.data, total);
    check::synchronize();
    for (unsigned i = 0; i < total; ++i) {
      const place& at = places[i];
      std::array<double, 3> wanted_at{at.x, at.y, at.z};
      model::sampler sampler = texture.sampler;
      int layer = Shape == shape::line || Shape == shape::plane || Shape == shape::volume ? 0 : at.layer;
      if (is_cubemap) {
        const int face = model::face_of(at.x, at.y, at.z, &wanted_at);
        const int layers = texture.image.depth / 6;
        const int own_layer = at.layer < 0 || at.layer >= layers ? layers - 1 : at.layer;
        layer = Shape == shape::cubemap ? face : 6 * own_layer + face;
        sampler.is_normalized = true;
      }
      const model::channels wanted = model::fetch(texture.image, sampler, wanted_at, layer);
      for (int c = 0; c < count; ++c) {
        ++check::comparisons;
        const double got = channel(values[i], c);
        const double error = std::is_same_v<decltype(T::x), float> ? Format::error(texture.is_srgb) : 0;
        if (std::fabs(got - wanted[c]) <= error * std::max(1.0, std::fabs(wanted[c]))) continue;
        char inputs[160], a[40], b[40];
        std::snprintf(inputs, sizeof inputs, "shape %d, %g, %g, %g, layer %d, channel %d, block %u x %u",
                      static_cast<int>(Shape), at.x, at.y, at.z, at.layer, c, block.x, block.y);
        check::describe(a, sizeof a, got), check::describe(b, sizeof b, wanted[c]);
        check::fail("fetch", inputs, a, b);
      }
    }
  }
}

static cudaTextureDesc sampler_of(bool is_linear, bool is_normalized, cudaTextureAddressMode x,
                                  cudaTextureAddressMode y, cudaTextureAddressMode z, cudaTextureReadMode read) {
  cudaTextureDesc desc{};
  desc.addressMode[0] = x, desc.addressMode[1] = y, desc.addressMode[2] = z;
  desc.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.readMode = read;
  desc.normalizedCoords = is_normalized;
  desc.borderColor[0] = 0.25f, desc.borderColor[1] = 0.5f, desc.borderColor[2] = -0.75f, desc.borderColor[3] = 2.0f;
  return desc;
}

constexpr cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                            cudaAddressModeBorder};

// All filters and address modes of one format, in planes.
template <class T, class Format>
static void test_format(cudaTextureReadMode read, bool is_srgb = false) {
  constexpr bool is_float = std::is_same_v<decltype(T::x), float>;
  for (int which = 0; which < 16; ++which) {
    for (int kind = 0; kind < (is_float ? 4 : 2); ++kind) {
      cudaTextureDesc desc = sampler_of(kind & 2, kind & 1, modes[which & 3], modes[which >> 2], modes[0], read);
      desc.sRGB = is_srgb;
      // Integer formats read the border's bits as integers.
      if (!is_float) std::memset(desc.borderColor, 0, sizeof desc.borderColor);
      const texture_of<Format> texture({13, 7, 0}, 0, desc);
      compare<T, shape::plane>(texture, Format::count);
    }
  }
  const cudaTextureDesc desc = sampler_of(false, false, modes[1], modes[1], modes[1], read);
  const texture_of<Format> pitched({37, 5, 0}, 0, desc, memory::pitched);
  compare<T, shape::plane>(pitched, Format::count);
}

// Fetches of one channel of a wider format, and of all channels of a type from a narrower format.
static void test_channels() {
  const cudaTextureDesc desc = sampler_of(true, true, modes[0], modes[2], modes[0], cudaReadModeElementType);
  const texture_of<format<float, 4>> four({9, 11, 0}, 0, desc);
  compare<float1, shape::plane>(four, 1);
  compare<float2, shape::plane>(four, 2);
  const texture_of<format<__half, 2>> two({9, 11, 0}, 0, desc);
  compare<float4, shape::plane>(two, 4);
  const texture_of<format<float, 1>> one({9, 11, 0}, 0, desc);
  compare<float4, shape::plane>(one, 4);
}

template <class T, class Format>
static void test_shapes(cudaTextureReadMode read) {
  for (int which = 0; which < 4; ++which) {
    for (int kind = 0; kind < 4; ++kind) {
      const cudaTextureDesc desc =
          sampler_of(kind & 2, kind & 1, modes[which], modes[(which + 1) & 3], modes[(which + 3) & 3], read);
      const texture_of<Format> line({31, 0, 0}, 0, desc), plane({1, 1, 0}, 0, desc), volume({5, 7, 3}, 0, desc);
      compare<T, shape::line>(line, Format::count);
      compare<T, shape::plane>(plane, Format::count);
      compare<T, shape::volume>(volume, Format::count);
      const texture_of<Format> lines({17, 0, 5}, cudaArrayLayered, desc), planes({6, 9, 4}, cudaArrayLayered, desc);
      compare<T, shape::line_layered>(lines, Format::count);
      compare<T, shape::plane_layered>(planes, Format::count);
      const texture_of<Format> cube({5, 5, 6}, cudaArrayCubemap, desc);
      compare<T, shape::cubemap>(cube, Format::count);
      const texture_of<Format> cubes({3, 3, 18}, cudaArrayCubemap | cudaArrayLayered, desc);
      compare<T, shape::cubemap_layered>(cubes, Format::count);
    }
  }
}

__global__ void fetch_linear(cudaTextureObject_t texture, int first, short2* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tex1Dfetch(&values[i], texture, first + i);
}

// Texel numbers outside linear memory give 0.
static void test_linear_memory() {
  constexpr int count = 1001, beside = 40;
  short2* memory = nullptr;
  CALL(cudaMalloc(&memory, count * sizeof(short2)));
  std::vector<short2> texels(count);
  for (short2& texel : texels)
    texel = make_short2(static_cast<short>(random_bits()), static_cast<short>(random_bits()));
  CALL(cudaMemcpy(memory, texels.data(), count * sizeof(short2), cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, cudaCreateChannelDesc<short2>(), count * sizeof(short2)};
  const cudaTextureDesc desc = sampler_of(true, false, modes[0], modes[0], modes[0], cudaReadModeElementType);
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  check::managed<short2> values(count + 2 * beside);
  fetch_linear<<<9, 123>>>(texture, -beside, values.data, count + 2 * beside);
  check::synchronize();
  for (int i = 0; i < count + 2 * beside; ++i) {
    const int at = i - beside;
    const short2 wanted = at >= 0 && at < count ? texels[at] : make_short2(0, 0);
    check::equal("tex1Dfetch", values[i].x, wanted.x, at);
    check::equal("tex1Dfetch", values[i].y, wanted.y, at);
  }
  CALL(cudaDestroyTextureObject(texture));
  CALL(cudaFree(memory));
}

template <class T>
__global__ void gather(cudaTextureObject_t texture, const place* places, T* values, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  switch (i & 3) {
    case 0:
      values[i] = tex2Dgather<T>(texture, places[i].x, places[i].y);
      break;
    case 1:
      values[i] = tex2Dgather<T>(texture, places[i].x, places[i].y, 1);
      break;
    case 2:
      values[i] = tex2Dgather<T>(texture, places[i].x, places[i].y, 2);
      break;
    case 3:
      tex2Dgather(&values[i], texture, places[i].x, places[i].y, 3);
      break;
  }
}

static void test_gather() {
  constexpr unsigned count = 501;
  for (int which = 0; which < 8; ++which) {
    const bool is_normalized = which >= 4;
    const cudaTextureDesc desc = sampler_of(true, is_normalized, modes[which % 4], modes[(which + 1) % 4], modes[0],
                                            cudaReadModeNormalizedFloat);
    const texture_of<format<unsigned char, 4>> texture({11, 6, 0}, cudaArrayTextureGather, desc);
    check::managed<place> places(count);
    check::managed<float4> values(count);
    for (unsigned i = 0; i < count; ++i)
      places[i] = {coordinate(11, is_normalized), coordinate(6, is_normalized), 0, 0};
    gather<<<(count + 95) / 96, 96>>>(texture.object, places.data, values.data, count);
    check::synchronize();
    for (unsigned i = 0; i < count; ++i) {
      const double x = (is_normalized ? places[i].x * 11.0 : places[i].x) - 0.5;
      const double y = (is_normalized ? places[i].y * 6.0 : places[i].y) - 0.5;
      // A fraction that rounds to 256 belongs to the next texel.
      const int left = static_cast<int>(std::floor(std::round(x * 256) / 256));
      const int top = static_cast<int>(std::floor(std::round(y * 256) / 256));
      const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
      for (int k = 0; k < 4; ++k) {
        const int u = model::fold(left + order[k][0], 11, texture.sampler.modes[0], is_normalized);
        const int v = model::fold(top + order[k][1], 6, texture.sampler.modes[1], is_normalized);
        const bool is_border = u < 0 || v < 0;
        const int c = static_cast<int>(i & 3);
        const double wanted = is_border ? texture.sampler.border[c] : texture.image.at(u, v, 0)[c];
        check::near("tex2Dgather", 1, (&values[i].x)[k], wanted, places[i].x, places[i].y, k);
      }
    }
  }
}

int main() {
  constexpr auto element = cudaReadModeElementType, normalized = cudaReadModeNormalizedFloat;
  test_format<float1, format<float, 1>>(element);
  test_format<float2, format<float, 2>>(element);
  test_format<float4, format<float, 4>>(element);
  test_format<float1, format<__half, 1>>(element);
  test_format<float4, format<__half, 4>>(element);
  test_format<float1, format<unsigned char, 1>>(normalized);
  test_format<float4, format<unsigned char, 4>>(normalized);
  test_format<float4, format<unsigned char, 4>>(normalized, true);
  test_format<float2, format<signed char, 2>>(normalized);
  test_format<float1, format<short, 1>>(normalized);
  test_format<float4, format<unsigned short, 4>>(normalized);
  test_format<uchar1, format<unsigned char, 1>>(element);
  test_format<char4, format<signed char, 4>>(element);
  test_format<ushort2, format<unsigned short, 2>>(element);
  test_format<short4, format<short, 4>>(element);
  test_format<int1, format<int, 1>>(element);
  test_format<uint4, format<unsigned int, 4>>(element);
  test_format<int2, format<int, 2>>(normalized);  // integers of 32 bits stay integers
  test_channels();
  test_shapes<float1, format<float, 1>>(element);
  test_shapes<float4, format<unsigned char, 4>>(normalized);
  test_linear_memory();
  test_gather();
  return check::finish();
}
