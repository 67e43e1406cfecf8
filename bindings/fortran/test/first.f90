program first
  use zarrc
  implicit none
  type(zarrc_store) :: store
  type(zarrc_array) :: array
  real(8) :: field(6, 4), part(3, 2)      ! Fortran's first dimension is Zarr's last: no copy, no transposition
  integer :: x, y, stat
  character(:), allocatable :: message
  do y = 1, 4
    do x = 1, 6
      field(x, y) = 10 * (y - 1) + x - 1
    end do
  end do
  call store%open('first.zarr', mode='w')                 ! r, r+, a, w-, w as in h5py
  call array%create(store, 'field', shape=shape(field), kind=field(1, 1))
  call array%write(field)
  call array%read(part, start=[3, 2])                      ! counts are those of part; indices begin at 1
  print '(3(i0, 1x))', nint(part)
  call array%set_attribute('units', 'K')
  call array%open(store, 'nothing', stat=stat, errmsg=message)
  if (stat /= zarrc_not_found) error stop 'expected not found'
end program first
