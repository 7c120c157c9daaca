// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/target/vector_target.hpp"

#include <gtest/gtest.h>

#include "analysis/cpu_features.hpp"

namespace cohort {
namespace {

TEST(FeatureList, LastWordAboutAFeatureCounts) {
  EXPECT_TRUE(enables("+avx,+avx2", "avx2"));
  EXPECT_TRUE(enables("-avx2,+avx2", "avx2"));
  EXPECT_FALSE(enables("+avx2,-avx2", "avx2"));
}

TEST(FeatureList, ComparesWholeNames) {
  EXPECT_FALSE(enables("+avx512fp16,+xavx512f", "avx512f"));
  EXPECT_FALSE(enables("avx512f", "avx512f"));
  EXPECT_FALSE(enables("", "avx512f"));
}

TEST(VectorTarget, Avx512HasWideGangs) {
  const vector_target target = vector_target_for("x86_64", "+avx2,+avx512f,+fma");
  EXPECT_EQ(target.registers.bits, 512u);
  EXPECT_EQ(target.widest_gang, 256u);
  EXPECT_EQ(target.slowdown, 1);
  EXPECT_EQ(target.stated_vector_bits, 512u);
}

TEST(VectorTarget, InstructionsForLanes) {
  const vector_target avx512 = x86_target("+avx2,+avx512f");
  EXPECT_TRUE(avx512.has_mask_registers);
  EXPECT_FALSE(avx512.broadcasts_masks);
  EXPECT_EQ(avx512.permutation, lane_permutation::avx512);
  EXPECT_TRUE(x86_target("+avx512f,+avx512cd").broadcasts_masks);
  for (const vector_target& target : {x86_target("+avx2"), x86_target(""), aarch64_target("+neon")}) {
    EXPECT_FALSE(target.has_mask_registers);
    EXPECT_FALSE(target.broadcasts_masks);
  }
  EXPECT_TRUE(avx512.gathers);
  EXPECT_TRUE(x86_target("+avx2").gathers);
  EXPECT_FALSE(x86_target("+sse4.2").gathers);
  EXPECT_FALSE(aarch64_target("+neon").gathers);
  EXPECT_EQ(x86_target("+avx2").permutation, lane_permutation::avx2);
  EXPECT_EQ(x86_target("+sse4.2").permutation, lane_permutation::in_memory);
  EXPECT_EQ(aarch64_target("+neon").permutation, lane_permutation::in_memory);
}

TEST(VectorTarget, OlderX86HasGangsOfOneWarp) {
  for (const char* features : {"", "+avx2,+fma", "+avx512f,-avx512f"}) {
    const vector_target target = vector_target_for("x86_64", features);
    EXPECT_EQ(target.registers.bits, 256u) << features;
    EXPECT_EQ(target.widest_gang, 32u) << features;
    EXPECT_EQ(target.slowdown, 2) << features;
    EXPECT_EQ(target.stated_vector_bits, 0u) << features;
  }
}

TEST(VectorTarget, Aarch64HasRegistersOfFixedWidth) {
  for (const char* features : {"+neon", "+neon,+sve2"}) {
    const vector_target target = vector_target_for("aarch64", features);
    EXPECT_EQ(target.registers.bits, 128u) << features;
    EXPECT_EQ(target.widest_gang, 32u) << features;
    EXPECT_EQ(target.stated_vector_bits, 0u) << features;
  }
  EXPECT_EQ(vector_target_for("riscv64", "+v").registers.bits, 128u);
}

// With NEON, a gang of 32 lanes has room for as many values as with AVX2.
TEST(VectorTarget, LoopsKeepEqualBytesInNeonAndAvx2) {
  const loop_registers neon = vector_target_for("aarch64", "+neon").registers;
  const loop_registers avx2 = vector_target_for("x86_64", "+avx2").registers;
  EXPECT_EQ(neon.bits * neon.count, avx2.bits * avx2.count);
}

}  // namespace
}  // namespace cohort
