// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "other_process.hpp"

namespace {

constexpr auto descriptor_type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

void* as_handle(int file) { return reinterpret_cast<void*>(static_cast<intptr_t>(file)); }

int import_memory(int file, answer* a) {
  const int error = cuMemImportFromShareableHandle(&a->physical, as_handle(file), descriptor_type);
  close(file);
  return error;
}

// Maps memory with access for device `r.value`.
int map_memory(const request& r, answer* a) {
  CUdeviceptr address = 0;
  const CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, r.value}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  int error = cuMemAddressReserve(&address, r.bytes, 0, 0, 0);
  if (error == 0) error = cuMemMap(address, r.bytes, 0, r.physical, 0);
  if (error == 0) error = cuMemSetAccess(address, r.bytes, &wanted, 1);
  a->address = reinterpret_cast<void*>(address);
  return error;
}

int unmap_memory(const request& r) {
  const int error = cuMemUnmap(reinterpret_cast<CUdeviceptr>(r.address), r.bytes);
  return error != 0 ? error : cuMemAddressFree(reinterpret_cast<CUdeviceptr>(r.address), r.bytes);
}

int export_physical(int socket, const request& r, answer* a) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = descriptor_type;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, r.value};
  int file = -1;
  int error = cuMemCreate(&a->physical, r.bytes, &properties, 0);
  if (error == 0) error = cuMemExportToShareableHandle(&file, a->physical, descriptor_type, 0);
  if (!send_descriptor(socket, file)) error = -1;
  close(file);
  return error;
}

int import_pool(int file, answer* a) {
  const int error =
      cudaMemPoolImportFromShareableHandle(&a->pool, as_handle(file), cudaMemHandleTypePosixFileDescriptor, 0);
  close(file);
  return error;
}

int export_pool(int socket, const request& r, answer* a) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location = {cudaMemLocationTypeDevice, r.value};
  int file = -1;
  int error = cudaMemPoolCreate(&a->pool, &properties);
  if (error == 0) {
    error = cudaMemPoolExportToShareableHandle(&file, a->pool, cudaMemHandleTypePosixFileDescriptor, 0);
  }
  if (!send_descriptor(socket, file)) error = -1;
  close(file);
  return error;
}

// A message of one byte with room for a descriptor.
struct descriptor_message {
  descriptor_message() {
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = space;
    header.msg_controllen = sizeof space;
  }
  descriptor_message(const descriptor_message&) = delete;

  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
};

}  // namespace

bool send_descriptor(int socket, int file) {
  descriptor_message message;
  cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(control), &file, sizeof file);
  return sendmsg(socket, &message.header, 0) == 1;
}

int receive_descriptor(int socket) {
  descriptor_message message;
  if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
  if (!control || control->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(control), sizeof file);
  return file;
}

int run_descriptor_request(int socket, const request& r, answer* a) {
  switch (r.what) {
    case action::import_memory:
      return import_memory(receive_descriptor(socket), a);
    case action::map_memory:
      return map_memory(r, a);
    case action::unmap_memory:
      return unmap_memory(r);
    case action::release_handle:
      return cuMemRelease(r.physical);
    case action::export_physical:
      return export_physical(socket, r, a);
    case action::import_pool:
      return import_pool(receive_descriptor(socket), a);
    case action::import_pointer: {
      cudaMemPoolPtrExportData data = r.pointer;
      return cudaMemPoolImportPointer(&a->address, r.pool, &data);
    }
    case action::allocate_from:
      return cudaMallocFromPoolAsync(&a->address, r.bytes, r.pool, 0);
    case action::free_in_stream:
      return cudaFreeAsync(r.address, 0);
    case action::destroy_pool:
      return cudaMemPoolDestroy(r.pool);
    case action::make_current_pool:
      return cudaDeviceSetMemPool(0, r.pool);
    case action::export_pool_again: {
      int file = -1;
      return cudaMemPoolExportToShareableHandle(&file, r.pool, cudaMemHandleTypePosixFileDescriptor, 0);
    }
    case action::export_pointer:
      return cudaMemPoolExportPointer(&a->pointer, r.address);
    case action::export_pool:
      return export_pool(socket, r, a);
    default:
      return -1;
  }
}
