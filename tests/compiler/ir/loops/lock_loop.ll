; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that retries an exchange with a constant may wait for the thread that holds a lock.
; RUN: %cohort=cohort-spin-loops %s | FileCheck %s
; CHECK: call void @cohort_wait_yield()
define void @f(ptr %lock) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
