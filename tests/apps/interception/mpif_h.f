! SPDX-License-Identifier: Apache-2.0
! mpif.h: 1 each of the four collectives, and 1 allreduce in place.
      program collectives
      implicit none
      include 'mpif.h'
      integer rank, ranks, wrong, total, value, error
      call MPI_INIT(error)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
      wrong = 0
      value = rank
      call MPI_ALLREDUCE(value, total, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, error)
      if (total .ne. ranks * (ranks - 1) / 2) wrong = wrong + 1
      call MPI_ALLREDUCE(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_MAX,
     &                   MPI_COMM_WORLD, error)
      if (value .ne. ranks - 1) wrong = wrong + 1
      call MPI_REDUCE(rank, total, 1, MPI_INTEGER, MPI_MAX, 0,
     &                MPI_COMM_WORLD, error)
      if (rank .eq. 0 .and. total .ne. ranks - 1) wrong = wrong + 1
      value = rank
      call MPI_BCAST(value, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD,
     &               error)
      if (value .ne. ranks - 1) wrong = wrong + 1
      call MPI_BARRIER(MPI_COMM_WORLD, error)
      write (*, '(a,i0,a,i0,a)') 'rank ', rank, ': ', wrong, ' wrong'
      call MPI_FINALIZE(error)
      end
