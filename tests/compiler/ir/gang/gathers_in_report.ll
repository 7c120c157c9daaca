; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; --cohort-report lists the lines whose accesses gather or scatter.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK: remark: kernel 'k' runs 32 threads at once, loads gather in lines (42)
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" !dbg !7 {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %two = shl i64 %i, 1
  %from = getelementptr i32, ptr %q, i64 %two
  %a = load i32, ptr %from, !dbg !5
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!6}
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !4, emissionKind: FullDebug)
!4 = !DIFile(filename: "k.cu", directory: "/")
!5 = !DILocation(line: 42, column: 1, scope: !7)
!6 = !{i32 2, !"Debug Info Version", i32 3}
!7 = distinct !DISubprogram(name: "k", file: !4, line: 40, type: !8, unit: !3, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !9)
!9 = !{}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32", !"report"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
