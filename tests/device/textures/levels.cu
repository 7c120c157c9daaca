// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mipmapped arrays: the levels selected by a level of detail, its bias, the clamps and derivatives. Normalized texels:
// the bits of their quotients, which --use_fast_math must not change.
#include "texture_of.hpp"

constexpr int width = 32, height = 16, levels = 6;

enum class form { detail, grad, none };

struct place {
  float x, y, detail;
};

template <form Form>
__global__ void fetch_all(cudaTextureObject_t texture, const place* places, float* values, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const place at = places[i];
  bool is_resident = i % 2 == 0;  // each other thread asks
  if (Form == form::detail) {
    values[i] = is_resident ? tex2DLod<float>(texture, at.x, at.y, at.detail)
                            : tex2DLod<float>(texture, at.x, at.y, at.detail, &is_resident);
  } else if (Form == form::none) {
    if (is_resident) {
      values[i] = tex2D<float>(texture, at.x, at.y);
    } else {
      tex2D(&values[i], texture, at.x, at.y, &is_resident);
    }
  } else {
    // Derivatives of 2^detail texels along x, and of half as many along y.
    const float texels = exp2f(at.detail);
    values[i] =
        tex2DGrad<float>(texture, at.x, at.y, make_float2(texels / width, 0), make_float2(0, texels / 2 / height));
  }
  if (Form != form::grad && !is_resident) values[i] = -1;
}

struct pyramid {
  cudaMipmappedArray_t array = nullptr;
  std::vector<model::image> images;

  pyramid() {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CALL(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(width, height, 0), levels));
    for (int level = 0; level < levels; ++level) {
      model::image image;
      image.width = std::max(width >> level, 1), image.height = std::max(height >> level, 1), image.axes = 2;
      std::vector<float> texels(static_cast<size_t>(image.width) * image.height);
      for (float& texel : texels) {
        texel = static_cast<float>(random_bits() % 1000) + 1000.0f * static_cast<float>(level);
        image.texels.push_back({texel, 0, 0, 1});
      }
      cudaArray_t one = nullptr;
      CALL(cudaGetMipmappedArrayLevel(&one, array, level));
      CALL(cudaMemcpy2DToArray(one, 0, 0, texels.data(), image.width * 4, image.width * 4, image.height,
                               cudaMemcpyHostToDevice));
      images.push_back(image);
    }
  }
  pyramid(const pyramid&) = delete;
  ~pyramid() { CALL(cudaFreeMipmappedArray(array)); }
};

// The value at a level of detail, after the bias and the clamps.
static double wanted_at(const pyramid& from, const cudaTextureDesc& desc, int first, int last, const place& at,
                        bool has_detail) {
  const auto in_256ths = [](float level) { return static_cast<int>(std::trunc(level * 256.0)); };
  const int biased = has_detail ? in_256ths(at.detail) + in_256ths(desc.mipmapLevelBias) : 0;
  const int limited =
      std::min(std::max(biased, in_256ths(desc.minMipmapLevelClamp)), in_256ths(desc.maxMipmapLevelClamp));
  const int detail = std::min(std::max(limited, 0), 256 * (last - first));
  model::sampler sampler;
  sampler.modes = {desc.addressMode[0], desc.addressMode[1], desc.addressMode[2]};
  sampler.is_linear = desc.filterMode == cudaFilterModeLinear;
  sampler.is_normalized = true;
  const bool is_blended = desc.mipmapFilterMode == cudaFilterModeLinear;
  const int position = is_blended ? detail : (detail + 128) / 256 * 256;
  model::channels sum{};
  for (int side = 0; side < 2; ++side) {
    const int weight = side ? position % 256 : 256 - position % 256;
    const model::image& image = from.images[std::min(first + position / 256 + side, last)];
    model::add(image, sampler, {at.x, at.y, 0}, 0, weight, &sum);
  }
  return sum[0];
}

// A number from -0.5 to 1.5, in the steps of a GPU's normalized coordinates.
static float coordinate() {
  const int m = static_cast<int>(random_bits() % (1 << 20)) * 2 + 1;
  return static_cast<float>(m - (1 << 19)) / 1048576.0f;
}

template <form Form>
static void test(const pyramid& from, const cudaTextureDesc& desc, const cudaResourceViewDesc* view) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = from.array;
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &desc, view));
  constexpr unsigned count = 301;
  check::managed<place> places(count);
  check::managed<float> values(count);
  for (unsigned i = 0; i < count; ++i) {
    // No rounding meets a tie: coordinates are odd multiples of 2^-20, levels odd multiples of 2^-11.
    places[i] = {coordinate(), coordinate(),
                 static_cast<float>(static_cast<int>(random_bits() % 8192) * 2 - 4095) / 2048.0f};
  }
  fetch_all<Form><<<(count + 76) / 77, 77>>>(texture, places.data, values.data, count);
  check::synchronize();
  const int first = view ? static_cast<int>(view->firstMipmapLevel) : 0;
  const int last = view ? static_cast<int>(view->lastMipmapLevel) : levels - 1;
  // A level of detail from derivatives is a logarithm: its rounding may select the next 256th.
  const double error = Form == form::grad ? 4100.0 / 256 : 1e-2;
  for (unsigned i = 0; i < count; ++i) {
    ++check::comparisons;
    const double wanted = wanted_at(from, desc, first, last, places[i], Form != form::none);
    if (std::fabs(values[i] - wanted) <= error) continue;
    char inputs[100], got[40], should[40];
    std::snprintf(inputs, sizeof inputs, "%g, %g, %g", places[i].x, places[i].y, places[i].detail);
    check::describe(got, sizeof got, values[i]), check::describe(should, sizeof should, wanted);
    check::fail(Form == form::detail ? "tex2DLod" : Form == form::none ? "tex2D" : "tex2DGrad", inputs, got, should);
  }
  CALL(cudaDestroyTextureObject(texture));
}

__global__ void fetch_quotients(cudaTextureObject_t texture, float4* values, int texels_in_row) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < texels_in_row) values[x] = tex2D<float4>(texture, x + 0.5f, 0.5f);
}

// Each 16-bit number in one channel of a normalized texel: the host's division has the same bits. A
// linear filter in the middle of a texel returns the texel.
static void test_quotients(cudaTextureFilterMode filter) {
  constexpr int texels_in_row = 16384;
  using format_of_test = format<unsigned short, 4>;
  std::vector<unsigned short> numbers(4 * texels_in_row);
  for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned short>(i * 40503u);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc channels = format_of_test::desc();
  CALL(cudaMallocArray(&array, &channels, texels_in_row, 1));
  const size_t row = numbers.size() * sizeof(unsigned short);
  CALL(cudaMemcpy2DToArray(array, 0, 0, numbers.data(), row, row, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc{};
  desc.filterMode = filter;
  desc.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  check::managed<float4> values(texels_in_row);
  fetch_quotients<<<(texels_in_row + 95) / 96, 96>>>(texture, values.data, texels_in_row);
  check::synchronize();
  for (int i = 0; i < 4 * texels_in_row; ++i) {
    const float got = reinterpret_cast<const float*>(values.data)[i];
    check::equal("normalized texel", got, static_cast<float>(numbers[i]) / 65535.0f, numbers[i]);
  }
  CALL(cudaDestroyTextureObject(texture));
  CALL(cudaFreeArray(array));
}

int main() {
  test_quotients(cudaFilterModePoint);
  test_quotients(cudaFilterModeLinear);
  const pyramid from;
  for (int which = 0; which < 16; ++which) {
    cudaTextureDesc desc{};
    desc.addressMode[0] = which & 1 ? cudaAddressModeMirror : cudaAddressModeWrap;
    desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = which & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.mipmapFilterMode = which & 4 ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.normalizedCoords = 1;
    desc.maxMipmapLevelClamp = which & 8 ? 3.5f : 100.0f;
    desc.minMipmapLevelClamp = which & 8 ? 0.75f : 0.0f;
    desc.mipmapLevelBias = which & 8 ? 0.5f : 0.0f;
    test<form::detail>(from, desc, nullptr);
    test<form::grad>(from, desc, nullptr);
    test<form::none>(from, desc, nullptr);
    cudaResourceViewDesc view{};
    view.format = cudaResViewFormatFloat1;
    view.width = width / 2, view.height = height / 2;
    view.firstMipmapLevel = 1, view.lastMipmapLevel = 3;
    test<form::detail>(from, desc, &view);
  }
  cudaTextureDesc desc{};
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = from.array;
  cudaTextureObject_t texture = 0;
  check::equal("needs normalized coordinates",
               static_cast<int>(cudaCreateTextureObject(&texture, &resource, &desc, nullptr)),
               static_cast<int>(cudaErrorInvalidValue));
  return check::finish();
}
