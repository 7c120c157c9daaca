// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/site_totals.hpp"

namespace cohort::count {

void access_sums::add(const access_sums& more) {
  requests += more.requests;
  lanes += more.lanes;
  bytes += more.bytes;
  sectors += more.sectors;
  ideal_sectors += more.ideal_sectors;
  tags += more.tags;
  wavefronts += more.wavefronts;
  ideal_wavefronts += more.ideal_wavefronts;
  distinct += more.distinct;
}

void site_totals::add(const site_totals& more) {
  sums.add(more.sums);
  if (more.worst.excess > worst.excess) worst = more.worst;
}

void kernel_totals::add(const kernel_totals& more) {
  if (rows_.size() < more.rows_.size()) rows_.resize(more.rows_.size());
  for (size_t i = 0; i < more.rows_.size(); ++i) rows_[i].add(more.rows_[i]);
  blocks += more.blocks;
  split += more.split;
}

}  // namespace cohort::count
