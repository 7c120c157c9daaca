// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the timeline for the streams of devices. A device is a process of the timeline, a stream a thread of it.
// Operations of a graph may overlap in time although they belong to one stream: a stream then has several rows (lanes).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cohort::engine {

struct stream_place {
  int device;
  uint32_t stream;  // id of the stream
};

class stream_rows {
 public:
  struct assignment {
    uint64_t process = 0;  // the row's process in the trace: this number plus that of the traced process
    uint64_t thread = 0;
    uint64_t lane = 0;
    bool is_new = false;              // the row had no event
    bool is_first_of_device = false;  // no row of the device had an event
  };
  // Assigns the row of an operation: the first lane that is free from `begin` on.
  assignment assign(stream_place at, uint64_t begin, uint64_t end);

 private:
  // The time at which the latest operation of each lane (row) of a stream ends; keys: device, stream.
  std::map<int, std::map<uint32_t, std::vector<uint64_t>>> lanes_;
};

// "stream 3", "default stream"; lanes after the first one have numbers from 2 on.
std::string row_title(stream_place at, uint64_t lane);

}  // namespace cohort::engine
