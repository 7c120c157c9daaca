// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kernels for x86-64, System V ABI. See kernel_call.hpp; context.inc has the words of a context.
//
// rbx and r12 to r15 hold the check value over the call and rbp holds zero. Above the return address lie the check value
// less the stack pointer that the return must leave, and the check value itself. A weighted sum compares all of them at
// once: the weights are 16, 8, 4, 2 and 1 for the registers and 1 for the other words.
//
// kernel_exit::next is called by the instruction that calls kernels. Where it leaves for a lane that has waited, the
// return predictor then expects what that lane's kernel returns to, which saves a wrong prediction for each lane: about a
// sixth of the time of a block of 256 fibers with a barrier.

#include "engine/fiber/context.inc"

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
begin_kernel:
    movabsq $check_value, %rbx
    leaq -16(%rsp), %rdx
    subq %rbx, %rdx
    negq %rdx
    movq %rbx, %r12
    movq %rbx, %r13
    movq %rbx, %r14
    movq %rbx, %r15
    pushq %rbx
    pushq %rdx
make_call:
    callq *%rax
    movq cohort_kernel_exit@gottpoff(%rip), %rdx
    cmpq %fs:24(%rdx), %rsp
    je landed
    leaq (%r12,%rbx,2), %rcx
    leaq (%r13,%rcx,2), %rcx
    leaq (%r14,%rcx,2), %rcx
    leaq (%r15,%rcx,2), %rcx
    movabsq $check_value * 33, %rax  // modulo 2^64
    addq (%rsp), %rcx
    addq %rbp, %rcx
    addq %rsp, %rcx
    addq 8(%rsp), %rcx
    cmpq %rax, %rcx
    jne damaged
    movq %fs:(%rdx), %rsi
    testq %rsi, %rsi
    jne go_home
    movq %rsp, %rbp
    movq %fs:24(%rdx), %rsp
    movq %fs:40(%rdx), %rdi
    movq %fs:32(%rdx), %rax
    jmp make_call
landed:
    movq %rbp, %rsp
    xorl %ebp, %ebp
    movq %fs:48(%rdx), %rax
    movq %fs:56(%rdx), %rdi
    movq %fs:64(%rdx), %rsi
    jmp make_call
go_home:
    load_stack
    load_preserved
    ret
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
    jmp begin_kernel
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
