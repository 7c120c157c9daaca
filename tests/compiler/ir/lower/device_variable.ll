; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A device variable is addressed by integers, at the distance of the device's copy, and padding follows it.
; RUN: %cohort=cohort-device-variables %s | FileCheck %s
@v = global i32 7
; CHECK: @v = externally_initialized global <{ i32, [16 x i8] }> <{ i32 7, [16 x i8] zeroinitializer }>, section "cohort_variables"
define i32 @f() {
; CHECK-LABEL: @f(
; CHECK: [[DELTA:%.+]] = call i64 @cohort_variable_delta()
; CHECK: [[SUM:%.+]] = add i64 ptrtoint (ptr @v to i64), [[DELTA]]
; CHECK: [[P:%.+]] = inttoptr i64 [[SUM]] to ptr
; CHECK: load i32, ptr [[P]]
  %x = load i32, ptr @v
  ret i32 %x
}
; CHECK: !cohort.own = !{[[OWN:![0-9]+]]}
; CHECK: [[OWN]] = !{ptr @v, i64 4}
