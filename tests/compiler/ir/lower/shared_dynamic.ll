; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An extern __shared__ array is the block's dynamic shared memory.
; RUN: %cohort=cohort-shared-variables %s | FileCheck %s
@memory = external global [0 x float]
define void @k() {
; CHECK-NOT: @memory
; CHECK: [[P:%.+]] = call ptr @cohort_dynamic_shared()
; CHECK: store float 1.000000e+00, ptr [[P]]
  store float 1.0, ptr @memory
  ret void
}
!cohort.dynamic_shared = !{!0}
!0 = !{!"memory"}
