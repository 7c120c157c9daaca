// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small programs whose traces are known:  traced NAME
#include <cooperative_groups.h>
#include <cuda.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nvtx3/nvtx3.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace cg = cooperative_groups;

__global__ void add(int* a, int n) {
  const int i = static_cast<int>((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x);
  if (i < n) a[i] += 1;
}

__global__ void sum(const int* a, int* result) {
  __shared__ int part[64];
  part[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, part[0]);
}

__global__ void steps(int* counter, int count) {
  const cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < count; ++i) {
    if (grid.thread_rank() == 0) ++*counter;
    grid.sync();
  }
}

__global__ void refused() { cg::this_grid().sync(); }  // in a launch that is not cooperative

__global__ void traps(int* a) {
  a[0] = 1;
  if (threadIdx.x == 3) __trap();
}

namespace {

int* numbers(int count) {
  int* a = nullptr;
  cudaMallocManaged(&a, sizeof(int) * static_cast<size_t>(count));
  cudaMemset(a, 0, sizeof(int) * static_cast<size_t>(count));
  return a;
}

int usual() {
  constexpr int n = 640;
  int* const a = numbers(n);
  int* const result = numbers(1);
  add<<<dim3(5, 2), 128>>>(a, n);
  sum<<<n / 64, 64>>>(a, result);
  cudaDeviceSynchronize();
  int rounds = 3;
  int* counter = numbers(1);
  void* arguments[] = {&counter, &rounds};
  cudaLaunchCooperativeKernel(steps, dim3(2), dim3(40), arguments, 0, nullptr);
  cudaDeviceSynchronize();
  int seen = 0;
  cudaMemcpy(&seen, result, sizeof seen, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", seen, *counter);
  return 0;
}

int ranges() {
  nvtxRangePush("outer \"\\\n\x01\xff\xe2\x82");
  const int level = nvtxRangePushW(L"w\u00e4hrend \u20ac \U0001f600");
  nvtxEventAttributes_t event = {};
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff102030;
  event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  event.payload.iValue = -7;
  event.category = 4;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
  event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  nvtxDomainMarkEx(domain, &event);
  const int other = nvtxDomainRangePushEx(domain, &event);
  const nvtxRangeId_t range = nvtxRangeStart("range");
  std::thread([=] { nvtxRangeEnd(range); }).join();
  const int left = nvtxDomainRangePop(domain);
  nvtxRangePop();
  nvtxRangePop();
  std::printf("%d %d %d %d\n", level, other, left, nvtxRangePop());
  return 0;
}

struct library {
  static constexpr const wchar_t* name = L"b\u00fccherei \u20ac \U0001f600";
};
struct loading {
  static constexpr const char* name = "loading";
  static constexpr uint32_t id = 5;
};
struct greeting {
  static constexpr const char* message = "greeting";
};

void named_function(bool traced) {
  NVTX3_FUNC_RANGE();
  const auto inner = [&] { NVTX3_FUNC_RANGE_IF_IN(library, traced); };
  inner();
}

int cpp_ranges() {
  const std::string text = "text";
  const nvtx3::scoped_range outer(text, nvtx3::rgb(1, 2, 3), nvtx3::payload(uint64_t{1} << 40), nvtx3::payload(3));
  const nvtx3::scoped_range_in<library> in_domain(nvtx3::registered_string_in<library>::get<greeting>(),
                                                  nvtx3::named_category_in<library>::get<loading>());
  nvtx3::mark_in<library>(L"w\u00e4hrend", nvtx3::color(0x00405060), nvtx3::payload(0.5));
  nvtx3::mark(nvtx3::event_attributes("attributes", nvtx3::category(6)));
  nvtx3::unique_range first("first");
  nvtx3::unique_range moved(std::move(first));
  first = nvtx3::unique_range("second");
  const nvtx3::range_handle range = nvtx3::start_range_in<library>("range");
  std::thread([=] { nvtx3::end_range_in<library>(range); }).join();
  named_function(false);
  named_function(true);
  return range == nullptr;
}

int many() {
  int* const a = numbers(64);
  for (int i = 0; i < 2000; ++i) add<<<8, 64>>>(a, 64);
  return cudaDeviceSynchronize();
}

int marks() {
  for (int i = 0; i < 200; ++i) nvtxMark("mark");
  return 0;
}

int fails() {
  refused<<<1, 64>>>();
  return cudaDeviceSynchronize() == cudaSuccess;
}

__global__ void faults(int* a) {
  if (threadIdx.x == 40) a[0] = 1;
}

// A fault: the search for the faulting thread makes a copy of the process.
int fault() {
  faults<<<1, 64>>>(reinterpret_cast<int*>(24));
  return cudaDeviceSynchronize() == cudaSuccess;
}

int forks() {
  int* const a = numbers(64);
  add<<<1, 64>>>(a, 64);
  cudaDeviceSynchronize();
  std::fflush(stdout);
  if (fork() == 0) {
    nvtxMark("child");
    std::exit(0);
  }
  int status = 0;
  wait(&status);
  nvtxMark("parent");
  return status;
}

// Closes all files, as a daemon does. The next file then gets the lowest free number.
int closes_all() {
  numbers(1);  // opens the trace
  for (int file = 3; file < 64; ++file) close(file);
  std::FILE* const own = std::fopen("own.txt", "w");
  std::fputs("kept", own);
  std::fflush(own);
  for (int file = 3; file < 16; ++file) dup(fileno(own));
  return usual();
}

__global__ void waits(int* flag) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 20000; ++i) __nanosleep(1000);
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) __nanosleep(10);
  }
}

int spins() {
  waits<<<2, 32>>>(numbers(1));
  return cudaDeviceSynchronize();
}

// An object whose destructor uses the runtime after the destructors of the thread's own objects.
struct late_work {
  int* a = nullptr;
  ~late_work() {
    if (!a) return;
    for (int i = 0; i < 100; ++i) {
      nvtxRangePush("late");
      add<<<4, 64, 0, cudaStreamPerThread>>>(a, 64);
      nvtxRangePop();
      cudaStreamSynchronize(cudaStreamPerThread);
      CUcontext context = nullptr;
      cuCtxGetCurrent(&context);
      cuCtxPushCurrent(context);
      cuCtxPopCurrent(nullptr);
    }
    nvtxMark("late");
    std::printf("%d\n", a[0]);
  }
};

late_work last;  // constructed before the kernels are registered

// Works with an object that is older than the trace, which then ends before the object, or younger.
int work_in(late_work& late, int* a) {
  CUcontext context = nullptr;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxPushCurrent(context);
  add<<<1, 64, 0, cudaStreamPerThread>>>(a, 64);
  nvtxRangePush("early");
  late.a = a;
  return cudaDeviceSynchronize();
}

int works_late() {
  int* const a = numbers(64);
  static late_work late;
  return work_in(late, a);
}

int works_later() { return work_in(last, numbers(64)); }

int overlaps() {
  const nvtxDomainHandle_t a = nvtxDomainCreateA("a");
  const nvtxDomainHandle_t b = nvtxDomainCreateA("b");
  nvtxEventAttributes_t event = {};
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.category = 3;
  const auto push = [&](nvtxDomainHandle_t domain, const char* name) {
    event.message.ascii = name;
    return nvtxDomainRangePushEx(domain, &event);
  };
  push(a, "first");
  push(b, "second");
  nvtxDomainRangePop(a);
  push(b, "third");
  nvtxDomainRangePop(b);
  nvtxDomainRangePop(b);
  std::thread([&] { push(a, "left by a thread"); }).join();
  push(b, "left");
  event.message.ascii = "started";
  nvtxDomainRangeStartEx(a, &event);
  return 0;
}

// In each of two streams: a copy to the device, two launches, a copy back and a host function. Prints the streams' ids.
int two_streams() {
  static int data[2][256];
  for (int i = 0; i < 2; ++i) {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    int* a = nullptr;
    cudaMalloc(&a, sizeof data[i]);
    cudaMemcpyAsync(a, data[i], sizeof data[i], cudaMemcpyHostToDevice, stream);
    for (int k = 0; k < 2; ++k) add<<<2, 128, 0, stream>>>(a, 256);
    cudaMemcpyAsync(data[i], a, sizeof data[i], cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, [](void* found) { ++*static_cast<int*>(found); }, data[i]);
    unsigned long long id = 0;
    cudaStreamGetId(stream, &id);
    std::printf("%llu\n", id);
  }
  cudaDeviceSynchronize();
  return data[0][0] + data[1][0] - 6;
}

// Two host functions of a graph that wait for each other, and a fill after them.
int graph_with_branches() {
  static std::atomic<int> entered{0};
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaHostNodeParams host{};
  host.fn = [](void*) {
    for (++entered; entered < 2;) std::this_thread::yield();
  };
  cudaGraphNode_t nodes[3];
  for (int i = 0; i < 2; ++i) cudaGraphAddHostNode(&nodes[i], graph, nullptr, 0, &host);
  cudaMemsetParams fill{};
  fill.dst = numbers(1);
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  cudaGraphAddMemsetNode(&nodes[2], graph, nodes, 2, &fill);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  return cudaStreamSynchronize(stream);
}

// One launch in a stream of each of two devices. Prints the streams' ids.
int two_devices() {
  int* counter = nullptr;
  cudaHostAlloc(&counter, sizeof *counter, cudaHostAllocDefault);
  int rounds = 0;
  void* arguments[] = {&counter, &rounds};
  cudaLaunchParams launches[2] = {};
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaLaunchParams& each = launches[i];
    cudaStreamCreate(&each.stream);
    each.func = reinterpret_cast<void*>(steps);
    each.gridDim = dim3(3);
    each.blockDim = dim3(33);
    each.args = arguments;
    unsigned long long id = 0;
    cudaStreamGetId(each.stream, &id);
    std::printf("%llu\n", id);
  }
  cudaLaunchCooperativeKernelMultiDevice(launches, 2, 0);
  cudaStreamSynchronize(launches[0].stream);
  return cudaStreamSynchronize(launches[1].stream);
}

int trap() {
  traps<<<1, 32>>>(numbers(1));
  return cudaDeviceSynchronize() == cudaSuccess;
}

int exits_in_a_launch() {
  int* const a = numbers(64);
  cudaLaunchHostFunc(nullptr, [](void*) { std::exit(3); }, nullptr);
  add<<<1, 64>>>(a, 64);
  return cudaDeviceSynchronize();
}

}  // namespace

int main(int, char** arguments) {
  constexpr struct {
    const char* name;
    int (*run)();
  } programs[] = {{"usual", usual},
                  {"ranges", ranges},
                  {"cpp_ranges", cpp_ranges},
                  {"many", many},
                  {"marks", marks},
                  {"fails", fails},
                  {"fault", fault},
                  {"trap", trap},
                  {"closes", closes_all},
                  {"spins", spins},
                  {"forks", forks},
                  {"late", works_late},
                  {"later", works_later},
                  {"overlaps", overlaps},
                  {"exits", exits_in_a_launch},
                  {"streams", two_streams},
                  {"graph", graph_with_branches},
                  {"devices", two_devices}};
  for (const auto& p : programs) {
    if (std::strcmp(p.name, arguments[1]) == 0) return p.run();
  }
  return 64;
}
