// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inline PTX that cohortcc supports, compared with plain arithmetic on the thread's position.
#include <cstdint>

#include "../check.hpp"

struct seen {
  uint32_t lane, warp, warps, tid[3], ntid[3], ctaid[3], nctaid[3];
  uint32_t eq, lt, le, gt, ge;
  uint32_t sum, popc, lop, perm, bfind, brev, shifted, added_in_place;
  int32_t smaller, sign_shift;
  uint64_t wide, high, clock0, clock1, time;
};

__global__ void ask(seen* out, uint32_t a, uint32_t b) {
  __shared__ int order[96];
  seen s;
  asm("mov.u32 %0, %%laneid;" : "=r"(s.lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(s.warp));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(s.warps));
  asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%tid.y; mov.u32 %2, %%tid.z;"
      : "=r"(s.tid[0]), "=r"(s.tid[1]), "=r"(s.tid[2]));
  asm("mov.u32 %0, %%ntid.x;\n\tmov.u32 %1, %%ntid.y;\n\tmov.u32 %2, %%ntid.z;"
      : "=r"(s.ntid[0]), "=r"(s.ntid[1]), "=r"(s.ntid[2]));
  asm("mov.u32 %0, %%ctaid.x; mov.u32 %1, %%ctaid.y; mov.u32 %2, %%ctaid.z;"
      : "=r"(s.ctaid[0]), "=r"(s.ctaid[1]), "=r"(s.ctaid[2]));
  asm("mov.u32 %0, %%nctaid.x; mov.u32 %1, %%nctaid.y; mov.u32 %2, %%nctaid.z;"
      : "=r"(s.nctaid[0]), "=r"(s.nctaid[1]), "=r"(s.nctaid[2]));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(s.eq));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(s.lt));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(s.le));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(s.gt));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(s.ge));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(s.clock0)::"memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(s.clock1)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(s.time));
  asm("add.u32 %0, %1, %2;" : "=r"(s.sum) : "r"(a), "r"(b));
  asm("popc.b32 %0, %1;" : "=r"(s.popc) : "r"(a));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(s.lop) : "r"(a), "r"(b), "r"(s.lane));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(s.perm) : "r"(a), "r"(b), "r"(0x9530u));
  asm("bfind.u32 %0, %1;" : "=r"(s.bfind) : "r"(s.lane));
  asm("brev.b32 %0, %1;" : "=r"(s.brev) : "r"(a));
  asm("shl.b32 %0, %1, %2;" : "=r"(s.shifted) : "r"(a), "r"(s.lane + 20));
  asm("shr.s32 %0, %1, 40;" : "=r"(s.sign_shift) : "r"(-5));
  asm("min.s32 %0, %1, -7;" : "=r"(s.smaller) : "r"(static_cast<int>(s.lane)));
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(s.wide) : "r"(a), "r"(b));
  asm("mul.hi.u64 %0, %1, %2;"
      : "=l"(s.high)
      : "l"(static_cast<uint64_t>(a) << 32), "l"(static_cast<uint64_t>(b) << 32));
  s.added_in_place = a;
  asm("add.u32 %0, %0, %1; // twice\n add.u32 %0, %0, %1;" : "+r"(s.added_in_place) : "r"(b));
  const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  order[rank] = rank;
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("" ::: "memory");
  if (order[95 - rank] != 95 - rank) s.lane = 1000;
  out[rank + 96 * (blockIdx.x + gridDim.x * blockIdx.y)] = s;
}

static uint32_t byte_of(uint64_t bytes, uint32_t choice) {
  const uint8_t byte = static_cast<uint8_t>(bytes >> (8 * (choice & 7)));
  return choice & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}

int main() {
  const dim3 grid(3, 2), block(8, 4, 3);
  const uint32_t a = 0x80c3a541u, b = 0x12345678u;
  seen* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 6 * 96 * sizeof *out));
  ask<<<grid, block>>>(out, a, b);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 6 * 96; ++i) {
    const seen& s = out[i];
    const unsigned rank = i % 96, lane = rank % 32, blk = i / 96;
    expect_equal(s.lane, lane, "laneid", i);
    expect_equal(s.warp, rank / 32, "warpid", i);
    expect_equal(s.warps, 3u, "nwarpid", i);
    expect_equal(s.tid[0], rank % 8, "tid.x", i);
    expect_equal(s.tid[1], rank / 8 % 4, "tid.y", i);
    expect_equal(s.tid[2], rank / 32, "tid.z", i);
    expect_equal(s.ntid[0] * 100 + s.ntid[1] * 10 + s.ntid[2], 843u, "ntid", i);
    expect_equal(s.ctaid[0], blk % 3, "ctaid.x", i);
    expect_equal(s.ctaid[1], blk / 3, "ctaid.y", i);
    expect_equal(s.ctaid[2], 0u, "ctaid.z", i);
    expect_equal(s.nctaid[0] * 100 + s.nctaid[1] * 10 + s.nctaid[2], 321u, "nctaid", i);
    uint32_t lt = 0;
    for (unsigned l = 0; l < lane; ++l) lt |= 1u << l;
    expect_equal(s.eq, 1u << lane, "lanemask_eq", i);
    expect_equal(s.lt, lt, "lanemask_lt", i);
    expect_equal(s.le, lt | 1u << lane, "lanemask_le", i);
    expect_equal(s.gt, ~(lt | 1u << lane), "lanemask_gt", i);
    expect_equal(s.ge, ~lt, "lanemask_ge", i);
    expect_equal(s.clock1 >= s.clock0 && s.clock0 != 0, true, "clock64", i);
    expect_equal(s.time != 0, true, "globaltimer", i);
    expect_equal(s.sum, a + b, "add", i);
    unsigned ones = 0;
    for (unsigned bit = 0; bit < 32; ++bit) ones += a >> bit & 1;
    expect_equal(s.popc, ones, "popc", i);
    expect_equal(s.lop, a ^ b ^ lane, "lop3", i);
    const uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
    expect_equal(s.perm, byte_of(bytes, 0) | byte_of(bytes, 3) << 8 | byte_of(bytes, 5) << 16 | byte_of(bytes, 9) << 24,
                 "prmt", i);
    uint32_t top = ~0u;
    for (unsigned bit = 0; bit < 32; ++bit) top = lane >> bit & 1 ? bit : top;
    expect_equal(s.bfind, top, "bfind", i);
    uint32_t reversed = 0;
    for (unsigned bit = 0; bit < 32; ++bit) reversed |= (a >> bit & 1) << (31 - bit);
    expect_equal(s.brev, reversed, "brev", i);
    expect_equal(s.shifted, lane + 20 > 31 ? 0u : a << (lane + 20), "shl", i);
    expect_equal(s.sign_shift, -1, "shr.s32", i);
    expect_equal(s.smaller, -7, "min.s32", i);
    expect_equal(s.wide, static_cast<uint64_t>(a) * b, "mul.wide", i);
    expect_equal(s.high, static_cast<uint64_t>(a) * b, "mul.hi", i);
    expect_equal(s.added_in_place, a + b + b, "in and out", i);
  }
  return result();
}
