// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context switch for x86-64, System V ABI. See switch.hpp.
//
//   context:  0 rsp   8 rip   16 rbx   24 rbp   32 r12   40 r13   48 r14   56 r15
//
// rsp is the value after the return from cohort_switch. The last instruction is `jmp`, not `ret`: fibers wait
// at different places, so the return predictor, which remembers who called last, would be wrong each time.

    .text
    .p2align 6
    .globl cohort_switch
    .type cohort_switch, @function
cohort_switch:
    .cfi_startproc
    movq (%rsp), %rax
    leaq 8(%rsp), %rdx
    movq %rax, 8(%rdi)
    movq %rdx, (%rdi)
    movq %rbx, 16(%rdi)
    movq %rbp, 24(%rdi)
    movq %r12, 32(%rdi)
    movq %r13, 40(%rdi)
    movq %r14, 48(%rdi)
    movq %r15, 56(%rdi)
    movq 8(%rsi), %rax
    movq (%rsi), %rsp
    movq 16(%rsi), %rbx
    movq 24(%rsi), %rbp
    movq 32(%rsi), %r12
    movq 40(%rsi), %r13
    movq 48(%rsi), %r14
    movq 56(%rsi), %r15
    jmp *%rax
    .cfi_endproc
    .size cohort_switch, . - cohort_switch

// The first frame of a context: r12 holds the entry, r13 its argument. It has no caller, which the
// undefined return address tells to debuggers and to the unwinder.
    .p2align 4
    .type cohort_context_start, @function
cohort_context_start:
    .cfi_startproc
    .cfi_undefined %rip
    movq %r13, %rdi
    callq *%r12
    ud2
    .cfi_endproc
    .size cohort_context_start, . - cohort_context_start

// void cohort_make_context(context* made, void* low, void* top, void (*entry)(void*), void* argument)
    .p2align 4
    .globl cohort_make_context
    .type cohort_make_context, @function
cohort_make_context:
    .cfi_startproc
    leaq cohort_context_start(%rip), %rax
    movq %rdx, (%rdi)
    movq %rax, 8(%rdi)
    movq $0, 16(%rdi)
    movq $0, 24(%rdi)
    movq %rcx, 32(%rdi)
    movq %r8, 40(%rdi)
    movq $0, 48(%rdi)
    movq $0, 56(%rdi)
    ret
    .cfi_endproc
    .size cohort_make_context, . - cohort_make_context

    .section .note.GNU-stack,"",@progbits
