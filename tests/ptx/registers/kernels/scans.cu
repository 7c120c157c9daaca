// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans, sorts and rows: by the library's collectives, and by loops of shuffles.

// Sum of an array, a tile at a time.
template <unsigned Size>
__global__ void sum_by_tile(const int* in, int n, int* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2) mine += tile.shfl_down(mine, distance);
  if (tile.thread_rank() == 0) atomicAdd(out, mine);
}

// Sum of a block in shared memory by any group.
template <class Group>
__device__ int sum_in_memory(Group group, int* memory, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int distance = static_cast<int>(group.size()) / 2; distance > 0; distance /= 2) {
    memory[rank] = value;
    group.sync();
    if (rank < distance) value += memory[rank + distance];
    group.sync();
  }
  return value;
}
__global__ void sum_by_blocks(const int* in, int n, int* out) {
  extern __shared__ int memory[];
  const auto block = cg::this_thread_block();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  mine = sum_in_memory(block, memory, mine);
  if (block.thread_rank() == 0) atomicAdd(out, mine);
}
__global__ void sum_by_tiles_of_4(const int* in, int n, int* out) {
  extern __shared__ int memory[];
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int mine = sum_in_memory(tile, memory + threadIdx.x / 4 * 4, i < n ? in[i] : 0);
  if (tile.thread_rank() == 0) out[i / 4] = mine;
}

// Dot product with two levels of tiles.
template <class T>
__global__ void dot_product(const T* a, const T* b, int n, T* out) {
  __shared__ T partial[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i] * b[i];
  mine = cg::reduce(warp, mine, cg::plus<T>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = mine;
  cg::sync(block);
  if (warp.meta_group_rank() == 0) {
    mine = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : T(0);
    mine = cg::reduce(warp, mine, cg::plus<T>());
    if (warp.thread_rank() == 0) atomicAdd(out, mine);
  }
}

// Sum of each row of a matrix.
template <unsigned Size, class T>
__global__ void row_sums(const T* in, int rows, int width, T* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (row >= rows) return;
  T mine = 0;
  for (int i = static_cast<int>(tile.thread_rank()); i < width; i += static_cast<int>(Size))
    mine += in[row * width + i];
  mine = cg::reduce(tile, mine, cg::plus<T>());
  if (tile.thread_rank() == 0) out[row] = mine;
}

// Largest element and its place, with an operator of the program.
struct place_of_value {
  float value;
  int place;
};
struct larger {
  __device__ place_of_value operator()(const place_of_value& a, const place_of_value& b) const {
    return b.value > a.value ? b : a;
  }
};
__global__ void largest(const float* in, int n, place_of_value* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  place_of_value mine{-3.4e38f, -1};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine = larger()(mine, place_of_value{in[i], i});
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const place_of_value other{warp.shfl_xor(mine.value, distance), warp.shfl_xor(mine.place, distance)};
    mine = larger()(mine, other);
  }
  if (warp.thread_rank() == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = mine;
}

// Softmax of rows, a warp for each.
__global__ void softmax_rows(const float* in, float* out, int rows, int width) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int row = static_cast<int>(blockIdx.x * warp.meta_group_size() + warp.meta_group_rank());
  if (row >= rows) return;
  const float* from = in + row * width;
  float high = -3.4e38f;
  for (int i = static_cast<int>(warp.thread_rank()); i < width; i += 32) high = fmaxf(high, from[i]);
  high = cg::reduce(warp, high, cg::greater<float>());
  float sum = 0;
  for (int i = static_cast<int>(warp.thread_rank()); i < width; i += 32) sum += expf(from[i] - high);
  sum = cg::reduce(warp, sum, cg::plus<float>());
  for (int i = static_cast<int>(warp.thread_rank()); i < width; i += 32)
    out[row * width + i] = expf(from[i] - high) / sum;
}

// Layer norm of rows, a block for each.
__global__ void normalize_rows(const float* in, const float* scale, const float* shift, float* out, int width) {
  __shared__ float sums[32];
  __shared__ float squares[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  float square = 0;
  for (unsigned i = block.thread_rank(); i < static_cast<unsigned>(width); i += block.size()) {
    const float value = in[blockIdx.x * width + i];
    sum += value;
    square += value * value;
  }
  sums[warp.meta_group_rank()] = cg::reduce(warp, sum, cg::plus<float>());
  squares[warp.meta_group_rank()] = cg::reduce(warp, square, cg::plus<float>());
  block.sync();
  sum = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0f;
  square = warp.thread_rank() < warp.meta_group_size() ? squares[warp.thread_rank()] : 0.0f;
  const float mean = cg::reduce(warp, sum, cg::plus<float>()) / width;
  const float variance = cg::reduce(warp, square, cg::plus<float>()) / width - mean * mean;
  const float factor = rsqrtf(variance + 1e-5f);
  for (unsigned i = block.thread_rank(); i < static_cast<unsigned>(width); i += block.size()) {
    out[blockIdx.x * width + i] = (in[blockIdx.x * width + i] - mean) * factor * scale[i] + shift[i];
  }
}

// Scans of tiles, by the library and by a loop.
template <unsigned Size, class T>
__global__ void scan_tiles(const T* in, T* out, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const T result = cg::inclusive_scan(tile, i < n ? in[i] : T(0), cg::plus<T>());
  if (i < n) out[i] = result;
}
template <unsigned Size>
__global__ void scan_by_loop(const int* in, int* out, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int mine = i < n ? in[i] : 0;
  for (unsigned distance = 1; distance < Size; distance *= 2) {
    const int other = tile.shfl_up(mine, distance);
    if (tile.thread_rank() >= distance) mine += other;
  }
  if (i < n) out[i] = mine;
}

// A scan of a block through the totals of its warps.
__global__ void scan_blocks(const unsigned* in, unsigned* out, unsigned* totals, int n) {
  __shared__ unsigned sums[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned value = i < n ? in[i] : 0;
  const unsigned before = cg::exclusive_scan(warp, value, cg::plus<unsigned>());
  if (warp.thread_rank() == 31) sums[warp.meta_group_rank()] = before + value;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    const unsigned sum = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0;
    sums[warp.thread_rank()] = cg::exclusive_scan(warp, sum, cg::plus<unsigned>());
  }
  block.sync();
  const unsigned result = sums[warp.meta_group_rank()] + before;
  if (i < n) out[i] = result;
  if (block.thread_rank() == block.size() - 1) totals[blockIdx.x] = result + value;
}

// One pass over all blocks: a warp reads back over the states of the earlier blocks.
__global__ void look_back(const unsigned* totals, volatile unsigned long long* states, unsigned* prefixes,
                          unsigned* next) {
  __shared__ unsigned number;
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0) number = atomicAdd(next, 1u);
  block.sync();
  const int mine = static_cast<int>(number);
  if (warp.meta_group_rank() != 0) return;
  const unsigned total = totals[mine];
  if (warp.thread_rank() == 0) states[mine] = 1ull << 32 | total;
  unsigned prefix = 0;
  for (int at = mine - 1 - static_cast<int>(warp.thread_rank());; at -= 32) {
    unsigned long long state = at < 0 ? 2ull << 32 : 0;
    while (warp.any(state == 0)) {
      if (state == 0) state = states[at];
    }
    const unsigned complete = warp.ballot(state >> 32 == 2);
    const int last = complete != 0 ? __ffs(static_cast<int>(complete)) - 1 : 31;
    const unsigned value = static_cast<int>(warp.thread_rank()) <= last ? static_cast<unsigned>(state) : 0;
    prefix += cg::reduce(warp, value, cg::plus<unsigned>());
    if (complete != 0) break;
  }
  if (warp.thread_rank() == 0) {
    states[mine] = 2ull << 32 | (prefix + total);
    prefixes[mine] = prefix;
  }
}

// Bitonic sort of the elements of a tile.
template <unsigned Size>
__global__ void sort_tiles(unsigned* keys, unsigned* values, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  unsigned key = keys[i];
  unsigned value = values[i];
  const unsigned rank = tile.thread_rank();
  for (unsigned width = 2; width <= Size; width *= 2) {
    for (unsigned distance = width / 2; distance > 0; distance /= 2) {
      const unsigned other = tile.shfl_xor(key, distance);
      const unsigned other_value = tile.shfl_xor(value, distance);
      const bool takes_smaller = ((rank & width) == 0) == ((rank & distance) == 0);
      if (takes_smaller ? other < key : other > key) {
        key = other;
        value = other_value;
      }
    }
  }
  keys[i] = key;
  values[i] = value;
}

// Ranks of digits within a block: votes for each bit, counts in shared memory.
__global__ void rank_digits(const unsigned* keys, unsigned* ranks, int n, unsigned shift) {
  __shared__ unsigned counts[16][33];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + block.thread_rank());
  const unsigned digit = i < n ? keys[i] >> shift & 15u : 15u;
  unsigned peers = ~0u;
  for (unsigned bit = 0; bit < 4; ++bit) {
    const bool set = (digit >> bit & 1u) != 0;
    const unsigned votes = warp.ballot(set);
    peers &= set ? votes : ~votes;
  }
  const unsigned before = __popc(static_cast<int>(peers & ((1u << warp.thread_rank()) - 1u)));
  if (before == 0) counts[digit][warp.meta_group_rank()] = __popc(static_cast<int>(peers));
  block.sync();
  if (block.thread_rank() < 16) {
    unsigned sum = 0;
    for (unsigned w = 0; w < warp.meta_group_size(); ++w) {
      const unsigned count = counts[block.thread_rank()][w];
      counts[block.thread_rank()][w] = sum;
      sum += count;
    }
  }
  block.sync();
  if (i < n) ranks[i] = counts[digit][warp.meta_group_rank()] + before;
}

// A histogram in shared memory, with one atomic for each value of a warp.
__global__ void histogram(const unsigned char* in, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  const auto block = cg::this_thread_block();
  for (unsigned i = block.thread_rank(); i < 256; i += block.size()) local[i] = 0;
  block.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const auto same = cg::labeled_partition(cg::coalesced_threads(), static_cast<int>(in[i]));
    if (same.thread_rank() == 0) atomicAdd(local + in[i], same.size());
  }
  block.sync();
  for (unsigned i = block.thread_rank(); i < 256; i += block.size()) atomicAdd(bins + i, local[i]);
}

// A scan that begins anew at flags.
__global__ void segmented_scan(const float* in, const unsigned char* heads, float* out, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float mine = i < n ? in[i] : 0.0f;
  const unsigned flags = warp.ballot(i < n && heads[i] != 0) | 1u;
  const unsigned below = flags & (2u << warp.thread_rank()) - 1u;
  const unsigned first = 31 - __clz(static_cast<int>(below));
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const float other = warp.shfl_up(mine, distance);
    if (warp.thread_rank() >= first + distance) mine += other;
  }
  if (i < n) out[i] = mine;
}

// Runs of equal values: their values and lengths, by matches of a warp.
__global__ void run_lengths(const int* in, int n, int2* runs, unsigned* count) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int value = i < n ? in[i] : -1;
  const int before = warp.shfl_up(value, 1);
  const bool begins = i < n && (warp.thread_rank() == 0 || before != value);
  const unsigned starts = warp.ballot(begins);
  int all_equal = 0;
  warp.match_all(value, all_equal);
  if (!begins) return;
  const unsigned above = starts & ~((2u << warp.thread_rank()) - 1u);
  const int end = all_equal || above == 0 ? 32 : __ffs(static_cast<int>(above)) - 1;
  const auto active = cg::coalesced_threads();
  unsigned first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(count, active.size());
  runs[active.shfl(first, 0) + active.thread_rank()] = make_int2(value, end - static_cast<int>(warp.thread_rank()));
}

const void* const kernels[] = {
    KERNEL(sum_by_tile<2>),
    KERNEL(sum_by_tile<4>),
    KERNEL(sum_by_tile<8>),
    KERNEL(sum_by_tile<16>),
    KERNEL(sum_by_tile<32>),
    KERNEL(sum_by_blocks),
    KERNEL(sum_by_tiles_of_4),
    KERNEL(dot_product<float>),
    KERNEL(dot_product<double>),
    KERNEL(dot_product<int>),
    KERNEL(row_sums<4, float>),
    KERNEL(row_sums<8, float>),
    KERNEL(row_sums<16, float>),
    KERNEL(row_sums<32, float>),
    KERNEL(row_sums<32, int>),
    KERNEL(row_sums<8, int>),
    KERNEL(row_sums<32, long long>),
    KERNEL(row_sums<32, double>),
    KERNEL(largest),
    KERNEL(softmax_rows),
    KERNEL(normalize_rows),
    KERNEL(scan_tiles<8, int>),
    KERNEL(scan_tiles<32, int>),
    KERNEL(scan_tiles<32, float>),
    KERNEL(scan_tiles<16, double>),
    KERNEL(scan_by_loop<8>),
    KERNEL(scan_by_loop<32>),
    KERNEL(scan_blocks),
    KERNEL(look_back),
    KERNEL(sort_tiles<8>),
    KERNEL(sort_tiles<16>),
    KERNEL(sort_tiles<32>),
    KERNEL(rank_digits),
    KERNEL(histogram),
    KERNEL(segmented_scan),
    KERNEL(run_lengths),
};
