; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call of a scalar function names its vector forms, those that the CPU of the calling function allows.
; RUN: %cohort=cohort-device-math,cohort-wide-math %s | FileCheck %s
; CHECK: call float @Sleef_finz_sinf1_u10purecfma(float %x) [[FORMS:#[0-9]+]]
; CHECK: attributes [[FORMS]] = { {{.*}}"vector-function-abi-variant"="{{.*}}sinf8_u10avx2
target triple = "x86_64-unknown-linux-gnu"
declare float @sinf(float)
define float @f(float %x) "target-features"="+fma,+avx,+avx2" {
  %y = call float @sinf(float %x)
  ret float %y
}
