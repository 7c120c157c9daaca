; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The facts of a module are written as they are read.
; RUN: %cohort=cohort-facts %s | FileCheck %s
; CHECK: !cohort.options = !{[[OPTIONS:![0-9]+]]}
; CHECK: !cohort.cpus = !{[[CPU:![0-9]+]]}
; CHECK: !cohort.kernels = !{[[KERNEL:![0-9]+]]}
; CHECK: !cohort.variables = !{[[CONSTANT:![0-9]+]], [[OWN:![0-9]+]]}
; CHECK: !cohort.dynamic_shared = !{[[SHARED:![0-9]+]]}
; CHECK-DAG: [[OPTIONS]] = !{!"rdc", !"check=race", !"arch=90", !"gangs=force=64", !"id=7f"}
; CHECK-DAG: [[CPU]] = !{!"znver5", !"+avx512f"}
; CHECK-DAG: [[KERNEL]] = !{!"_Z1k1Pl", !"k", [[PARAMETERS:![0-9]+]], i32 256, i32 2, i32 1, i32 1}
; CHECK-DAG: [[PARAMETERS]] = !{[[PAIR:![0-9]+]], [[COPY:![0-9]+]]}
; CHECK-DAG: [[PAIR]] = !{!"values", i64 16, i64 8, i64 0, i64 8}
; CHECK-DAG: [[COPY]] = !{!"reference", i64 24, i64 8}
; CHECK-DAG: [[CONSTANT]] = !{!"c", !"constant", !"visible"}
; CHECK-DAG: [[OWN]] = !{!"v"}
; CHECK-DAG: [[SHARED]] = !{!"a", !"b"}
!cohort.options = !{!0}
!cohort.cpus = !{!1}
!cohort.kernels = !{!2}
!cohort.variables = !{!3, !4}
!cohort.dynamic_shared = !{!5}
!0 = !{!"id=7f", !"gangs=force=64", !"arch=90", !"check=race", !"rdc"}
!1 = !{!"znver5", !"+avx512f"}
!2 = !{!"_Z1k1Pl", !"k", !{!{!"values", i64 16, i64 8, i64 0, i64 8}, !{!"reference", i64 24, i64 8}}, i32 256, i32 2, i32 1, i32 1}
!3 = !{!"c", !"visible", !"constant"}
!4 = !{!"v"}
!5 = !{!"b", !"a"}
