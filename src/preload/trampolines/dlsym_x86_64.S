/* SPDX-License-Identifier: Apache-2.0 */
/* dlsym(handle, name): the next library's, but for functions of an MPI that are taken from a handle (handed.hpp). The
 * next one is jumped to: RTLD_DEFAULT and RTLD_NEXT are about who calls, which it knows by the return address. */

#ifdef __CET__
#include <cet.h> /* marks this file as fit for control-flow protection */
#endif

  .hidden espalier_hand_out, espalier_find_next_dlsym, espalier_next_dlsym

  .text
  .balign 16
  .globl dlsym
  .type dlsym, @function
dlsym:
  .cfi_startproc
  endbr64
  movq (%rsp), %rdx /* the return address */
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  cmpq $0, espalier_next_dlsym(%rip)
  jne known
  movq %rdx, (%rsp)
  call espalier_find_next_dlsym
  movq (%rsp), %rdx
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdi
known:
  leaq 1(%rdi), %rcx
  xorl %eax, %eax
  cmpq $1, %rcx /* RTLD_NEXT is -1, RTLD_DEFAULT 0 */
  jbe decided
  call espalier_hand_out
decided:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  testq %rax, %rax
  jz next
  ret
next:
  jmp *espalier_next_dlsym(%rip)
  .cfi_endproc
  .size dlsym, . - dlsym

  .section .note.GNU-stack, "", @progbits
