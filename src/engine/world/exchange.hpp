// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exchange between all processes of a world, without blocking calls. It has up to four network operations: the
// records, with a little published data after them; longer published data; sizes of messages; messages.
#pragma once

#include <cohort/base/world_step.hpp>
#include <cohort/machine/cpu/world_port.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::engine {

using detail::world_step;

// The first bytes that a process sends in an exchange.
struct world_record {
  world_step step = world_step::barrier;
  uint32_t has_messages = 0;     // 1: the process has messages for single processes
  uint64_t value = 0;            // equal in all processes, except in step grid_size; see world_step
  uint64_t published_bytes = 0;  // size of data for all processes, after the record if there is room, else separate
};

// The data that a process sends in one exchange.
struct outgoing {
  std::vector<char> published;              // data for all processes
  std::vector<std::vector<char>> messages;  // index: receiving process

  bool has_messages() const;
  void clear();
};

class exchange {
 public:
  enum class outcome { in_flight, complete, lost };

  explicit exchange(const cohort_network& network);

  // Starts an exchange with `data`, which it takes and replaces by empty buffers. pre: no exchange is in flight
  outcome begin(world_record mine, outgoing& data);
  // Makes progress. `why`: the reason if the outcome is `lost`. pre: an exchange is in flight
  outcome test(std::string& why);

  // Results, valid from the completion of the exchange until the next one begins.
  world_record record_of(uint32_t process) const;
  std::string_view published_by(uint32_t process) const;
  std::string_view messages_from(uint32_t process) const;

 private:
  enum class stage { records, published, sizes, messages };

  outcome start(int error) const { return error == 0 ? outcome::in_flight : outcome::lost; }
  outcome next_operation();
  outcome gather_published();
  outcome swap_sizes();
  outcome swap_messages();
  const char* frame_of(uint32_t process) const { return frames_.data() + process * frame_bytes_; }
  size_t room() const { return frame_bytes_ - sizeof(world_record); }

  const cohort_network& network_;
  stage stage_ = stage::records;
  outgoing sending_;
  // A frame is a record followed by published data. Frames grow to the size that the data of earlier exchanges had, up
  // to a limit, so all processes compute one size.
  size_t frame_bytes_;
  size_t wanted_bytes_;
  std::vector<char> frame_, frames_;
  bool separate_ = false;                // published data was sent by a separate operation
  std::vector<size_t> bytes_, offsets_;  // size and place of each process's separate published data
  std::vector<char> separate_published_;
  std::vector<uint64_t> sizes_to_, sizes_from_;  // bytes of messages without padding
  std::vector<size_t> message_offsets_;
  std::vector<size_t> to_, from_;
  std::vector<char> packed_, messages_;
};

}  // namespace cohort::engine
