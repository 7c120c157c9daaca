// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory/call_site.hpp"

#include <unwind.h>

#include <mutex>
#include <set>

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

namespace {

constexpr size_t most_frames = 16;

struct by_frames {
  bool operator()(const call_site& a, const call_site& b) const { return a.frames < b.frames; }
};

std::mutex mutex;
auto& sites = *new std::set<call_site, by_frames>;

}  // namespace

const call_site* current_call_site() {
  call_site now;
  const auto visit = [](_Unwind_Context* frame, void* list) {
    auto& frames = *static_cast<std::vector<const void*>*>(list);
    const uintptr_t at = _Unwind_GetIP(frame);
    if (at == 0 || frames.size() == most_frames) return _URC_END_OF_STACK;
    frames.push_back(reinterpret_cast<const void*>(at));
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(visit, &now.frames);
  const std::lock_guard lock(mutex);
  return &*sites.insert(std::move(now)).first;
}

std::string place_of(const call_site& site) {
  return tools::innermost_place(site.frames, reinterpret_cast<const void*>(&current_call_site));
}

}  // namespace cohort::check
