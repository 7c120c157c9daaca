; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; --cohort-math=libm keeps the C library.
; RUN: %cohort=cohort-device-math %s | FileCheck %s
; CHECK: call float @sinf(float %x)
declare float @sinf(float)
define float @f(float %x) {
  %y = call float @sinf(float %x)
  ret float %y
}
!cohort.options = !{!0}
!0 = !{!"math=libm"}
