; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that only tries to wait for a phase of an mbarrier becomes one wait. One that counts its tries, or reads another
; word, may end before the phase does and yields.
; RUN: %cohort=cohort-spin-loops %s | FileCheck %s
declare i32 @cohort_wait_mbarrier(ptr, i32, i32)
define void @f(ptr %word) {
; CHECK-LABEL: @f(
; CHECK: call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 1)
; CHECK-NOT: cohort_wait_yield
entry:
  br label %test
test:
  %now = load atomic i64, ptr %word monotonic, align 8
  %over = icmp slt i64 %now, 0
  br i1 %over, label %end, label %try
try:
  %waited = call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
  %done = icmp ne i32 %waited, 0
  br i1 %done, label %end, label %test
end:
  ret void
}
define void @counts(ptr %word) {
; CHECK-LABEL: @counts(
; CHECK: call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
; CHECK: call void @cohort_wait_yield
entry:
  br label %try
try:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %waited = call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
  %done = icmp ne i32 %waited, 0
  br i1 %done, label %end, label %more
more:
  %next = add i32 %i, 1
  %now = load atomic i64, ptr %word monotonic, align 8
  %over = icmp slt i64 %now, 0
  %last = icmp eq i32 %next, 1000
  %stop = or i1 %over, %last
  br i1 %stop, label %end, label %try
end:
  ret void
}
define void @reads(ptr %word, ptr %flag) {
; CHECK-LABEL: @reads(
; CHECK: call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
; CHECK: call void @cohort_wait_yield
entry:
  br label %try
try:
  %waited = call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
  %done = icmp ne i32 %waited, 0
  br i1 %done, label %end, label %more
more:
  %stop = load volatile i32, ptr %flag
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %end, label %try
end:
  ret void
}
