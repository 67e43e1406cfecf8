! The tutorial in Fortran: each part between ANCHOR lines is a snippet of the book.
program tutorial
  use zarrc
  implicit none
  ! ANCHOR: declare
  type(zarrc_store) :: store
  type(zarrc_array) :: array, nothing
  type(zarrc_selection) :: selection
  type(zarrc_request) :: request
  real :: values(6, 4, 3), selected(3, 2)          ! x, y, time: the first varies fastest
  real, asynchronous, target :: first(6, 4)
  real(8) :: part(3, 2, 1)
  character(:), allocatable :: units
  integer :: x, y, t, stat
  ! ANCHOR_END: declare

  ! ANCHOR: create
  call store%open('tutorial.zarr', mode='w')       ! r, r+, a, w-, w, as in h5py
  call array%create(store, 'temperature', shape=[6, 4, 3], kind=values(1, 1, 1), chunks=[6, 4, 1], &
    dimension_names=[character(4) :: 'x', 'y', 'time'])
  ! ANCHOR_END: create

  ! ANCHOR: write
  do t = 1, 3
    do y = 1, 4
      do x = 1, 6
        values(x, y, t) = 100 * (t - 1) + 10 * (y - 1) + x - 1
      end do
    end do
  end do
  call array%write(values)
  ! ANCHOR_END: write

  ! ANCHOR: read
  call array%read(part, start=[3, 2, 2])           ! counts are those of part; real(4) is converted
  print '(i0, 1x, i0, 1x, i0)', nint(part)
  ! ANCHOR_END: read

  ! ANCHOR: select
  call selection%create(array)                     ! everything
  call selection%set_range(1, 1, 3, step=2)        ! x = 1, 3, 5
  call selection%set_indices(2, [4, 1])            ! rows 4 and 1
  call selection%set_index(3, 3)                   ! the last time
  call array%read(selection, selected)
  print '(i0, 1x, i0, 1x, i0)', nint(selected)
  ! ANCHOR_END: select

  ! ANCHOR: append
  call array%append(values(:, :, 1))               ! along the last dimension
  associate (extents => array%shape())
    print '(a, i0)', 'steps ', extents(3)
  end associate
  ! ANCHOR_END: append

  ! ANCHOR: attributes
  call array%set_attribute('units', 'K')
  call array%get_attribute('units', units)
  print '(2a)', 'units ', units
  ! ANCHOR_END: attributes

  ! ANCHOR: request
  call selection%create(array)
  call selection%set_index(3, 1)
  call array%read_start(selection, first, request)
  ! other work; first must not be touched until the request is done
  call request%wait()
  print '(a, i0)', 'sum ', nint(sum(first))
  ! ANCHOR_END: request

  ! ANCHOR: errors
  call nothing%open(store, 'nothing', stat=stat)   ! without stat= an error stops with its message
  if (stat == zarrc_not_found) print '(a)', 'not found'
  ! ANCHOR_END: errors

  ! ANCHOR: close
  call array%close()                               ! finalisers close too, but cannot report
  call store%close()
  ! ANCHOR_END: close
end program tutorial
