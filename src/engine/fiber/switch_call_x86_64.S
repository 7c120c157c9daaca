// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kernels for x86-64, System V ABI. See kernel_call.hpp; context.inc has the words of a context.
//
// rbx and r12 to r15 hold the check value over the call and rbp holds zero. Above the return address lie the stack
// pointer that the return must leave, xor the check value, and the check value itself.

#include "context.inc"

    .set check_value, 0x5bd1e995c2b2ae35

    .text
    .p2align 8, 0x06  // an invalid instruction: an overrun may change the last byte of the return address only
    .globl cohort_kernel_start
    .hidden cohort_kernel_start
    .type cohort_kernel_start, @function
cohort_kernel_start:
    .cfi_startproc
    .cfi_personality 0x9b, DW.ref.cohort_kernel_personality
    .cfi_undefined %rip
    movq 32(%rsi), %rax
    movq 40(%rsi), %rdi
    movq 48(%rsi), %rsi
call_kernel:
    movabsq $check_value, %rbx
    movq %rbx, %r12
    movq %rbx, %r13
    movq %rbx, %r14
    movq %rbx, %r15
call_next_kernel:
    pushq %rbx
    leaq -8(%rsp), %rdx
    xorq %rbx, %rdx
    pushq %rdx
    callq *%rax
    movabsq $check_value, %rax
    movq (%rsp), %rcx
    xorq %rax, %rcx
    cmpq %rsp, %rcx
    jne damaged
    cmpq %rax, 8(%rsp)
    jne damaged
    cmpq %rax, %rbx
    jne damaged
    cmpq %rax, %r12
    jne damaged
    cmpq %rax, %r13
    jne damaged
    cmpq %rax, %r14
    jne damaged
    cmpq %rax, %r15
    jne damaged
    testq %rbp, %rbp
    jne damaged
    movq cohort_kernel_exit@gottpoff(%rip), %rdx
    movq %fs:(%rdx), %rsi
    testq %rsi, %rsi
    je land
    load_stack
    jmp *8(%rsi)
land:
    leaq 16(%rsp), %rbp
    movq %fs:24(%rdx), %rsp
    movq %fs:40(%rdx), %rdi
    callq *%fs:32(%rdx)
    movq cohort_kernel_exit@gottpoff(%rip), %rdx
    movq %rbp, %rsp
    xorl %ebp, %ebp
    movq %fs:56(%rdx), %rdi
    movq %fs:48(%rdx), %rax
    movq %fs:64(%rdx), %rsi
    jmp call_next_kernel
damaged:
    movq cohort_kernel_exit@gottpoff(%rip), %rdx
    movq %fs:8(%rdx), %rsp
    xorl %ebp, %ebp
    callq *%fs:16(%rdx)
    ud2
    .globl cohort_kernel_threw
    .hidden cohort_kernel_threw
cohort_kernel_threw:
    movq %rax, %rdi
    movq cohort_kernel_exit@gottpoff(%rip), %rax
    callq *%fs:72(%rax)
    ud2
    .cfi_endproc
    .size cohort_kernel_start, . - cohort_kernel_start
    .p2align 8, 0x06
    .globl cohort_kernel_start_end
    .hidden cohort_kernel_start_end
cohort_kernel_start_end:

// void cohort_call_kernel(context* home, void* top, entry, void** arguments, const cohort_gang* gang)
    .p2align 5
    .globl cohort_call_kernel
    .hidden cohort_call_kernel
    .type cohort_call_kernel, @function
cohort_call_kernel:
    .cfi_startproc
    save_context resume_home
    movq %rdx, %rax
    movq %rcx, %rdi
    movq %rsi, %rsp
    .cfi_undefined %rip
    movq %r8, %rsi
    xorl %ebp, %ebp
    jmp call_kernel
    .cfi_endproc
    .size cohort_call_kernel, . - cohort_call_kernel

// Resume address of a context that cohort_call_kernel saved. `ret`, because the return predictor expects its caller.
    .p2align 5
    .type resume_home, @function
resume_home:
    .cfi_startproc
    load_preserved
    ret
    .cfi_endproc
    .size resume_home, . - resume_home

    .hidden DW.ref.cohort_kernel_personality
    .weak DW.ref.cohort_kernel_personality
    .section .data.rel.local.DW.ref.cohort_kernel_personality, "awG", @progbits, DW.ref.cohort_kernel_personality, comdat
    .p2align 3
    .type DW.ref.cohort_kernel_personality, @object
    .size DW.ref.cohort_kernel_personality, 8
DW.ref.cohort_kernel_personality:
    .quad cohort_kernel_personality

    .section .note.GNU-stack,"",@progbits
