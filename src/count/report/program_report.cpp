// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/report/program_report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "count/gather/sites.hpp"

namespace cohort::count {

namespace {

// The properties of a launch that its occupancy depends on.
struct launch_shape {
  std::array<uint32_t, 3> grid, block, cluster;
  uint64_t static_shared, dynamic_shared;
  auto operator<=>(const launch_shape&) const = default;
};

struct kernel_counts {
  kernel_totals totals;
  std::map<launch_shape, uint64_t> launches;  // numbers of launches, by shape
};

struct program {
  std::mutex mutex;
  std::map<std::string, kernel_counts> kernels;
};

// Made at the first call, because constructors may launch kernels; never destroyed, because kernels may run during
// exit.
program& counted() {
  static program& made = *new program;
  return made;
}

constexpr const char* name_of_operation[] = {"load",       "store",      "atomic",  "reduction",
                                             "async copy", "collective", "barrier", "reduction"};
constexpr const char* name_of_space[] = {"none", "global", "shared", "cluster"};

std::array<uint32_t, 3> three(const uint32_t* values) { return {values[0], values[1], values[2]}; }

std::string named(const char* name, uint64_t value) { return "\"" + std::string(name) + "\":" + std::to_string(value); }
std::string named(const char* name, const std::string& value) {
  return "\"" + std::string(name) + "\":" + tools::quoted(value);
}
std::string named(const char* name, const std::array<uint32_t, 3>& value) {
  return "\"" + std::string(name) + "\":" + tools::json_triple(value.data());
}

std::string text_of(const launch_shape& shape, uint64_t launches) {
  return "{" + named("launches", launches) + "," + named("grid", shape.grid) + "," + named("block", shape.block) + "," +
         named("cluster", shape.cluster) + "," + named("static_shared_bytes", shape.static_shared) + "," +
         named("dynamic_shared_bytes", shape.dynamic_shared) + "}";
}

// The distance of each lane's address from the first byte of a line; null for a lane that is not active.
std::string text_of(const access_example& worst) {
  std::string text = "{" + named("excess", worst.excess) + ",\"offsets\":[";
  for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
    if (lane != 0) text += ',';
    text += worst.lanes >> lane & 1 ? std::to_string(worst.offsets[lane]) : "null";
  }
  return text + "]}";
}

std::string text_of(const known_site& site, space where, const site_totals& row) {
  std::string text = "{";
  if (!site.file.empty()) {
    text += named("file", site.file) + "," + named("line", site.line) + "," + named("column", site.column) + "," +
            named("function", tools::name_of_symbol(site.function.c_str())) + ",";
  }
  const access_sums& sums = row.sums;
  text += named("operation", std::string(name_of_operation[static_cast<size_t>(site.kind)])) + "," +
          named("requests", sums.requests) + "," + named("lanes", sums.lanes);
  if (where == space::none) return text + "}";
  text += "," + named("memory", std::string(name_of_space[static_cast<size_t>(where)])) + "," +
          named("bytes_of_lane", site.bytes) + "," + named("bytes", sums.bytes);
  if (where == space::global) {
    text += "," + named("sectors", sums.sectors) + "," + named("ideal_sectors", sums.ideal_sectors) + "," +
            named("tag_requests", sums.tags);
  }
  if (where == space::shared) {
    text += "," + named("wavefronts", sums.wavefronts) + "," + named("ideal_wavefronts", sums.ideal_wavefronts);
  }
  if (sums.distinct != 0) text += "," + named("distinct_addresses", sums.distinct);
  if (row.worst.lanes != 0) text += ",\"worst\":" + text_of(row.worst);
  return text + "}";
}

template <class Texts>
std::string list_of(const Texts& texts, const char* separator) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : separator) + text;
  return list;
}

std::string text_of(const std::string& name, const kernel_counts& counts, const std::vector<known_site>& sites) {
  // Copies of one place, as of an unrolled loop, are one row.
  std::map<std::tuple<known_site, space>, site_totals> rows;
  const std::vector<site_totals>& all = counts.totals.rows();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].sums.requests == 0) continue;
    rows[{sites[i / counted_spaces], static_cast<space>(i % counted_spaces)}].add(all[i]);
  }
  std::vector<std::string> launches, accesses;
  launches.reserve(counts.launches.size());
  for (const auto& [shape, count] : counts.launches) launches.push_back(text_of(shape, count));
  accesses.reserve(rows.size());
  for (const auto& [place, row] : rows) accesses.push_back(text_of(std::get<0>(place), std::get<1>(place), row));
  return "{" + named("kernel", name) + "," + named("counted_blocks", counts.totals.blocks) + "," +
         named("split_accesses", counts.totals.split) + ",\n  \"shapes\":[" + list_of(launches, ",\n   ") +
         "],\n  \"accesses\":[\n   " + list_of(accesses, ",\n   ") + "]}";
}

}  // namespace

void add_launch(tools::launch_view launch) {
  for (const tools::grid_view grid : launch.grids()) {
    const cohort_launch& description = grid.description();
    const cohort_kernel& kernel = grid.kernel();
    const uint32_t* cluster = description.cluster[0] ? description.cluster : kernel.cluster_dim;
    launch_shape shape = {three(description.grid), three(description.block), three(cluster), kernel.static_shared_bytes,
                          description.dynamic_shared_bytes};
    for (uint32_t& blocks : shape.cluster) blocks = std::max(blocks, 1u);
    program& all = counted();
    const std::lock_guard lock(all.mutex);
    ++all.kernels[tools::name_of_symbol(kernel.name)].launches[shape];
  }
}

void add_totals(const cohort_kernel& kernel, const kernel_totals& totals) {
  program& all = counted();
  const std::lock_guard lock(all.mutex);
  all.kernels[tools::name_of_symbol(kernel.name)].totals.add(totals);
}

std::string report_text(uint32_t blocks_for_one) {
  const std::vector<known_site> sites = known_sites();
  program& all = counted();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> texts;
  for (const auto& [name, counts] : all.kernels) texts.push_back(text_of(name, counts, sites));
  return "{\"report\":\"cohort-count\",\"version\":1," + named("blocks_for_one", blocks_for_one) + ",\"kernels\":[\n " +
         list_of(texts, ",\n ") + "]}\n";
}

}  // namespace cohort::count
