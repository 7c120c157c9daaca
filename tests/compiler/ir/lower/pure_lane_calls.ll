; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call about the lanes of a gang depends on the lanes at its place: no call moves, or merges with another one.
; RUN: %cohort=cohort-pure-lane-calls %s | FileCheck %s
; CHECK: declare i32 @cohort_gang_lanes() [[HERE:#[0-9]+]]
; CHECK: declare i32 @cohort_tile_lanes(i32) [[TILE:#[0-9]+]]
; CHECK: attributes [[HERE]] = { convergent nocallback nounwind willreturn memory(inaccessiblemem: readwrite) }
; CHECK: attributes [[TILE]] = { nocallback nounwind speculatable willreturn memory(none) }
declare i32 @cohort_gang_lanes()
declare i32 @cohort_tile_lanes(i32)
