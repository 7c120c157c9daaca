// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of stream capture.
#include "runtime/graph/capture.hpp"
#include "runtime/graph/model/graph_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

bool is_mode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

// Finds a stream that can be captured and calls `body(stream&)` under the scheduler's lock.
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body&& body) {
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    auto held = scheduler::instance().lock();
    return body(*s);
  });
}

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode, graph* program_graph,
                  std::vector<graph_node*> first) {
  return with_stream(handle, [&](stream& s) {
    if (!is_mode(mode)) return cudaErrorInvalidValue;
    if (s.is_legacy) return cudaErrorStreamCaptureUnsupported;
    if (s.recorder) return cudaErrorIllegalState;
    capture::begin(s, mode, program_graph, std::move(first));
    return cudaSuccess;
  });
}

cudaStreamCaptureStatus status_of(const stream& s) {
  const capture* const recording = capture::of(s);
  if (!recording) return cudaStreamCaptureStatusNone;
  return recording->valid() ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
}

// The default stream cannot be captured, and a query of it during a capture of a blocking stream is an error.
cudaError_t permit_query(const stream& s) { return s.is_legacy ? permit_work_locked(s) : cudaSuccess; }

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin(stream, mode, nullptr, {});
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t target, const cudaGraphNode_t* before,
                                          const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode mode) {
  return device_call([&] {
    std::vector<graph_node*> first;
    const cudaError_t error = with_graph(target, [&](graph& g) { return read_dependencies(g, before, count, &first); });
    return error != cudaSuccess ? error : begin(stream, mode, reinterpret_cast<graph*>(target), std::move(first));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* made) {
  return with_stream(handle, [&](stream& s) {
    if (made) *made = nullptr;
    capture* const recording = capture::of(s);
    return recording ? recording->end(s, made) : cudaErrorIllegalState;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return with_stream(handle, [&](stream& s) {
    if (!status) return cudaErrorInvalidValue;
    const cudaError_t error = permit_query(s);
    if (error == cudaSuccess) *status = status_of(s);
    return error;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* target, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** data, size_t* count) {
  return with_stream(handle, [&](stream& s) {
    if (!status) return cudaErrorInvalidValue;
    if (const cudaError_t error = permit_query(s); error != cudaSuccess) return error;
    *status = status_of(s);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    capture& recording = *capture::of(s);
    const auto& handles = recording.frontier_handles(s);
    if (id) *id = recording.id();
    if (target) *target = handle_of(&recording.target());
    if (dependencies) *dependencies = handles.data();
    if (data) *data = nullptr;
    if (count) *count = handles.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* list, const cudaGraphEdgeData*,
                                                size_t count, unsigned int flags) {
  return with_stream(handle, [&](stream& s) {
    capture* const recording = capture::of(s);
    if (!recording) return cudaErrorIllegalState;
    if (!recording->valid()) return cudaErrorStreamCaptureInvalidated;
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    std::vector<graph_node*> nodes;
    const cudaError_t error = read_dependencies(recording->target(), list, count, &nodes);
    if (error != cudaSuccess) return error;
    recording->set_frontier(s, nodes, flags == cudaStreamAddCaptureDependencies);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return host_call([&] {
    if (!mode || !is_mode(*mode)) return cudaErrorInvalidValue;
    *mode = exchange_capture_mode(*mode);
    return cudaSuccess;
  });
}

}  // extern "C"
