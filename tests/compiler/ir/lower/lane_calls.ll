; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Outside of gangs a thread runs alone: the calls return that no other lane is active, and the first lane's value is its
; own.
; RUN: %cohort=cohort-lane-calls %s | FileCheck %s
declare i32 @cohort_gang_lanes()
declare i32 @cohort_gang_first(i32)
define i32 @f(i32 %x) {
; CHECK-LABEL: @f(
; CHECK-NOT: br i1
; CHECK: ret i32 %x
; CHECK-NOT: ret
  %lanes = call i32 @cohort_gang_lanes()
  %alone = icmp eq i32 %lanes, 0
  br i1 %alone, label %one, label %many
one:
  %y = call i32 @cohort_gang_first(i32 %x)
  ret i32 %y
many:
  ret i32 %lanes
}
