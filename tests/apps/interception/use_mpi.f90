! SPDX-License-Identifier: Apache-2.0
! use mpi: 1 each of the four collectives, and 1 allreduce in place.
program collectives
  use mpi
  implicit none
  integer :: rank, ranks, wrong, total, value, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  wrong = 0
  value = rank
  call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (total /= ranks * (ranks - 1) / 2) wrong = wrong + 1
  call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
  if (value /= ranks - 1) wrong = wrong + 1
  call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
  if (rank == 0 .and. total /= ranks - 1) wrong = wrong + 1
  value = rank
  call MPI_Bcast(value, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  if (value /= ranks - 1) wrong = wrong + 1
  call MPI_Barrier(MPI_COMM_WORLD, error)
  write (*, '(a,i0,a,i0,a)') 'rank ', rank, ': ', wrong, ' wrong'
  call MPI_Finalize(error)
end program
