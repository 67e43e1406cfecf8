! Heat in a plate, on all ranks of a communicator: each rank computes a strip of it, and all of them write one
! array, a frame a step. The strips need not fit the chunks.
program mpi_heat
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use zarrc_mpi
  implicit none
  integer, parameter :: nx = 200, ny = 300, frames = 5
  type(zarrc_mpi_store) :: store
  type(zarrc_mpi_array) :: array
  real(real64), allocatable :: now(:, :), next(:, :)
  integer :: rank, ranks, x, y, y0, mine, above, below, frame, step
  character(512) :: url

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  url = 'heat.zarr'
  if (command_argument_count() > 0) call get_command_argument(1, url)
  y0 = ny * rank / ranks
  mine = ny * (rank + 1) / ranks - y0
  above = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  below = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  allocate (now(0:nx + 1, 0:mine + 1), next(0:nx + 1, 0:mine + 1))
  now = 0
  next = 0
  do concurrent (x = 1:nx, y = 1:mine)
    now(x, y) = 100 * exp(-((x - nx / 2)**2 + (y0 + y - ny / 2)**2) / 400d0)
  end do

  call store%open(MPI_COMM_WORLD, url, mode='w')
  call array%create(store, 'temperature', shape=[nx, ny, 0], kind=1.0_real32, chunks=[128, 128, 1], &
    dimension_names=['x   ', 'y   ', 'time'])
  call array%set_attributes(['units    ', 'long_name'], ['"K"                ', '"heat of the plate"'])
  do frame = 1, frames
    call array%append(real(now(1:nx, 1:mine), real32), axis=3, extent=1, start=[1, y0 + 1, 1])
    do step = 1, 10
      call MPI_Sendrecv(now(:, 1), nx + 2, MPI_DOUBLE_PRECISION, above, 0, now(:, mine + 1), nx + 2, &
        MPI_DOUBLE_PRECISION, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call MPI_Sendrecv(now(:, mine), nx + 2, MPI_DOUBLE_PRECISION, below, 1, now(:, 0), nx + 2, &
        MPI_DOUBLE_PRECISION, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      do concurrent (x = 1:nx, y = 1:mine)
        next(x, y) = now(x, y) + 0.2d0 * (now(x - 1, y) + now(x + 1, y) + now(x, y - 1) + now(x, y + 1) - 4 * now(x, y))
      end do
      now(1:nx, 1:mine) = next(1:nx, 1:mine)
    end do
  end do
  call array%close()
  call store%set_group_attributes('', ['title'], ['"Heat in a plate"'])
  call store%consolidate('')
  call store%close()
  if (rank == 0) print '(i0, a, i0, a)', ranks, ' ranks wrote ', frames, ' frames to ' // trim(url)
  call MPI_Finalize()
end program mpi_heat
