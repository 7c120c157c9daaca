// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/exchange.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <cohort/base/round_up.hpp>

namespace cohort::engine {

namespace {

constexpr size_t unit = cohort_network_unit;
constexpr size_t least_frame_bytes = 64;
// Limits of published data in frames. Longer frames would make each barrier slower; longer data is sent by an operation
// of its own.
constexpr size_t most_frame_bytes = 4096;
constexpr size_t most_bytes_of_all_frames = 64 * 1024;

constexpr size_t padded(size_t bytes) { return detail::round_up(bytes, unit); }

// Writes the offset of each process's data in a buffer with all of them; returns the sum of the sizes.
size_t sum_up(const std::vector<size_t>& bytes, std::vector<size_t>& offsets) {
  size_t sum = 0;
  for (size_t p = 0; p < bytes.size(); ++p) {
    offsets[p] = sum;
    sum += bytes[p];
  }
  return sum;
}

}  // namespace

bool outgoing::has_messages() const {
  return std::any_of(messages.begin(), messages.end(), [](const auto& m) { return !m.empty(); });
}

void outgoing::clear() {
  published.clear();
  for (auto& m : messages) m.clear();
}

exchange::exchange(const cohort_network& network)
    : network_(network),
      frame_bytes_(least_frame_bytes),
      wanted_bytes_(least_frame_bytes),
      bytes_(network.processes),
      offsets_(network.processes),
      sizes_to_(network.processes * (unit / sizeof(uint64_t))),
      sizes_from_(network.processes * (unit / sizeof(uint64_t))),
      message_offsets_(network.processes),
      to_(network.processes),
      from_(network.processes) {}

exchange::outcome exchange::begin(world_record mine, outgoing& data) {
  std::swap(sending_, data);
  data.messages.resize(sending_.messages.size());
  data.clear();
  frame_bytes_ = wanted_bytes_;
  frame_.resize(frame_bytes_);
  frames_.resize(frame_bytes_ * network_.processes);
  mine.published_bytes = sending_.published.size();
  mine.has_messages = sending_.has_messages() ? 1 : 0;
  std::memcpy(frame_.data(), &mine, sizeof mine);
  const size_t behind = std::min(sending_.published.size(), room());
  if (behind) std::memcpy(frame_.data() + sizeof mine, sending_.published.data(), behind);
  stage_ = stage::records;
  separate_ = false;
  return start(network_.gather(network_.state, frame_.data(), frames_.data(), frame_bytes_));
}

exchange::outcome exchange::test(std::string& why) {
  char text[256] = "";
  const int state = network_.test(network_.state, text, sizeof text);
  if (state == 0) return outcome::in_flight;
  const outcome next = state < 0 ? outcome::lost : next_operation();
  if (next == outcome::lost) why = text[0] ? text : "the network refused an operation";
  return next;
}

exchange::outcome exchange::next_operation() {
  if (stage_ == stage::records) {
    size_t most = 0;
    for (uint32_t p = 0; p < network_.processes; ++p) {
      bytes_[p] = record_of(p).published_bytes;
      most = std::max(most, bytes_[p]);
    }
    if (most > room()) {
      const size_t share = std::bit_floor(most_bytes_of_all_frames / network_.processes);
      const size_t limit = std::clamp(share, least_frame_bytes, most_frame_bytes);
      wanted_bytes_ = std::max(frame_bytes_, std::min(std::bit_ceil(most + sizeof(world_record)), limit));
      return gather_published();
    }
  }
  if (stage_ <= stage::published) {
    bool any = false;
    for (uint32_t p = 0; p < network_.processes; ++p) any |= record_of(p).has_messages != 0;
    return any ? swap_sizes() : outcome::complete;
  }
  if (stage_ == stage::sizes) return swap_messages();
  return outcome::complete;
}

exchange::outcome exchange::gather_published() {
  stage_ = stage::published;
  separate_ = true;
  std::vector<size_t> all(network_.processes);
  for (size_t p = 0; p < all.size(); ++p) all[p] = padded(bytes_[p]);
  separate_published_.resize(sum_up(all, offsets_));
  sending_.published.resize(all[network_.process]);
  to_ = all;
  return start(
      network_.gather_varying(network_.state, sending_.published.data(), separate_published_.data(), to_.data()));
}

exchange::outcome exchange::swap_sizes() {
  stage_ = stage::sizes;
  for (uint32_t p = 0; p < network_.processes; ++p) {
    sizes_to_[p * (unit / sizeof(uint64_t))] = p < sending_.messages.size() ? sending_.messages[p].size() : 0;
    to_[p] = from_[p] = unit;
  }
  return start(network_.swap(network_.state, sizes_to_.data(), to_.data(), sizes_from_.data(), from_.data()));
}

exchange::outcome exchange::swap_messages() {
  stage_ = stage::messages;
  packed_.clear();
  for (uint32_t p = 0; p < network_.processes; ++p) {
    const size_t words = p * (unit / sizeof(uint64_t));
    to_[p] = padded(sizes_to_[words]);
    from_[p] = padded(sizes_from_[words]);
    if (to_[p]) packed_.insert(packed_.end(), sending_.messages[p].begin(), sending_.messages[p].end());
    packed_.resize(packed_.size() + to_[p] - sizes_to_[words]);
  }
  messages_.resize(sum_up(from_, message_offsets_));
  return start(network_.swap(network_.state, packed_.data(), to_.data(), messages_.data(), from_.data()));
}

world_record exchange::record_of(uint32_t process) const {
  world_record r;
  std::memcpy(&r, frame_of(process), sizeof r);
  return r;
}

std::string_view exchange::published_by(uint32_t process) const {
  if (separate_) return {separate_published_.data() + offsets_[process], bytes_[process]};
  return {frame_of(process) + sizeof(world_record), record_of(process).published_bytes};
}

std::string_view exchange::messages_from(uint32_t process) const {
  if (stage_ != stage::messages) return {};
  return {messages_.data() + message_offsets_[process], sizes_from_[process * (unit / sizeof(uint64_t))]};
}

}  // namespace cohort::engine
