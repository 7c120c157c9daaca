// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/capture.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "runtime/graph/node/memory_nodes.hpp"
#include "runtime/graph/node/node_rules.hpp"
#include "runtime/graph/node/node_work.hpp"
#include "runtime/schedule/captures.hpp"

namespace cohort::runtime {

namespace {

uint64_t latest_capture_id = 0;

// All captures that have begun and not ended. Never destroyed.
std::vector<std::shared_ptr<capture>>& running() {
  static auto* const all = new std::vector<std::shared_ptr<capture>>;
  return *all;
}

class capture_place : public recorded_place {
 public:
  capture_place(std::weak_ptr<capture> owner, std::vector<graph_node*> nodes)
      : nodes(std::move(nodes)), owner_(std::move(owner)) {}
  recorder* owner() const override { return owner_.lock().get(); }
  const std::vector<graph_node*> nodes;

 private:
  std::weak_ptr<capture> owner_;
};

const std::vector<graph_node*>& nodes_of(const recorded_place_ref& place) {
  return static_cast<const capture_place&>(*place).nodes;
}

void add_missing(std::vector<graph_node*>& to, const std::vector<graph_node*>& from) {
  for (graph_node* node : from) {
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
  }
}

}  // namespace

void capture::begin(stream& origin, cudaStreamCaptureMode mode, graph* program_graph, std::vector<graph_node*> first) {
  const auto made = std::make_shared<capture>();
  made->origin_ = &origin;
  made->mode_ = mode;
  made->thread_ = std::this_thread::get_id();
  made->id_ = ++latest_capture_id;
  if (!program_graph) made->owned_ = std::make_unique<graph>();
  made->target_ = program_graph ? program_graph : made->owned_.get();
  made->frontiers_[&origin] = std::move(first);
  made->streams_.push_back(&origin);
  origin.recorder = made.get();
  running().push_back(made);
  add_capture({made.get(), mode, made->thread_});
}

// Appends the node to the stream's nodes.
void capture::follow(stream& s, graph_node& node) {
  std::vector<graph_node*>& before = frontiers_[&s];
  for (graph_node* each : before) add_edge(*each, node);
  before.assign(1, &node);
}

cudaError_t capture::record(stream& s, const operation_ref& op) {
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  if (!find_node_type(*op, &type)) {
    invalidate();
    return cudaErrorStreamCaptureUnsupported;
  }
  if (const cudaError_t error = permits_node(*target_, type); error != cudaSuccess) {
    invalidate();
    return error;
  }
  follow(s, target_->add(type, s.device, op));
  return cudaSuccess;
}

cudaError_t capture::record_allocation(stream& s, cudaMemAllocNodeParams* parameters) {
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  graph_node* node = nullptr;
  const cudaError_t error = add_allocation_node(*target_, frontiers_[&s], parameters, &node);
  if (error == cudaSuccess) follow(s, *node);
  return error;
}

cudaError_t capture::record_free(stream& s, void* memory) {
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  graph_node* node = nullptr;
  const cudaError_t error = add_free_node(*target_, memory, &node);
  if (error == cudaSuccess) follow(s, *node);
  return error;
}

recorded_place_ref capture::place(const stream& s) {
  return valid_ ? std::make_shared<capture_place>(weak_from_this(), frontiers_[&s]) : nullptr;
}

cudaError_t capture::wait(stream& s, const recorded_place_ref& place) {
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  recorder* const other = place->owner();
  if (other == this) {
    add_missing(frontiers_[&s], nodes_of(place));
    return cudaSuccess;
  }
  invalidate();
  if (!other) return cudaErrorStreamCaptureIsolation;
  other->invalidate();
  return cudaErrorStreamCaptureMerge;
}

cudaError_t capture::join(stream& s, const recorded_place_ref& place) {
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  if (s.is_legacy) {
    invalidate();
    return cudaErrorStreamCaptureImplicit;
  }
  frontiers_[&s] = nodes_of(place);
  streams_.push_back(&s);
  s.recorder = this;
  return cudaSuccess;
}

// Removes a stream that is destroyed. Without its first stream the capture is invalid. Work of any other stream counts
// as unjoined unless it is joined before the capture ends.
void capture::leave(stream& s) {
  s.recorder = nullptr;
  add_missing(departed_, frontiers_[&s]);
  frontiers_.erase(&s);
  std::erase(streams_, &s);
  if (&s != origin_) return;
  invalidate();
  finish();
}

// True if a node of another stream is not an ancestor of the first stream's next node.
bool capture::has_unjoined_work() const {
  std::unordered_set<const graph_node*> joined;
  std::vector<const graph_node*> open;
  const auto visit = [&](const std::vector<graph_node*>& nodes) {
    for (const graph_node* node : nodes) {
      if (joined.insert(node).second) open.push_back(node);
    }
  };
  visit(frontiers_.at(origin_));
  while (!open.empty()) {
    const graph_node* const node = open.back();
    open.pop_back();
    visit(node->dependencies);
  }
  const auto is_unjoined = [&](const std::vector<graph_node*>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const graph_node* node) { return !joined.contains(node); });
  };
  return is_unjoined(departed_) || std::any_of(frontiers_.begin(), frontiers_.end(),
                                               [&](const auto& entry) { return is_unjoined(entry.second); });
}

// Ends the capture. Its memory is freed with the last reference, which the caller holds.
void capture::finish() {
  for (stream* s : streams_) s->recorder = nullptr;
  remove_capture(this);
  std::erase_if(running(), [this](const auto& each) { return each.get() == this; });
}

cudaError_t capture::end(const stream& s, cudaGraph_t* made) {
  const auto kept = shared_from_this();
  if (!made && owned_) return cudaErrorInvalidValue;
  if (&s != origin_) {
    invalidate();
    return cudaErrorStreamCaptureUnmatched;
  }
  if (mode_ != cudaStreamCaptureModeRelaxed && thread_ != std::this_thread::get_id()) {
    finish();
    return cudaErrorStreamCaptureWrongThread;
  }
  const cudaError_t error = has_unjoined_work() ? cudaErrorStreamCaptureUnjoined : cudaSuccess;
  finish();
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  if (error != cudaSuccess) return error;
  static_cast<void>(owned_.release());  // the program owns the graph now
  if (made) *made = handle_of(target_);
  return cudaSuccess;
}

void capture::set_frontier(const stream& s, const std::vector<graph_node*>& nodes, bool add) {
  std::vector<graph_node*>& now = frontiers_[&s];
  if (!add) now.clear();
  add_missing(now, nodes);
}

const std::vector<cudaGraphNode_t>& capture::frontier_handles(const stream& s) {
  handles_.clear();
  for (graph_node* node : frontiers_[&s]) handles_.push_back(handle_of(node));
  return handles_;
}

}  // namespace cohort::runtime
