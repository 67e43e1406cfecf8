! A netCDF program as it stands: it knows nothing of Zarr. Run with libzarrc_netcdf_preload.so
! preloaded and a path that ends in .zarr.
program test_netcdf
  use netcdf
  implicit none
  integer, parameter :: nx = 4, ny = 3, nt = 2
  integer :: ncid, x, y, t, field, names, i, j, k, length, unlimited
  real :: values(nx, ny, nt), back(nx, ny), missing
  double precision :: times(nt)
  character(len=8) :: labels(ny), units
  character(len=512) :: path

  call get_command_argument(1, path)
  do concurrent (i = 1:nx, j = 1:ny, k = 1:nt)
    values(i, j, k) = 100 * k + 10 * j + i
  end do
  labels = [character(len=8) :: 'south', 'equator', 'north']

  call check(nf90_create(path, nf90_clobber, ncid))
  call check(nf90_def_dim(ncid, 'x', nx, x))
  call check(nf90_def_dim(ncid, 'y', ny, y))
  call check(nf90_def_dim(ncid, 'time', nf90_unlimited, t))
  call check(nf90_def_dim(ncid, 'letters', 8, i))
  call check(nf90_def_var(ncid, 'field', nf90_float, [x, y, t], field))
  call check(nf90_def_var(ncid, 'label', nf90_char, [i, y], names))
  call check(nf90_put_att(ncid, field, 'units', 'kg m-2'))
  call check(nf90_put_att(ncid, field, '_FillValue', -1.0))
  call check(nf90_enddef(ncid))
  do k = 1, nt
    call check(nf90_put_var(ncid, field, values(:, :, k), start=[1, 1, k], count=[nx, ny, 1]))
  end do
  call check(nf90_put_var(ncid, names, labels))
  call check(nf90_close(ncid))

  call check(nf90_open(path, nf90_write, ncid))
  call check(nf90_inquire(ncid, unlimitedDimId=unlimited))
  call check(nf90_inquire_dimension(ncid, unlimited, len=length))
  call expect(length == nt, 'records')
  call check(nf90_inq_varid(ncid, 'field', field))
  call check(nf90_get_var(ncid, field, back, start=[1, 1, 2], count=[nx, ny, 1]))
  call expect(all(back == values(:, :, 2)), 'a record')
  call check(nf90_get_var(ncid, field, times, start=[2, 3, 1], count=[1, 1, nt]))
  call expect(all(times == [132d0, 232d0]), 'an element of each record, as doubles')
  call check(nf90_get_var(ncid, field, back(1:2, :), start=[1, 1, 1], count=[2, ny, 1], stride=[3, 1, 1]))
  call expect(all(back(1:2, :) == values(1:nx:3, :, 1)), 'every third element')
  call check(nf90_get_att(ncid, field, '_FillValue', missing))
  call check(nf90_get_att(ncid, field, 'units', units))
  call expect(missing == -1 .and. units(1:6) == 'kg m-2', 'attributes')
  call check(nf90_inq_varid(ncid, 'label', names))
  labels = ''
  call check(nf90_get_var(ncid, names, labels))
  call expect(labels(2) == 'equator', 'characters')
  call check(nf90_put_var(ncid, field, values(:, :, 1), start=[1, 1, 4], count=[nx, ny, 1]))
  call check(nf90_get_var(ncid, field, back, start=[1, 1, 3], count=[nx, ny, 1]))
  call expect(all(back == -1), 'a record between')
  call check(nf90_close(ncid))
  print '(a)', 'ok'

contains

  subroutine check(status)
    integer, intent(in) :: status
    if (status /= nf90_noerr) then
      print '(a)', trim(nf90_strerror(status))
      error stop 1
    end if
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (.not. holds) then
      print '(a)', what
      error stop 1
    end if
  end subroutine
end program
