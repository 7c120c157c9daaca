; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that only tries to wait for a phase of an mbarrier becomes one wait. A loop that counts its tries, or reads
; another word, may end before the phase does, so it yields.
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
; The result passes through a phi of both ways on which the phase is complete.
define void @joined(ptr %word) {
; CHECK-LABEL: @joined(
; CHECK: call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 1)
; CHECK-NOT: cohort_wait_yield
entry:
  br label %test
test:
  %now = load atomic i64, ptr %word monotonic, align 8
  %over = icmp slt i64 %now, 0
  br i1 %over, label %join, label %try
try:
  %waited = call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
  %passed = icmp ne i32 %waited, 0
  br label %join
join:
  %done = phi i1 [ true, %test ], [ %passed, %try ]
  %word_of = zext i1 %done to i32
  %again = icmp eq i32 %word_of, 0
  br i1 %again, label %test, label %end
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
; The loop may end although the wait has failed.
define void @gives_up(ptr %word, i1 %blocking) {
; CHECK-LABEL: @gives_up(
; CHECK: call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
; CHECK: call void @cohort_wait_yield
entry:
  br label %test
test:
  %now = load atomic i64, ptr %word monotonic, align 8
  %over = icmp slt i64 %now, 0
  br i1 %over, label %end, label %try
try:
  %waited = call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
  %failed = icmp eq i32 %waited, 0
  %again = and i1 %failed, %blocking
  br i1 %again, label %test, label %end
end:
  ret void
}
; Not each iteration of the loop waits.
define void @leader_tries(ptr %word, i1 %leads) {
; CHECK-LABEL: @leader_tries(
; CHECK: call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
; CHECK: call void @cohort_wait_yield
entry:
  br label %test
test:
  %now = load atomic i64, ptr %word monotonic, align 8
  %over = icmp slt i64 %now, 0
  br i1 %over, label %end, label %more
more:
  br i1 %leads, label %try, label %next
try:
  %waited = call i32 @cohort_wait_mbarrier(ptr %word, i32 0, i32 0)
  br label %next
next:
  br label %test
end:
  ret void
}
