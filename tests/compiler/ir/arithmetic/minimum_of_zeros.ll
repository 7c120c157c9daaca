; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; -0 is less than +0 in min and max, unless the call ignores the signs of zeros.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define float @f(float %x, float %y) {
; CHECK-LABEL: @f(
; CHECK: [[ZEROS:%.+]] = or i32
; CHECK: [[OF_ZEROS:%.+]] = bitcast i32 [[ZEROS]] to float
; CHECK: [[EQUAL:%.+]] = fcmp oeq float %x, %y
; CHECK: %low = select i1 [[EQUAL]], float [[OF_ZEROS]], float
; CHECK: and i32
; CHECK: %high = select
; CHECK-NEXT: %any = call nsz float @llvm.minnum.f32(float %low, float %high)
  %low = call float @llvm.minnum.f32(float %x, float %y)
  %high = call float @llvm.maxnum.f32(float %x, float %y)
  %any = call nsz float @llvm.minnum.f32(float %low, float %high)
  ret float %any
}
