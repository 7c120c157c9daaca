; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A failed assertion by a function that the program itself declares ends the thread as assert() does.
; RUN: %cohort=cohort-system-calls %s | FileCheck %s
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
; CHECK: define linkonce_odr void @__assertfail(ptr %0, ptr %1, i32 %2, ptr %3, i64 %4)
; CHECK: call void @cohort_fail_assert(ptr %0, ptr %1, i32 %2, ptr %3)
; CHECK: unreachable
define void @k() {
  call void @__assertfail(ptr null, ptr null, i32 1, ptr null, i64 1)
  ret void
}
