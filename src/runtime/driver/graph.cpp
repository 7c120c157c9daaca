// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and the capture of streams, by the runtime API's calls. The handles are the runtime's.
#include "runtime/driver/call.hpp"

namespace {

cudaGraphEdgeData* data_of(CUgraphEdgeData* data) { return reinterpret_cast<cudaGraphEdgeData*>(data); }
const cudaGraphEdgeData* data_of(const CUgraphEdgeData* data) {
  return reinterpret_cast<const cudaGraphEdgeData*>(data);
}
cudaStreamCaptureMode mode_of(CUstreamCaptureMode mode) { return static_cast<cudaStreamCaptureMode>(mode); }

}  // namespace

using namespace cohort::runtime;

extern "C" {

CUresult cuGraphCreate(CUgraph* made, unsigned int flags) {
  return runtime_call([&] { return cudaGraphCreate(made, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return runtime_call([&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* made, CUgraph original) {
  return runtime_call([&] { return cudaGraphClone(made, original); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
  return runtime_call([&] { return cudaGraphNodeFindInClone(found, original, clone); });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return runtime_call([&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return runtime_call([&] {
    return converted<cudaGraphNodeType>(type, [&](cudaGraphNodeType* t) { return cudaGraphNodeGetType(node, t); });
  });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
  return runtime_call([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return runtime_call([&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return runtime_call([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data, size_t* count) {
  return runtime_call([&] { return cudaGraphGetEdges(graph, from, to, data_of(data), count); });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data, size_t* count) {
  return runtime_call([&] { return cudaGraphNodeGetDependencies(node, nodes, data_of(data), count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data, size_t* count) {
  return runtime_call([&] { return cudaGraphNodeGetDependentNodes(node, nodes, data_of(data), count); });
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* data, size_t count) {
  return runtime_call([&] { return cudaGraphAddDependencies(graph, from, to, data_of(data), count); });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* data, size_t count) {
  return runtime_call([&] { return cudaGraphRemoveDependencies(graph, from, to, data_of(data), count); });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* made, CUgraph graph, CUcontext context,
                                        unsigned int value, unsigned int flags) {
  return in_context(context, [&] {
    return converted<cudaGraphConditionalHandle>(made, [&](cudaGraphConditionalHandle* handle) {
      return cudaGraphConditionalHandleCreate(handle, graph, value, flags);
    });
  });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return on_device_call(device, [&] {
    return to_result(cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value));
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return on_device_call(device, [&] {
    return to_result(cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value));
  });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return on_device_call(device, [&] { return to_result(cudaDeviceGraphMemTrim(device)); });
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return runtime_call([&] { return cudaStreamBeginCapture(stream, mode_of(mode)); });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* data, size_t count, CUstreamCaptureMode mode) {
  return runtime_call(
      [&] { return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, data_of(data), count, mode_of(mode)); });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* made) {
  return runtime_call([&] { return cudaStreamEndCapture(stream, made); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return runtime_call([&] {
    return converted<cudaStreamCaptureStatus>(
        status, [&](cudaStreamCaptureStatus* s) { return cudaStreamIsCapturing(stream, s); });
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, const CUgraphEdgeData** data, size_t* count) {
  return runtime_call([&] {
    return converted<cudaStreamCaptureStatus>(status, [&](cudaStreamCaptureStatus* s) {
      return converted<unsigned long long>(id, [&](unsigned long long* number) {
        return cudaStreamGetCaptureInfo(stream, s, number, graph, dependencies,
                                        reinterpret_cast<const cudaGraphEdgeData**>(data), count);
      });
    });
  });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* data,
                                              size_t count, unsigned int flags) {
  return runtime_call(
      [&] { return cudaStreamUpdateCaptureDependencies(stream, dependencies, data_of(data), count, flags); });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return ready_call([&] {
    return to_result(converted<cudaStreamCaptureMode>(
        mode, [](cudaStreamCaptureMode* m) { return cudaThreadExchangeStreamCaptureMode(m); }));
  });
}

}  // extern "C"
