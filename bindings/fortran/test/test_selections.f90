! Selections, requests and operations on nodes, beside what Fortran's own vector subscripts give.
program test_selections
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use zarrc
  implicit none
  type(zarrc_store) :: store, other
  type(zarrc_array) :: array, second
  type(zarrc_group) :: group
  type(zarrc_selection) :: part
  type(zarrc_request) :: request, several(2)
  character(:), allocatable :: text, message
  real(real64), target, asynchronous :: values(6, 4), found(3, 2)
  real(real64) :: column(4), one(2), list(3), all_of(6, 4)
  logical :: mask(6, 4)
  integer :: stat, n

  call store%open('memory:', mode='a')
  values = reshape([(real(n, real64), n=1, 24)], [6, 4])
  call array%create(store, 'p/a', shape=shape(values), kind=values(1, 1), chunks=[3, 2], dimension_names=[character(1) :: 'x', ''])
  call array%write(values)

  call part%create(array)
  call part%set_indices(1, [6, 1, 6])
  call part%set_range(2, 4, 2, step=-2)
  call check(all(part%shape() == [3_int64, 2_int64]), 'shape')
  call array%read(part, found)
  call check(all(found == values([6, 1, 6], 4:1:-2)), 'lists and steps')
  call array%read(part, all_of(5:1:-2, 2:4:2))
  call check(all(all_of(5:1:-2, 2:4:2) == found), 'a section in memory')
  call part%create(array)
  call part%set_index(1, 3)
  call array%read(part, column)
  call check(all(column == values(3, :)), 'an index')
  call part%create(array)
  call part%set_mask(1, [.true., .false., .false., .true., .false., .true.])
  call part%set_index(2, 2)
  call array%read(part, list)
  call check(all(list == values([1, 4, 6], 2)), 'a mask')
  call part%set_points(reshape([6, 4, 1, 2], [2, 2]))
  call array%read(part, one)
  call check(all(one == [values(6, 4), values(1, 2)]), 'points')
  mask = values > 22
  call part%set_element_mask(mask)
  call array%write(part, [real(real64) :: -1, -2])
  where (mask) values = -(values - 22)
  call array%read(all_of)
  call check(all(all_of == values), 'a mask of all elements, written')
  call part%set_blocks([2, 1], [1, 1])
  call check(all(part%shape() == [3_int64, 2_int64]), 'blocks')
  call array%read(part, found)
  call check(all(found == values(4:6, 1:2)), 'a block')
  call array%fill(7.0_real64, part)
  values(4:6, 1:2) = 7
  call array%read(all_of)
  call check(all(all_of == values), 'filled')
  call array%read(part, one, stat=stat, errmsg=message)
  call check(stat == zarrc_invalid_argument .and. len(message) > 0, 'another shape')
  call part%set_index(3, 1, stat=stat)
  call check(stat /= zarrc_ok, 'no such dimension')
  call part%set_index(1, 7, stat=stat)
  call check(stat == zarrc_out_of_bounds, 'no such index')
  call part%set_field('x', stat=stat)
  call check(stat == zarrc_type_mismatch, 'no fields')

  call part%create(array)
  call array%read_start(part, values, request)
  several(1) = request
  several(2) = request
  call zarrc_wait_any(several, n)
  call check(n == 1 .and. request%fd() >= 0, 'any of two')
  call request%wait()
  call check(request%done(), 'done')
  values = values + 1
  call array%write_start(part, values, request)
  call request%wait()
  call request%free()
  call array%read(all_of)
  call check(all(all_of == values), 'requests')
  call array%read_start(part, values, request)
  call request%cancel()
  call request%wait(stat=stat)
  call check(stat == zarrc_ok .or. stat == zarrc_cancelled, 'cancelled')

  call check(array%dimension_name(1) == 'x' .and. array%dimension_name(2) == '', 'names of dimensions')
  call check(array%order() == 'C' .and. array%separator() == '/', 'order and separator')
  call array%data_type_text(text); call check(text == 'float64', 'data type')
  call array%path(text); call check(text == 'p/a', 'path')
  call array%codecs_json(text); call check(text(1:1) == '[', 'codecs')
  call array%info_json(text); call check(text(1:1) == '{', 'info')
  call array%store_name(text); call check(len(text) > 0, 'store')
  call array%chunk_key([2, 1], text); call check(text == 'p/a/c/0/1', 'key')
  call array%digest('sha1', text); call check(len(text) == 40, 'digest')
  call array%digest('sha256', text, stored=.true.); call check(len(text) == 64, 'stored digest')
  call second%create(store, 'p/a', shape=[6, 4], kind=1.0_real64, exists='require')
  call second%create(store, 'p/a', shape=[6, 5], kind=1.0_real64, exists='require', stat=stat)
  call check(stat == zarrc_already_exists, 'require')
  call second%create(store, 'p/a', shape=[6, 5], kind=1.0_real64, exists='open')
  call check(all(second%shape() == [6, 4]), 'open or create')
  call second%create_like(store, 'p/b', array, shape=[2, 2])
  call check(all(second%shape() == [2, 2]), 'like')
  call second%create(store, 'p/b', shape=[3], kind=1.0_real32, exists='overwrite')
  call second%set_missing_value(-999.0_real32)
  call second%attributes_json(text); call check(index(text, '_FillValue') > 0, 'missing value')
  call second%create(store, 'm', shape=[2], kind=1.0_real32, missing_value=-9.0_real32)
  call second%fill_value_json(text); call check(text == '-9.0', 'missing value of a new array')
  call group%require(store, 'p')
  call group%tree(text); call check(index(text, 'a (4, 6) float64') > 0, 'tree')
  call group%overwrite(store, 'q')

  call other%open('memory:', mode='a')
  call store%copy('p', other, 'copy')
  call store%copy('p', other, 'copy', stat=stat)
  call check(stat == zarrc_already_exists, 'copy')
  call other%move('copy', 'moved')
  call check(other%kind('copy') == zarrc_node_none .and. other%kind('moved/a') == zarrc_node_array, 'move')
  call array%rechunk(other, 'wide', [6, 1])
  call second%open(other, 'wide')
  call second%read(all_of)
  call check(all(all_of == values) .and. all(second%chunk_shape() == [6, 1]), 'rechunk')
  call other%consolidate('moved')
  call other%set_value('wide/c/9/9', [1_1])
  call other%verify('wide', text); call check(index(text, '"outside"') > 0, 'verify')
  call other%repair('wide', 'outside', text, dry_run=.true.)
  call other%repair('wide', 'outside', text)
  call other%verify('wide', text); call check(index(text, '"outside"') == 0, 'repair')

  call other%open('selections.zarr', mode='w')
  call second%create(other, 'a', shape=[2], kind=1)
  call second%open_url('selections.zarr/a')
  call group%open_url('selections.zarr')
  call check(all(second%shape() == [2]), 'by URL')
  print '(a)', 'ok'

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    print '(2a)', 'failed: ', what
    error stop 1
  end subroutine check
end program test_selections
