; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that retries an exchange with the value that the last try found waits for no thread.
; RUN: %cohort=cohort-spin-loops %s | FileCheck %s
; CHECK-NOT: cohort_wait_yield
define void @f(ptr %p) {
entry:
  %first = load i32, ptr %p
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %new = mul i32 %old, 3
  %pair = cmpxchg ptr %p, i32 %old, i32 %new monotonic monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
