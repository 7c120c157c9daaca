// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multicast objects over three devices and the multimem instructions, compared with a model on the host. An argument
// names a wrong use, which ends in the engine's report.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../expect.hpp"

namespace {

constexpr size_t granule = size_t{2} << 20;
constexpr int members = 3;
#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

CUmemAccessDesc access_of(int device) {
  return {{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
}

void permit_all(CUdeviceptr address, size_t bytes) {
  for (int d = 0; d < members; ++d) {
    const CUmemAccessDesc access = access_of(d);
    DRIVER(cuMemSetAccess(address, bytes, &access, 1));
  }
}

CUmemGenericAllocationHandle make_memory(int device, size_t bytes) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUmemGenericAllocationHandle memory = 0;
  DRIVER(cuMemCreate(&memory, bytes, &properties, 0));
  return memory;
}

CUdeviceptr map(CUmemGenericAllocationHandle handle, size_t bytes) {
  CUdeviceptr address = 0;
  DRIVER(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  DRIVER(cuMemMap(address, bytes, 0, handle, 0));
  return address;
}

// A multicast object of two granules. Each device binds a granule to its first one; device 1 does so by address.
struct team {
  CUmemGenericAllocationHandle object = 0, memory[members];
  CUdeviceptr all = 0, own[members];

  team() {
    CUmulticastObjectProp properties{};
    properties.numDevices = members;
    properties.size = 2 * granule;
    DRIVER(cuMulticastCreate(&object, &properties));
    for (int d = 0; d < members; ++d) DRIVER(cuMulticastAddDevice(object, d));
    for (int d = 0; d < members; ++d) {
      memory[d] = make_memory(d, 2 * granule);
      own[d] = map(memory[d], 2 * granule);
      permit_all(own[d], 2 * granule);
      // Binds the second granule of each memory, so a lost offset shows.
      if (d == 1) {
        DRIVER(cuMulticastBindAddr(object, 0, own[d] + granule, granule, 0));
      } else {
        DRIVER(cuMulticastBindMem(object, 0, memory[d], granule, granule, 0));
      }
    }
    all = map(object, 2 * granule);
    permit_all(all, 2 * granule);
  }
  template <class T>
  T* at(int device) const {
    return reinterpret_cast<T*>(own[device] + granule);
  }
};

constexpr int elements = 1031;  // elements of 16 bytes

#define MULTIMEM_KERNELS(name, load, store, reduce, type, constraint, registers)                   \
  __global__ void name##_load(const type* all, type* out, int n) {                                 \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    if (i < n) asm volatile(load " %0, [%1];" : "=" constraint(out[i]) : "l"(all + i) : "memory"); \
  }                                                                                                \
  __global__ void name##_store(type* all, const type* in, int n) {                                 \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    if (i < n) asm volatile(store " [%0], %1;" ::"l"(all + i), constraint(in[i]) : "memory");      \
  }                                                                                                \
  __global__ void name##_reduce(type* all, const type* in, int n) {                                \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    if (i < n) asm volatile(reduce " [%0], %1;" ::"l"(all + i), constraint(in[i]) : "memory");     \
  }

MULTIMEM_KERNELS(add_f32, "multimem.ld_reduce.relaxed.sys.global.add.f32", "multimem.st.weak.global.f32",
                 "multimem.red.release.gpu.global.add.f32", float, "f", 1)
MULTIMEM_KERNELS(add_f64, "multimem.ld_reduce.weak.add.f64", "multimem.st.f64", "multimem.red.add.f64", double, "d", 1)
MULTIMEM_KERNELS(min_s64, "multimem.ld_reduce.acquire.gpu.min.s64", "multimem.st.release.sys.s64",
                 "multimem.red.relaxed.sys.min.s64", long long, "l", 1)
MULTIMEM_KERNELS(max_u32, "multimem.ld_reduce.max.u32", "multimem.st.relaxed.cta.u32", "multimem.red.max.u32",
                 unsigned int, "r", 1)
MULTIMEM_KERNELS(xor_b32, "multimem.ld_reduce.xor.b32", "multimem.st.b32", "multimem.red.xor.b32", unsigned int, "r", 1)
MULTIMEM_KERNELS(add_f16x2, "multimem.ld_reduce.add.f16x2", "multimem.st.f16x2", "multimem.red.add.f16x2", unsigned int,
                 "r", 1)
MULTIMEM_KERNELS(wide_f16x2, "multimem.ld_reduce.add.acc::f32.f16x2", "multimem.st.f16x2", "multimem.red.add.f16x2",
                 unsigned int, "r", 1)
MULTIMEM_KERNELS(wide_bf16x2, "multimem.ld_reduce.add.acc::f32.bf16x2", "multimem.st.bf16x2", "multimem.red.add.bf16x2",
                 unsigned int, "r", 1)

// Each thread loads four floats.
__global__ void vectors_load(const float4* all, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v;
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(all + i)
               : "memory");
  out[i] = v;
}
__global__ void vectors_store(float4* all, const float4* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  asm volatile("multimem.st.relaxed.sys.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(all + i), "f"(v.x), "f"(v.y),
               "f"(v.z), "f"(v.w)
               : "memory");
}
// Each thread loads the minima of eight halves.
__global__ void halves_load(const uint4* all, uint4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned short h[8];
  asm volatile("multimem.ld_reduce.weak.global.min.v8.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3]), "=h"(h[4]), "=h"(h[5]), "=h"(h[6]), "=h"(h[7])
               : "l"(all + i)
               : "memory");
  memcpy(&out[i], h, sizeof h);
}

// Small whole numbers and halves of them: sums are exact in all types, as in the model's double.
uint64_t state = 88172645463325252u;
uint64_t draw() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

float value_of_half(unsigned short bits) {
  __half h;
  memcpy(&h, &bits, 2);
  return __half2float(h);
}
unsigned short half_of(float value) {
  const __half h = __float2half_rn(value);
  unsigned short bits;
  memcpy(&bits, &h, 2);
  return bits;
}
float value_of_bfloat(unsigned short bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  memcpy(&value, &wide, 4);
  return value;
}
unsigned short bfloat_of(float value) {
  const __nv_bfloat16 b = __float2bfloat16_rn(value);
  unsigned short bits;
  memcpy(&bits, &b, 2);
  return bits;
}

template <class Of, class To, class Combine>
unsigned int by_halves(unsigned int a, unsigned int b, Of value, To bits, Combine combine) {
  const unsigned low = bits(combine(value(static_cast<unsigned short>(a)), value(static_cast<unsigned short>(b))));
  const unsigned high =
      bits(combine(value(static_cast<unsigned short>(a >> 16)), value(static_cast<unsigned short>(b >> 16))));
  return low | high << 16;
}
float sum(float a, float b) { return a + b; }
unsigned int add_halves(unsigned int a, unsigned int b) { return by_halves(a, b, value_of_half, half_of, sum); }
unsigned int add_bfloats(unsigned int a, unsigned int b) { return by_halves(a, b, value_of_bfloat, bfloat_of, sum); }

// Sums of three numbers in float, rounded once.
template <class Of, class To>
unsigned int sum_once(const unsigned int* words, Of value, To bits) {
  unsigned int result = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    float total = 0;
    for (int d = 0; d < members; ++d) total += value(static_cast<unsigned short>(words[d] >> shift));
    result |= static_cast<unsigned int>(bits(total)) << shift;
  }
  return result;
}

// Runs the three kernels of a type on each device in turn. `draw_one` makes a number, `combine` is the operator, and
// `together` the result of a load of all devices.
template <class T, class Load, class Store, class Reduce, class Draw, class Combine, class Together>
void compare(const team& t, const char* name, Load load, Store store, Reduce reduce, Draw draw_one, Combine combine,
             Together together) {
  const int n = elements;
  std::vector<T> model[members], operand(n), found(n);
  for (auto& each : model) each.resize(n);
  for (int d = 0; d < members; ++d) {
    for (T& each : model[d]) each = draw_one();
    memcpy(t.at<T>(d), model[d].data(), n * sizeof(T));
  }
  T* in = nullptr;
  T* out = nullptr;
  CALL(cudaMallocManaged(&in, n * sizeof(T)));
  CALL(cudaMallocManaged(&out, n * sizeof(T)));
  const auto check = [&](const char* what) {
    for (int d = 0; d < members; ++d) {
      if (memcmp(t.at<T>(d), model[d].data(), n * sizeof(T)) != 0) {
        printf("%s: %s differs on device %d\n", name, what, d);
        EXPECT(false);
      }
    }
  };
  for (int d = 0; d < members; ++d) {
    CALL(cudaSetDevice(d));
    load<<<(n + 95) / 96, 96>>>(reinterpret_cast<T*>(t.all), out, n);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) {
      const T words[members] = {model[0][i], model[1][i], model[2][i]};
      const T expected = together(words);
      EXPECT(memcmp(&expected, &out[i], sizeof(T)) == 0);
    }
    for (int i = 0; i < n; ++i) in[i] = draw_one();
    reduce<<<(n + 95) / 96, 96>>>(reinterpret_cast<T*>(t.all), in, n);
    CALL(cudaDeviceSynchronize());
    for (auto& each : model)
      for (int i = 0; i < n; ++i) each[i] = combine(each[i], in[i]);
    check("the reduction");
  }
  store<<<(n + 95) / 96, 96>>>(reinterpret_cast<T*>(t.all), in, n);
  CALL(cudaDeviceSynchronize());
  for (auto& each : model)
    for (int i = 0; i < n; ++i) each[i] = in[i];
  check("the store");
  CALL(cudaSetDevice(0));
  CALL(cudaFree(in));
  CALL(cudaFree(out));
}

template <class T, class Combine>
auto in_order(Combine combine) {
  return [combine](const T* words) { return combine(combine(words[0], words[1]), words[2]); };
}

#define COMPARE(T, name, draw_one, combine, together) \
  compare<T>(t, #name, name##_load, name##_store, name##_reduce, draw_one, combine, together)

unsigned int draw_halves(unsigned short (*bits)(float)) {
  const auto one = [&] { return static_cast<unsigned int>(bits(static_cast<float>(draw() % 20011) * 0.0625f - 600)); };
  const unsigned int low = one();
  return low | one() << 16;
}

void compare_all(const team& t) {
  const auto add_floats = [](float a, float b) { return a + b; };
  const auto add_doubles = [](double a, double b) { return a + b; };
  const auto least = [](long long a, long long b) { return a < b ? a : b; };
  const auto most = [](unsigned a, unsigned b) { return a > b ? a : b; };
  const auto different = [](unsigned a, unsigned b) { return a ^ b; };
  const auto word = [] { return static_cast<unsigned int>(draw()); };
  const auto halves = [] { return draw_halves(half_of); };
  COMPARE(
      float, add_f32, [] { return static_cast<float>(draw() % 1000003) * 1.37e-3f; }, add_floats,
      in_order<float>(add_floats));
  COMPARE(
      double, add_f64, [] { return static_cast<double>(draw() % 1000003) * 1.37e-3; }, add_doubles,
      in_order<double>(add_doubles));
  COMPARE(long long, min_s64, [] { return static_cast<long long>(draw()); }, least, in_order<long long>(least));
  COMPARE(unsigned int, max_u32, word, most, in_order<unsigned int>(most));
  COMPARE(unsigned int, xor_b32, word, different, in_order<unsigned int>(different));
  COMPARE(unsigned int, add_f16x2, halves, add_halves, in_order<unsigned int>(add_halves));
  COMPARE(unsigned int, wide_f16x2, halves, add_halves,
          [](const unsigned int* words) { return sum_once(words, value_of_half, half_of); });
  COMPARE(
      unsigned int, wide_bf16x2, [] { return draw_halves(bfloat_of); }, add_bfloats,
      [](const unsigned int* words) { return sum_once(words, value_of_bfloat, bfloat_of); });
}

void compare_vectors(const team& t) {
  const int n = elements;
  float4 *in = nullptr, *out = nullptr;
  uint4* halves = nullptr;
  CALL(cudaMallocManaged(&in, n * sizeof(float4)));
  CALL(cudaMallocManaged(&out, n * sizeof(float4)));
  CALL(cudaMallocManaged(&halves, n * sizeof(uint4)));
  auto* const numbers = reinterpret_cast<float*>(in);
  for (int i = 0; i < 4 * n; ++i) numbers[i] = static_cast<float>(draw() % 9973) * 0.31f;
  auto* const all = reinterpret_cast<float4*>(t.all);
  vectors_store<<<(n + 95) / 96, 96>>>(all, in, n);
  CALL(cudaDeviceSynchronize());
  for (int d = 0; d < members; ++d) EXPECT(memcmp(t.at<float>(d), in, n * sizeof(float4)) == 0);
  vectors_load<<<(n + 95) / 96, 96>>>(all, out, n);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 4 * n; ++i) EXPECT(reinterpret_cast<float*>(out)[i] == (numbers[i] + numbers[i]) + numbers[i]);
  for (int d = 0; d < members; ++d)
    for (int i = 0; i < 8 * n; ++i) t.at<unsigned short>(d)[i] = half_of(static_cast<float>(draw() % 4001) - 2000.0f);
  halves_load<<<(n + 95) / 96, 96>>>(reinterpret_cast<uint4*>(t.all), halves, n);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 8 * n; ++i) {
    float least = value_of_half(t.at<unsigned short>(0)[i]);
    for (int d = 1; d < members; ++d) least = fminf(least, value_of_half(t.at<unsigned short>(d)[i]));
    EXPECT(value_of_half(reinterpret_cast<unsigned short*>(halves)[i]) == least);
  }
  CALL(cudaFree(in));
  CALL(cudaFree(out));
  CALL(cudaFree(halves));
}

// Bindings of memory that the program has not mapped, and of memory that it unmaps and releases.
void compare_unmapped() {
  CUmulticastObjectProp properties{};
  properties.numDevices = 2;
  properties.size = granule;
  CUmemGenericAllocationHandle object = 0;
  DRIVER(cuMulticastCreate(&object, &properties));
  DRIVER(cuMulticastAddDevice(object, 2));
  // The binding waits until the second device has joined the team.
  const CUmemGenericAllocationHandle memory[] = {make_memory(2, granule), make_memory(0, granule)};
  std::thread late([&] { DRIVER(cuMulticastAddDevice(object, 0)); });
  for (const auto each : memory) {
    DRIVER(cuMulticastBindMem(object, 0, each, 0, granule, 0));
    DRIVER(cuMemRelease(each));
  }
  late.join();
  const CUdeviceptr all = map(object, granule);
  permit_all(all, granule);
  DRIVER(cuMemRelease(object));
  float* io = nullptr;
  CALL(cudaMallocManaged(&io, 2 * sizeof(float)));
  io[0] = 2.25f;
  add_f32_store<<<1, 1>>>(reinterpret_cast<float*>(all), io, 1);
  add_f32_reduce<<<1, 1>>>(reinterpret_cast<float*>(all), io, 1);
  add_f32_load<<<1, 1>>>(reinterpret_cast<float*>(all), io + 1, 1);
  CALL(cudaDeviceSynchronize());
  EXPECT(io[1] == 9.0f);
  CALL(cudaFree(io));
  DRIVER(cuMemUnmap(all, granule));
  DRIVER(cuMemAddressFree(all, granule));
}

#define REFUSED(error, call) EXPECT((call) == CUDA_ERROR_##error)

void check_rules(const team& t) {
  int supported = 0;
  DRIVER(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
  EXPECT(supported == 1);
  CUmulticastObjectProp properties{};
  properties.numDevices = members;
  properties.size = granule;
  size_t granularity = 0;
  DRIVER(cuMulticastGetGranularity(&granularity, &properties, CU_MULTICAST_GRANULARITY_MINIMUM));
  EXPECT(granularity == granule);
  CUmemGenericAllocationHandle other = 0;
  CUmulticastObjectProp wrong = properties;
  wrong.size = granule + 4096;
  REFUSED(INVALID_VALUE, cuMulticastCreate(&other, &wrong));
  wrong = properties;
  wrong.numDevices = 0;
  REFUSED(INVALID_VALUE, cuMulticastCreate(&other, &wrong));
  wrong.numDevices = members + 1;
  REFUSED(INVALID_VALUE, cuMulticastCreate(&other, &wrong));
  wrong = properties;
  wrong.flags = 1;
  REFUSED(INVALID_VALUE, cuMulticastCreate(&other, &wrong));
  wrong = properties;
  wrong.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  REFUSED(NOT_SUPPORTED, cuMulticastCreate(&other, &wrong));
  REFUSED(INVALID_VALUE, cuMulticastCreate(nullptr, &properties));
  REFUSED(INVALID_VALUE, cuMulticastAddDevice(t.object, 0));  // the team is complete
  REFUSED(INVALID_VALUE, cuMulticastAddDevice(t.memory[0], 0));
  REFUSED(INVALID_DEVICE, cuMulticastAddDevice(t.object, members));
  REFUSED(INVALID_VALUE, cuMulticastBindMem(t.object, 0, t.memory[0], 0, granule, 0));  // the range is bound already
  REFUSED(INVALID_VALUE, cuMulticastBindMem(t.object, granule, t.memory[0], granule, 2 * granule, 0));
  REFUSED(INVALID_VALUE, cuMulticastBindMem(t.object, granule, t.memory[0], 4096, granule, 0));
  REFUSED(INVALID_VALUE, cuMulticastBindMem(t.object, granule, t.memory[0], 0, granule, 1));
  REFUSED(INVALID_VALUE, cuMulticastBindMem(t.object, granule, t.object, 0, granule, 0));
  REFUSED(INVALID_VALUE, cuMulticastBindAddr(t.object, granule, t.all, granule, 0));
  REFUSED(INVALID_VALUE, cuMulticastBindAddr(t.object, granule, t.own[0] + 16, granule, 0));
  REFUSED(INVALID_VALUE, cuMulticastUnbind(t.object, 0, granule, granule));  // nothing is bound
  DRIVER(cuMulticastBindMem(t.object, granule, t.memory[2], 0, granule, 0));
  REFUSED(INVALID_DEVICE, cuMulticastUnbind(t.object, 17, granule, granule));
  DRIVER(cuMulticastUnbind(t.object, 2, granule, granule));
  REFUSED(INVALID_VALUE, cuMulticastUnbind(t.object, 2, granule, granule));
  CUmemAllocationProp found;
  REFUSED(INVALID_VALUE, cuMemGetAllocationPropertiesFromHandle(&found, t.object));
  int descriptor = 0;
  REFUSED(INVALID_VALUE,
          cuMemExportToShareableHandle(&descriptor, t.object, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
}

__global__ void plain(float* all) { *all = 1; }

void misuse(const team& t, const std::string& what) {
  float* io = nullptr;
  CALL(cudaMallocManaged(&io, 2 * granule));
  auto* const all = reinterpret_cast<float*>(t.all);
  if (what == "plain") plain<<<1, 1>>>(all);
  if (what == "ordinary") add_f32_load<<<1, 1>>>(io, io, 1);
  if (what == "unbound") add_f32_load<<<1, 1>>>(all + granule / 4, io, 1);
  if (what == "misaligned")
    vectors_load<<<1, 1>>>(reinterpret_cast<const float4*>(t.all + 8), reinterpret_cast<float4*>(io), 1);
  if (what == "no_access") {
    CUmemAccessDesc access = access_of(0);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    DRIVER(cuMemSetAccess(t.all, 2 * granule, &access, 1));
    add_f32_load<<<1, 1>>>(all, io, 1);
  }
  printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

}  // namespace

int main(int count, char** arguments) {
  CALL(cudaFree(nullptr));
  const team t;
  if (count > 1) {
    misuse(t, arguments[1]);
    return 0;
  }
  check_rules(t);
  compare_all(t);
  compare_vectors(t);
  compare_unmapped();
  return failures != 0;
}
