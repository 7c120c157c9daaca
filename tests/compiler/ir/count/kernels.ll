; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel needs a second use besides its entry, or the optimizer would load its arguments' targets in the entry.
; RUN: %cohort=cohort-keep-kernels %s | FileCheck %s
; CHECK: @llvm.compiler.used = {{.*}}[ptr @k]
define internal void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define internal void @g() {
  ret void
}
define void @cohort.thread.k(ptr %arguments) {
  %p = load ptr, ptr %arguments
  call void @k(ptr %p)
  ret void
}
!cohort.options = !{!0}
!0 = !{!"count"}
