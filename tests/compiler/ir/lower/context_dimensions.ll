; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The range of a block's dimension is 1 to 1024; that of a grid's dimension begins with 1, that of an index with 0.
; RUN: %cohort=cohort-context-reads %s | FileCheck %s
declare i32 @cohort_block_dim(i32)
declare i32 @cohort_grid_dim(i32)
declare i32 @cohort_block_index(i32)
define i32 @f() {
; CHECK: !range [[BLOCK:![0-9]+]]
; CHECK: !range [[GRID:![0-9]+]]
; CHECK: !range [[INDEX:![0-9]+]]
; CHECK-DAG: [[BLOCK]] = !{i32 1, i32 1025}
; CHECK-DAG: [[GRID]] = !{i32 1, i32 -2147483648}
; CHECK-DAG: [[INDEX]] = !{i32 0, i32 -2147483648}
  %x = call i32 @cohort_block_dim(i32 0)
  %y = call i32 @cohort_grid_dim(i32 1)
  %z = call i32 @cohort_block_index(i32 2)
  %s = add i32 %x, %y
  %t = add i32 %s, %z
  ret i32 %t
}
