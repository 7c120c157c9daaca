// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/report_text.hpp"

#include <algorithm>

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

namespace {

std::string triple(uint64_t x, uint64_t y, uint64_t z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}
std::string triple_of(const uint32_t (&v)[3]) { return triple(v[0], v[1], v[2]); }
std::string index_of(uint64_t rank, const uint32_t (&dim)[3]) {
  if (dim[0] == 0) return std::to_string(rank);
  return triple(rank % dim[0], rank / dim[0] % dim[1], rank / dim[0] / dim[1]);
}

const char* kind_of(const racing_access& a) {
  const bool writes = a.flags & is_write;
  if (a.flags & is_async_copy) return writes ? "asynchronous write" : "asynchronous read";
  if (a.flags & is_volatile) return writes ? "volatile write" : "volatile read";
  if (!(a.flags & is_strong)) return writes ? "write" : "read";
  switch (scope_of(a.flags)) {
    case scope::block:
      return writes ? "atomic update (block scope)" : "atomic read (block scope)";
    default:
      return writes ? "atomic update" : "atomic read";
  }
}

// The synchronisation that would have ordered the accesses of one launch.
std::string remedy_in_launch(const finding& race) {
  if (race.scopes && race.common > threads_of_grid) return "atomics of both devices: with the suffix _system";
  if (race.scopes) return "atomics of the scope of both threads: without the suffix _block";
  if (race.copies && (race.second.flags & is_async_copy) && !(race.first.flags & is_async_copy)) {
    return "a barrier between the access and the copy, or an arrival that the copying thread waits for";
  }
  if (race.copies) return "a wait for the copy, then a barrier of its readers";
  // A barrier cannot separate two executions of one statement that reads and writes a word.
  const bool is_one_update = race.plain_updates || (race.two_writes && race.one_write);
  if (is_one_update && !race.first.place.empty() && race.first.place == race.second.place) {
    return "an atomic such as atomicAdd(), in place of the read and the write";
  }
  if (race.common <= threads_of_warp) return "__syncwarp() or the tile's sync() between them";
  const uint32_t(&block)[3] = race.second.by.block;
  const bool is_part = (1u << race.common) < block[0] * block[1] * block[2];
  if (race.common < threads_of_block && is_part) return "the tile's sync() or __syncthreads() between them";
  if (race.common <= threads_of_block) return "__syncthreads() between them";
  const std::string flag = "an atomic flag with __threadfence() on both sides";
  if (race.common == threads_of_cluster) return "the cluster's sync() between them, or " + flag;
  if (race.common > threads_of_grid) {
    return "the multi-grid's sync() between them, or an atomic flag with __threadfence_system() on both sides";
  }
  return "the grid's sync() in a cooperative launch, two launches, or " + flag;
}

// The synchronisation that would have ordered all pairs of accesses.
std::string remedy(const finding& race) {
  if (!race.across_launches) return remedy_in_launch(race);
  const bool by_host = race.first.by.sort == operation_sort::host || race.second.by.sort == operation_sort::host;
  const std::string between = by_host ? "a wait of the host for the stream, an event of it, or the device"
                                      : "one stream, or an event between the streams";
  return race.in_launch ? remedy_in_launch(race) + "; between the launches, by " + between : between;
}

}  // namespace

std::string threads_of(const racing_access& a) {
  switch (a.by.sort) {
    case operation_sort::launch:
      break;
    case operation_sort::copy:
      return "a copy";
    case operation_sort::fill:
      return "a fill";
    case operation_sort::release:
      return "a free";
    case operation_sort::library:
      return "the library call " + a.by.kernel;
    case operation_sort::host_function:
      return "a host function";
    case operation_sort::host:
      return "the host";
  }
  const std::string block = " of block " + index_of(a.block, a.by.grid);
  if (a.extent == 0) return "thread " + index_of(a.thread, a.by.block) + block;
  if (a.extent == threads_of_grid) return "threads of several blocks";
  if (a.extent == threads_of_cluster) return "threads of several blocks of a cluster";
  if (a.extent == threads_of_warp)
    return "several threads of the warp from thread " + index_of(a.thread, a.by.block) + block;
  return "threads of several warps" + block;
}

std::string json_shape(const racing_access& a) {
  if (a.by.sort != operation_sort::launch) return "";
  return ", \"grid\": " + tools::json_triple(a.by.grid) + ", \"block\": " + tools::json_triple(a.by.block);
}

std::string json_of(const racing_access& a, bool names_kernel) {
  std::string text = "{\"kind\": " + tools::quoted(kind_of(a)) + ", \"bytes\": " + std::to_string(a.bytes) +
                     ", \"thread\": " + tools::quoted(threads_of(a)) + ", \"place\": " + tools::quoted(a.place);
  if (names_kernel && a.by.sort == operation_sort::launch) {
    text += ", \"kernel\": " + tools::quoted(a.by.kernel) + json_shape(a);
    if (!a.submission.empty()) text += ", \"launched\": " + tools::quoted(a.submission);
  }
  return text + "}";
}

std::string title_of(const racing_access& a) {
  if (a.by.sort != operation_sort::launch) return threads_of(a);
  return "kernel " + a.by.kernel + " <<<" + triple_of(a.by.grid) + ", " + triple_of(a.by.block) + ">>>";
}

std::string line_of(const racing_access& a, bool names_kernel) {
  std::string line = std::string("  ") + kind_of(a);
  // A record counts up to 255 bytes.
  const std::string bytes = (a.bytes == 255 ? "at least " : "") + std::to_string(a.bytes);
  if (!a.is_call()) line += " of " + bytes + (a.bytes == 1 ? " byte" : " bytes");
  line += " by " + threads_of(a);
  names_kernel = names_kernel && a.by.sort == operation_sort::launch;
  if (names_kernel) line += " of kernel " + a.by.kernel;
  if (!a.place.empty()) line += ", at " + a.place;
  if (names_kernel && !a.submission.empty()) line += ",\n  launched at " + a.submission;
  return line + "\n";
}

namespace {

std::string title_of(const finding& race) {
  if (race.same_launch) return "race in " + title_of(race.second);
  return "race between " + title_of(race.first) + " and " + title_of(race.second);
}

// The kernel of the later side, or of the earlier side if the later one is no kernel.
const std::string& kernel_of(const finding& race) {
  return race.second.by.kernel.empty() ? race.first.by.kernel : race.second.by.kernel;
}

}  // namespace

void finding::cover(const finding& other) {
  count += other.count;
  in_launch = in_launch || other.in_launch;
  across_launches = across_launches || other.across_launches;
  scopes = scopes && other.scopes;
  copies = copies || other.copies;
  plain_updates = plain_updates || other.plain_updates;
  two_writes = two_writes || other.two_writes;
  one_write = one_write || other.one_write;
  common = std::max(common, other.common);
}

std::string times(uint64_t count) { return std::to_string(count) + (count == 1 ? " time" : " times"); }

std::string text_of(const finding& race) {
  return "cohort: " + title_of(race) + ", found " + times(race.count) + "\n" + line_of(race.first, !race.same_launch) +
         line_of(race.second, !race.same_launch) + "  in " + race.location +
         "\n  nothing orders them; it would be ordered by " + remedy(race) + "\n";
}

std::string json_of(const finding& race) {
  return "{\"check\": \"race\"" + tools::json_origin() +
         ", \"title\": \"race\", \"kernel\": " + tools::quoted(kernel_of(race)) +
         ", \"count\": " + std::to_string(race.count) + ", \"first\": " + json_of(race.first, !race.same_launch) +
         ", \"second\": " + json_of(race.second, !race.same_launch) + ", \"memory\": " + tools::quoted(race.location) +
         ", \"rule\": " +
         tools::quoted("two accesses of one location, one of them a write, must be ordered; nothing orders these") +
         ", \"remedy\": " + tools::quoted(remedy(race)) + (race.same_launch ? json_shape(race.second) : "") + "}\n";
}

}  // namespace cohort::check
