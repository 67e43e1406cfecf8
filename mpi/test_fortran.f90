! The procedures of module zarrc_mpi beside boxes: selections, appends, attributes, consolidated metadata. Every rank
! compares what it reads with what the ranks computed.
program test_fortran
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use mpi_f08
  use zarrc_c
  use zarrc_mpi
  implicit none
  integer, parameter :: nx = 30, strip = 7
  type(zarrc_mpi_store) :: store
  type(zarrc_mpi_array) :: array
  integer(int32), allocatable :: mine(:, :), bordered(:, :), whole(:, :)
  integer(int32) :: values(nx)
  integer(c_int64_t), target :: points(2, nx)
  type(c_ptr) :: selection, text
  integer :: rank, ranks, x, y, stat
  integer(c_int32_t) :: status
  character(:), allocatable :: message
  character(512) :: folder

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call get_command_argument(1, folder)
  call store%open(MPI_COMM_WORLD, trim(folder) // '/fortran.zarr', mode='w')
  call store%create_group('')
  call array%create(store, 'a', shape=[nx, 0], kind=1_int32, chunks=[8, 5])

  ! two blocks of a strip for each rank: a section, and an expression of one
  allocate (mine(nx, strip), bordered(0:nx + 1, 0:strip + 1), whole(nx, 2 * strip * ranks))
  bordered = -1
  do x = 0, 1
    mine = reshape([(x * 1000000 + rank * 1000 + y, y = 1, nx * strip)], [nx, strip])
    bordered(1:nx, 1:strip) = mine
    if (x == 0) call array%append(bordered(1:nx, 1:strip), axis=2, extent=strip * ranks, start=[1, rank * strip + 1])
    if (x == 1) call array%append(bordered(1:nx, 1:strip) + 0, axis=2, extent=strip * ranks, start=[1, rank * strip + 1])
  end do
  call array%read(whole)
  do x = 0, 1
    do y = 0, ranks - 1
      call check(all(whole(:, x * strip * ranks + y * strip + 1:x * strip * ranks + (y + 1) * strip) == &
        reshape([(x * 1000000 + y * 1000 + stat, stat = 1, nx * strip)], [nx, strip])), 'appended')
    end do
  end do

  ! boxes that leave a part of the block out
  call array%append(mine, axis=2, extent=strip * ranks + 1, start=[1, rank * strip + 1], stat=stat, errmsg=message)
  call check(stat == zarrc_invalid_argument .and. index(message, 'all of the block') > 0, 'a gap in the block')

  ! each rank a diagonal: points of C's (row, column)
  do x = 1, nx
    points(:, x) = [int(modulo(rank + x, 2 * strip), c_int64_t), int(x - 1, c_int64_t)]
  end do
  selection = c_null_ptr
  status = zarrc_selection_new(array%local(), selection)
  status = zarrc_selection_set_points(selection, int(nx, c_size_t), points)
  call check(status == zarrc_ok, 'points')
  values = [(-100 * rank - x, x = 1, nx)]
  call array%write_selection(selection, values)
  if (rank == 0) then ! what the last rank wrote
    do x = 1, nx
      points(:, x) = [int(modulo(ranks - 1 + x, 2 * strip), c_int64_t), int(x - 1, c_int64_t)]
    end do
    status = zarrc_selection_set_points(selection, int(nx, c_size_t), points)
    call array%read_selection(selection, values)
    call check(all(values == [(-100 * (ranks - 1) - x, x = 1, nx)]), 'selected')
  else
    values(1) = 7
    call array%read_selection(c_null_ptr, values(1:0))
    call check(values(1) == 7, 'nothing selected')
  end if
  call zarrc_selection_free(selection)

  call array%set_attributes(['units', 'n    '], ['"K"', '12 '])
  call store%set_group_attributes('', ['title'], ['"t"'])
  call store%set_group_attributes('', ['title'], ['"t '], stat=stat)
  call check(stat /= zarrc_ok, 'JSON that is none')
  call array%flush()
  call store%consolidate('')
  call array%close()
  call array%open(store, 'a') ! the others know attributes from when they opened it
  text = c_null_ptr
  status = zarrc_attributes_get_json(zarrc_array_attributes(array%local()), 'n' // c_null_char, text)
  call check(status == zarrc_ok, 'attribute')
  call zarrc_string_free(text)
  call array%close()
  call array%open(store, 'nothing', stat=stat)
  call check(stat == zarrc_not_found, 'absent')
  call store%close()
  if (rank == 0) print '(a, i0, a)', 'Fortran: ', ranks, ' ranks ok'
  call MPI_Finalize()

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(a, i0, a)', 'rank ', rank, ': ' // what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine check
end program test_fortran
