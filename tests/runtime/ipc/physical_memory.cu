// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Physical memory that processes share through file descriptors. The argument names the case.
#include <fcntl.h>
#include <sys/mman.h>

#include <string>

#include "other_process.hpp"
#include "patterns.hpp"

namespace {

const char* const program = "/proc/self/exe";

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

constexpr size_t granule = size_t{2} << 20;
constexpr auto descriptor_type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

void* as_handle(int file) { return reinterpret_cast<void*>(static_cast<intptr_t>(file)); }

CUmemGenericAllocationHandle create(size_t bytes) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = descriptor_type;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle handle = 0;
  DRIVER(cuMemCreate(&handle, bytes, &properties, 0));
  return handle;
}

int export_of(CUmemGenericAllocationHandle handle) {
  int file = -1;
  DRIVER(cuMemExportToShareableHandle(&file, handle, descriptor_type, 0));
  return file;
}

char* map(CUmemGenericAllocationHandle handle, size_t bytes) {
  CUdeviceptr address = 0;
  const CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  DRIVER(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  DRIVER(cuMemMap(address, bytes, 0, handle, 0));
  DRIVER(cuMemSetAccess(address, bytes, &wanted, 1));
  return reinterpret_cast<char*>(address);
}

void unmap(char* memory, size_t bytes) {
  DRIVER(cuMemUnmap(reinterpret_cast<CUdeviceptr>(memory), bytes));
  DRIVER(cuMemAddressFree(reinterpret_cast<CUdeviceptr>(memory), bytes));
}

answer map_there(other_process& other, CUmemGenericAllocationHandle handle, size_t bytes) {
  request wanted{action::map_memory};
  wanted.physical = handle;
  wanted.bytes = bytes;
  return other.ask(wanted);
}

int release_there(other_process& other, CUmemGenericAllocationHandle handle) {
  request wanted{action::release_handle};
  wanted.physical = handle;
  return other.ask(wanted).error;
}

// Each side sees the writes of the other, in both directions of an export.
void sizes() {
  other_process other(program);
  for (size_t bytes : {granule, 2 * granule, 5 * granule, size_t{64} << 20}) {
    const CUmemGenericAllocationHandle handle = create(bytes);
    const int file = export_of(handle);
    char* const mine = map(handle, bytes);
    write_pattern(mine, bytes, 3);
    const answer imported = other.ask({action::import_memory}, file);
    EXPECT(imported.error == 0);
    close(file);
    const answer theirs = map_there(other, imported.physical, bytes);
    EXPECT(theirs.error == 0);
    EXPECT(release_there(other, imported.physical) == 0);
    EXPECT(other.with(action::count_equal, theirs.address, bytes, 3).number == bytes);
    EXPECT(other.with(action::fill, theirs.address, bytes, 9).error == 0);
    EXPECT(count_equal(mine, bytes, 9) == bytes);
    DRIVER(cuMemRelease(handle));
    unmap(mine, bytes);
    EXPECT(other.with(action::count_equal, theirs.address, bytes, 9).number == bytes);  // outlives the exporter's
    EXPECT(other.with(action::unmap_memory, theirs.address, bytes).error == 0);
  }
}

// The other process exports, and is killed.
void killed() {
  other_process other(program);
  request wanted{action::export_physical};
  wanted.bytes = 2 * granule;
  other.send(wanted);
  const int file = other.descriptor();
  const answer made = other.take_answer();
  EXPECT(made.error == 0);
  const answer theirs = map_there(other, made.physical, 2 * granule);
  EXPECT(other.with(action::fill, theirs.address, 2 * granule, 5).error == 0);
  other.kill();
  CUmemGenericAllocationHandle handle = 0, again = 0;
  DRIVER(cuMemImportFromShareableHandle(&handle, as_handle(file), descriptor_type));
  DRIVER(cuMemImportFromShareableHandle(&again, as_handle(file), descriptor_type));
  close(file);
  char* const mine = map(handle, 2 * granule);
  char* const alias = map(again, 2 * granule);
  EXPECT(count_equal(mine, 2 * granule, 5) == 2 * granule);
  write_pattern(alias, granule, 6);
  EXPECT(count_equal(mine, granule, 6) == granule);
  // A process exports memory that it has imported.
  other_process third(program);
  const int second = export_of(handle);
  const answer imported = third.ask({action::import_memory}, second);
  EXPECT(imported.error == 0);
  close(second);
  const answer there = map_there(third, imported.physical, 2 * granule);
  EXPECT(third.with(action::count_equal, there.address, granule, 6).number == granule);
  DRIVER(cuMemRelease(handle));
  DRIVER(cuMemRelease(again));
  EXPECT(cuMemRelease(again) == CUDA_ERROR_INVALID_VALUE);
  unmap(mine, 2 * granule);
  unmap(alias, 2 * granule);
}

int file_in_memory(const void* contents, size_t bytes, size_t size, int seals) {
  const int file = memfd_create("forged", MFD_ALLOW_SEALING);
  EXPECT(ftruncate(file, static_cast<off_t>(size)) == 0);
  EXPECT(pwrite(file, contents, bytes, 0) == static_cast<ssize_t>(bytes));
  EXPECT(fcntl(file, F_ADD_SEALS, seals) == 0);
  return file;
}

int error_of_import(int file) {
  CUmemGenericAllocationHandle handle = 0;
  const int error = cuMemImportFromShareableHandle(&handle, as_handle(file), descriptor_type);
  EXPECT(error == 0 || handle == 0);
  if (error == 0) cuMemRelease(handle);
  return error;
}

// Descriptors of other files, and of files that resemble an export.
void forged() {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  const int null = open("/dev/null", O_RDWR), directory = open("/", O_RDONLY);
  for (int file : {-1, 12345, 0, ends[0], ends[1], null, directory}) {
    EXPECT(error_of_import(file) == CUDA_ERROR_INVALID_VALUE);
  }
  const CUmemGenericAllocationHandle handle = create(granule);
  const int good = export_of(handle);
  unsigned char header[48];  // size of the runtime's header
  EXPECT(pread(good, header, sizeof header, 0) == sizeof header);
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  constexpr size_t size = 2 * granule;
  EXPECT(error_of_import(good) == 0);
  const auto error_of_copy = [&](size_t bytes, int with) {
    const int file = file_in_memory(header, sizeof header, bytes, with);
    const int error = error_of_import(file);
    close(file);
    return error;
  };
  EXPECT(error_of_copy(size, F_SEAL_SHRINK | F_SEAL_GROW) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(error_of_copy(size, seals | F_SEAL_WRITE) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(error_of_copy(size - 4096, seals) == CUDA_ERROR_INVALID_VALUE);  // the file is shorter than the memory
  EXPECT(error_of_copy(size / 2, seals) == CUDA_ERROR_INVALID_VALUE);
  // A file with a changed header is refused, except for two harmless fields.
  for (size_t i = 0; i < sizeof header; ++i) {
    const unsigned char kept = header[i];
    for (unsigned char change : {0x41, 0x80}) {
      header[i] = static_cast<unsigned char>(kept ^ change);
      const int error = error_of_copy(size, seals);
      const bool is_harmless = (i >= 8 && i < 12) || (i >= 16 && i < 32);  // the exporter's process and the key
      EXPECT(error != 0 || is_harmless);
    }
    header[i] = kept;
  }
  const int same = file_in_memory(header, sizeof header, size, seals);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", same);
  const int read_only = open(path, O_RDONLY);
  EXPECT(read_only >= 0 && error_of_import(read_only) == CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemRelease(handle));
}

// An import of memory of a device that the importer lacks.
void devices() {
  CALL(cudaSetDevice(1));
  setenv("COHORT_DEVICES", "1", 1);  // for the other process
  other_process other(program);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = descriptor_type;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  CUmemGenericAllocationHandle handle = 0;
  DRIVER(cuMemCreate(&handle, granule, &properties, 0));
  const int file = export_of(handle);
  EXPECT(other.ask({action::import_memory}, file).error == CUDA_ERROR_NOT_SUPPORTED);
  close(file);
  DRIVER(cuMemRelease(handle));
}

void open_files_are_closed() {
  other_process other(program);
  const size_t before = open_files();
  for (int i = 0; i < 300; ++i) {
    const CUmemGenericAllocationHandle handle = create(granule);
    const int file = export_of(handle);
    const answer imported = other.ask({action::import_memory}, file);
    EXPECT(imported.error == 0 && release_there(other, imported.physical) == 0);
    close(file);
    DRIVER(cuMemRelease(handle));
  }
  EXPECT(open_files() == before);
}

// A forked child shares mapped memory, and takes no memory from its parent's files.
void forked() {
  const CUmemGenericAllocationHandle handle = create(granule);
  char* const memory = map(handle, granule);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle private_handle = 0;
  DRIVER(cuMemCreate(&private_handle, granule, &properties, 0));
  char* const private_memory = map(private_handle, granule);
  write_pattern(memory, granule, 1);
  write_pattern(private_memory, granule, 2);
  const pid_t child = fork();
  if (child == 0) {
    EXPECT(count_equal(memory, granule, 1) == granule);
    write_pattern(memory, granule, 3);
    CUmemGenericAllocationHandle fresh = 0;
    DRIVER(cuMemCreate(&fresh, granule, &properties, 0));
    write_pattern(map(fresh, granule), granule, 4);
    DRIVER(cuMemRelease(private_handle));
    unmap(private_memory, granule);
    _exit(failures == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  EXPECT(count_equal(memory, granule, 3) == granule);
  EXPECT(count_equal(private_memory, granule, 2) == granule);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "serve") return serve(std::atoi(argv[2]));
  DRIVER(cuInit(0));
  CALL(cudaFree(nullptr));
  if (what == "sizes") sizes();
  if (what == "killed") killed();
  if (what == "forged") forged();
  if (what == "devices") devices();
  if (what == "open_files") open_files_are_closed();
  if (what == "forked") forked();
  return failures == 0 ? 0 : 1;
}
