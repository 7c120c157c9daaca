; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call for a vector becomes a call for each element.
; RUN: %cohort=cohort-device-math %s | FileCheck %s
; CHECK-COUNT-2: call float @Sleef_{{.*}}sinf1
declare <2 x float> @llvm.sin.v2f32(<2 x float>)
define <2 x float> @f(<2 x float> %x) {
  %y = call <2 x float> @llvm.sin.v2f32(<2 x float> %x)
  ret <2 x float> %y
}
