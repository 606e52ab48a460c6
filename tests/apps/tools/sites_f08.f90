! SPDX-License-Identifier: Apache-2.0
! Collective calls from known places in Fortran 2008, whose bindings have one layer more.
subroutine in_f08(times)
  use mpi_f08
  implicit none
  integer, intent(in) :: times
  integer :: call
  double precision :: one, total
  one = 1
  do call = 1, times
    call MPI_Allreduce(one, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end do
end subroutine

subroutine with_a_request()
  use mpi_f08
  implicit none
  double precision :: values(3)
  type(MPI_Request) :: request
  values = 1
  call MPI_Ibcast(values, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
end subroutine

program sites
  use mpi_f08
  implicit none
  call MPI_Init()
  call in_f08(12)
  call with_a_request()
  call in_f08(3)
  call MPI_Finalize()
end program
