// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that NVRTC compiles, loaded and launched by the driver API, against a model on the host.
#include <cuda.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "program.hpp"

namespace {

void ok(CUresult status) { ASSERT_EQ(status, CUDA_SUCCESS); }

// A context of the first device, and a module from the program's image.
class loaded {
 public:
  explicit loaded(const std::string& image) {
    CUdevice device = 0;
    ok(cuInit(0));
    ok(cuDeviceGet(&device, 0));
    ok(cuDevicePrimaryCtxRetain(&context_, device));
    ok(cuCtxSetCurrent(context_));
    ok(cuModuleLoadData(&module_, image.c_str()));
  }
  loaded(const loaded&) = delete;
  ~loaded() {
    cuModuleUnload(module_);
    cuDevicePrimaryCtxRelease(0);
  }

  CUfunction function(const std::string& name) const {
    CUfunction found = nullptr;
    ok(cuModuleGetFunction(&found, module_, name.c_str()));
    return found;
  }
  CUdeviceptr global(const std::string& name, size_t bytes) const {
    CUdeviceptr address = 0;
    size_t size = 0;
    ok(cuModuleGetGlobal(&address, &size, module_, name.c_str()));
    EXPECT_EQ(size, bytes);
    return address;
  }

 private:
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

// Device memory with the content of a vector.
template <class T>
class device_copy {
 public:
  explicit device_copy(const std::vector<T>& values) : size_(values.size()) {
    ok(cuMemAlloc(&address, size_ * sizeof(T)));
    ok(cuMemcpyHtoD(address, values.data(), size_ * sizeof(T)));
  }
  device_copy(const device_copy&) = delete;
  ~device_copy() { cuMemFree(address); }
  std::vector<T> read() const {
    std::vector<T> values(size_);
    ok(cuMemcpyDtoH(values.data(), address, size_ * sizeof(T)));
    return values;
  }
  CUdeviceptr address = 0;

 private:
  size_t size_;
};

template <class... Arguments>
void launch(CUfunction kernel, dim3 grid, dim3 block, Arguments... arguments) {
  void* addresses[] = {&arguments...};
  ok(cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr, addresses, nullptr));
  ok(cuCtxSynchronize());
}

// The parameter has the options: optimized, and as for a debugger. The environment selects threads, gangs and their
// order.
class nvrtc_launch : public testing::TestWithParam<test::texts> {};

TEST_P(nvrtc_launch, saxpy) {
  test::program p(
      "extern \"C\" __global__ void saxpy(float a, const float* x, float* y, size_t n) {\n"
      "  size_t i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n");
  ASSERT_EQ(p.compile(GetParam()), NVRTC_SUCCESS) << p.log();
  const loaded module(p.ptx());
  for (const size_t n : {1u, 31u, 33u, 1021u}) {
    std::vector<float> x(n), y(n);
    std::iota(x.begin(), x.end(), 0.5f);
    std::iota(y.begin(), y.end(), 7.0f);
    device_copy<float> device_x(x), device_y(y);
    launch(module.function("saxpy"), dim3(static_cast<unsigned>(n / 96 + 1)), dim3(96), 3.0f, device_x.address,
           device_y.address, n);
    const std::vector<float> result = device_y.read();
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(result[i], std::fma(3.0f, x[i], y[i])) << i;
  }
}

TEST_P(nvrtc_launch, templates_and_variables) {
  test::program p(
      "namespace inner { __constant__ int factors[3]; __device__ unsigned long long total; }\n"
      "template <class T, int N> __global__ void scale(T* values, int n) {\n"
      "  int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + "
      "threadIdx.x;\n"
      "  if (i >= n) return;\n  values[i] = values[i] * inner::factors[i % 3] + N;\n"
      "  atomicAdd(&inner::total, static_cast<unsigned long long>(i));\n}\n");
  for (const char* name : {"&inner::factors", "&inner::total", "scale<double, 4>", "scale<short, -2>"}) {
    ASSERT_EQ(nvrtcAddNameExpression(p.handle, name), NVRTC_SUCCESS);
  }
  ASSERT_EQ(p.compile(GetParam()), NVRTC_SUCCESS) << p.log();
  const loaded module(p.ptx());
  const int factors[] = {2, -3, 5}, n = 211;
  uint64_t total = 0;
  ok(cuMemcpyHtoD(module.global(p.lowered("&inner::factors"), sizeof factors), factors, sizeof factors));
  ok(cuMemcpyHtoD(module.global(p.lowered("&inner::total"), sizeof total), &total, sizeof total));
  std::vector<double> doubles(n);
  std::vector<short> shorts(n);
  std::iota(doubles.begin(), doubles.end(), 0.25);
  std::iota(shorts.begin(), shorts.end(), static_cast<short>(-50));
  device_copy<double> device_doubles(doubles);
  device_copy<short> device_shorts(shorts);
  launch(module.function(p.lowered("scale<double, 4>")), dim3(2, 2), dim3(7, 9), device_doubles.address, n);
  launch(module.function(p.lowered("scale<short, -2>")), dim3(2, 2), dim3(9, 7), device_shorts.address, n);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(device_doubles.read()[i], doubles[i] * factors[i % 3] + 4) << i;
    EXPECT_EQ(device_shorts.read()[i], static_cast<short>(shorts[i] * factors[i % 3] - 2)) << i;
  }
  ok(cuMemcpyDtoH(&total, module.global(p.lowered("&inner::total"), sizeof total), sizeof total));
  EXPECT_EQ(total, 2u * n * (n - 1) / 2);
}

// A name expression keeps a variable that nothing else uses.
TEST_P(nvrtc_launch, constants_have_symbols) {
  test::program p(
      "__device__ const int number = 5;\n__device__ constexpr float real = 1.5f;\n__constant__ const int two[2] = {3, "
      "4};\n"
      "namespace inner { const __device__ double list[3] = {1, 2, 3}; static __device__ short unused; }\n"
      "template <class T> __device__ const T of_type = 9;\nextern __device__ int elsewhere;\n"
      "__global__ void k(int* p) { *p = number + elsewhere; }\n");
  const char* names[] = {"&number",  "&real", "&two", "&inner::list", "&inner::unused", "&of_type<long long>",
                         "elsewhere"};
  for (const char* name : names) EXPECT_EQ(nvrtcAddNameExpression(p.handle, name), NVRTC_SUCCESS);
  ASSERT_EQ(p.compile(GetParam()), NVRTC_SUCCESS) << p.log();
  EXPECT_THAT(p.log(), testing::HasSubstr("name.cu(6): warning #20044-D: "));
  const loaded module(p.ptx());
  const auto read = [&](const char* name, auto value, size_t index = 0, size_t count = 1) {
    ok(cuMemcpyDtoH(&value, module.global(p.lowered(name), count * sizeof value) + index * sizeof value, sizeof value));
    return value;
  };
  EXPECT_EQ(read("&number", 0), 5);
  EXPECT_EQ(read("&real", 0.0f), 1.5f);
  EXPECT_EQ(read("&two", 0, 1, 2), 4);
  EXPECT_EQ(read("&inner::list", 0.0, 2, 3), 3.0);
  EXPECT_EQ(read("&inner::unused", short{1}), 0);
  EXPECT_EQ(read("&of_type<long long>", 0ll), 9);
  EXPECT_EQ(read("elsewhere", 1), 0);
}

TEST_P(nvrtc_launch, collectives) {
  test::program p(
      "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
      "extern \"C\" __global__ void sums(const int* in, int* warps, int* block_sums) {\n"
      "  __shared__ int all;\n  auto block = cg::this_thread_block();\n  auto warp = cg::tiled_partition<32>(block);\n"
      "  int rank = block.thread_rank(), place = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + rank;\n"
      "  if (rank == 0) all = 0;\n  block.sync();\n  int sum = cg::reduce(warp, in[place], cg::plus<int>());\n"
      "  warps[place] = sum;\n  if (warp.thread_rank() == 0) atomicAdd(&all, sum);\n  block.sync();\n"
      "  block_sums[place] = all;\n}\n");
  ASSERT_EQ(p.compile(GetParam()), NVRTC_SUCCESS) << p.log();
  const loaded module(p.ptx());
  for (const dim3 block : {dim3(1), dim3(33), dim3(5, 7, 3), dim3(31, 2)}) {
    const int threads = static_cast<int>(block.x * block.y * block.z), blocks = 3;
    std::vector<int> in(static_cast<size_t>(threads) * blocks);
    std::iota(in.begin(), in.end(), -5);
    device_copy<int> device_in(in), warps(in), sums(in);
    launch(module.function("sums"), dim3(blocks), block, device_in.address, warps.address, sums.address);
    const std::vector<int> of_warps = warps.read(), of_blocks = sums.read();
    for (int i = 0; i < threads * blocks; ++i) {
      const int first = i / threads * threads, rank = i - first;
      const int warp = first + rank / 32 * 32, warp_end = std::min(warp + 32, first + threads);
      EXPECT_EQ(of_warps[i], std::accumulate(in.begin() + warp, in.begin() + warp_end, 0)) << i;
      EXPECT_EQ(of_blocks[i], std::accumulate(in.begin() + first, in.begin() + first + threads, 0)) << i;
    }
  }
}

TEST_P(nvrtc_launch, mathematics) {
  test::program p(
      "extern \"C\" __global__ void k(const float* x, float* y) {\n  float v = x[threadIdx.x];\n"
      "  y[threadIdx.x] = sqrt(v) + floor(v) * fmax(v, 2.0f) + abs(v) + (isinf(v) ? 1 : 0) + pow(v, 2);\n}\n");
  ASSERT_EQ(p.compile(GetParam()), NVRTC_SUCCESS) << p.log();
  const loaded module(p.ptx());
  std::vector<float> x(45);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i) / 4;
  device_copy<float> device_x(x), y(x);
  launch(module.function("k"), dim3(1), dim3(45), device_x.address, y.address);
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = x[i];
    EXPECT_NEAR(y.read()[i], std::sqrt(v) + std::floor(v) * std::fmax(v, 2.0) + v + v * v, 1e-6 * v * v + 1e-6) << i;
  }
}

TEST_P(nvrtc_launch, cubins_and_every_way_to_load) {
  test::program p("extern \"C\" __global__ void k(int* p) { *p += 7; }\n");
  test::texts options = GetParam();
  options.push_back("-arch=sm_90");
  ASSERT_EQ(p.compile(options), NVRTC_SUCCESS) << p.log();
  const loaded module(p.cubin());
  device_copy<int> value({1});
  launch(module.function("k"), dim3(1), dim3(1), value.address);
  CUmodule others[2] = {};
  ok(cuModuleLoadDataEx(&others[0], p.cubin().c_str(), 0, nullptr, nullptr));
  ok(cuModuleLoadFatBinary(&others[1], p.ptx().c_str()));
  for (CUmodule other : others) {
    CUfunction kernel = nullptr;
    ok(cuModuleGetFunction(&kernel, other, "k"));
    launch(kernel, dim3(1), dim3(1), value.address);
    ok(cuModuleUnload(other));
  }
  EXPECT_EQ(value.read()[0], 22);
}

INSTANTIATE_TEST_SUITE_P(
    levels, nvrtc_launch, testing::Values(test::texts{}, test::texts{"-G"}, test::texts{"-G", "--dopt=on"}),
    [](const auto& tested) {
      return std::string(tested.index == 0 ? "optimized" : tested.index == 1 ? "debug" : "optimized_debug");
    });

}  // namespace
