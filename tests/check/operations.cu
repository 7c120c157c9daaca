// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, copies, fills and host accesses that touch the same memory, with and without an order between them. The
// comment above a case lists pairs of marked lines and the count that must be found, as in `race: write read 64`. A
// case without such a comment has no race. test_operations.py compares.
#include <cuda.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int n = 64;
constexpr size_t bytes = n * sizeof(int);

int *device_data, *results, *pinned, *managed;
cudaStream_t a, b, blocking, other_blocking;
cudaEvent_t event;
CUdeviceptr word;
cudaExternalSemaphore_t binary, other_binary, timeline, same_timeline;
unsigned long long* number;  // value of the timeline semaphores
__device__ int variable[n];

__global__ void write(int* p) { p[threadIdx.x] = 1; }                                  // [write]
__global__ void read(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }    // [read]
__global__ void update(int* p) { atomicAdd(&p[threadIdx.x], 1); }                      // [update]
__global__ void read_variable(int* out) { out[threadIdx.x] = variable[threadIdx.x]; }  // [variable]
__global__ void publish(volatile int* data) {
  data[1] = 42;
  __threadfence_system();
  data[0] = 1;
}

// Returns a value that the word has not had yet.
cuuint32_t next_value() {
  static cuuint32_t latest = 0;
  return ++latest;
}

// race: write read 64
void two_streams() {
  write<<<1, n, 0, a>>>(device_data);
  read<<<1, n, 0, b>>>(device_data, results);
}
void one_stream() {
  write<<<1, n, 0, a>>>(device_data);
  read<<<1, n, 0, a>>>(device_data, results);
}
void an_event_between() {
  write<<<1, n, 0, a>>>(device_data);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event);
  read<<<1, n, 0, b>>>(device_data, results);
}
// race: write read 64
void an_event_recorded_too_early() {
  cudaEventRecord(event, a);
  write<<<1, n, 0, a>>>(device_data);
  cudaStreamWaitEvent(b, event);
  read<<<1, n, 0, b>>>(device_data, results);
}
// One stream writes a word, and the other stream waits for it.
void a_word_between() {
  const cuuint32_t value = next_value();
  write<<<1, n, 0, a>>>(device_data);
  cuStreamWriteValue32(a, word, value, 0);
  cuStreamWaitValue32(b, word, value, CU_STREAM_WAIT_VALUE_EQ);
  read<<<1, n, 0, b>>>(device_data, results);
}
// race: write read 64
void a_word_written_too_early() {
  const cuuint32_t value = next_value();
  cuStreamWriteValue32(a, word, value, 0);
  write<<<1, n, 0, a>>>(device_data);
  cuStreamWaitValue32(b, word, value, CU_STREAM_WAIT_VALUE_EQ);
  read<<<1, n, 0, b>>>(device_data, results);
}
// The wait begins after the stream that wrote the word has done later work.
void a_word_waited_for_late() {
  const cuuint32_t value = next_value();
  write<<<1, n, 0, a>>>(device_data);
  cuStreamWriteValue32(a, word, value, 0);
  read<<<1, n, 0, a>>>(device_data, results + n);
  usleep(20'000);
  cuStreamWaitValue32(b, word, value, CU_STREAM_WAIT_VALUE_EQ);
  read<<<1, n, 0, b>>>(device_data, results);
}
// A host thread writes the word.
void a_word_of_the_host_between() {
  auto* const of_host = reinterpret_cast<cuuint32_t*>(pinned);
  *of_host = 0;
  cuStreamWaitValue32(b, reinterpret_cast<CUdeviceptr>(pinned), 1, CU_STREAM_WAIT_VALUE_EQ);
  read<<<1, n, 0, b>>>(managed, results);
  managed[7] = 3;
  __atomic_store_n(of_host, 1, __ATOMIC_RELEASE);
}

void signal(cudaExternalSemaphore_t semaphore, unsigned long long value, cudaStream_t stream) {
  cudaExternalSemaphoreSignalParams parameters{};
  parameters.params.fence.value = value;
  cudaSignalExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
}
void wait(cudaExternalSemaphore_t semaphore, unsigned long long value, cudaStream_t stream) {
  cudaExternalSemaphoreWaitParams parameters{};
  parameters.params.fence.value = value;
  cudaWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
}
void a_binary_semaphore_between() {
  write<<<1, n, 0, a>>>(device_data);
  signal(binary, 0, a);
  wait(binary, 0, b);
  read<<<1, n, 0, b>>>(device_data, results);
}
// race: write read 64
void a_binary_semaphore_signaled_too_early() {
  signal(binary, 0, a);
  write<<<1, n, 0, a>>>(device_data);
  wait(binary, 0, b);
  read<<<1, n, 0, b>>>(device_data, results);
}
void a_binary_semaphore_each_way() {
  write<<<1, n, 0, a>>>(device_data);
  signal(binary, 0, a);
  wait(binary, 0, b);
  read<<<1, n, 0, b>>>(device_data, results);
  signal(other_binary, 0, b);
  wait(other_binary, 0, a);
  write<<<1, n, 0, a>>>(device_data);
}
// The second wait consumes the second signal, which precedes the write.
// race: write read 64
void a_binary_semaphore_signaled_twice() {
  for (int i = 0; i < 2; ++i) {
    signal(binary, 0, a);
    wait(binary, 0, b);
    if (i == 0) cudaStreamSynchronize(b);
  }
  write<<<1, n, 0, a>>>(device_data);
  read<<<1, n, 0, b>>>(device_data, results);
}
void a_timeline_semaphore_between() {
  write<<<1, n, 0, a>>>(device_data);
  signal(timeline, 1, a);
  wait(same_timeline, 1, b);
  read<<<1, n, 0, b>>>(device_data, results);
  signal(timeline, 2, b);
  wait(timeline, 2, a);
  write<<<1, n, 0, a>>>(device_data);
}
// The wait for 3 may end before the stream that signals 4 has written.
// race: write read 64
void a_wait_for_an_earlier_value() {
  signal(timeline, 3, a);
  write<<<1, n, 0, a>>>(device_data);
  signal(timeline, 4, a);
  usleep(20'000);
  wait(timeline, 3, b);
  read<<<1, n, 0, b>>>(device_data, results);
}
// Another process may have signaled 6 after this process's 5; here the host does so.
void a_timeline_semaphore_and_another_process() {
  write<<<1, n, 0, a>>>(device_data);
  signal(timeline, 5, a);
  wait(timeline, 6, b);
  read<<<1, n, 0, b>>>(device_data, results);
  while (__atomic_load_n(number, __ATOMIC_ACQUIRE) != 5) usleep(100);
  __atomic_store_n(number, 6, __ATOMIC_RELEASE);
}
void a_wait_of_the_host_between() {
  write<<<1, n, 0, a>>>(device_data);
  cudaStreamSynchronize(a);
  read<<<1, n, 0, b>>>(device_data, results);
}
void a_wait_for_an_event_between() {
  write<<<1, n, 0, a>>>(device_data);
  cudaEventRecord(event, a);
  cudaEventSynchronize(event);
  read<<<1, n, 0, b>>>(device_data, results);
}
void a_query_between() {
  write<<<1, n, 0, a>>>(device_data);
  while (cudaStreamQuery(a) == cudaErrorNotReady) {
  }
  read<<<1, n, 0, b>>>(device_data, results);
}
// race: write read 64
void a_wait_for_the_wrong_stream() {
  write<<<1, n, 0, a>>>(device_data);
  cudaStreamSynchronize(b);
  read<<<1, n, 0, b>>>(device_data, results);
}
void only_reads() {
  read<<<1, n, 0, a>>>(device_data, results);
  read<<<1, n, 0, b>>>(device_data, results + n);
}
void a_destroyed_stream() {
  cudaStream_t brief = nullptr;
  cudaStreamCreateWithFlags(&brief, cudaStreamNonBlocking);
  write<<<1, n, 0, brief>>>(device_data);
  cudaStreamDestroy(brief);
  cudaDeviceSynchronize();
  read<<<1, n, 0, b>>>(device_data, results);
}

void the_default_stream() {
  write<<<1, n, 0, blocking>>>(device_data);
  read<<<1, n>>>(device_data, results);
  write<<<1, n, 0, other_blocking>>>(device_data);
}
// The default stream does not order a nonblocking stream.
// race: write read 64
void the_default_stream_and_a_nonblocking_one() {
  write<<<1, n>>>(device_data);
  read<<<1, n, 0, a>>>(device_data, results);
}
// race: write read 64
void two_blocking_streams() {
  write<<<1, n, 0, blocking>>>(device_data);
  read<<<1, n, 0, other_blocking>>>(device_data, results);
}
void two_blocking_streams_with_default_stream_between() {
  write<<<1, n, 0, blocking>>>(device_data);
  write<<<1, n>>>(results);
  read<<<1, n, 0, other_blocking>>>(device_data, results);
}

// race: write copy1 64
void a_copy() {
  write<<<1, n, 0, a>>>(device_data);
  cudaMemcpyAsync(pinned, device_data, bytes, cudaMemcpyDeviceToHost, b);  // [copy1]
}
void a_copy_in_the_stream() {
  write<<<1, n, 0, a>>>(device_data);
  cudaMemcpyAsync(pinned, device_data, bytes, cudaMemcpyDeviceToHost, a);
}
// race: read copy2 64
void a_copy_over_memory_that_is_read() {
  read<<<1, n, 0, a>>>(device_data, results);
  cudaMemcpyAsync(device_data, pinned, bytes, cudaMemcpyHostToDevice, b);  // [copy2]
}
// race: copy3 copy4 1
void two_copies() {
  cudaMemcpyAsync(device_data, pinned, bytes, cudaMemcpyHostToDevice, a);     // [copy3]
  cudaMemcpyAsync(results, device_data, bytes, cudaMemcpyDeviceToDevice, b);  // [copy4]
}
void two_copies_of_one_source() {
  cudaMemcpyAsync(device_data, pinned, bytes, cudaMemcpyHostToDevice, a);
  cudaMemcpyAsync(results, pinned, bytes, cudaMemcpyHostToDevice, b);
}
// Two rows of 16 bytes, 64 bytes apart.
// race: write copy5 8
void a_copy_of_rows() {
  write<<<1, n, 0, a>>>(device_data);
  cudaMemcpy2DAsync(pinned, 16, device_data, 64, 16, 2, cudaMemcpyDeviceToHost, b);  // [copy5]
}
// race: fill1 read 64
void a_fill() {
  cudaMemsetAsync(device_data, 0, bytes, a);  // [fill1]
  read<<<1, n, 0, b>>>(device_data, results);
}
// The later updates in the fill's stream do not hide the fill from updates in the other stream.
// race: fill2 update 64
void a_fill_and_updates_in_two_streams() {
  cudaMemsetAsync(device_data, 0, bytes, a);  // [fill2]
  update<<<1, n, 0, a>>>(device_data);
  update<<<1, n, 0, b>>>(device_data);
}
void a_fill_and_updates_in_order() {
  cudaMemsetAsync(device_data, 0, bytes, a);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event);
  update<<<1, n, 0, a>>>(device_data);
  update<<<1, n, 0, b>>>(device_data);
}
// The write follows the reads in its own stream, but not those in the other stream.
// race: write read 64
void readers_in_two_streams() {
  read<<<1, n, 0, a>>>(device_data, results);
  read<<<1, n, 0, b>>>(device_data, results + n);
  write<<<1, n, 0, b>>>(device_data);
}
void readers_in_two_streams_in_order() {
  read<<<1, n, 0, a>>>(device_data, results);
  cudaEventRecord(event, a);
  read<<<1, n, 0, b>>>(device_data, results + n);
  cudaStreamWaitEvent(b, event);
  write<<<1, n, 0, b>>>(device_data);
}
// race: write copy9 64
void a_copy_and_a_reader_in_two_streams() {
  cudaMemcpyAsync(pinned, device_data, bytes, cudaMemcpyDeviceToHost, a);  // [copy9]
  read<<<1, n, 0, b>>>(device_data, results);
  write<<<1, n, 0, b>>>(device_data);
}
// race: write read 64
void a_reader_and_a_copy_in_two_streams() {
  read<<<1, n, 0, a>>>(device_data, results);
  cudaMemcpyAsync(pinned, device_data, bytes, cudaMemcpyDeviceToHost, b);
  write<<<1, n, 0, b>>>(device_data);
}
void a_fill_of_the_other_half() {
  cudaMemsetAsync(device_data + n, 0, bytes, a);
  read<<<1, n, 0, b>>>(device_data, results);
}
// race: variable copy6 64
void a_copy_to_a_variable() {
  read_variable<<<1, n, 0, a>>>(results);
  cudaMemcpyToSymbolAsync(variable, pinned, bytes, 0, cudaMemcpyHostToDevice, b);  // [copy6]
}
void a_copy_that_waits() {
  cudaMemcpy(device_data, pinned, bytes, cudaMemcpyHostToDevice);
  read<<<1, n, 0, a>>>(device_data, results);
}
void memory_that_was_freed() {
  int* brief = nullptr;
  for (int i = 0; i < 4; ++i) {
    cudaMallocAsync(&brief, bytes, i % 2 ? a : b);
    write<<<1, n, 0, i % 2 ? a : b>>>(brief);
    cudaFreeAsync(brief, i % 2 ? a : b);
  }
}

// race: copy7 host1 1
void the_host_reads_too_early() {
  cudaMemcpyAsync(pinned, device_data, bytes, cudaMemcpyDeviceToHost, a);  // [copy7]
  std::printf("%d", pinned[3] < 0);                                        // [host1]
}
void the_host_reads_after_its_wait() {
  cudaMemcpyAsync(pinned, device_data, bytes, cudaMemcpyDeviceToHost, a);
  cudaStreamSynchronize(a);
  std::printf("%d", pinned[3] < 0);
}
// race: copy8 host2 1
void the_host_changes_the_source() {
  cudaMemcpyAsync(device_data, pinned, bytes, cudaMemcpyHostToDevice, a);  // [copy8]
  pinned[5] = 1;                                                           // [host2]
}
// race: write host3 1
void the_host_writes_managed_memory() {
  write<<<1, n, 0, a>>>(managed);
  managed[7] = 3;  // [host3]
}
__managed__ int managed_variable[n];
// race: write host_variable 1
void the_host_writes_a_managed_variable() {
  write<<<1, n, 0, a>>>(managed_variable);
  managed_variable[7] = 3;  // [host_variable]
}
void the_host_writes_a_managed_variable_in_order() {
  managed_variable[7] = 3;
  write<<<1, n, 0, a>>>(managed_variable);
  cudaStreamSynchronize(a);
  managed_variable[7] += 3;
}
void the_host_writes_managed_memory_before() {
  for (int i = 0; i < n; ++i) managed[i] = i;
  write<<<1, n, 0, a>>>(managed);
  cudaStreamSynchronize(a);
  for (int i = 0; i < n; ++i) managed[i] = i;
}
void the_host_polls_a_flag() {
  volatile int* const flag = managed;
  flag[0] = flag[1] = 0;
  publish<<<1, 1, 0, a>>>(managed);
  while (flag[0] == 0) {
  }
  std::printf("%d", managed[1] == 42 ? 0 : 1);
}
void the_host_sets_a_flag() {
  volatile int* const flag = managed;
  flag[0] = flag[1] = 0;
  publish<<<1, 1, 0, a>>>(managed);
  cudaStreamSynchronize(a);
  flag[0] = 0;
}

void read_managed(void*) { std::printf("%d", managed[2] < 0); }  // [function]
void a_host_function_in_the_stream() {
  write<<<1, n, 0, a>>>(managed);
  cudaLaunchHostFunc(a, read_managed, nullptr);
}
// race: write function 1
void a_host_function_in_another_stream() {
  write<<<1, n, 0, a>>>(managed);
  cudaLaunchHostFunc(b, read_managed, nullptr);
}

cudaGraphNode_t add_write(cudaGraph_t graph) {
  int* data = device_data;
  void* arguments[] = {&data};
  const cudaKernelNodeParams parameters{reinterpret_cast<void*>(write), 1, n, 0, arguments, nullptr};
  cudaGraphNode_t made = nullptr;
  cudaGraphAddKernelNode(&made, graph, nullptr, 0, &parameters);
  return made;
}
void add_read(cudaGraph_t graph, cudaGraphNode_t behind, bool edge) {
  int *data = device_data, *out = results;
  void* arguments[] = {&data, &out};
  const cudaKernelNodeParams parameters{reinterpret_cast<void*>(read), 1, n, 0, arguments, nullptr};
  cudaGraphNode_t made = nullptr;
  cudaGraphAddKernelNode(&made, graph, &behind, edge ? 1 : 0, &parameters);
}
void launch_three_times(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

// Launches a graph of a write and a read three times, with or without an edge between them.
void launch_graph(bool edge) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  add_read(graph, add_write(graph), edge);
  launch_three_times(graph);
}
void a_graph_with_an_edge() { launch_graph(true); }
// race: write read 64
void a_graph_without_an_edge() { launch_graph(false); }
// Launches a graph whose IF node writes in its body, and a read that has an edge from that node or none.
void launch_condition(bool edge) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNodeParams condition = {cudaGraphNodeTypeConditional};
  cudaGraphConditionalHandleCreate(&condition.conditional.handle, graph, 1, cudaGraphCondAssignDefault);
  condition.conditional.type = cudaGraphCondTypeIf;
  condition.conditional.size = 1;
  cudaGraphNode_t chooses = nullptr;
  cudaGraphAddNode(&chooses, graph, nullptr, nullptr, 0, &condition);
  add_write(condition.conditional.phGraph_out[0]);
  add_read(graph, chooses, edge);
  launch_three_times(graph);
}
void a_condition_with_an_edge() { launch_condition(true); }
// race: write read 64
void a_condition_without_an_edge() { launch_condition(false); }
void a_captured_fork() {
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  write<<<1, n, 0, a>>>(device_data);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event);
  read<<<1, n, 0, b>>>(device_data, results);
  cudaEventRecord(event, b);
  cudaStreamWaitEvent(a, event);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(a, &graph);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

cudaExternalSemaphore_t import(cudaExternalSemaphoreHandleType type, int file) {
  cudaExternalSemaphoreHandleDesc description{};
  description.type = type;
  description.handle.fd = file;
  cudaExternalSemaphore_t made = nullptr;
  if (cudaImportExternalSemaphore(&made, &description) != cudaSuccess) std::exit(1);
  return made;
}
void import_semaphores() {
  for (cudaExternalSemaphore_t* made : {&binary, &other_binary}) {
    *made = import(cudaExternalSemaphoreHandleTypeOpaqueFd, eventfd(0, EFD_CLOEXEC));
  }
  const int file = memfd_create("timeline", MFD_CLOEXEC), same = dup(file);
  if (ftruncate(file, sizeof *number) != 0) std::exit(1);
  void* const mapped = mmap(nullptr, sizeof *number, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  number = static_cast<unsigned long long*>(mapped);
  timeline = import(cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd, file);
  same_timeline = import(cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd, same);
}

void run(const char* name, void (*test)()) {
  std::fprintf(stderr, "case %s\n", name);
  test();
  if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
}

}  // namespace

#define RUN(name) run(#name, name)

int main() {
  cudaMalloc(&device_data, 2 * bytes);
  cudaMalloc(&results, 2 * bytes);
  cudaMallocHost(&pinned, bytes);
  cudaMallocManaged(&managed, bytes);
  cudaMemset(device_data, 0, 2 * bytes);
  std::memset(pinned, 0, bytes);
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaStreamCreate(&other_blocking);
  cudaEventCreate(&event);
  cuMemAlloc(&word, sizeof(cuuint32_t));
  cuMemsetD32(word, 0, 1);
  import_semaphores();
  cudaDeviceSynchronize();
  RUN(two_streams);
  RUN(one_stream);
  RUN(an_event_between);
  RUN(an_event_recorded_too_early);
  RUN(a_word_between);
  RUN(a_word_written_too_early);
  RUN(a_word_waited_for_late);
  RUN(a_word_of_the_host_between);
  RUN(a_binary_semaphore_between);
  RUN(a_binary_semaphore_signaled_too_early);
  RUN(a_binary_semaphore_each_way);
  RUN(a_binary_semaphore_signaled_twice);
  RUN(a_timeline_semaphore_between);
  RUN(a_wait_for_an_earlier_value);
  RUN(a_timeline_semaphore_and_another_process);
  RUN(a_wait_of_the_host_between);
  RUN(a_wait_for_an_event_between);
  RUN(a_query_between);
  RUN(a_wait_for_the_wrong_stream);
  RUN(only_reads);
  RUN(a_destroyed_stream);
  RUN(the_default_stream);
  RUN(the_default_stream_and_a_nonblocking_one);
  RUN(two_blocking_streams);
  RUN(two_blocking_streams_with_default_stream_between);
  RUN(a_copy);
  RUN(a_copy_in_the_stream);
  RUN(a_copy_over_memory_that_is_read);
  RUN(two_copies);
  RUN(two_copies_of_one_source);
  RUN(a_copy_of_rows);
  RUN(a_fill);
  RUN(a_fill_of_the_other_half);
  RUN(a_fill_and_updates_in_two_streams);
  RUN(a_fill_and_updates_in_order);
  RUN(readers_in_two_streams);
  RUN(readers_in_two_streams_in_order);
  RUN(a_copy_and_a_reader_in_two_streams);
  RUN(a_reader_and_a_copy_in_two_streams);
  RUN(a_copy_to_a_variable);
  RUN(a_copy_that_waits);
  RUN(memory_that_was_freed);
  RUN(the_host_reads_too_early);
  RUN(the_host_reads_after_its_wait);
  RUN(the_host_changes_the_source);
  RUN(the_host_writes_managed_memory);
  RUN(the_host_writes_a_managed_variable);
  RUN(the_host_writes_a_managed_variable_in_order);
  RUN(the_host_writes_managed_memory_before);
  RUN(the_host_polls_a_flag);
  RUN(the_host_sets_a_flag);
  RUN(a_host_function_in_the_stream);
  RUN(a_host_function_in_another_stream);
  RUN(a_graph_with_an_edge);
  RUN(a_graph_without_an_edge);
  RUN(a_condition_with_an_edge);
  RUN(a_condition_without_an_edge);
  RUN(a_captured_fork);
}
