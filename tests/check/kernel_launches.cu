// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches by kernels: the order of the accesses of a parent, its children and later work. Marks as in
// test_kernel_launches.py.
#include <cstdio>
#include <cstring>

__global__ void write(int* to, int value) { to[threadIdx.x] = value; }                   // [w]
__global__ void read(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }  // [r]

// race: r x
__global__ void write_after_launch(int* data) {
  read<<<1, 1>>>(data, data + 8);
  data[0] = 5;  // [x]
}
// race: w x
__global__ void read_after_launch(int* data) {
  write<<<1, 1>>>(data, 1);
  data[8] = data[0];  // [x]
}
// race: r x
__global__ void other_thread_writes(int* data) {
  if (threadIdx.x == 0) read<<<1, 1>>>(data, data + 8);
  if (threadIdx.x == 1) data[0] = 5;  // [x]
}
// race: w w
__global__ void two_streams(int* data) {
  write<<<1, 1>>>(data, 1);
  write<<<1, 1, 0, cudaStreamFireAndForget>>>(data, 2);
}
// race: w w
__global__ void two_blocks(int* data) { write<<<1, 1>>>(data, 1); }
__global__ void grandchild(int* data) { write<<<1, 1>>>(data, 3); }
// race: w x
__global__ void below(int* data) {
  grandchild<<<1, 1>>>(data);
  data[0] = 4;  // [x]
}

__global__ void write_before_launch(int* data) {
  data[0] = 5;
  read<<<1, 1>>>(data, data + 8);
}
__global__ void barrier_before_launch(int* data) {
  data[threadIdx.x] = 5;
  __syncthreads();
  if (threadIdx.x == 1) read<<<1, 2>>>(data, data + 8);
}
__global__ void one_stream(int* data) {
  write<<<1, 1>>>(data, 1);
  write<<<1, 1>>>(data, 2);
  grandchild<<<1, 1>>>(data);
  read<<<1, 1>>>(data, data + 8);
}
__global__ void event_between(int* data) {
  cudaStream_t first, second;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  grandchild<<<1, 1, 0, first>>>(data);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done);
  read<<<1, 1, 0, second>>>(data, data + 8);
}
__global__ void in_tail(int* data) {
  read<<<1, 1, 0, cudaStreamTailLaunch>>>(data, data + 8);
  read<<<1, 1, 0, cudaStreamTailLaunch>>>(data, data + 8);
  grandchild<<<1, 1, 0, cudaStreamFireAndForget>>>(data + 1);
  data[0] = 5;
}
__global__ void copy_after_write(int* data) {
  data[0] = 5;
  cudaMemcpyAsync(data + 8, data, 4, cudaMemcpyDeviceToDevice, 0);
  read<<<1, 1>>>(data + 8, data + 9);
}

// Launches of a graph whose node is `read` of data[0].
__managed__ cudaGraphExec_t reading;

// race: r x
__global__ void write_after_graph(int* data) {
  cudaGraphLaunch(reading, cudaStreamGraphFireAndForget);
  data[0] = 5;  // [x]
}
// race: r x
__global__ void other_thread_of_graph(int* data) {
  if (threadIdx.x == 0) cudaGraphLaunch(reading, cudaStreamGraphFireAndForget);
  if (threadIdx.x == 1) data[0] = 5;  // [x]
}
__global__ void write_before_graph(int* data) {
  data[0] = 5;
  cudaGraphLaunch(reading, cudaStreamGraphFireAndForget);
}
__global__ void write_before_tail(int* data) {
  cudaGraphLaunch(reading, cudaStreamGraphTailLaunch);
  data[0] = 5;
}

// Launches the kernel as a node of a graph.
static void launch_in_graph(void (*kernel)(int*), int threads, int* data) {
  cudaStream_t stream;
  cudaGraph_t graphs[2];
  cudaGraphExec_t made;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 2; ++i) {
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    i == 0 ? read<<<1, 1, 0, stream>>>(data, data + 8) : kernel<<<1, threads, 0, stream>>>(data);
    cudaStreamEndCapture(stream, &graphs[i]);
  }
  cudaGraphInstantiate(&reading, graphs[0], cudaGraphInstantiateFlagDeviceLaunch);
  cudaGraphUpload(reading, 0);
  cudaGraphInstantiate(&made, graphs[1], 0);
  cudaGraphLaunch(made, 0);
}

int main(int, char** arguments) {
  int* data = nullptr;
  cudaMallocManaged(&data, 64);
  cudaMemset(data, 0, 64);
#define RUN(kernel, blocks, threads) \
  if (!std::strcmp(arguments[1], #kernel)) kernel<<<blocks, threads>>>(data);
  RUN(write_after_launch, 1, 1)
  RUN(read_after_launch, 1, 1)
  RUN(other_thread_writes, 1, 2)
  RUN(two_streams, 1, 1)
  RUN(two_blocks, 2, 1)
  RUN(below, 1, 1)
  RUN(write_before_launch, 1, 1)
  RUN(barrier_before_launch, 1, 2)
  RUN(one_stream, 1, 1)
  RUN(event_between, 1, 1)
  RUN(in_tail, 1, 1)
  RUN(copy_after_write, 1, 1)
#define RUN_IN_GRAPH(kernel, threads) \
  if (!std::strcmp(arguments[1], #kernel)) launch_in_graph(kernel, threads, data);
  RUN_IN_GRAPH(write_after_graph, 1)
  RUN_IN_GRAPH(other_thread_of_graph, 2)
  RUN_IN_GRAPH(write_before_graph, 1)
  RUN_IN_GRAPH(write_before_tail, 1)
  read<<<1, 1>>>(data, data + 10);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
