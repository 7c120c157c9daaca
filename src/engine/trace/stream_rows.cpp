// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/trace/stream_rows.hpp"

#include <algorithm>

namespace cohort::engine {

namespace {

// Linux has no process of this number or a larger one, so the numbers of devices are unique among traces of a machine.
constexpr uint64_t processes_of_linux = uint64_t{1} << 22;
constexpr unsigned bits_of_streams = 24;  // bits of a row's number that hold the stream's id; the lane is above them

constexpr uint32_t default_stream = 1;  // cudaStreamLegacy

}  // namespace

stream_rows::assignment stream_rows::assign(stream_place at, uint64_t begin, uint64_t end) {
  const auto [device, is_first] = lanes_.try_emplace(at.device);
  std::vector<uint64_t>& ends = device->second[at.stream];
  auto free = std::find_if(ends.begin(), ends.end(), [&](uint64_t busy_until) { return busy_until <= begin; });
  const bool is_new = free == ends.end();
  if (is_new) free = ends.insert(free, 0);
  *free = end;
  const auto lane = static_cast<uint64_t>(free - ends.begin());
  return {(static_cast<uint64_t>(at.device) + 1) * processes_of_linux, at.stream + (lane << bits_of_streams), lane,
          is_new, is_first};
}

std::string row_title(stream_place at, uint64_t lane) {
  std::string title = at.stream == default_stream ? "default stream" : "stream " + std::to_string(at.stream);
  return lane == 0 ? title : title + " (" + std::to_string(lane + 1) + ")";
}

}  // namespace cohort::engine
