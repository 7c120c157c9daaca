; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An option that the plugin lacks ends opt with a message.
; RUN: not %cohort=cohort-facts %s 2>&1 | FileCheck %s
; CHECK: !cohort.options: operand 1 is no option of the plugin
!cohort.options = !{!0}
!0 = !{!"rdc", !"gangs=sometimes"}
