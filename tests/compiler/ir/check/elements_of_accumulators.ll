; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accumulators are elements of a local array. An element is checked although its own address does not escape, since the
; array's address does. An array whose address does not escape is not checked.
; RUN: %cohort=cohort-instrument-accesses %s | FileCheck %s
declare void @cohort_wait_warp(i32, ptr, ptr, ptr)
declare void @cohort_start_warpgroup_product(i32, ptr)
declare void @multiply(ptr)
define float @f(ptr %operand) {
; CHECK-LABEL: @f(
; CHECK: call void @__tsan_read4(ptr %element)
; CHECK-NEXT: load float, ptr %element
; CHECK-NOT: __tsan
; CHECK: load float, ptr %other
  %sums = alloca [4 x float]
  %private = alloca [4 x float]
  call void @multiply(ptr %sums)
  call void @cohort_wait_warp(i32 -1, ptr @cohort_start_warpgroup_product, ptr %operand, ptr null)
  %element = getelementptr [4 x float], ptr %sums, i64 0, i64 2
  %value = load float, ptr %element
  %other = getelementptr [4 x float], ptr %private, i64 0, i64 2
  %rest = load float, ptr %other
  %sum = fadd float %value, %rest
  ret float %sum
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
