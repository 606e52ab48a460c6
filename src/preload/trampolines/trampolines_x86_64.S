/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_X and PMPI_X for every function of functions.txt: a jump through a slot. A slot first leads to its lazy stub,
 * which asks espalier_resolve where this function really goes; from then on a call costs this one jump. No argument is
 * touched and no frame is made, so what is reached sees the application's arguments and return address.
 * Behind these, the same once more for those who take a function from a handle (handed.hpp). */

#ifdef __CET__
#include <cet.h> /* marks this file as fit for control-flow protection */
#endif

  .hidden espalier_resolve
  .globl espalier_slots, espalier_lazy_stubs, espalier_handed
  .hidden espalier_slots, espalier_lazy_stubs, espalier_handed

  .data
  .balign 64
espalier_slots:
  .section .data.rel.ro, "aw"
  .balign 8
espalier_lazy_stubs:
  .section .data.rel.ro.handed, "aw"
  .balign 8
espalier_handed:

  .macro trampoline name
  .text
  .balign 16
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  jmp *slot_\name(%rip)
  .cfi_endproc
  .size \name, . - \name

  .type lazy_\name, @function
lazy_\name:
  .cfi_startproc
  endbr64
  leaq slot_\name(%rip), %r11 /* r11 carries no argument in any calling convention of this platform */
  jmp resolve_and_go
  .cfi_endproc
  .size lazy_\name, . - lazy_\name

  .data
slot_\name:
  .quad lazy_\name
  .section .data.rel.ro, "aw"
  .quad lazy_\name
  .endm

  .macro exported name
  .globl \name
  trampoline \name
  .endm

  .macro handed name
  trampoline handed_\name
  .section .data.rel.ro.handed, "aw"
  .quad handed_\name
  .endm

#define ESPALIER_FUNCTION(name, result, parameters) exported name; exported P##name
#include "functions.inc"
#undef ESPALIER_FUNCTION
#define ESPALIER_FUNCTION(name, result, parameters) handed name; handed P##name
#include "functions.inc"

/* Everything that may hold an argument survives: six integer registers, the static chain (r10), the count of vector
 * registers (rax) and eight of those. Arguments in memory lie above the return address and are not touched. */
  .text
  .balign 16
  .type resolve_and_go, @function
resolve_and_go:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register rbp
  subq $192, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movq %rdi, 128(%rsp)
  movq %rsi, 136(%rsp)
  movq %rdx, 144(%rsp)
  movq %rcx, 152(%rsp)
  movq %r8, 160(%rsp)
  movq %r9, 168(%rsp)
  movq %rax, 176(%rsp)
  movq %r10, 184(%rsp)
  movq %r11, %rdi
  movq 8(%rbp), %rsi
  call espalier_resolve
  movq %rax, %r11
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  movq 128(%rsp), %rdi
  movq 136(%rsp), %rsi
  movq 144(%rsp), %rdx
  movq 152(%rsp), %rcx
  movq 160(%rsp), %r8
  movq 168(%rsp), %r9
  movq 176(%rsp), %rax
  movq 184(%rsp), %r10
  leave
  .cfi_def_cfa rsp, 8
  jmp *%r11
  .cfi_endproc
  .size resolve_and_go, . - resolve_and_go

  .section .note.GNU-stack, "", @progbits
