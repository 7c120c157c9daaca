; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A fact of another form than the documented one ends opt with a message.
; RUN: not %cohort=cohort-facts %s 2>&1 | FileCheck %s
; CHECK: !cohort.kernels: operand 2 is no node
!cohort.kernels = !{!0}
!0 = !{!"k", !"k"}
