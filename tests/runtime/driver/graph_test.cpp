// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: graphs, their nodes, executable graphs, and the capture of streams.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "driver.hpp"

#undef cuGraphAddDependencies
#undef cuGraphAddKernelNode
#undef cuGraphExecUpdate
#undef cuGraphGetEdges
#undef cuGraphInstantiate
#undef cuGraphKernelNodeGetParams
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo

// Forms of CUDA 10 and 11, which no header declares.
extern "C" {
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
CUresult cuGraphAddKernelNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_KERNEL_NODE_PARAMS_v1*);
CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphNode*, CUgraphExecUpdateResult*);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode*, CUgraphNode*, size_t*);
CUresult cuGraphInstantiate(CUgraphExec*, CUgraph, CUgraphNode*, char*, size_t);
CUresult cuGraphKernelNodeGetParams(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1*);
CUresult cuStreamBeginCapture(CUstream);
CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
}

namespace {

using Graph = test::driver;
using test::address;

// out[i] = out[i] * factor + i
void scale(void** arguments) {
  int& value = test::argument<int*>(arguments, 0)[test::global_index()];
  value = value * test::argument<int>(arguments, 1) + static_cast<int>(test::global_index());
}
void nothing(void**) {}

const test::kernel scale_kernel("graph_scale", scale, {8, 4});
const test::kernel other_kernel("graph_other", nothing, {});

struct scale_call {
  int* out;
  int factor;
  void* pointers[2] = {&out, &factor};
  CUDA_KERNEL_NODE_PARAMS node(CUfunction f, unsigned threads) {
    return {f, 1, 1, 1, threads, 1, 1, 0, pointers, nullptr, nullptr, nullptr};
  }
};

void run(CUgraphExec graph, CUstream stream = nullptr) {
  EXPECT_EQ(CUDA_SUCCESS, cuGraphLaunch(graph, stream));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
}

CUDA_MEMSET_NODE_PARAMS words(int* memory, unsigned value, size_t count) {
  return {address(memory), 0, value, 4, count, 1};
}

CUDA_MEMCPY3D row(void* to, const void* from, size_t bytes) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = address(from);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

void count_call(void* data) { ++*static_cast<int*>(data); }

TEST_F(Graph, NodesRunInTheOrderOfEdges) {
  int* const data = managed<int>(37);
  int host[37] = {}, calls = 0;
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  CUgraphNode fill = nullptr, kernel = nullptr, copy = nullptr, call = nullptr, empty = nullptr;
  const auto fill_params = words(data, 5, 37);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_params, primary(0)));
  scale_call arguments{data, 3};
  const auto kernel_params = arguments.node(function(scale_kernel), 37);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddKernelNode_v2(&kernel, graph, &fill, 1, &kernel_params));
  const auto copy_params = row(host, data, sizeof host);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &copy_params, nullptr));
  const CUDA_HOST_NODE_PARAMS call_params{count_call, &calls};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddHostNode(&call, graph, &copy, 1, &call_params));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  const CUgraphEdgeData plain{};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphAddDependencies_v2(graph, &call, &empty, &plain, 1));

  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  run(launched);
  run(launched);
  EXPECT_EQ(2, calls);
  for (int i = 0; i < 37; ++i) EXPECT_EQ(15 + i, host[i]);

  size_t count = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(5u, count);
  count = 9;
  CUgraphNode from[9] = {}, to[9] = {};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphGetEdges_v2(graph, from, to, nullptr, &count));
  EXPECT_EQ(4u, count);
  EXPECT_EQ(fill, from[0]);
  EXPECT_EQ(kernel, to[0]);
  count = 9;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeGetDependencies_v2(copy, from, nullptr, &count));
  EXPECT_EQ(kernel, from[0]);
  count = 9;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeGetDependentNodes_v2(copy, to, nullptr, &count));
  EXPECT_EQ(call, to[0]);
  count = 9;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphGetRootNodes(graph, from, &count));
  EXPECT_EQ(1u, count);
  CUgraphNodeType type{};
  const std::vector<std::pair<CUgraphNode, CUgraphNodeType>> types = {{fill, CU_GRAPH_NODE_TYPE_MEMSET},
                                                                      {kernel, CU_GRAPH_NODE_TYPE_KERNEL},
                                                                      {copy, CU_GRAPH_NODE_TYPE_MEMCPY},
                                                                      {call, CU_GRAPH_NODE_TYPE_HOST},
                                                                      {empty, CU_GRAPH_NODE_TYPE_EMPTY}};
  for (const auto& [node, expected] : types) {
    EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeGetType(node, &type));
    EXPECT_EQ(expected, type);
  }
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(kernel, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphRemoveDependencies_v2(graph, &call, &empty, nullptr, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphRemoveDependencies_v2(graph, &call, &empty, nullptr, 1));
  const CUgraphEdgeData port{1, 0, 0, {}};
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddDependencies_v2(graph, &call, &empty, &port, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroyNode(empty));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(empty));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(graph));
}

TEST_F(Graph, ParametersAreReadAndChanged) {
  int* const data = managed<int>(8);
  int host[8] = {}, calls = 0, later_calls = 0;
  CUgraph graph = nullptr;
  CUgraphNode fill = nullptr, kernel = nullptr, copy = nullptr, call = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  const auto fill_params = words(data, 5, 8);
  scale_call arguments{data, 3};
  auto kernel_params = arguments.node(nullptr, 8);
  kernel_params.kern = reinterpret_cast<CUkernel>(function(scale_kernel));
  const auto copy_params = row(host, data, sizeof host);
  const CUDA_HOST_NODE_PARAMS call_params{count_call, &calls};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_params, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddKernelNode_v2(&kernel, graph, &fill, 1, &kernel_params));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &copy_params, primary(0)));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddHostNode(&call, graph, &copy, 1, &call_params));

  CUDA_KERNEL_NODE_PARAMS kernel_read;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphKernelNodeGetParams_v2(kernel, &kernel_read));
  EXPECT_EQ(function(scale_kernel), kernel_read.func);
  EXPECT_EQ(8u, kernel_read.blockDimX);
  EXPECT_EQ(3, *static_cast<int*>(kernel_read.kernelParams[1]));
  CUDA_MEMCPY3D copy_read;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphMemcpyNodeGetParams(copy, &copy_read));
  EXPECT_EQ(CU_MEMORYTYPE_UNIFIED, copy_read.srcMemoryType);
  EXPECT_EQ(address(data), copy_read.srcDevice);
  EXPECT_EQ(address(host), copy_read.dstDevice);
  EXPECT_EQ(sizeof host, copy_read.WidthInBytes);
  CUDA_MEMSET_NODE_PARAMS fill_read;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphMemsetNodeGetParams(fill, &fill_read));
  EXPECT_EQ(address(data), fill_read.dst);
  EXPECT_EQ(5u, fill_read.value);
  CUDA_HOST_NODE_PARAMS call_read;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphHostNodeGetParams(call, &call_read));
  EXPECT_EQ(&calls, call_read.userData);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphHostNodeGetParams(call, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphMemsetNodeGetParams(kernel, &fill_read));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(copy, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetParams_v2(fill, &kernel_read));

  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  const auto new_fill = words(data, 2, 8);
  scale_call new_arguments{data, 10};
  const auto new_kernel = new_arguments.node(function(scale_kernel), 7);
  const auto new_copy = row(host, data + 1, 28);
  const CUDA_HOST_NODE_PARAMS new_call{count_call, &later_calls};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecMemsetNodeSetParams(launched, fill, &new_fill, primary(0)));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecKernelNodeSetParams_v2(launched, kernel, &new_kernel));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecMemcpyNodeSetParams(launched, copy, &new_copy, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecHostNodeSetParams(launched, call, &new_call));
  run(launched);
  EXPECT_EQ(0, calls);
  EXPECT_EQ(1, later_calls);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(i < 6 ? 21 + i : 2, host[i]);

  EXPECT_EQ(CUDA_SUCCESS, cuGraphMemsetNodeSetParams(fill, &new_fill));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphKernelNodeSetParams_v2(kernel, &new_kernel));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphMemcpyNodeSetParams(copy, &copy_params));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphHostNodeSetParams(call, &call_params));
  CUgraphExecUpdateResultInfo info;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecUpdate_v2(launched, graph, &info));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_SUCCESS, info.result);
  run(launched);
  EXPECT_EQ(1, calls);
  EXPECT_EQ(2, host[7]);
  EXPECT_EQ(20, host[0]);

  unsigned enabled = 9;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeSetEnabled(launched, copy, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeGetEnabled(launched, copy, &enabled));
  EXPECT_EQ(0u, enabled);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetEnabled(launched, call, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(Graph, WrongParametersAreRefused) {
  int* const data = managed<int>(8);
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&graph, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, nullptr));
  scale_call arguments{data, 3};
  auto kernel = arguments.node(nullptr, 8);
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &kernel));
  kernel = arguments.node(function(scale_kernel), 8);
  void* extra[] = {CU_LAUNCH_PARAM_END};
  kernel.extra = extra;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &kernel));
  kernel.extra = nullptr;
  kernel.blockDimX = 2000;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &kernel));
  kernel.blockDimX = 8;
  kernel.ctx = reinterpret_cast<CUcontext>(&kernel);
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &kernel));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr, nullptr));
  auto copy = row(data, data + 4, 16);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddHostNode(&node, graph, nullptr, 0, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, nullptr));
  CUgraphNodeParams any{};
  any.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &any));
  any.type = static_cast<CUgraphNodeType>(99);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &any));
  any.type = CU_GRAPH_NODE_TYPE_EMPTY;
  any.reserved0[1] = 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &any));
  CUgraphExec launched = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&launched, graph, 1 << 20));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&launched, graph, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(nullptr, nullptr));
  size_t count = 1;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphGetNodes(graph, &node, &count));
  EXPECT_EQ(0u, count) << "a refused call adds no node";
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  std::thread([&] { EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuGraphCreate(&graph, 0)); }).join();
}

TEST_F(Graph, NodesOfAnyType) {
  int* const data = managed<int>(8);
  int calls = 0;
  CUgraph graph = nullptr, inner = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&inner, 0));
  CUgraphNode nodes[6] = {};
  CUgraphNodeParams p{};
  p.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  p.alloc.bytesize = 32;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&nodes[0], graph, nullptr, nullptr, 0, &p));
  const CUdeviceptr memory = p.alloc.dptr;
  ASSERT_NE(0u, memory);
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEMSET;
  p.memset = {memory, 0, 4, 4, 8, 1, primary(0)};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&nodes[1], graph, &nodes[0], nullptr, 1, &p));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_KERNEL;
  int* const target = reinterpret_cast<int*>(memory);
  scale_call arguments{target, 2};
  const auto kernel = arguments.node(function(scale_kernel), 8);
  p.kernel = {kernel.func, 1, 1, 1, 8, 1, 1, 0, kernel.kernelParams, nullptr, nullptr, primary(0)};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&nodes[2], graph, &nodes[1], nullptr, 1, &p));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  p.memcpy.copyParams = row(data, target, 32);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&nodes[3], graph, &nodes[2], nullptr, 1, &p));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  p.free.dptr = memory;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&nodes[4], graph, &nodes[3], nullptr, 1, &p));
  CUgraphNode inner_call = nullptr;
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_HOST;
  p.host = {count_call, &calls};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&inner_call, inner, nullptr, nullptr, 0, &p));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_GRAPH;
  p.graph = {inner, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&nodes[5], graph, &nodes[4], nullptr, 1, &p));

  CUDA_MEM_ALLOC_NODE_PARAMS allocation;
  CUdeviceptr freed = 0;
  CUgraph child = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphMemAllocNodeGetParams(nodes[0], &allocation));
  EXPECT_EQ(memory, allocation.dptr);
  EXPECT_EQ(32u, allocation.bytesize);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphMemFreeNodeGetParams(nodes[4], &freed));
  EXPECT_EQ(memory, freed);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphChildGraphNodeGetGraph(nodes[5], &child));
  EXPECT_NE(inner, child);

  CUgraphExec launched = nullptr;
  CUDA_GRAPH_INSTANTIATE_PARAMS how{};
  how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithParams(&launched, graph, &how));
  EXPECT_EQ(CUDA_GRAPH_INSTANTIATE_SUCCESS, how.result_out);
  cuuint64_t flags = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecGetFlags(launched, &flags));
  EXPECT_EQ(how.flags, flags);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphUpload(launched, nullptr));
  run(launched);
  EXPECT_EQ(1, calls);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(8 + i, data[i]);
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEMSET;
  p.memset = {memory, 0, 6, 4, 8, 1, nullptr};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecNodeSetParams(launched, nodes[1], &p));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetParams(nodes[2], &p)) << "another type";
  run(launched);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(12 + i, data[i]);
  cuuint64_t used = 0, used_of_runtime = 9;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
  EXPECT_EQ(cudaSuccess, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used_of_runtime));
  EXPECT_EQ(used_of_runtime, used);
  EXPECT_GE(used, 32u);
  used = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGraphMemTrim(0));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGraphMemTrim(99));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(inner));
}

TEST_F(Graph, ConditionsSelectBodies) {
  int calls = 0;
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  CUgraphConditionalHandle condition = 0;
  ASSERT_EQ(CUDA_SUCCESS,
            cuGraphConditionalHandleCreate(&condition, graph, primary(0), 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphConditionalHandleCreate(nullptr, graph, nullptr, 1, 0));
  CUgraphNodeParams p{};
  p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  p.conditional.handle = condition;
  p.conditional.type = CU_GRAPH_COND_TYPE_IF;
  p.conditional.size = 1;
  p.conditional.ctx = primary(0);
  CUgraphNode node = nullptr, fill = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &p));
  ASSERT_NE(nullptr, p.conditional.phGraph_out);
  int* const data = managed<int>(1);
  const auto fill_params = words(data, 5, 1);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddMemsetNode(&fill, p.conditional.phGraph_out[0], nullptr, 0, &fill_params, nullptr));
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  run(launched);
  EXPECT_EQ(5, *data);
  EXPECT_EQ(0, calls);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(Graph, NodesOfAnotherContext) {
  int* const data = managed<int>(3);
  scale_call arguments{data, 3};
  auto kernel = arguments.node(function(scale_kernel), 3);
  kernel.ctx = primary(1);
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &kernel));
  CUdevice device = -1;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetDevice(&device));
  EXPECT_EQ(0, device) << "the current context stays";
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  run(launched);
  EXPECT_EQ(2, data[2]);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(Graph, StreamsAreCaptured) {
  int* const data = managed<int>(5);
  CUstream s = stream();
  CUevent event = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_RELAXED));
  scale_call arguments{data, 3};
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32Async(address(data), 4, 5, s));
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchKernel(function(scale_kernel), 1, 1, 1, 5, 1, 1, 0, s, arguments.pointers, nullptr));
  CUstreamCaptureStatus status{};
  cuuint64_t id = 0, old_id = 0;
  CUgraph target = nullptr;
  const CUgraphNode* frontier = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  size_t count = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamIsCapturing(s, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetCaptureInfo_v3(s, &status, &id, &target, &frontier, &edges, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetCaptureInfo(s, &status, &old_id));
  EXPECT_EQ(id, old_id);
  CUgraphNode empty = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEmptyNode(&empty, target, frontier, count));
  EXPECT_EQ(CUDA_SUCCESS,
            cuStreamUpdateCaptureDependencies_v2(s, &empty, nullptr, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32Async(address(data), 7, 1, s));
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamEndCapture(s, &graph));
  EXPECT_EQ(target, graph);
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(s, &graph));
  ASSERT_EQ(target, (graph = target));
  EXPECT_EQ(0, data[1]) << "a captured call does no work";
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphLaunch(launched, s));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  EXPECT_EQ(7, data[0]);
  for (int i = 1; i < 5; ++i) EXPECT_EQ(12 + i, data[i]);

  // Captures into a graph that the program has made, after one of its nodes.
  CUgraph own = nullptr;
  CUgraphNode first = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&own, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEmptyNode(&first, own, nullptr, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCaptureToGraph(s, own, &first, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32Async(address(data), 8, 1, s));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamEndCapture(s, &graph));
  EXPECT_EQ(own, graph);
  CUgraphNode from = nullptr, to = nullptr;
  count = 1;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphGetEdges(own, &from, &to, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(first, from);

  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  EXPECT_EQ(CUDA_SUCCESS, cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(CU_STREAM_CAPTURE_MODE_GLOBAL, mode);
  EXPECT_EQ(CUDA_SUCCESS, cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuThreadExchangeStreamCaptureMode(nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(target));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(own));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(event));
}

TEST_F(Graph, EventsClonesAndUpdates) {
  CUevent events[2] = {};
  for (CUevent& e : events) ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&e, 0));
  CUgraph graph = nullptr, copy = nullptr;
  CUgraphNode record = nullptr, wait = nullptr, found = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEventRecordNode(&record, graph, nullptr, 0, events[0]));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEventWaitNode(&wait, graph, &record, 1, events[0]));
  CUevent read = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphEventRecordNodeSetEvent(record, events[1]));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphEventRecordNodeGetEvent(record, &read));
  EXPECT_EQ(events[1], read);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphEventWaitNodeSetEvent(wait, events[1]));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphEventWaitNodeGetEvent(wait, &read));
  EXPECT_EQ(events[1], read);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphClone(&copy, graph));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeFindInClone(&found, record, copy));
  EXPECT_NE(record, found);
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecEventRecordNodeSetEvent(launched, record, events[0]));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecEventWaitNodeSetEvent(launched, wait, events[0]));
  run(launched);
  EXPECT_EQ(CUDA_SUCCESS, cuEventQuery(events[0]));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroyNode(wait));
  CUgraphExecUpdateResultInfo info{};
  EXPECT_EQ(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(launched, graph, &info));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, info.result);
  CUgraphExecUpdateResult old_result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  EXPECT_EQ(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(launched, graph, &found, &old_result));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, old_result);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphExecUpdate_v2(launched, graph, nullptr));

  const std::string path = testing::TempDir() + "driver_graph.dot";
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDebugDotPrint(graph, path.c_str(), 0));
  EXPECT_EQ(0, std::remove(path.c_str()));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(copy));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  for (CUevent e : events) EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(e));
}

TEST_F(Graph, FormsOfCuda10) {
  int* const data = managed<int>(4);
  CUgraph graph = nullptr;
  CUgraphNode kernel = nullptr, empty = nullptr, error_node = reinterpret_cast<CUgraphNode>(&graph);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  scale_call arguments{data, 3};
  const CUDA_KERNEL_NODE_PARAMS_v1 params{function(scale_kernel), 1, 1, 1, 4, 1, 1, 0, arguments.pointers, nullptr};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddKernelNode(&kernel, graph, nullptr, 0, &params));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&kernel, graph, nullptr, 0, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphAddDependencies(graph, &kernel, &empty, 1));
  CUDA_KERNEL_NODE_PARAMS_v1 read[2];
  std::memset(static_cast<void*>(read), 0x5a, sizeof read);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphKernelNodeGetParams(kernel, read));
  EXPECT_EQ(params.func, read[0].func);
  EXPECT_EQ(0x5a5a5a5a5a5a5a5aULL, address(read[1].func)) << "the structure is the smaller one";
  char log[4] = "old";
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiate(&launched, graph, &error_node, log, sizeof log));
  EXPECT_EQ(nullptr, error_node);
  EXPECT_STREQ("", log);
  run(launched);
  EXPECT_EQ(3, data[3]);
  CUstream s = stream();
  EXPECT_EQ(CUDA_SUCCESS, cuStreamBeginCapture(s));
  CUgraph captured = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamEndCapture(s, &captured));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(captured));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

}  // namespace
