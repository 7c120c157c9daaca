; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Values that only rare sides of branches use are computed there, once for each side.
; RUN: %cohort='function(cohort-sink-cold-values)' %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NEXT: entry:
; CHECK-NEXT: %used.by.all = add i32 %x, 1
; CHECK-NEXT: br i1 %a
; CHECK: rare1:
; CHECK-NEXT: [[FIRST:%.+]] = mul i32 %x, 3
; CHECK-NEXT: [[SECOND:%.+]] = add i32 [[FIRST]], %used.by.all
; CHECK-NEXT: store i32 [[SECOND]], ptr %p
; CHECK: next:
; CHECK-NEXT: %loaded = load i32, ptr %p
; CHECK: rare2:
; CHECK-NEXT: [[FIRST:%.+]] = mul i32 %x, 3
; CHECK-NEXT: [[SECOND:%.+]] = add i32 [[FIRST]], %used.by.all
; CHECK-NEXT: br label %loop
; CHECK: store i32 [[SECOND]], ptr %p
; CHECK: often:
; CHECK-NEXT: store i32 %of.often, ptr %p
define void @f(i32 %x, ptr %p, i1 %a, i1 %b, i1 %c) {
entry:
  %first = mul i32 %x, 3
  %used.by.all = add i32 %x, 1
  %second = add i32 %first, %used.by.all
  br i1 %a, label %next, label %rare1, !prof !0
rare1:
  store i32 %second, ptr %p
  br label %next
next:
  %loaded = load i32, ptr %p
  br i1 %b, label %rare2, label %end, !prof !1
rare2:
  br label %loop
loop:
  store i32 %second, ptr %p
  store i32 %loaded, ptr %p
  br i1 %c, label %loop, label %end
end:
  %of.often = add i32 %x, 7
  br i1 %c, label %often, label %exit, !prof !2
often:
  store i32 %of.often, ptr %p
  br label %exit
exit:
  store i32 %used.by.all, ptr %p
  ret void
}
!0 = !{!"branch_weights", i32 1048575, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1048575}
!2 = !{!"branch_weights", i32 1, i32 2000}
