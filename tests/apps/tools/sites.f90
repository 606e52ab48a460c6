! SPDX-License-Identifier: Apache-2.0
! Collective calls from known places in Fortran.
subroutine reduced_here(times)
  use mpi
  implicit none
  integer, intent(in) :: times
  integer :: call, ierror
  double precision :: one, total
  one = 1
  do call = 1, times
    call mpi_allreduce(one, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
end subroutine

subroutine and_here()
  use mpi
  implicit none
  integer :: ierror
  call mpi_barrier(MPI_COMM_WORLD, ierror)
end subroutine

program sites
  use mpi
  implicit none
  integer :: ierror
  call mpi_init(ierror)
  call reduced_here(12)
  call and_here()
  call reduced_here(3)
  call mpi_finalize(ierror)
end program
