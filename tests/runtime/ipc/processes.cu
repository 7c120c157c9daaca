// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events of several processes. The argument names the case. Errors are those that an H100 returned.
#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <string>
#include <vector>

#include "other_process.hpp"
#include "patterns.hpp"

namespace {

const char* program;

cudaIpcMemHandle_t handle_of(void* memory) {
  cudaIpcMemHandle_t handle{};
  CALL(cudaIpcGetMemHandle(&handle, memory));
  return handle;
}

cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  CALL(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  return event;
}

cudaIpcEventHandle_t handle_of(cudaEvent_t event) {
  cudaIpcEventHandle_t handle{};
  CALL(cudaIpcGetEventHandle(&handle, event));
  return handle;
}

// Contents survive the export, and each side sees the writes of the other.
void sizes() {
  other_process other(program);
  for (size_t bytes :
       {size_t{1}, size_t{255}, size_t{4096}, size_t{4097}, size_t{100001}, size_t{3} << 20, (size_t{64} << 20) + 5}) {
    unsigned char* memory = nullptr;
    CALL(cudaMalloc(&memory, bytes));
    write_pattern(memory, bytes, 3);
    const cudaIpcMemHandle_t handle = handle_of(memory + bytes / 3);
    EXPECT(count_equal(memory, bytes, 3) == bytes);
    const answer opened = other.open(handle);
    EXPECT(opened.error == 0);
    EXPECT(other.with(action::count_equal, opened.address, bytes, 3).number == bytes);
    const answer range = other.with(action::size_of, static_cast<char*>(opened.address) + bytes / 2);
    EXPECT(range.number == bytes && range.address == opened.address);
    EXPECT(other.with(action::fill, opened.address, bytes, 9).error == 0);
    EXPECT(count_equal(memory, bytes, 9) == bytes);
    write_pattern(memory, bytes, 11);
    EXPECT(other.with(action::count_equal, opened.address, bytes, 11).number == bytes);
    EXPECT(other.with(action::close_memory, opened.address).error == 0);
    CALL(cudaFree(memory));
  }
}

void directions() {
  other_process first(program), second(program);
  const answer made = first.with(action::export_memory, nullptr, 5000);
  EXPECT(made.error == 0);
  unsigned char* mine = nullptr;
  CALL(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&mine), made.memory, cudaIpcMemLazyEnablePeerAccess));
  const answer opened = second.open(made.memory);
  EXPECT(second.with(action::fill, opened.address, 5000, 77).error == 0);
  EXPECT(count_equal(mine, 5000, 77) == 5000);
  EXPECT(first.with(action::count_equal, made.address, 5000, 77).number == 5000);
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, mine));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
  CALL(cudaIpcCloseMemHandle(mine));
}

void misuse() {
  char *memory = nullptr, *managed = nullptr, *pinned = nullptr, *pooled = nullptr;
  CALL(cudaMalloc(&memory, 5000));
  CALL(cudaMallocManaged(&managed, 100));
  CALL(cudaMallocHost(&pinned, 100));
  CALL(cudaMallocAsync(&pooled, 100, 0));
  int local = 0;
  cudaIpcMemHandle_t handle;
  for (void* wrong : {static_cast<void*>(nullptr), static_cast<void*>(managed), static_cast<void*>(pinned),
                      static_cast<void*>(pooled), static_cast<void*>(&local)}) {
    EXPECT(cudaIpcGetMemHandle(&handle, wrong) == cudaErrorInvalidValue);
  }
  EXPECT(cudaIpcGetMemHandle(nullptr, memory) == cudaErrorInvalidValue);
  handle = handle_of(memory);
  const cudaIpcMemHandle_t inner = handle_of(memory + 4999);
  EXPECT(std::memcmp(&handle, &inner, sizeof handle) == 0);
  void* opened = nullptr;
  EXPECT(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess) == cudaErrorDeviceUninitialized);
  EXPECT(cudaIpcOpenMemHandle(nullptr, handle, cudaIpcMemLazyEnablePeerAccess) == cudaErrorInvalidValue);
  EXPECT(cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);

  other_process other(program);
  request r{action::open_memory_driver};
  r.memory = handle;
  for (int flags : {0, 2, 3}) {
    r.value = flags;
    EXPECT(other.ask(r).error == CUDA_ERROR_INVALID_VALUE);
  }
  r.value = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;
  const answer first = other.ask(r), second = other.open(handle);
  EXPECT(first.error == 0 && second.error == 0 && first.address == second.address);
  EXPECT(other.with(action::export_again, first.address).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::free_memory, first.address).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::close_memory, static_cast<char*>(first.address) + 8).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::close_memory, first.address).error == 0);
  EXPECT(other.with(action::close_memory, first.address).error == 0);
  EXPECT(other.with(action::close_memory, first.address).error == cudaErrorInvalidValue);

  // A changed handle is refused or leads to the right memory, never to other memory.
  for (size_t i = 0; i < sizeof handle; ++i) {
    cudaIpcMemHandle_t forged = handle;
    forged.reserved[i] = static_cast<char>(forged.reserved[i] ^ 0x41);
    EXPECT(other.open(forged).error != 0);
  }
  EXPECT(other.open(cudaIpcMemHandle_t{}).error == cudaErrorInvalidValue);
  CALL(cudaFree(memory));
  EXPECT(other.open(handle).error == cudaErrorNotPermitted);
  char* later = nullptr;
  CALL(cudaMalloc(&later, 5000));
  const cudaIpcMemHandle_t fresh = handle_of(later);
  EXPECT(std::memcmp(&handle, &fresh, sizeof handle) != 0);
  EXPECT(other.open(handle).error == cudaErrorNotPermitted && other.open(fresh).error == 0);
}

// The memory of a handle in a file outlives the killed exporter, but the handle does not.
void killed() {
  other_process other(program), third(program);
  const answer made = other.with(action::export_memory, nullptr, 70001);
  EXPECT(other.with(action::fill, made.address, 70001, 5).error == 0);
  std::FILE* const file = std::tmpfile();
  EXPECT(file && std::fwrite(&made.memory, sizeof made.memory, 1, file) == 1);
  std::rewind(file);
  cudaIpcMemHandle_t handle{};
  EXPECT(std::fread(&handle, sizeof handle, 1, file) == 1);
  std::fclose(file);
  unsigned char* mine = nullptr;
  CALL(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&mine), handle, cudaIpcMemLazyEnablePeerAccess));
  other.kill();
  EXPECT(count_equal(mine, 70001, 5) == 70001);
  EXPECT(third.open(handle).error == cudaErrorInvalidResourceHandle);
  CALL(cudaIpcCloseMemHandle(mine));
}

void events() {
  cudaEvent_t event = nullptr, plain = nullptr;
  EXPECT(cudaEventCreateWithFlags(&event, cudaEventInterprocess) == cudaErrorInvalidValue);
  event = make_event();
  CALL(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
  cudaIpcEventHandle_t handle;
  EXPECT(cudaIpcGetEventHandle(&handle, plain) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaIpcGetEventHandle(nullptr, event) == cudaErrorInvalidValue);
  handle = handle_of(event);
  EXPECT(cudaIpcOpenEventHandle(&plain, handle) == cudaErrorDeviceUninitialized);
  EXPECT(cudaIpcOpenEventHandle(nullptr, handle) == cudaErrorInvalidValue);

  other_process other(program);
  EXPECT(other.open(cudaIpcEventHandle_t{}).error == cudaErrorMapBufferObjectFailed);
  const answer opened = other.open(handle), again = other.open(handle);
  EXPECT(opened.error == 0 && again.error == 0 && opened.handle != again.handle);
  for (action what : {action::query, action::synchronize, action::wait_in_stream}) {
    EXPECT(other.with(what, opened.handle).error == 0);  // an event that is not recorded yet
  }
  // The other process records the event, and this one waits for it.
  EXPECT(other.with(action::record_behind_spin, opened.handle).error == 0);
  EXPECT(cudaEventQuery(event) == cudaErrorNotReady);
  CALL(cudaEventSynchronize(event));
  CALL(cudaEventQuery(event));
  EXPECT(other.with(action::query, again.handle).error == 0);
  // This process records the event, and the other one waits, by both handles.
  CALL(cudaLaunchHostFunc(0, [](void*) { usleep(200000); }, nullptr));
  CALL(cudaEventRecord(event));
  EXPECT(other.with(action::query, opened.handle).error == cudaErrorNotReady);
  EXPECT(other.with(action::synchronize, again.handle).error == 0);
  EXPECT(cudaEventQuery(event) == cudaSuccess);
  float time = 0;
  EXPECT(cudaEventElapsedTime(&time, event, event) == cudaErrorInvalidResourceHandle);
  // A graph cannot wait for an event of another process.
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  EXPECT(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, event) == cudaErrorNotSupported);
  CALL(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaEventDestroy(event));
  EXPECT(other.open(handle).error == cudaErrorMapBufferObjectFailed);
  EXPECT(other.with(action::query, opened.handle).error == 0);
}

// One thousand turns: each process fills memory in stream order after the other's event.
void order() {
  other_process other(program);
  constexpr size_t bytes = 64;
  unsigned char* memory = nullptr;
  CALL(cudaMalloc(&memory, bytes));
  const cudaEvent_t here = make_event();
  const answer there = other.with(action::export_event);
  cudaEvent_t theirs = nullptr;
  CALL(cudaIpcOpenEventHandle(&theirs, there.event));
  const answer seen = other.open(handle_of(memory)), event = other.open(handle_of(here));
  size_t wrong = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    CALL(cudaMemsetAsync(memory, turn, bytes, 0));
    CALL(cudaEventRecord(here));
    EXPECT(other.with(action::wait_in_stream, event.handle).error == 0);
    EXPECT(other.with(action::fill, seen.address, bytes, turn + 1).error == 0);
    EXPECT(other.with(action::record, there.handle).error == 0);
    CALL(cudaStreamWaitEvent(0, theirs, 0));
    wrong += count_equal(memory, bytes, turn + 1) != bytes;
  }
  EXPECT(wrong == 0);
}

// A wait for an event of a killed process ends within a second, with an error.
void killed_recorder(const std::string& how) {
  other_process other(program);
  const cudaEvent_t event = make_event();
  const answer opened = other.open(handle_of(event));
  CALL(cudaDeviceSynchronize());
  EXPECT(other.with(action::record_behind_spin, opened.handle).error == 0);
  other.kill();
  if (how == "query") EXPECT(cudaEventQuery(event) == cudaErrorExternalDevice);
  if (how == "synchronize") EXPECT(cudaEventSynchronize(event) == cudaErrorExternalDevice);
  if (how == "stream") {
    CALL(cudaStreamWaitEvent(0, event, 0));
    EXPECT(cudaDeviceSynchronize() == cudaErrorExternalDevice);
  }
  EXPECT(cudaDeviceSynchronize() == cudaErrorExternalDevice);
  CALL(cudaDeviceReset());
  CALL(cudaDeviceSynchronize());
}

// Two devices open the same handle, and a reset closes what one of them has opened.
void devices() {
  other_process other(program);
  unsigned char* memory = nullptr;
  CALL(cudaSetDevice(1));
  CALL(cudaMalloc(&memory, 1000));
  write_pattern(memory, 1000, 1);
  const cudaIpcMemHandle_t handle = handle_of(memory);
  const answer first = other.open(handle);
  EXPECT(other.with(action::choose_device, nullptr, 0, 1).error == 0);
  const answer second = other.open(handle);
  EXPECT(first.error == 0 && second.error == 0 && first.address != second.address);
  EXPECT(other.with(action::reset).error == 0);
  EXPECT(other.with(action::close_memory, second.address).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::count_equal, first.address, 1000, 1).number == 1000);
  const answer third = other.open(handle);
  EXPECT(other.with(action::count_equal, third.address, 1000, 1).number == 1000);
  CALL(cudaDeviceReset());
  EXPECT(other.with(action::count_equal, first.address, 1000, 1).number == 1000);
  EXPECT(other.with(action::choose_device, nullptr, 0, 0).error == 0);
  EXPECT(other.with(action::close_memory, first.address).error == 0);
  EXPECT(other.open(handle).error == cudaErrorNotPermitted);
}

void open_files_are_closed() {
  other_process other(program);
  CALL(cudaFree(nullptr));
  const answer made = other.with(action::export_memory, nullptr, 100), event = other.with(action::export_event);
  const size_t before = open_files();
  for (int i = 0; i < 300; ++i) {
    void *memory = nullptr, *theirs = nullptr;
    cudaEvent_t recorded = make_event(), opened = nullptr;
    CALL(cudaMalloc(&memory, static_cast<size_t>(i) + 1));
    handle_of(memory);
    handle_of(recorded);
    CALL(cudaIpcOpenMemHandle(&theirs, made.memory, cudaIpcMemLazyEnablePeerAccess));
    CALL(cudaIpcOpenEventHandle(&opened, event.event));
    CALL(cudaEventRecord(recorded));
    CALL(cudaIpcCloseMemHandle(theirs));
    CALL(cudaEventDestroy(opened));
    CALL(cudaEventDestroy(recorded));
    CALL(cudaFree(memory));
  }
  EXPECT(open_files() == before || std::getenv("COHORT_GUARD"));  // allocations in one slab share a file
}

__global__ void add_one(unsigned* counters, int rounds) {
  for (int i = 0; i < rounds; ++i) ++counters[threadIdx.x];
}

// A stream that waits for the other process does not delay an export.
void export_beside_wait() {
  other_process other(program);
  const cudaEvent_t event = make_event();
  const answer opened = other.open(handle_of(event));
  EXPECT(other.with(action::record_behind_spin, opened.handle).error == 0);
  CALL(cudaStreamWaitEvent(0, event, 0));
  void* memory = nullptr;
  CALL(cudaMalloc(&memory, 100));
  handle_of(memory);
  EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
  CALL(cudaDeviceSynchronize());
}

// Kernels of another stream write the memory while it is exported: no write is lost.
void export_beside_kernels() {
  constexpr int count = 256, rounds = 20000;
  for (int turn = 0; turn < 20; ++turn) {
    unsigned* counters = nullptr;
    CALL(cudaMalloc(&counters, count * sizeof(unsigned)));
    CALL(cudaMemset(counters, 0, count * sizeof(unsigned)));
    for (int i = 0; i < 5; ++i) add_one<<<1, count>>>(counters, rounds);
    handle_of(counters);
    add_one<<<1, count>>>(counters, rounds);
    std::vector<unsigned> found(count);
    CALL(cudaMemcpy(found.data(), counters, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (unsigned value : found) EXPECT(value == 6 * rounds);
    CALL(cudaFree(counters));
  }
}

// A forked child can read exported memory, and its frees do not end the parent's export. Other memory is a copy.
void forked() {
  unsigned char *memory = nullptr, *neighbour = nullptr;
  CALL(cudaMalloc(&memory, 100));
  CALL(cudaMalloc(&neighbour, 100));
  write_pattern(neighbour, 100, 50);
  write_pattern(memory, 100, 1);
  const cudaIpcMemHandle_t handle = handle_of(memory);
  const cudaEvent_t event = make_event();
  CALL(cudaLaunchHostFunc(0, [](void*) { usleep(300000); }, nullptr));
  CALL(cudaEventRecord(event));
  const pid_t child = fork();
  if (child == 0) {
    const bool good = cudaEventQuery(event) == cudaSuccess && count_equal(memory, 100, 1) == 100;
    write_pattern(neighbour, 100, 60);
    _exit(good && cudaFree(memory) == cudaSuccess ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  EXPECT(count_equal(neighbour, 100, 50) == 100);
  other_process other(program);
  const answer opened = other.open(handle);
  EXPECT(opened.error == 0 && other.with(action::count_equal, opened.address, 100, 1).number == 100);
  CALL(cudaEventSynchronize(event));
}

void other_user() {
  if (geteuid() != 0) {
    std::printf("skipped: only root can change the user\n");
    std::exit(77);
  }
  char* memory = nullptr;
  CALL(cudaMalloc(&memory, 100));
  other_process other(program);
  EXPECT(other.with(action::change_user).error == 0);
  EXPECT(other.open(handle_of(memory)).error == cudaErrorNotPermitted);
  EXPECT(other.open(handle_of(make_event())).error == cudaErrorMapBufferObjectFailed);
}

__global__ void store(volatile char* base, long offset) { base[offset] = 1; }

// An overrun of opened memory is reported as one of an allocation.
void overrun(long offset) {
  other_process other(program);
  const answer made = other.with(action::export_memory, nullptr, 1000);
  char* memory = nullptr;
  CALL(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&memory), made.memory, cudaIpcMemLazyEnablePeerAccess));
  store<<<1, 1>>>(memory, offset);
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  program = "/proc/self/exe";
  if (what == "serve") return serve(std::atoi(argv[2]));
  if (what == "sizes") sizes();
  if (what == "directions") directions();
  if (what == "misuse") misuse();
  if (what == "killed") killed();
  if (what == "events") events();
  if (what == "order") order();
  if (what == "killed_recorder") killed_recorder(argv[2]);
  if (what == "devices") devices();
  if (what == "open_files") open_files_are_closed();
  if (what == "beside_kernels") export_beside_kernels();
  if (what == "beside_wait") export_beside_wait();
  if (what == "forked") forked();
  if (what == "other_user") other_user();
  if (what == "overrun") overrun(std::atol(argv[2]));
  return failures == 0 ? 0 : 1;
}
