// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A capture: makes a graph of the work of one stream, and of the streams that wait for its events.
#pragma once

#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "runtime/graph/model/graph.hpp"
#include "runtime/state/recorder.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

// The scheduler's lock guards all members.
class capture : public recorder, public std::enable_shared_from_this<capture> {
 public:
  // Begins to capture `origin`. `program_graph` receives the captured nodes, which depend on `first`;
  // null: a new graph receives them.
  static void begin(stream& origin, cudaStreamCaptureMode mode, graph* program_graph, std::vector<graph_node*> first);
  // The capture of a stream; null if it is not captured.
  static capture* of(const stream& s) { return static_cast<capture*>(s.recorder); }

  cudaError_t record(stream& s, const operation_ref& op) override;
  cudaError_t record_allocation(stream& s, cudaMemAllocNodeParams* parameters) override;
  cudaError_t record_free(stream& s, void* memory) override;
  recorded_place_ref place(const stream& s) override;
  cudaError_t wait(stream& s, const recorded_place_ref& place) override;
  cudaError_t join(stream& s, const recorded_place_ref& place) override;
  void leave(stream& s) override;
  void invalidate() override { valid_ = false; }

  // Ends the capture in its first stream and writes the graph; `made` may be null if the program has the graph. An
  // error other than a wrong stream or thread ends it too.
  cudaError_t end(const stream& s, cudaGraph_t* made);

  bool valid() const { return valid_; }
  uint64_t id() const { return id_; }
  graph& target() { return *target_; }
  // Sets the frontier of `s`, the nodes that its next node depends on, or adds to it.
  void set_frontier(const stream& s, const std::vector<graph_node*>& nodes, bool add);
  // Handles of the frontier, valid until the next call.
  const std::vector<cudaGraphNode_t>& frontier_handles(const stream& s);

 private:
  void follow(stream& s, graph_node& node);
  bool has_unjoined_work() const;
  void finish();

  stream* origin_ = nullptr;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeGlobal;
  std::thread::id thread_;
  uint64_t id_ = 0;
  bool valid_ = true;
  std::unique_ptr<graph> owned_;
  graph* target_ = nullptr;
  std::unordered_map<const stream*, std::vector<graph_node*>> frontiers_;
  std::vector<graph_node*> departed_;  // the last nodes of streams that were destroyed
  std::vector<stream*> streams_;
  std::vector<cudaGraphNode_t> handles_;
};

}  // namespace cohort::runtime
