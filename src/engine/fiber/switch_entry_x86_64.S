// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of waits for callers that preserve no registers: clang's preserve_none convention passes the first five
// arguments in r12..r15 and rdi, the System V ABI in rdi, rsi, rdx, rcx and r8.

    .macro begin_entry name
    .p2align 4
    .globl \name
    .type \name, @function
\name:
    .cfi_startproc
    .endm

    .macro end_entry name
    .cfi_endproc
    .size \name, . - \name
    .endm

    // Entry with four arguments, which moves them to the registers of the System V ABI. The target is a hidden function
    // that only this file calls.
    .macro light_entry name, target
    .hidden \target
    begin_entry \name
    movq %r12, %rdi
    movq %r13, %rsi
    movq %r14, %rdx
    movq %r15, %rcx
    jmp \target
    end_entry \name
    .endm

    // Entry with one argument, which moves from r12 to rdi. The target has other callers, so it is called through the
    // PLT.
    .macro light_gang_entry name, target
    begin_entry \name
    movq %r12, %rdi
    jmp \target@PLT
    end_entry \name
    .endm

    .text
    light_entry cohort_wait_warp_light, cohort_wait_warp_unsaved
    light_entry cohort_wait_team_light, cohort_wait_team_unsaved
    light_entry cohort_gang_wait_block_light, cohort_gang_wait_block_unsaved
    light_gang_entry cohort_gang_wait_cluster_light, cohort_gang_wait_cluster
    light_gang_entry cohort_gang_wait_grid_light, cohort_gang_wait_grid
    light_gang_entry cohort_gang_wait_multi_grid_light, cohort_gang_wait_multi_grid

    begin_entry cohort_gang_wait_team_light
    movq %rdi, %r8
    movq %r12, %rdi
    movq %r13, %rsi
    movq %r14, %rdx
    movq %r15, %rcx
    jmp cohort_gang_wait_team@PLT
    end_entry cohort_gang_wait_team_light

    .section .note.GNU-stack,"",@progbits
