! SPDX-License-Identifier: Apache-2.0
! Makes the calls of calls.inc, as frame.c does, by mpif.h or a module (MODULE).
#ifdef HANDLES_ARE_TYPES
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
program every_call
#ifdef MODULE
  use MODULE
#endif
  use, intrinsic :: iso_c_binding
  implicit none
#ifndef MODULE
  include 'mpif.h'
#endif
  interface
    type(c_funptr) function dlsym(library, name) bind(c)
      import
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function espalier_calls(collective, own, native) bind(c)
      import
      character(kind=c_char), intent(in) :: collective(*)
      integer(c_long_long), intent(out) :: own, native
    end function
  end interface
  integer, parameter :: anything = -2, line = 3 * LENGTH + 2 + 4 * RANKS, root = ROOT
  integer :: rank, error, output, all_wrong = 0, table(line, 0:RANKS - 1, 0:CASES - 1), numbers(line)
  integer, volatile :: sendbuf(LENGTH), recvbuf(LENGTH)
  integer :: expected(LENGTH), sendcount, recvcount
  integer, dimension(RANKS), volatile :: sendcounts, sdispls, recvcounts, rdispls
  integer(MPI_COUNT_KIND) :: large_sendcount, large_recvcount
  integer(MPI_COUNT_KIND), volatile :: large_sendcounts(RANKS), large_recvcounts(RANKS)
  integer(MPI_ADDRESS_KIND), volatile :: large_sdispls(RANKS), large_rdispls(RANKS)
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Op) :: op
  HANDLE(MPI_Info) :: info
  HANDLE(MPI_Request) :: request
  HANDLE(MPI_Datatype) :: datatype, sendtype, recvtype, absolute, sendtypes(RANKS), recvtypes(RANKS)
  integer(c_long_long) :: own_before

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call open_files
  comm = MPI_COMM_WORLD
  op = MPI_SUM
  info = MPI_INFO_NULL
  datatype = MPI_INTEGER
  sendtype = MPI_INTEGER
  recvtype = MPI_INTEGER
  sendtypes = MPI_INTEGER
  recvtypes = MPI_INTEGER
  call make_absolute
#include "calls.inc"
  call MPI_Type_free(absolute, error)
  close (output)
  write (*, '(a,i0,a,i0,a)') 'rank ', rank, ': ', all_wrong, ' wrong'
  call MPI_Finalize(error)

contains

  subroutine open_files
    character(len=4096) :: path, prefix
    integer :: input
    call get_command_argument(1, path)
    open (newunit=input, file=trim(path), action='read')
    read (input, *) table
    close (input)
    call get_command_argument(2, prefix)
    write (path, '(a,a,i0)') trim(prefix), '.', rank
    open (newunit=output, file=trim(path))
  end subroutine

  integer(c_long_long) function own_calls(collective) result(own)
    character(len=*), intent(in) :: collective
    type(c_funptr) :: address
    procedure(espalier_calls), pointer :: calls
    integer(c_long_long) :: native
    own = 0
    address = dlsym(c_null_ptr, 'espalier_calls' // c_null_char)
    if (.not. c_associated(address)) return
    call c_f_procpointer(address, calls)
    if (calls(collective // c_null_char, own, native) /= 0) own = 0
  end function

  subroutine begin(collective, number)
    character(len=*), intent(in) :: collective
    integer, intent(in) :: number
    numbers = table(:, rank, number)
    sendbuf = taken(LENGTH)
    recvbuf = taken(LENGTH)
    expected = taken(LENGTH)
    sendcount = sum(taken(1))
    recvcount = sum(taken(1))
    sendcounts = taken(RANKS)
    sdispls = taken(RANKS)
    recvcounts = taken(RANKS)
    rdispls = taken(RANKS)
    large_sendcount = sendcount
    large_recvcount = recvcount
    large_sendcounts = sendcounts
    large_sdispls = sdispls
    large_recvcounts = recvcounts
    large_rdispls = rdispls
    own_before = own_calls(collective)
  end subroutine

  function taken(count) result(first)
    integer, intent(in) :: count
    integer :: first(count)
    first = numbers(:count)
    numbers = eoshift(numbers, count)
  end function

  subroutine complete_nonblocking
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine complete_persistent
    call MPI_Start(request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Request_free(request, error)
  end subroutine

  subroutine check(name, collective)
    character(len=*), intent(in) :: name, collective
    integer :: wrong
    wrong = count(expected /= anything .and. recvbuf /= expected)
    write (output, '(a,2(1x,i0))') name, own_calls(collective) - own_before, wrong
    all_wrong = all_wrong + wrong
  end subroutine

  subroutine make_absolute
    integer(MPI_ADDRESS_KIND) :: address(1)
    integer :: lengths(1) = 1
    call MPI_Get_address(recvbuf, address(1), error)
    call MPI_Type_create_hindexed(1, lengths, address, MPI_INTEGER, absolute, error)
    call MPI_Type_commit(absolute, error)
  end subroutine
end program
