// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context switch for x86-64, System V ABI. See switch.hpp.
//
// A switch loads rsp and rbp and jumps to the resume address, with the context in rsi. The resume address of a context
// that cohort_switch saved is cohort_switch_restore, which loads the other registers. The last instruction is `jmp`, not
// `ret`: fibers wait at different places, so the return predictor, which expects the last caller, would always miss.

#include "engine/fiber/context.inc"

    .text
    .p2align 6
    .globl cohort_switch
    .type cohort_switch, @function
cohort_switch:
    .cfi_startproc
    save_context cohort_switch_restore
    load_stack
    jmp *8(%rsi)
    .cfi_endproc
    .size cohort_switch, . - cohort_switch

    .p2align 5
    .globl cohort_switch_restore
    .hidden cohort_switch_restore
    .type cohort_switch_restore, @function
cohort_switch_restore:
    .cfi_startproc
    popq %rax
    .cfi_def_cfa rsp, 0
    .cfi_register rip, rax
    load_preserved
    jmp *%rax
    .cfi_endproc
    .size cohort_switch_restore, . - cohort_switch_restore

    .p2align 6
    .globl cohort_switch_light
    .type cohort_switch_light, @function
cohort_switch_light:
    .cfi_startproc
    popq %rax
    .cfi_def_cfa rsp, 0
    .cfi_register rip, rax
    movq %rsp, (%rdi)
    movq %rax, 8(%rdi)
    movq %rbp, 24(%rdi)
    load_stack
    jmp *8(%rsi)
    .cfi_endproc
    .size cohort_switch_light, . - cohort_switch_light

// The first frame of a context. It has no caller: an undefined return address ends the walk of debuggers and unwinders.
// The entry function is in the word of r12, its argument in the word of r13.
    .p2align 4
    .type cohort_context_start, @function
cohort_context_start:
    .cfi_startproc
    .cfi_undefined %rip
    movq 40(%rsi), %rdi
    callq *32(%rsi)
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
    movq $0, 24(%rdi)
    movq %rcx, 32(%rdi)
    movq %r8, 40(%rdi)
    ret
    .cfi_endproc
    .size cohort_make_context, . - cohort_make_context

    .section .note.GNU-stack,"",@progbits
