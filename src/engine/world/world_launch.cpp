// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/world_launch.hpp"

#include <cohort/base/cuda_error.hpp>
#include <cstring>

namespace cohort::engine {

namespace {

// FNV-1a over what must be equal in all processes.
class shape_hash {
 public:
  void add(const void* bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      value_ = (value_ ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
    }
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

uint64_t hash_of(const cohort_launch& l) {
  shape_hash h;
  if (l.kernel->name) h.add(l.kernel->name, std::strlen(l.kernel->name));
  h.add(l.grid, sizeof l.grid);
  h.add(l.block, sizeof l.block);
  h.add(l.cluster, sizeof l.cluster);
  h.add(&l.dynamic_shared_bytes, sizeof l.dynamic_shared_bytes);
  return h.value();
}

}  // namespace

int begin_world_launch(cohort_world& w, const cohort_launch& launch, int refused) {
  if (refused) return refuse_launch(w, refused);
  ++w.launches;
  w.collected.clear();
  return agree(w, world_step::launch, hash_of(launch));
}

}  // namespace cohort::engine
