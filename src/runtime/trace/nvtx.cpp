// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX's ranges and marks in the trace. Ranges that a thread pushes and pops are slices of its track.
#include "runtime/trace/nvtx.hpp"

#include <pthread.h>

#include <algorithm>
#include <cohort/machine/cpu/trace_port.hpp>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "nvtx3/nvToolsExt.h"

// Never destroyed: NVTX never frees strings, and a domain may be used after its end.
struct nvtxDomainRegistration_st {
  std::string name;
};
struct nvtxStringRegistration_st {
  std::string text;
};

namespace cohort::runtime {

const bool has_nvtx = true;

namespace {

std::string utf8(const wchar_t* text) {
  std::string result;
  const auto add = [&](uint32_t byte) { result += static_cast<char>(byte); };
  for (const std::wstring_view all = text; const wchar_t unit : all) {
    const auto c = uint32_t{static_cast<std::make_unsigned_t<wchar_t>>(unit)};
    if (c < 0x80) {
      add(c);
      continue;
    }
    if (c >= 0x10000) {
      add(0xf0 | (c >> 18 & 7));
      add(0x80 | (c >> 12 & 0x3f));
    } else if (c >= 0x800) {
      add(0xe0 | c >> 12);
    }
    add(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
    add(0x80 | (c & 0x3f));
  }
  return result;
}

std::string name_of(const nvtxEventAttributes_t* event) {
  if (!event) return "";
  const nvtxMessageValue_t& m = event->message;
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return m.ascii ? m.ascii : "";
    case NVTX_MESSAGE_TYPE_UNICODE:
      return m.unicode ? utf8(m.unicode) : "";
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return m.registered ? m.registered->text : "";
    default:
      return "";
  }
}

std::string payload_of(const nvtxEventAttributes_t& event) {
  char text[40] = "";
  const auto print = [&](const char* form, auto value) { std::snprintf(text, sizeof text, form, value); };
  switch (event.payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
      print("%llu", static_cast<unsigned long long>(event.payload.ullValue));
      break;
    case NVTX_PAYLOAD_TYPE_INT64:
      print("%lld", static_cast<long long>(event.payload.llValue));
      break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
      print("%u", event.payload.uiValue);
      break;
    case NVTX_PAYLOAD_TYPE_INT32:
      print("%d", event.payload.iValue);
      break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
      print("\"%.17g\"", event.payload.dValue);
      break;  // JSON has no infinity
    case NVTX_PAYLOAD_TYPE_FLOAT:
      print("\"%.9g\"", static_cast<double>(event.payload.fValue));
      break;
    default:
      break;
  }
  return text;
}

// The members of a JSON object for the attributes of an event.
std::string arguments_of(const nvtxEventAttributes_t* event) {
  std::string text;
  const auto add = [&](const std::string& member) { text += (text.empty() ? "" : ",") + member; };
  if (!event) return text;
  if (const std::string payload = payload_of(*event); !payload.empty()) add("\"payload\":" + payload);
  if (event->category) add("\"category\":" + std::to_string(event->category));
  if (event->colorType == NVTX_COLOR_ARGB) {
    char color[32];
    std::snprintf(color, sizeof color, "\"color\":\"#%06x\"", event->color & 0xffffff);
    add(color);
  }
  return text;
}

// The name of a range: that of its domain, then its own.
std::string full_name(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return domain ? domain->name + ": " + name_of(event) : name_of(event);
}

struct open_range {
  nvtxDomainHandle_t domain;
  uint64_t begin;
  std::string name, arguments;
};

// The ranges that have not ended. Never destroyed: destructors of static objects may begin and end ranges.
struct open_ranges {
  std::mutex mutex;
  std::map<uint64_t, std::vector<open_range>> of_threads;  // pushed ranges, the innermost last
  std::map<nvtxRangeId_t, std::string> started;            // names of ranges; any thread may end a range
  nvtxRangeId_t newest = 0;
  uint64_t threads = 0;

  // The ranges that the calling OS thread has pushed.
  std::vector<open_range>& mine() {
    thread_local uint64_t number = 0;
    if (number == 0) number = ++threads;
    return of_threads[number];
  }

  // Records a range on a track of its own. `end`: 0 if the range has not ended.
  void record(const open_range& r, uint64_t end) {
    const uint64_t id = ++newest;
    cohort_trace_range("nvtx", r.name.c_str(), r.arguments.c_str(), id, 1, r.begin);
    if (end) cohort_trace_range("nvtx", r.name.c_str(), nullptr, id, 0, end);
  }

  void record_all() {
    const std::lock_guard lock(mutex);
    for (const auto& [thread, ranges] : of_threads) {
      for (const open_range& r : ranges) record(r, 0);
    }
    of_threads.clear();
  }
};

open_ranges& ranges() {
  static open_ranges& made = *[] {
    auto* const all = new open_ranges;
    std::atexit([] { ranges().record_all(); });
    pthread_atfork([] { ranges().mutex.lock(); }, [] { ranges().mutex.unlock(); }, [] { ranges().mutex.unlock(); });
    return all;
  }();
  return made;
}

int depth_in(const std::vector<open_range>& mine, nvtxDomainHandle_t domain) {
  return static_cast<int>(
      std::count_if(mine.begin(), mine.end(), [&](const open_range& r) { return r.domain == domain; }));
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

int cohort_nvtx_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  if (!cohort_trace_is_on()) return NVTX_NO_PUSH_POP_TRACKING;
  const std::lock_guard lock(ranges().mutex);
  std::vector<open_range>& mine = ranges().mine();
  mine.push_back({domain, cohort_trace_time(), full_name(domain, event), arguments_of(event)});
  return depth_in(mine, domain) - 1;
}

int cohort_nvtx_pop(nvtxDomainHandle_t domain) {
  if (!cohort_trace_is_on()) return NVTX_NO_PUSH_POP_TRACKING;
  const std::lock_guard lock(ranges().mutex);
  std::vector<open_range>& mine = ranges().mine();
  const auto found = std::find_if(mine.rbegin(), mine.rend(), [&](const open_range& r) { return r.domain == domain; });
  if (found == mine.rend()) return NVTX_NO_PUSH_POP_TRACKING;
  if (found == mine.rbegin()) {
    cohort_trace_slice("nvtx", found->name.c_str(), found->arguments.c_str(), found->begin);
  } else {
    // Not a slice of the thread's track: ranges of two domains may overlap, slices of a track may not.
    ranges().record(*found, cohort_trace_time());
  }
  mine.erase(std::next(found).base());
  return depth_in(mine, domain);
}

nvtxRangeId_t cohort_nvtx_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  if (!cohort_trace_is_on()) return 0;
  const std::string name = full_name(domain, event);
  const std::lock_guard lock(ranges().mutex);
  const nvtxRangeId_t id = ++ranges().newest;
  ranges().started[id] = name;
  cohort_trace_range("nvtx", name.c_str(), arguments_of(event).c_str(), id, 1, cohort_trace_time());
  return id;
}

void cohort_nvtx_end(nvtxRangeId_t range) {
  const std::lock_guard lock(ranges().mutex);
  const auto found = ranges().started.find(range);
  if (found == ranges().started.end()) return;
  cohort_trace_range("nvtx", found->second.c_str(), nullptr, range, 0, cohort_trace_time());
  ranges().started.erase(found);
}

void cohort_nvtx_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  if (!cohort_trace_is_on()) return;
  cohort_trace_mark("nvtx", full_name(domain, event).c_str(), arguments_of(event).c_str());
}

nvtxDomainHandle_t cohort_nvtx_domain(const char* name) {
  return cohort_trace_is_on() ? new nvtxDomainRegistration_st{name ? name : ""} : nullptr;
}

nvtxStringHandle_t cohort_nvtx_string(const char* text) {
  return cohort_trace_is_on() ? new nvtxStringRegistration_st{text ? text : ""} : nullptr;
}
