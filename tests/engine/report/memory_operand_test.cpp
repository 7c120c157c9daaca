// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of x86-64 instructions: the decoder finds the address that the assembler was given, also from compressed
// displacements.
#include "engine/report/memory_operand.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

namespace {

using cohort::engine::memory_operand;

constexpr uint64_t registers[16] = {0x100000, 0x200000, 0x300000, 0x400000, 0x500000, 0x600000, 0x700000, 0x800000,
                                    0x900000, 0xa00000, 0xb00000, 0xc00000, 0xd00000, 0xe00000, 0xf00000, 0x1000000};
constexpr uint64_t rax = registers[0], rdx = registers[2], r9 = registers[9];

// An instruction and its encoding by GNU as 2.40.
struct encoded {
  const char *text, *bytes;
};

std::optional<uint64_t> operand_of(const encoded& instruction) {
  unsigned char code[16] = {};
  std::istringstream bytes(instruction.bytes);
  bytes >> std::hex;
  unsigned byte = 0;
  for (size_t i = 0; bytes >> byte; ++i) code[i] = static_cast<unsigned char>(byte);
  return memory_operand(code, registers);
}

constexpr encoded at_64_of_rax[] = {
    {"vmovss 64(%rax), %xmm16", "62 e1 7e 08 10 40 10"},
    {"vmovsd %xmm16, 64(%rax)", "62 e1 ff 08 11 40 08"},
    {"vmovups 64(%rax), %zmm16", "62 e1 7c 48 10 40 01"},
    {"vmovaps 64(%rax), %ymm16", "62 e1 7c 28 28 40 02"},
    {"vaddps 64(%rax), %xmm16, %xmm17", "62 e1 7c 00 58 48 04"},
    {"vaddps 64(%rax){1to16}, %zmm16, %zmm17", "62 e1 7c 50 58 48 10"},
    {"vaddpd 64(%rax){1to2}, %xmm16, %xmm17", "62 e1 fd 10 58 48 08"},
    {"vaddss 64(%rax), %xmm16, %xmm17", "62 e1 7e 00 58 48 10"},
    {"vmovlps 64(%rax), %xmm16, %xmm17", "62 e1 7c 00 12 48 08"},
    {"vmovhpd %xmm16, 64(%rax)", "62 e1 fd 08 17 40 08"},
    {"vmovddup 64(%rax), %xmm16", "62 e1 ff 08 12 40 08"},
    {"vmovddup 64(%rax), %zmm16", "62 e1 ff 48 12 40 01"},
    {"vcvtsi2sdq 64(%rax), %xmm16, %xmm17", "62 e1 ff 00 2a 48 08"},
    {"{evex} vcvttss2si 64(%rax), %rcx", "62 f1 fe 08 2c 48 10"},
    {"{evex} vcvttsd2si 64(%rax), %ecx", "62 f1 7f 08 2c 48 08"},
    {"vucomisd 64(%rax), %xmm16", "62 e1 fd 08 2e 40 08"},
    {"vcvtps2pd 64(%rax), %zmm16", "62 e1 7c 48 5a 40 02"},
    {"vcvtps2pd 64(%rax){1to8}, %zmm16", "62 e1 7c 58 5a 40 10"},
    {"vcvtqq2pd 64(%rax), %zmm16", "62 e1 fe 48 e6 40 01"},
    {"vcvtdq2pd 64(%rax), %ymm16", "62 e1 7e 28 e6 40 04"},
    {"vmovd 64(%rax), %xmm16", "62 e1 7d 08 6e 40 10"},
    {"vmovq %xmm16, 64(%rax)", "62 e1 fd 08 7e 40 08"},
    {"vpinsrw $1, 64(%rax), %xmm16, %xmm17", "62 e1 7d 00 c4 48 20 01"},
    {"vpsllw 64(%rax), %zmm16, %zmm17", "62 e1 7d 40 f1 48 04"},
    {"vcvtph2ps 64(%rax), %zmm16", "62 e2 7d 48 13 40 02"},
    {"vpmovzxbd 64(%rax), %zmm16", "62 e2 7d 48 31 40 04"},
    {"vpmovsxbq 64(%rax), %zmm16", "62 e2 7d 48 22 40 08"},
    {"vpmovqw %zmm16, 64(%rax)", "62 e2 7e 48 34 40 04"},
    {"vbroadcastss 64(%rax), %zmm16", "62 e2 7d 48 18 40 10"},
    {"vbroadcastf32x4 64(%rax), %zmm16", "62 e2 7d 48 1a 40 04"},
    {"vbroadcasti64x4 64(%rax), %zmm16", "62 e2 fd 48 5b 40 02"},
    {"vpbroadcastb 64(%rax), %zmm16", "62 e2 7d 48 78 40 40"},
    {"vfmadd231sd 64(%rax), %xmm16, %xmm17", "62 e2 fd 00 b9 48 08"},
    {"vpexpandw 64(%rax), %zmm16", "62 e2 fd 48 62 40 20"},
    {"vcompresspd %zmm16, 64(%rax)", "62 e2 fd 48 8a 40 08"},
    {"vextracti32x4 $1, %zmm16, 64(%rax)", "62 e3 7d 48 39 40 04 01"},
    {"vinsertf64x4 $1, 64(%rax), %zmm16, %zmm17", "62 e3 fd 40 1a 48 02 01"},
    {"vpextrb $1, %xmm16, 64(%rax)", "62 e3 7d 08 14 40 40 01"},
    {"vrndscaless $1, 64(%rax), %xmm16, %xmm17", "62 e3 7d 00 0a 48 10 01"},
    {"vcvtps2ph $1, %zmm16, 64(%rax)", "62 e3 7d 48 1d 40 02 01"},
    {"vmovsh 64(%rax), %xmm16", "62 e5 7e 08 10 40 20"},
    {"vaddph 64(%rax){1to32}, %zmm16, %zmm17", "62 e5 7c 50 58 48 20"},
    {"vcvtdq2ph 64(%rax){1to16}, %ymm17", "62 e5 7c 58 5b 48 10"},
    {"vcvtph2pd 64(%rax), %zmm16", "62 e5 7c 48 5a 40 04"},
    {"vfmaddcsh 64(%rax), %xmm16, %xmm17", "62 e6 7e 00 57 48 10"},
    {"movaps 64(%rax), %xmm9", "44 0f 28 48 40"},
};

TEST(MemoryOperand, ScalesDisplacementOfOneByte) {
  for (const encoded& each : at_64_of_rax) EXPECT_EQ(operand_of(each), rax + 64) << each.text;
}

TEST(MemoryOperand, FindsOtherOperands) {
  EXPECT_EQ(operand_of({"vmovaps 4096(%rax), %zmm16", "62 e1 7c 48 28 40 40"}), rax + 4096);
  EXPECT_EQ(operand_of({"vmovaps -64(%rax), %zmm16", "62 e1 7c 48 28 40 ff"}), rax - 64);
  EXPECT_EQ(operand_of({"vmovaps 64(%r9,%rdx,4), %ymm1", "c4 c1 7c 28 4c 91 40"}), r9 + 4 * rdx + 64);
}

TEST(MemoryOperand, GathersHaveNoSingleAddress) {
  for (const encoded& each : {encoded{"vpgatherdd 64(%rax,%zmm1,4), %zmm16{%k1}", "62 e2 7d 49 90 44 88 10"},
                              encoded{"vpgatherqq %ymm2, 64(%rax,%ymm1,8), %ymm3", "c4 e2 ed 91 5c c8 40"},
                              encoded{"vscatterdps %zmm16, 64(%rax,%zmm1,4){%k1}", "62 e2 7d 49 a2 44 88 10"}}) {
    EXPECT_EQ(operand_of(each), std::nullopt) << each.text;
  }
}

}  // namespace
