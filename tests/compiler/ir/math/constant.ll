; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call with a constant argument is not folded, because that would use the C library of the compiling machine.
; RUN: %cohort=cohort-device-math,instcombine %s | FileCheck %s
; CHECK: call float @Sleef_
declare float @sinf(float)
define float @f() {
  %y = call float @sinf(float 1.0)
  ret float %y
}
