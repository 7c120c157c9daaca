; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The kernel's table states the bytes of its variables in memory.
; RUN: %cohort=cohort-module-tables,cohort-kernel-frames %s | FileCheck %s
; CHECK: @cohort.kernel.k = private global {{.*}}, [3 x i32] zeroinitializer, i32 104, ptr null, i32 0, i32 0, i32 {{[0-9]+}}, ptr null, ptr null }
define void @k() {
  %array = alloca [25 x i32]
  store volatile i32 1, ptr %array
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{}}
