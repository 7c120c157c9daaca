// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows measured with Cohort's headers: include/compat precedes the toolkit on the include path.
#include "kernels.cuh"

static_assert(sizeof(cohort::thread_group) != 0, "Cohort's header was not found first");

namespace {

OPERATION(shfl_each, int, { return g.shfl(v, (v + arg + static_cast<int>(threadIdx.x)) & 63) + 1; })

template <int Threads>
struct block_rows {
  static constexpr const char* reduce_name = Threads == 128   ? "block 128: reduce float"
                                             : Threads == 256 ? "block 256: reduce float"
                                             : Threads == 512 ? "block 512: reduce float"
                                                              : "block 1024: reduce float";
  static constexpr const char* scan_name = Threads == 128   ? "block 128: scan float"
                                           : Threads == 256 ? "block 256: scan float"
                                           : Threads == 512 ? "block 512: scan float"
                                                            : "block 1024: scan float";
  static void add(std::vector<row>& rows) {
    rows.push_back({reduce_name, "cycles", 0.75, &loop<block_group, reduce_float, Threads>});
    rows.push_back({scan_name, "cycles", 0.85, &loop<block_group, scan_float, Threads>});
  }
};

}  // namespace

std::vector<row> rows_of_cohort() {
  std::vector<row> rows = common_rows();
  block_rows<128>::add(rows);
  block_rows<256>::add(rows);
  block_rows<512>::add(rows);
  block_rows<1024>::add(rows);
  rows.push_back({"tile 64 of 992: sync", "cycles", 2.7, &loop<tile_group<64>, sync_op, 992>});
  rows.push_back({"tile 128 of 160: sync", "cycles", 3.1, &loop<tile_group<128>, sync_op, 160>});
  rows.push_back({"block 256: reduce int", "cycles", 0.75, &loop<block_group, reduce_int, 256>});
  rows.push_back({"block 1024: reduce int", "cycles", 0.86, &loop<block_group, reduce_int, 1024>});
  rows.push_back({"block 256: exclusive scan float", "cycles", 1.2, &loop<block_group, exclusive_float, 256>});
  rows.push_back({"block 256: exclusive scan int", "cycles", 0.87, &loop<block_group, exclusive_int, 256>});
  rows.push_back({"block 352: reduce float", "cycles", 2.2, &loop<block_group, reduce_float, 352>});
  rows.push_back({"block 100: scan float", "cycles", 2.5, &loop<block_group, scan_float, 100>});
  rows.push_back({"tile 64 of 1024: shfl by lane", "cycles", 0, &loop<tile_group<64>, shfl_each, 1024>, 400});
  rows.push_back({"tile 64 of 100: reduce float", "cycles", 0, &loop<tile_group<64>, reduce_float, 100>, 530});
  rows.push_back({"tile 64 of 100: scan float", "cycles", 0, &loop<tile_group<64>, scan_float, 100>, 450});
  rows.push_back({"tile 64 of 1000: reduce float", "cycles", 0, &loop<tile_group<64>, reduce_float, 1000>, 760});
  rows.push_back({"tile 64 of 1000: scan float", "cycles", 0, &loop<tile_group<64>, scan_float, 1000>, 760});
  rows.push_back({"tile 128 of 1000: scan float", "cycles", 0, &loop<tile_group<128>, scan_float, 1000>, 1290});
  return rows;
}
