// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contradictions.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "timing.hpp"

namespace bench {

namespace {

std::string formatted(const char* format, double a, double b, const std::string& name) {
  char text[256];
  std::snprintf(text, sizeof text, format, a, b, name.c_str());
  return text;
}

std::map<std::string, std::vector<double>> medians_by_quantity(const std::vector<measured_row>& rows) {
  std::map<std::string, std::vector<double>> all;
  for (const measured_row& r : rows) {
    for (size_t i = 0; i < r.peers.size(); ++i) {
      const std::string& quantity = r.spec.peers[i].quantity;
      if (!quantity.empty() && !r.peers[i].empty()) all[quantity].push_back(median(r.peers[i]));
    }
  }
  return all;
}

std::string contradiction_of(const measured_row& row, const std::map<std::string, std::vector<double>>& known) {
  for (size_t i = 0; i < row.peers.size(); ++i) {
    if (row.peers[i].empty()) continue;
    const peer_spec& peer = row.spec.peers[i];
    const double theirs = median(row.peers[i]);
    if (!peer.quantity.empty()) {
      const double others = median(known.at(peer.quantity));
      if (theirs > others * contradiction_factor || others > theirs * contradiction_factor) {
        return formatted("its peer measures %.3g, other rows %.3g: %s", theirs, others, peer.quantity);
      }
    }
    if (median(row.ours) < peer.lowest_ratio * theirs) {
      return formatted("it measures %.3g, its peer %.3g, but it contains the peer's work: %s", median(row.ours), theirs,
                       peer.name);
    }
  }
  return "";
}

}  // namespace

std::vector<contradiction> find_contradictions(const std::vector<measured_row>& rows) {
  const auto known = medians_by_quantity(rows);
  std::vector<contradiction> found;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].failure.empty()) continue;
    std::string text = contradiction_of(rows[i], known);
    if (!text.empty()) found.push_back({i, std::move(text)});
  }
  return found;
}

}  // namespace bench
