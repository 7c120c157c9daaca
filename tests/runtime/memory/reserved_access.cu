// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One access of a kernel to reserved addresses, named by the argument. Prints the error that the runtime returns and
// the word that the memory holds afterwards; the report is the engine's.
#include <cuda.h>

#include <string>

#include "../expect.hpp"

namespace {

constexpr size_t granule = size_t{2} << 20;

__global__ void store(char* base, long offset) { *static_cast<volatile char*>(base + offset) = 1; }
__global__ void load(const char* base, long offset, int* kept) {
  *kept = *static_cast<const volatile char*>(base + offset);
}

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

// Two granules of addresses, with memory in the first one.
struct place {
  CUdeviceptr address = 0;
  CUmemGenericAllocationHandle memory = 0;

  void make() {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    DRIVER(cuMemAddressReserve(&address, 2 * granule, 0, 0, 0));
    DRIVER(cuMemCreate(&memory, granule, &properties, 0));
    map(address, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    DRIVER(cuMemsetD8(address, 7, granule));
  }
  void map(CUdeviceptr at, CUmemAccess_flags flags) const {
    DRIVER(cuMemMap(at, granule, 0, memory, 0));
    permit(at, flags);
  }
  static void permit(CUdeviceptr at, CUmemAccess_flags flags) {
    const CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
    DRIVER(cuMemSetAccess(at, granule, &wanted, 1));
  }
  // Reads the word through a second mapping of the memory.
  int word() const {
    CUdeviceptr other = 0;
    int value = -1;
    DRIVER(cuMemAddressReserve(&other, granule, 0, 0, 0));
    map(other, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    DRIVER(cuMemcpyDtoH(&value, other + 16, sizeof value));
    return value == 0x07070707 ? 7 : value;
  }
};

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  CALL(cudaFree(nullptr));
  place p;
  p.make();
  char* const base = reinterpret_cast<char*>(p.address);
  int* kept = nullptr;
  CALL(cudaMallocManaged(&kept, sizeof *kept));
  if (what == "unmapped") store<<<1, 1>>>(base, granule + 17);
  if (what == "next_to") store<<<1, 1>>>(base, granule);
  if (what == "behind") store<<<1, 1>>>(base, 2 * granule + 17);
  if (what == "no_access") {
    place::permit(p.address, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    load<<<1, 1>>>(base, 17, kept);
  }
  if (what == "read_only" || what == "read") {
    place::permit(p.address, CU_MEM_ACCESS_FLAGS_PROT_READ);
    if (what == "read") load<<<1, 1>>>(base, 17, kept);
    if (what == "read_only") store<<<1, 1>>>(base, 17);
  }
  if (what == "no_longer_mapped") {
    DRIVER(cuMemUnmap(p.address, granule));
    store<<<1, 1>>>(base, 17);
  }
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // Calls of virtual memory still work after a kernel's error.
  if (what != "no_longer_mapped") DRIVER(cuMemUnmap(p.address, granule));
  DRIVER(cuMemAddressFree(p.address, 2 * granule));
  CALL(cudaDeviceReset());
  std::printf("the memory holds %d\n", p.word());
  return failures == 0 ? 0 : 1;
}
