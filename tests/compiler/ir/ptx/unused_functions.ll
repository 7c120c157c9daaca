; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The device library's functions for inline PTX are removed where nothing calls them; all others become private.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
; CHECK-NOT: cohort_ptx_is_shared
; CHECK: define internal void @cohort_ptx_elect()
define linkonce_odr void @cohort_ptx_is_shared() {
  ret void
}
define linkonce_odr void @cohort_ptx_elect() {
  ret void
}
define void @k() {
  call void @cohort_ptx_elect()
  ret void
}
