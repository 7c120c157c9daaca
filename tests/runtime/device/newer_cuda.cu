// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The additions of CUDA 13.1 to 13.5, compiled with --cuda-version=13.5: versions, execution contexts, numbers and
// parameters of graph nodes, copies with attributes, locations of memory, sines of cycles.
#include <cuda.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../expect.hpp"

static_assert(CUDART_VERSION == 13050 && CUDA_VERSION == 13050);
static_assert(__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 5);
static_assert(sizeof(cudaGraphNodeParams) == 256 && sizeof(CUgraphNodeParams) == 256);

__global__ void add(int* to, int value, char) { atomicAdd(to, value + static_cast<int>(threadIdx.x)); }

__global__ void cycles(const float* x, float3* y, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float sine, cosine;
  __sincos2pif(x[i], &sine, &cosine);
  y[i] = {__sin2pif(x[i]), __cos2pif(x[i]), sine == __sin2pif(x[i]) && cosine == __cos2pif(x[i]) ? 1.0f : 0.0f};
}

static void test_versions() {
  int runtime = 0, driver = 0;
  unsigned context = 0;
  CALL(cudaFree(nullptr));
  CALL(cudaRuntimeGetVersion(&runtime));
  CALL(cudaDriverGetVersion(&driver));
  EXPECT(runtime == 13050 && driver == 13050);
  EXPECT(cuCtxGetApiVersion(nullptr, &context) == CUDA_SUCCESS && context == 13050);
  // A function is found from the version on that introduced it; unknown later versions are refused.
  void* found = nullptr;
  CUdriverProcAddressQueryResult status{};
  EXPECT(cuGetProcAddress("cuGraphGetId", &found, 13050, 0, &status) == CUDA_SUCCESS && found);
  EXPECT(cuGetProcAddress("cuGraphGetId", &found, 13000, 0, &status) == CUDA_SUCCESS && !found);
  EXPECT(status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT(cuGetProcAddress("cuGraphGetId", &found, 13060, 0, &status) == CUDA_ERROR_INVALID_VALUE);
}

static void test_cycles() {
  constexpr int count = 1003;
  float* x = nullptr;
  float3* y = nullptr;
  CALL(cudaMallocManaged(&x, count * sizeof(float)));
  CALL(cudaMallocManaged(&y, count * sizeof(float3)));
  for (int i = 0; i < count; ++i) x[i] = static_cast<float>(i - 500) * 0.37f;
  x[0] = -0.0f, x[1] = INFINITY, x[2] = 0.25f, x[3] = -0.75f;
  cycles<<<9, 128>>>(x, y, count);
  CALL(cudaDeviceSynchronize());
  EXPECT(y[0].x == 0.0f && std::signbit(y[0].x) && y[0].y == 1.0f && std::isnan(y[1].x) && std::isnan(y[1].y));
  EXPECT(y[2].x == 1.0f && y[2].y == 0.0f && y[3].x == 1.0f);
  for (int i = 2; i < count; ++i) {
    const double turn = std::remainder(static_cast<double>(x[i]), 1.0) * 2 * 3.14159265358979323846;
    EXPECT(std::fabs(y[i].x - std::sin(turn)) < 1e-7 && std::fabs(y[i].y - std::cos(turn)) < 1e-7 && y[i].z == 1.0f);
  }
  CALL(cudaFree(x));
  CALL(cudaFree(y));
}

// Splits the 6 multiprocessors into groups of 2, groups of 1, and the rest.
static void test_split() {
  cudaDevResource all{}, parts[3]{}, rest{};
  CALL(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
  EXPECT(all.sm.smCount == 6);
  cudaDevSmResourceGroupParams groups[3]{};
  groups[0].smCount = 2, groups[1].smCount = 1;
  CALL(cudaDevSmResourceSplit(nullptr, 3, &all, nullptr, 0, groups));
  EXPECT(groups[2].smCount == 3);
  groups[2] = {};
  groups[2].coscheduledSmCount = 2;
  CALL(cudaDevSmResourceSplit(parts, 3, &all, &rest, 0, groups));
  EXPECT(parts[0].sm.smCount == 2 && parts[1].sm.smCount == 1 && parts[2].sm.smCount == 2 && rest.sm.smCount == 1);
  EXPECT(parts[2].sm.smCoscheduledAlignment == 2 && groups[2].smCount == 2);
  groups[2].smCount = 3;
  EXPECT(cudaDevSmResourceSplit(parts, 3, &all, &rest, 0, groups) == cudaErrorInvalidValue);
  groups[2].flags = cudaDevSmResourceGroupBackfill;
  CALL(cudaDevSmResourceSplit(parts, 3, &all, &rest, 0, groups));
  EXPECT(parts[2].sm.smCount == 3 && rest.type == cudaDevResourceTypeInvalid);
  groups[2].smCount = 4;
  EXPECT(cudaDevSmResourceSplit(parts, 3, &all, &rest, 0, groups) == cudaErrorInvalidResourceConfiguration);
  groups[2] = {}, groups[2].flags = cudaDevSmResourceGroupLocalityDomainId;
  EXPECT(cudaDevSmResourceSplit(parts, 3, &all, &rest, 0, groups) == cudaErrorInvalidResourceConfiguration);
  groups[2] = {}, groups[2].reserved[3] = 1;
  EXPECT(cudaDevSmResourceSplit(parts, 3, &all, &rest, 0, groups) == cudaErrorInvalidValue);
  EXPECT(cudaDevSmResourceSplit(parts, 3, &all, &rest, 1, groups) == cudaErrorInvalidValue);
  EXPECT(cudaDevSmResourceSplit(parts, 1, &parts[0], &rest, 0, groups) == cudaErrorInvalidResourceConfiguration);
  EXPECT(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeWorkqueue) == cudaErrorInvalidResourceType);
  EXPECT(cudaDeviceGetDevResource(9, &all, cudaDevResourceTypeSm) == cudaErrorInvalidDevice);
}

static cudaExecutionContext_t part_of(unsigned multiprocessors) {
  cudaDevResource all{}, part{};
  cudaDevResourceDesc_t description = nullptr;
  cudaExecutionContext_t made = nullptr;
  unsigned count = 1;
  CALL(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
  CALL(cudaDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, multiprocessors));
  CALL(cudaDevResourceGenerateDesc(&description, &part, 1));
  EXPECT(cudaGreenCtxCreate(&made, description, 0, 1) == cudaErrorInvalidValue);
  CALL(cudaGreenCtxCreate(&made, description, 0, 0));
  return made;
}

static void test_execution_contexts(int* counter) {
  cudaExecutionContext_t whole = nullptr;
  CALL(cudaDeviceGetExecutionCtx(&whole, 0));
  const cudaExecutionContext_t part = part_of(2);
  unsigned long long first = 0, second = 0;
  int device = -1;
  CALL(cudaExecutionCtxGetId(whole, &first));
  CALL(cudaExecutionCtxGetId(part, &second));
  CALL(cudaExecutionCtxGetDevice(&device, part));
  EXPECT(first != second && device == 0);
  cudaStream_t in_part = nullptr, in_whole = nullptr;
  CALL(cudaExecutionCtxStreamCreate(&in_part, part, cudaStreamDefault, 0));
  CALL(cudaExecutionCtxStreamCreate(&in_whole, whole, cudaStreamNonBlocking, 0));
  unsigned flags = 0;
  CALL(cudaStreamGetFlags(in_part, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  cudaDevResource of_part{}, of_stream{}, of_other{}, of_whole{};
  CALL(cudaExecutionCtxGetDevResource(part, &of_part, cudaDevResourceTypeSm));
  CALL(cudaExecutionCtxGetDevResource(whole, &of_whole, cudaDevResourceTypeSm));
  CALL(cudaStreamGetDevResource(in_part, &of_stream, cudaDevResourceTypeSm));
  CALL(cudaStreamGetDevResource(in_whole, &of_other, cudaDevResourceTypeSm));
  EXPECT(of_part.sm.smCount == 2 && of_stream.sm.smCount == 2 && of_whole.sm.smCount == 6 && of_other.sm.smCount == 6);
  cudaEvent_t event = nullptr;
  CALL(cudaEventCreate(&event));
  *counter = 0;
  add<<<3, 4, 0, in_part>>>(counter, 1, 'x');
  CALL(cudaExecutionCtxRecordEvent(part, event));
  CALL(cudaExecutionCtxWaitEvent(whole, event));
  add<<<1, 1, 0, in_whole>>>(counter, 100, 'x');
  CALL(cudaExecutionCtxSynchronize(whole));
  EXPECT(*counter == 3 * (1 + 2 + 3 + 4) + 100);
  EXPECT(cudaExecutionCtxDestroy(whole) == cudaErrorInvalidValue);
  EXPECT(cudaExecutionCtxDestroy(nullptr) == cudaErrorInvalidValue);
  CALL(cudaExecutionCtxDestroy(part));
  EXPECT(cudaExecutionCtxGetDevice(&device, part) == cudaErrorContextIsDestroyed);
  CALL(cudaStreamDestroy(in_part));
  CALL(cudaStreamDestroy(in_whole));
  CALL(cudaEventDestroy(event));
}

static void count_call(void* data) { ++*static_cast<int*>(data); }

// Adds each type of node by its parameters and reads these back.
static void test_nodes(int* counter) {
  cudaGraph_t graph = nullptr, inner = nullptr, found = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphCreate(&inner, 0));
  int value = 5, calls = 0;
  char mark = 'x';
  void* arguments[] = {&counter, &value, &mark};
  cudaGraphNodeParams kernel{}, host{}, fill{}, child{}, branch{}, read{};
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel.func = reinterpret_cast<void*>(add);
  kernel.kernel.gridDim = dim3(2), kernel.kernel.blockDim = dim3(3, 1, 1);
  kernel.kernel.kernelParams = arguments;
  host.type = cudaGraphNodeTypeHost;
  host.host.fn = count_call, host.host.userData = &calls;
  fill.type = cudaGraphNodeTypeMemset;
  fill.memset.dst = counter, fill.memset.elementSize = 4, fill.memset.width = 1, fill.memset.height = 1;
  child.type = cudaGraphNodeTypeGraph;
  child.graph.graph = inner;
  branch.type = cudaGraphNodeTypeConditional;
  cudaExecutionContext_t whole = nullptr;
  CALL(cudaDeviceGetExecutionCtx(&whole, 0));
  CALL(cudaGraphConditionalHandleCreate_v2(&branch.conditional.handle, graph, whole, 0, cudaGraphCondAssignDefault));
  branch.conditional.type = cudaGraphCondTypeIf, branch.conditional.size = 1;
  cudaGraphNodeParams* const all[] = {&fill, &kernel, &host, &child, &branch};
  cudaGraphNode_t nodes[5] = {};
  unsigned numbers[5] = {};
  for (int i = 0; i < 5; ++i) {
    CALL(cudaGraphAddNode(&nodes[i], graph, i ? &nodes[i - 1] : nullptr, nullptr, i ? 1 : 0, all[i]));
    std::memset(&read, 0xff, sizeof read);
    CALL(cudaGraphNodeGetParams(nodes[i], &read));
    EXPECT(read.type == all[i]->type);
    unsigned long long tools = 0;
    CALL(cudaGraphNodeGetLocalId(nodes[i], &numbers[i]));
    CALL(cudaGraphNodeGetToolsId(nodes[i], &tools));
    CALL(cudaGraphNodeGetContainingGraph(nodes[i], &found));
    EXPECT(tools == numbers[i] && found == graph && (i == 0 || numbers[i] != numbers[i - 1]));
    CUgraphNodeParams of_driver{};
    EXPECT(cuGraphNodeGetParams(nodes[i], &of_driver) == CUDA_SUCCESS);
    EXPECT(static_cast<int>(of_driver.type) == static_cast<int>(read.type));
    if (i == 0) EXPECT(read.memset.dst == counter && read.memset.width == 1 && of_driver.memset.elementSize == 4);
    if (i == 1) EXPECT(read.kernel.gridDim.x == 2 && *static_cast<int*>(read.kernel.kernelParams[1]) == 5);
    if (i == 1) EXPECT(of_driver.kernel.blockDimX == 3 && read.kernel.ctx == nullptr);
    if (i == 2) EXPECT(read.host.fn == count_call && of_driver.host.userData == &calls);
    if (i == 3) EXPECT(read.graph.ownership == cudaGraphChildGraphOwnershipClone && read.graph.graph != inner);
    if (i == 4)
      EXPECT(read.conditional.size == 1 && read.conditional.phGraph_out[0] == *branch.conditional.phGraph_out);
  }
  unsigned of_graph = 0, of_inner = 0, of_executable = 0;
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphGetId(graph, &of_graph));
  CALL(cudaGraphGetId(inner, &of_inner));
  CALL(cudaGraphExecGetId(executable, &of_executable));
  EXPECT(of_graph != of_inner && of_graph != of_executable);
  EXPECT(cudaGraphGetId(graph, nullptr) == cudaErrorInvalidValue);
  EXPECT(cudaGraphExecGetId(nullptr, &of_graph) == cudaErrorInvalidValue);
  CALL(cudaGraphLaunch(executable, nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(*counter == 2 * (5 + 6 + 7) && calls == 1);
  size_t parameters = 0;
  CALL(cudaFuncGetParamCount(reinterpret_cast<const void*>(add), &parameters));
  EXPECT(parameters == 3);
  EXPECT(cudaFuncGetParamCount(reinterpret_cast<const void*>(add), nullptr) == cudaErrorInvalidValue);
  CALL(cudaLaunchHostFunc_v2(nullptr, count_call, &calls, cudaHostTaskSpinWait));
  CALL(cudaDeviceSynchronize());
  EXPECT(calls == 2);
  EXPECT(cudaLaunchHostFunc_v2(nullptr, count_call, &calls, 2) == cudaErrorInvalidValue);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphDestroy(inner));
}

// A node runs in the context that its parameters name: a cooperative grid must fit into the multiprocessors of the
// part.
static void test_node_contexts(int* counter) {
  cudaExecutionContext_t whole = nullptr;
  CALL(cudaDeviceGetExecutionCtx(&whole, 0));
  const cudaExecutionContext_t part = part_of(2), contexts[] = {nullptr, whole, part};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t node = nullptr, others[2] = {};
  CALL(cudaGraphCreate(&graph, 0));
  int value = 1, calls = 0;
  char mark = 'x';
  void* arguments[] = {&counter, &value, &mark};
  cudaGraphNodeParams kernel{}, host{}, fill{}, read{};
  CUgraphNodeParams of_driver{};
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel.func = reinterpret_cast<void*>(add);
  kernel.kernel.gridDim = dim3(8), kernel.kernel.blockDim = dim3(1024);  // 2 blocks fit on a multiprocessor
  kernel.kernel.kernelParams = arguments;
  cudaKernelNodeAttrValue cooperative{};
  cooperative.cooperative = 1;
  for (const cudaExecutionContext_t context : contexts) {
    kernel.kernel.ctx = context;
    CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &kernel));
    CALL(cudaGraphNodeGetParams(node, &read));
    EXPECT(read.kernel.ctx == context);
    EXPECT(cuGraphNodeGetParams(node, &of_driver) == CUDA_SUCCESS && of_driver.kernel.ctx == (CUcontext)context);
    EXPECT(cuGraphNodeSetParams(node, &of_driver) == CUDA_SUCCESS);
    const cudaError_t error = cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &cooperative);
    EXPECT(error == (context == part ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess));
    if (context != part) CALL(cudaGraphDestroyNode(node));
  }
  // Parameters of the kernel's own type name no context.
  cudaKernelNodeParams typed{};
  typed.func = kernel.kernel.func, typed.kernelParams = arguments;
  typed.gridDim = kernel.kernel.gridDim, typed.blockDim = kernel.kernel.blockDim;
  CALL(cudaGraphKernelNodeSetParams(node, &typed));
  CALL(cudaGraphNodeGetParams(node, &read));
  EXPECT(read.kernel.ctx == nullptr);
  CALL(cudaGraphNodeSetParams(node, &kernel));
  host.type = cudaGraphNodeTypeHost;
  host.host.fn = count_call, host.host.userData = &calls, host.host.ctx = whole;
  fill.type = cudaGraphNodeTypeMemset;
  fill.memset.dst = counter, fill.memset.elementSize = 4, fill.memset.width = 1, fill.memset.height = 1;
  fill.memset.ctx = part;
  CALL(cudaGraphAddNode(&others[0], graph, nullptr, nullptr, 0, &fill));
  CALL(cudaGraphAddNode(&others[1], graph, &others[0], nullptr, 1, &host));
  CALL(cudaGraphNodeGetParams(others[0], &read));
  EXPECT(read.memset.ctx == part);
  CALL(cudaGraphNodeGetParams(others[1], &read));
  EXPECT(read.host.ctx == whole && read.host.syncMode == 0);
  CALL(cudaGraphAddDependencies(graph, &others[1], &node, nullptr, 1));
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  kernel.kernel.gridDim = dim3(3), kernel.kernel.blockDim = dim3(5);
  CALL(cudaGraphExecNodeSetParams(executable, node, &kernel));
  CALL(cudaGraphLaunch(executable, nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(*counter == 3 * (5 + 0 + 1 + 2 + 3 + 4) && calls == 1);
  CALL(cudaExecutionCtxDestroy(part));
  EXPECT(cudaGraphNodeSetParams(node, &kernel) == cudaErrorContextIsDestroyed);
  kernel.kernel.ctx = reinterpret_cast<cudaExecutionContext_t>(&kernel);
  EXPECT(cudaGraphNodeSetParams(node, &kernel) == cudaErrorInvalidValue);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

static void test_copies() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  char* memory = nullptr;
  CALL(cudaMalloc(&memory, 64));
  std::string text = "copied in one call, and back again", back(text.size(), '.');
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  const std::string before = text;
  CALL(cudaMemcpyWithAttributesAsync(memory, text.data(), text.size(), &attributes, stream));
  text.assign(text.size(), '?');
  cudaMemcpy3DBatchOp box{};
  box.src.type = box.dst.type = cudaMemcpyOperandTypePointer;
  box.src.op.ptr.ptr = memory, box.dst.op.ptr.ptr = back.data();
  box.extent = make_cudaExtent(back.size(), 1, 1);
  box.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CALL(cudaMemcpy3DWithAttributesAsync(&box, 0, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(back == before);
  EXPECT(cudaMemcpy3DWithAttributesAsync(&box, 1, stream) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpyWithAttributesAsync(memory, text.data(), 0, &attributes, stream) == cudaErrorInvalidValue);
  CALL(cudaFree(memory));
  CALL(cudaStreamDestroy(stream));
}

// Managed memory of two and a half regions, the second of which is prefetched.
static void test_locations() {
  constexpr size_t region = 1 << 16, bytes = region * 5 / 2;
  char* memory = nullptr;
  CALL(cudaMallocManaged(&memory, bytes));
  CALL(cudaMemPrefetchAsync(memory + region, region, {cudaMemLocationTypeDevice, 0}, 0));
  CALL(cudaDeviceSynchronize());
  cudaMemLocation found[4] = {{}, {}, {}, {cudaMemLocationTypeHostNuma, 77}};
  CALL(cudaMemGetLocationInfo(memory, bytes, region, 0, found));
  EXPECT(found[0].type == cudaMemLocationTypeHost && found[1].type == cudaMemLocationTypeDevice && found[1].id == 0);
  EXPECT(found[2].type == cudaMemLocationTypeHost && found[3].id == 77);
  CUmemLocation of_driver{};
  EXPECT(cuMemGetLocationInfo(reinterpret_cast<CUdeviceptr>(memory), 2 * region, 2 * region, region, &of_driver) ==
         CUDA_SUCCESS);
  EXPECT(of_driver.type == CU_MEM_LOCATION_TYPE_HOST);  // the first of a sample's two regions counts
  EXPECT(cudaMemGetLocationInfo(memory, bytes, 0, 0, found) == cudaErrorInvalidValue);
  EXPECT(cudaMemGetLocationInfo(memory, bytes, region, 2 * region, found) == cudaErrorInvalidValue);
  std::vector<char> pageable(region);
  CALL(cudaMemGetLocationInfo(pageable.data(), region, region, 0, found));
  EXPECT(found[0].type == cudaMemLocationTypeHost);
  char* device = nullptr;
  CALL(cudaMalloc(&device, region));
  EXPECT(cudaMemGetLocationInfo(device, region, region, 0, found) == cudaErrorInvalidValue);
  CALL(cudaFree(device));
  CALL(cudaFree(memory));
}

int main() {
  int* counter = nullptr;
  test_versions();
  CALL(cudaMallocManaged(&counter, sizeof(int)));
  test_cycles();
  test_split();
  test_execution_contexts(counter);
  test_nodes(counter);
  test_node_contexts(counter);
  test_copies();
  test_locations();
  CALL(cudaFree(counter));
  std::puts(failures ? "failed" : "passed");
  return failures != 0;
}
