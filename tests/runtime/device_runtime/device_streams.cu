// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events of kernels: the order that they impose, and that the stream of tail launches runs last. Each step
// writes a number that depends on all steps before it.
#include "../expect.hpp"

__global__ void step(unsigned* to, unsigned number) { *to = *to * 31 + number; }
__global__ void join(unsigned* to, const unsigned* from) { *to = *to * 7 + *from; }

unsigned after_steps(unsigned value, unsigned first, unsigned count) {
  for (unsigned i = 0; i < count; ++i) value = value * 31 + first + i;
  return value;
}

// Steps in the null stream of a block, the null stream of a thread, and created streams.
__global__ void in_streams(unsigned* to, unsigned count) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < count; ++i) step<<<1, 1>>>(to + blockIdx.x, i);
  }
  unsigned* const own = to + gridDim.x + 2 * thread;
  for (unsigned i = 0; i < count; ++i) step<<<1, 1, 0, cudaStreamPerThread>>>(own, 10 * thread + i);
  cudaStream_t created;
  cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking);
  for (unsigned i = 0; i < count; ++i) step<<<1, 1, 0, created>>>(own + 1, 100 * thread + i);
  cudaStreamDestroy(created);
}

void test_streams(unsigned* to) {
  constexpr unsigned blocks = 3, threads = 5, count = 7;
  CALL(cudaMemset(to, 0, 4096));
  in_streams<<<blocks, threads>>>(to, count);
  CALL(cudaDeviceSynchronize());
  for (unsigned b = 0; b < blocks; ++b) EXPECT(to[b] == after_steps(0, 0, count));
  for (unsigned t = 0; t < blocks * threads; ++t) {
    EXPECT(to[blocks + 2 * t] == after_steps(0, 10 * t, count));
    EXPECT(to[blocks + 2 * t + 1] == after_steps(0, 100 * t, count));
  }
}

// One thread of the grid makes the stream, and threads of other blocks use it.
__device__ cudaStream_t shared_stream;
__global__ void share_stream(unsigned* to) {
  if (blockIdx.x == 0) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    atomicExch(reinterpret_cast<unsigned long long*>(&shared_stream), reinterpret_cast<unsigned long long>(s));
  } else {
    unsigned long long s = 0;
    while ((s = atomicAdd(reinterpret_cast<unsigned long long*>(&shared_stream), 0ull)) == 0) {
    }
    atomicAdd(to, 1u);
    join<<<1, 1, 0, reinterpret_cast<cudaStream_t>(s)>>>(to + 1, to + 2);
  }
}

void test_shared_stream(unsigned* to) {
  CALL(cudaMemset(to, 0, 4096));
  to[2] = 3;
  share_stream<<<4, 1>>>(to);
  CALL(cudaDeviceSynchronize());
  EXPECT(to[0] == 3);
  EXPECT(to[1] == ((0 * 7 + 3) * 7 + 3) * 7 + 3);
}

// A diamond of streams, ordered by events.
__global__ void with_events(unsigned* to) {
  cudaStream_t first, second;
  cudaEvent_t begun, ended;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&ended, cudaEventDisableTiming);
  step<<<1, 1, 0, first>>>(to, 1);
  step<<<1, 1, 0, first>>>(to, 2);
  cudaEventRecord(begun, first);
  cudaStreamWaitEvent(second, begun, 0);
  join<<<1, 1, 0, second>>>(to + 1, to);
  step<<<1, 1, 0, second>>>(to + 1, 3);
  cudaEventRecord(ended, second);
  cudaStreamWaitEvent(first, ended);
  join<<<1, 1, 0, first>>>(to, to + 1);
  cudaStreamWaitEvent(nullptr, ended, 0);
  join<<<1, 1>>>(to + 2, to + 1);
  cudaEventDestroy(begun);
  cudaEventDestroy(ended);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  if (cudaGetLastError() != cudaSuccess) to[3] = 1;
}

void test_events(unsigned* to) {
  CALL(cudaMemset(to, 0, 4096));
  with_events<<<1, 1>>>(to);
  CALL(cudaDeviceSynchronize());
  const unsigned before = after_steps(0, 1, 2), other = after_steps(before, 3, 1);
  EXPECT(to[0] == before * 7 + other);
  EXPECT(to[1] == other);
  EXPECT(to[2] == other);
  EXPECT(to[3] == 0);
}

// Tail launches follow the later writes of the grid and its other launches, with all that those launch.
__global__ void launch_two_below(unsigned* to, unsigned number) {
  step<<<1, 1, 0, cudaStreamTailLaunch>>>(to, number + 1);
  step<<<1, 1>>>(to, number);
}
__global__ void tail_parent(unsigned* to) {
  step<<<1, 1, 0, cudaStreamTailLaunch>>>(to, 10);
  step<<<1, 1, 0, cudaStreamTailLaunch>>>(to, 11);
  launch_two_below<<<1, 1>>>(to, 5);
  *to = 1;
}
__global__ void tail_chain(unsigned* to, unsigned left) {
  *to = *to * 3 + left;
  if (left) tail_chain<<<1, 1, 0, cudaStreamTailLaunch>>>(to, left - 1);
}

void test_tail_launches(unsigned* to) {
  CALL(cudaMemset(to, 0, 4096));
  tail_parent<<<1, 1>>>(to);
  tail_chain<<<1, 1>>>(to + 1, 3000);
  step<<<1, 1>>>(to + 1, 77);
  CALL(cudaDeviceSynchronize());
  EXPECT(to[0] == after_steps(after_steps(1, 5, 2), 10, 2));
  unsigned expected = 0;
  for (unsigned left = 3001; left-- > 0;) expected = expected * 3 + left;
  EXPECT(to[1] == after_steps(expected, 77, 1));
}

// Copies and fills in streams of kernels.
__global__ void copies(unsigned char* to, unsigned char* from) {
  cudaMemsetAsync(to, 3, 40, 0);
  cudaMemcpyAsync(to + 10, from, 20, cudaMemcpyDeviceToDevice, 0);
  cudaMemset2DAsync(to + 100, 10, 9, 3, 4);
  cudaMemcpy2DAsync(to + 200, 8, to + 100, 10, 3, 4, cudaMemcpyDefault, 0);
  cudaMemcpy3DParms volume = {};
  volume.srcPtr = cudaPitchedPtr{to + 200, 8, 8, 4};
  volume.dstPtr = cudaPitchedPtr{to + 300, 8, 8, 4};
  volume.extent = cudaExtent{8, 2, 1};
  volume.kind = cudaMemcpyDeviceToDevice;
  cudaMemcpy3DAsync(&volume);
  cudaMemset3DAsync(cudaPitchedPtr{to + 400, 4, 4, 2}, 1, cudaExtent{2, 2, 2});
  void* own = nullptr;
  if (cudaMalloc(&own, 5) == cudaSuccess) {
    cudaMemsetAsync(own, 8, 5);
    cudaMemcpyAsync(to + 500, own, 5, cudaMemcpyDeviceToDevice);
  }
  cudaFree(nullptr);
}

void test_copies(unsigned* words) {
  auto* const bytes = reinterpret_cast<unsigned char*>(words);
  unsigned char expected[600] = {};
  CALL(cudaMemset(bytes, 0, 4096));
  for (int i = 0; i < 20; ++i) bytes[1000 + i] = static_cast<unsigned char>(i + 1);
  copies<<<1, 1>>>(bytes, bytes + 1000);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 40; ++i) expected[i] = static_cast<unsigned char>(i >= 10 && i < 30 ? i - 9 : 3);
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 3; ++i) expected[100 + 10 * row + i] = expected[200 + 8 * row + i] = 9;
  }
  for (int i = 0; i < 16; ++i) expected[300 + i] = expected[200 + i];
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 2; ++y) expected[400 + 8 * z + 4 * y] = expected[401 + 8 * z + 4 * y] = 1;
  }
  for (int i = 0; i < 5; ++i) expected[500 + i] = 8;
  for (int i = 0; i < 600; ++i) EXPECT(bytes[i] == expected[i]);
}

int main() {
  unsigned* to = nullptr;
  CALL(cudaMallocManaged(&to, 4096));
  CALL(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  test_streams(to);
  test_shared_stream(to);
  test_events(to);
  test_tail_launches(to);
  test_copies(to);
  std::puts(failures == 0 ? "passed" : "FAILED");
  return failures != 0;
}
