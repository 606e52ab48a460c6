! SPDX-License-Identifier: Apache-2.0
! Nonblocking collectives and messages, completed together, one by one, and by asking again and again. Says how many
! allreduces were Espalier's own.
program requests
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    type(c_funptr) function dlsym(library, name) bind(c)
      import
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function count_calls(collective, own, native) bind(c)
      import
      character(kind=c_char), intent(in) :: collective(*)
      integer(c_long_long), intent(out) :: own, native
    end function
  end interface
  integer, parameter :: length = 500, rounds = 60
  integer :: rank, ranks, wrong, round, error, before, after
  integer :: handles(6)
  integer, volatile :: values(length), sums(length), data(length), from, to, largest
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  before = mod(rank + ranks - 1, ranks)
  after = mod(rank + 1, ranks)
  wrong = 0
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Allreduce(rank, largest, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
  do round = 1, rounds
    call start
    call complete
    call check
  end do
  write (*, '(a,i0,a,i0,a,i0,a)') 'rank ', rank, ': ', wrong, ' wrong, ', own_allreduces(), ' own'
  call MPI_Finalize(error)

contains

  subroutine start
    values = rank + round
    data = merge(round, -1, rank == mod(round, ranks))
    to = rank * round
    call MPI_Irecv(from, 1, MPI_INTEGER, before, round, MPI_COMM_WORLD, handles(1), error)
    call MPI_Iallreduce(values, sums, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, handles(2), error)
    call MPI_Ibcast(data, length, MPI_INTEGER, mod(round, ranks), MPI_COMM_WORLD, handles(3), error)
    call MPI_Ireduce(to, largest, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, handles(4), error)
    call MPI_Ibarrier(MPI_COMM_WORLD, handles(5), error)
    call MPI_Isend(to, 1, MPI_INTEGER, after, round, MPI_COMM_WORLD, handles(6), error)
  end subroutine

  subroutine complete
    integer :: k, count, which(6), statuses(MPI_STATUS_SIZE, 6)
    logical :: done
    select case (mod(round + rank, 4))
    case (0)
      call MPI_Waitall(6, handles, statuses, error)
    case (1)
      do k = 6, 1, -1
        call MPI_Wait(handles(k), MPI_STATUS_IGNORE, error)
      end do
    case (2)
      count = 0
      do while (count /= MPI_UNDEFINED)
        call MPI_Waitsome(6, handles, count, which, statuses, error)
      end do
    case default
      do k = 1, 6
        done = .false.
        do while (.not. done)
          call MPI_Test(handles(k), done, MPI_STATUS_IGNORE, error)
        end do
      end do
    end select
    if (any(handles /= MPI_REQUEST_NULL)) wrong = wrong + 1
  end subroutine

  subroutine check
    if (any(sums /= ranks * (ranks - 1) / 2 + ranks * round)) wrong = wrong + 1
    if (any(data /= round)) wrong = wrong + 1
    if (rank == 0 .and. largest /= (ranks - 1) * round) wrong = wrong + 1
    if (from /= before * round) wrong = wrong + 1
  end subroutine

  integer(c_long_long) function own_allreduces() result(own)
    type(c_funptr) :: address
    procedure(count_calls), pointer :: calls
    integer(c_long_long) :: native
    own = 0
    address = dlsym(c_null_ptr, 'espalier_calls' // c_null_char)
    if (.not. c_associated(address)) return
    call c_f_procpointer(address, calls)
    if (calls('allreduce' // c_null_char, own, native) /= 0) wrong = wrong + 1
  end function
end program
