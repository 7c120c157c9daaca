; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where SLEEF is missing, a call is an error that names the package.
; RUN: not %cohort=cohort-device-math %s 2>&1 | FileCheck %s
; CHECK: device code that calls sinf() needs SLEEF: on Debian and Ubuntu, apt-get install libsleef3
declare float @sinf(float)
define float @f(float %x) {
  %y = call float @sinf(float %x)
  ret float %y
}
!cohort.options = !{!0}
!0 = !{!"math=missing"}
