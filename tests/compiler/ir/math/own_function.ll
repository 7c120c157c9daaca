; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A user's function with the name of a mathematical one is left alone, whether defined here or in another file.
; RUN: %cohort=cohort-device-math %s | FileCheck %s
; CHECK-NOT: Sleef
define float @sinf(float %x) {
  ret float %x
}
declare float @cosf(float)
define float @f(float %x) {
  %y = call float @sinf(float %x)
  %z = call float @cosf(float %y)
  ret float %z
}
!cohort.undefined_device = !{!0}
!0 = !{!"cosf"}
