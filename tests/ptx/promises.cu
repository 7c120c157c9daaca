// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small kernels with promises about their PTX. check_promises.py reads the lines that begin with "// PTX": a word after
// + must occur, after "+3*" three times; a word after - must not. A word between slashes is a regular expression.
// `loop` is any loop; copy_loop_4x16 is a loop that accesses memory by four cp.async of 16 bytes and nothing else.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>

namespace cg = cooperative_groups;

template <unsigned Size>
__device__ auto tile_of() {
  return cg::tiled_partition<Size>(cg::this_thread_block());
}

// One instruction reduces integers, with any operator object.
// PTX reduce_int: +1*redux.sync.add.s32 -shfl -bra -.local
extern "C" __global__ void reduce_int(int* v) {
  const cg::plus<int> add{};
  v[threadIdx.x] = cg::reduce(tile_of<32>(), v[threadIdx.x], add);
}
// PTX reduce_unsigned_max: +1*redux.sync.max.u32 -shfl -bra
extern "C" __global__ void reduce_unsigned_max(unsigned* v) {
  v[threadIdx.x] = cg::reduce(tile_of<32>(), v[threadIdx.x], cg::greater<unsigned>());
}
// PTX reduce_short_min: +1*redux.sync.min.s32 -shfl -bra
extern "C" __global__ void reduce_short_min(short* v) {
  v[threadIdx.x] = cg::reduce(tile_of<32>(), v[threadIdx.x], cg::less<short>());
}
// PTX reduce_wide_add: +3*redux.sync.add -shfl -bra
extern "C" __global__ void reduce_wide_add(long long* v) {
  v[threadIdx.x] = cg::reduce(tile_of<32>(), v[threadIdx.x], cg::plus<long long>());
}
// PTX reduce_wide_xor: +2*redux.sync.xor.b32 -shfl -bra
extern "C" __global__ void reduce_wide_xor(unsigned long long* v) {
  v[threadIdx.x] = cg::reduce(tile_of<32>(), v[threadIdx.x], cg::bit_xor<unsigned long long>());
}
// PTX reduce_wide_min: +1*redux.sync.min.s32 +1*redux.sync.min.u32 -shfl -bra
extern "C" __global__ void reduce_wide_min(long long* v) {
  v[threadIdx.x] = cg::reduce(tile_of<32>(), v[threadIdx.x], cg::less<long long>());
}
// PTX reduce_coalesced: +1*redux.sync.add.s32 -shfl -bra
extern "C" __global__ void reduce_coalesced(int* v) {
  v[threadIdx.x] = cg::reduce(cg::coalesced_threads(), v[threadIdx.x], cg::plus<int>());
}

// Arithmetic, not a loop, turns ranks into lanes.
// PTX shuffle_coalesced: +1*shfl.sync.idx -loop -.local
extern "C" __global__ void shuffle_coalesced(int* v, int rank) {
  v[threadIdx.x] = cg::coalesced_threads().shfl(v[threadIdx.x], rank);
}
// PTX ballot_coalesced: +1*redux.sync.or.b32 -loop -bra
extern "C" __global__ void ballot_coalesced(unsigned* v) {
  v[threadIdx.x] = cg::coalesced_threads().ballot(v[threadIdx.x] > 3);
}
// PTX match_coalesced: +1*match.any.sync.b32 -loop -bra
extern "C" __global__ void match_coalesced(unsigned* v) {
  v[threadIdx.x] = cg::coalesced_threads().match_any(v[threadIdx.x]);
}
// PTX reduce_coalesced_float: +10*shfl.sync.idx -loop -.local
extern "C" __global__ void reduce_coalesced_float(float* v) {
  v[threadIdx.x] = cg::reduce(cg::coalesced_threads(), v[threadIdx.x], cg::plus<float>());
}
// PTX scan_coalesced_float: +9*shfl.sync.idx -loop -.local
extern "C" __global__ void scan_coalesced_float(float* v) {
  v[threadIdx.x] = cg::inclusive_scan(cg::coalesced_threads(), v[threadIdx.x], cg::plus<float>());
}
// PTX cut_coalesced: -loop -.local
extern "C" __global__ void cut_coalesced(unsigned* v) {
  v[threadIdx.x] = cg::tiled_partition(cg::coalesced_threads(), 4).meta_group_rank();
}

// A tile of a warp has a constant mask, and a shuffle of it is one instruction.
// PTX shuffle_tile: +1*shfl.sync.idx -bra -.local -setp -selp
extern "C" __global__ void shuffle_tile(int* v, int rank) { v[threadIdx.x] = tile_of<32>().shfl(v[threadIdx.x], rank); }
// PTX vote_tile: +1*vote.sync -bra -.local
extern "C" __global__ void vote_tile(unsigned* v) { v[threadIdx.x] = tile_of<32>().ballot(v[threadIdx.x] > 3); }

// Tiles above a warp have hardware barriers of their own; a vote is one barrier.
// PTX sync_128: +1*/barrier\.sync\s%r\d+,\s128;/ -.local -atom -ld.
extern "C" __global__ void sync_128() { tile_of<128>().sync(); }
// PTX any_256: +barrier.red.popc.u32 -.local -atom -ld.shared
extern "C" __global__ void any_256(int* v) { v[threadIdx.x] = tile_of<256>().any(v[threadIdx.x] > 3); }

// A shuffle of a tile of 64 publishes the values of its lanes with one fence, and then polls the other warp's tag
// alone. If all lanes request one rank, it polls a value and its tag.
// PTX shuffle_64: +1*fence.acq_rel.cta +1*match.all.sync +1*ld.acquire.cta.shared.u64 +1*ld.acquire.cta.shared.u32 -.local
extern "C" __global__ void shuffle_64(int* v) { v[threadIdx.x] = tile_of<64>().shfl(v[threadIdx.x], v[threadIdx.x]); }

// The barriers of other groups are single instructions as well.
// PTX sync_tile: +1*bar.warp.sync -bra -.local -ld.
extern "C" __global__ void sync_tile() { tile_of<16>().sync(); }
// PTX sync_block: +1*barrier.sync -bra -.local -ld.
extern "C" __global__ void sync_block() { cg::this_thread_block().sync(); }
// PTX sync_cluster: +1*barrier.cluster.arrive +1*barrier.cluster.wait -bra -.local -ld.
extern "C" __global__ void sync_cluster() { cg::this_cluster().sync(); }

// Partitions and scans need no loop over lanes.
// PTX binary: +1*vote.sync.ballot -loop -.local
extern "C" __global__ void binary(unsigned* v) {
  v[threadIdx.x] = cg::binary_partition(tile_of<32>(), v[threadIdx.x] > 3).thread_rank();
}
// PTX labeled: +1*match.any.sync.b32 -loop -.local
extern "C" __global__ void labeled(unsigned* v) {
  v[threadIdx.x] = cg::labeled_partition(tile_of<32>(), v[threadIdx.x]).thread_rank();
}
// PTX scan_tile: +5*shfl.sync -loop -.local
extern "C" __global__ void scan_tile(float* v) { v[threadIdx.x] = cg::inclusive_scan(tile_of<32>(), v[threadIdx.x]); }
// PTX shift_coalesced: +1*shfl.sync -loop -.local
extern "C" __global__ void shift_coalesced(int* v, unsigned delta) {
  v[threadIdx.x] = cg::coalesced_threads().shfl_down(v[threadIdx.x], delta);
}
// PTX reduce_tile_8: -loop -.local
extern "C" __global__ void reduce_tile_8(int* v) {
  v[threadIdx.x] = cg::reduce(tile_of<8>(), v[threadIdx.x], cg::plus<int>());
}

// A copy uses chunks of 16 bytes, even if the type guarantees a smaller alignment. Its main loop has four of them
// without a predicate and no other access. The remaining chunks of 16, 8 or 4 bytes are copied in one place of the
// code, and single bytes at the ends in another.
// PTX copy_chars: +1*copy_loop_4x16 +7*cp.async.ca. +3*@of_ +1*ld.global. +1*ld.global.u8 +1*cp.async.commit_group -.local
// PTX copy_ints: +1*copy_loop_4x16 +7*cp.async.ca. +3*@of_ +1*ld.global. +1*ld.global.u8 +1*cp.async.commit_group -.local
extern "C" __global__ void copy_ints(const int* in, int* out, unsigned count) {
  __shared__ int buffer[1024];
  cg::memcpy_async(cg::this_thread_block(), buffer, in, count * sizeof(int));
  cg::wait(cg::this_thread_block());
  out[threadIdx.x] = buffer[threadIdx.x];
}
extern "C" __global__ void copy_chars(const char* in, char* out, unsigned bytes) {
  __shared__ alignas(16) char buffer[4096];
  cg::memcpy_async(cg::this_thread_block(), buffer, in, bytes);
  cg::wait(cg::this_thread_block());
  out[threadIdx.x] = buffer[threadIdx.x];
}
// An update of a float is one instruction.
// PTX update_float: +1*/(atom|red)\.add\S*\.f32/ -.cas -.local
extern "C" __global__ void update_float(const float* in, float* sum) {
  const cuda::atomic_ref<float, cuda::thread_scope_device> total(*sum);
  cg::reduce_update_async(tile_of<32>(), total, in[threadIdx.x], cg::plus<float>());
}
// PTX update_double: +1*/(atom|red)\.add\S*\.f64/ -.cas -.local
extern "C" __global__ void update_double(const double* in, double* sum) {
  const cuda::atomic_ref<double, cuda::thread_scope_device> total(*sum);
  cg::reduce_update_async(tile_of<32>(), total, in[threadIdx.x], cg::plus<double>());
}

// A group handle causes no memory access and no branch.
// PTX handle: -.local -st.local -ld.local -bra
extern "C" __global__ void handle(unsigned* v) {
  const cg::thread_block_tile<16> tile = tile_of<16>();
  const auto* same = &tile;
  v[threadIdx.x] = same->thread_rank() + same->meta_group_rank() + same->meta_group_size() + same->num_threads();
}
// PTX handles: -.local -st.local -ld.local -bra
extern "C" __global__ void handles(unsigned long long* v) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<128> wide = tile_of<128>();
  const cg::coalesced_group lanes = cg::coalesced_threads();
  const cg::thread_group any = lanes;
  const auto* same = &lanes;
  v[threadIdx.x] =
      block.thread_rank() + wide.meta_group_rank() + same->thread_rank() + any.size() + cg::this_grid().size();
}

// The barrier of several GPUs: one arrival at the thread's GPU, one at each GPU, and the launch variable under the name
// that the host looks up.
// PTX multi_grid_sync: +1*atom.add.release.gpu.global.u32 +19multi_device_launchEvE10descriptor +red.add.relaxed.sys.global.u32 -.local
extern "C" __global__ void multi_grid_sync() { cg::this_multi_grid().sync(); }
