! The Fortran binding: every procedure once, beside values computed here.
program test_zarrc
  use zarrc
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use, intrinsic :: iso_c_binding, only: c_bool
  implicit none
  type(zarrc_store) :: store, other
  type(zarrc_options) :: options
  integer :: stat
  character(:), allocatable :: message

  call options%set('threads', '2')
  call options%set('thread', '2', stat=stat, errmsg=message)
  call check(stat == zarrc_invalid_argument .and. index(message, 'thread') > 0, 'the nearest option is named')
  call store%open('memory:', mode='a', options=options)
  call test_kinds()
  call test_sections()
  call test_slabs()
  call test_ranks()
  call test_characters()
  call test_arrays()
  call test_attributes()
  call test_hierarchy()
  call test_sharing()
  call other%open('/no/such/store', stat=stat, errmsg=message)
  call check(stat == zarrc_not_found .and. index(message, '/no/such/store') > 0, 'the message names the store')
  call other%open('memory:', mode='x', stat=stat, errmsg=message)
  call check(stat == zarrc_invalid_argument, 'a mode that there is not')
  call check(zarrc_library_version() == '0.1.0' .or. len(zarrc_library_version()) >= 5, 'version')
  call check(index(zarrc_library_info(), '"codecs"') > 0, 'build info')
  call store%close()
  print '(a)', 'ok'

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    character(:), allocatable :: text
    if (condition) return
    text = 'failed: ' // what
    error stop text
  end subroutine check

  subroutine test_kinds()
    type(zarrc_array) :: array
    integer(int8) :: i8(3) = [1_int8, -2_int8, 3_int8], o8(3)
    integer(int16) :: i16(3) = [1_int16, -2_int16, 3_int16], o16(3)
    integer(int32) :: i32(3) = [1, -2, 3], o32(3)
    integer(int64) :: i64(3) = [1_int64, -2_int64, 2_int64**40], o64(3)
    real(real32) :: r32(3) = [1.5, -2.0, 3.0], s32(3)
    real(real64) :: r64(3) = [1.5d0, -2d0, 3d0], s64(3)
    complex(real32) :: c32(3) = [(1.0, 2.0), (0.0, -1.0), (3.0, 0.0)], d32(3)
    complex(real64) :: c64(3) = [(1d0, 2d0), (0d0, -1d0), (3d0, 0d0)], d64(3)
    logical :: l(3) = [.true., .false., .true.], m(3)
    logical(c_bool) :: b(3) = [.true._c_bool, .false._c_bool, .true._c_bool], p(3)

    call array%create(store, 'i8', shape=[3], kind=i8(1))
    call array%write(i8); call array%read(o8); call check(all(i8 == o8), 'int8')
    call array%create(store, 'i16', shape=[3], kind=i16(1))
    call array%write(i16); call array%read(o16); call check(all(i16 == o16), 'int16')
    call array%create(store, 'i32', shape=[3], kind=i32(1))
    call array%write(i32); call array%read(o32); call check(all(i32 == o32), 'int32')
    call array%read(s64); call check(all(s64 == [1d0, -2d0, 3d0]), 'converted')
    call array%create(store, 'i64', shape=[3_int64], kind=i64(1))
    call array%write(i64); call array%read(o64); call check(all(i64 == o64), 'int64')
    call array%read(o32, stat=stat); call check(stat == zarrc_type_mismatch, 'does not fit')
    call array%create(store, 'r32', shape=[3], kind=r32(1))
    call array%write(r32); call array%read(s32); call check(all(r32 == s32), 'real32')
    call array%create(store, 'r64', shape=[3], kind=r64(1))
    call array%write(r64); call array%read(s64); call check(all(r64 == s64), 'real64')
    call array%create(store, 'c32', shape=[3], kind=c32(1))
    call array%write(c32); call array%read(d32); call check(all(c32 == d32), 'complex32')
    call array%create(store, 'c64', shape=[3], kind=c64(1))
    call array%write(c64); call array%read(d64); call check(all(c64 == d64), 'complex64')
    call array%create(store, 'l', shape=[3], kind=l(1))
    call array%write(l); call array%read(m); call check(all(l .eqv. m), 'logical')
    call array%write(b); call array%read(p); call check(logical(all(b .eqv. p)), 'logical(c_bool)')
    call array%create(store, 'u2', shape=[3], data_type=zarrc_uint16)
    call array%write(i32(3:3), start=[1]); call array%read(o32(2:2), start=[1]); call check(o32(2) == 3, 'uint16')
  end subroutine test_kinds

  subroutine test_sections()
    type(zarrc_array) :: array
    real(real64) :: field(6, 4), part(3, 2), large(10, 10), back(6, 4)
    integer :: x, y

    field = reshape([((10d0 * (y - 1) + x - 1, x=1, 6), y=1, 4)], [6, 4])
    call array%create(store, 'field', shape=shape(field), kind=field(1, 1), chunks=[4, 3])
    call check(all(array%shape() == [6, 4]) .and. all(array%chunk_shape() == [4, 3]), 'the order of Fortran')
    call array%write(field)
    call array%read(part, start=[3, 2])
    call check(all(part == field(3:5, 2:3)), 'a part')
    call array%read(part, start=[1, 2], step=[2, 2])
    call check(all(part == field(1:5:2, 2:4:2)), 'steps')
    large = -1
    call array%read(large(2:10:4, 9:3:-6), start=[3, 2])
    call check(all(large(2:10:4, 9:3:-6) == field(3:5, 2:3)), 'a section with strides, one of them negative')
    call check(count(large /= -1) == 6, 'nothing beside it')
    call array%write(large(2:10:4, 9:3:-6), start=[1, 1])
    field(1:3, 1:2) = field(3:5, 2:3)
    call array%read(back)
    call check(all(back == field), 'written from a section')
    call array%write(2 * field + 1)
    call array%read(back)
    call check(all(back == 2 * field + 1), 'written from an expression')
    call array%write(field(2:6, 1:3) - 1, start=[2, 2])
    call array%read(back)
    call check(all(back(2:6, 2:4) == field(2:6, 1:3) - 1), 'written from an expression of a section')
    call array%write((field))
    call array%read(back)
    call check(all(back == field), 'written from an expression of the same shape')
    call array%read(large(1:0, 1:3), start=[1, 1])
    call array%read(part, start=[5, 2], stat=stat, errmsg=message)
    call check(stat == zarrc_out_of_bounds, 'beyond the array')
    call array%read(part, start=[0, 1], stat=stat)
    call check(stat == zarrc_out_of_bounds, 'indices begin at 1')
    call array%read(part, start=[1], stat=stat, errmsg=message)
    call check(stat == zarrc_invalid_argument .and. index(message, 'start') > 0, 'start of another rank')
    call array%read(large(1, :), stat=stat, errmsg=message)
    call check(stat == zarrc_invalid_argument .and. index(message, 'rank') > 0, 'memory of another rank')
  end subroutine test_sections

  subroutine test_slabs()
    type(zarrc_array) :: array
    real(real32) :: field(5, 3), series(4), value
    integer :: step

    call array%create(store, 'series', shape=[5, 3, 4], kind=field(1, 1), chunks=[5, 3, 1], fill_value=-1.0)
    do step = 1, 4
      field = real(step)
      if (step /= 2) call array%write(field, start=[1, 1, step])
    end do
    call array%read(field, start=[1, 1, 3])
    call check(all(field == 3), 'one time step')
    do step = 1, 4
      call array%read(series(step:step), start=[5, 3, step])
    end do
    call check(all(series == [1.0, -1.0, 3.0, 4.0]), 'a point of each step')
    call array%read(value, start=[2, 2, 4])
    call check(value == 4, 'one element')
    call array%resize([5, 3, 6])
    call check(all(array%shape() == [5, 3, 6]), 'resized')
    field = 9
    call array%append(field)
    call array%read(field, start=[1, 1, 7])
    call check(all(array%shape() == [5, 3, 7]) .and. all(field == 9), 'appended')
    call array%grow([5, 3, 8])
    call array%refresh()
    call check(all(array%shape() == [5, 3, 8]), 'grown')
    call array%fill_value(value)
    call check(value == -1, 'the fill value')
  end subroutine test_slabs

  subroutine test_ranks()
    type(zarrc_array) :: array
    integer(int32) :: r0, s0, r4(2, 3, 2, 2), s4(2, 3, 2, 2), r7(2, 1, 2, 1, 2, 1, 2), s7(2, 1, 2, 1, 2, 1, 2)
    integer(int32) :: r15(2,1,1,1,2,1,1,1,1,1,1,1,1,1,2), s15(2,1,1,1,2,1,1,1,1,1,1,1,1,1,2)
    integer :: n

    r0 = 7
    call array%create(store, 'r0', shape=[integer ::], kind=r0)
    call array%write(r0); call array%read(s0); call check(s0 == 7, 'rank 0')
    r4 = reshape([(n, n=1, size(r4))], shape(r4))
    call array%create(store, 'r4', shape=shape(r4), kind=r0)
    call array%write(r4); call array%read(s4); call check(all(r4 == s4), 'rank 4')
    call array%read(s0, start=[2, 3, 1, 2]); call check(s0 == r4(2, 3, 1, 2), 'rank 4, one element')
    r7 = reshape([(n, n=1, size(r7))], shape(r7))
    call array%create(store, 'r7', shape=shape(r7), kind=r0)
    call array%write(r7); call array%read(s7(2:1:-1, :, :, :, :, :, :))
    call check(all(r7 == s7(2:1:-1, :, :, :, :, :, :)), 'rank 7')
    r15 = reshape([(n, n=1, size(r15))], shape(r15))
    call array%create(store, 'r15', shape=shape(r15), kind=r0)
    call array%write(r15); call array%read(s15); call check(all(r15 == s15), 'rank 15')
  end subroutine test_ranks

  subroutine test_characters()
    type(zarrc_array) :: array
    character(5) :: names(2, 2), read(2, 2)
    character(3) :: short(2, 2)

    names = reshape([character(5) :: 'a', 'bcd', '', 'efghi'], [2, 2])
    call array%create(store, 'fixed', shape=shape(names), kind=names(1, 1))
    call array%write(names); call array%read(read)
    call check(all(names == read) .and. array%element_size() == 5, 'characters')
    call array%read(short, stat=stat, errmsg=message)
    call check(stat == zarrc_type_mismatch .and. len(message) > 0, 'characters too short')
    call array%create(store, 'strings', shape=shape(names), type='string', format=zarrc_format_v3)
    call array%write(names); call array%read(read)
    call check(all(names == read), 'strings')
    call array%read(read(1:1, :), start=[2, 1])
    call check(all(read(1, :) == names(2, :)), 'some strings')
    call array%read(short, stat=stat)
    call check(stat == zarrc_type_mismatch, 'strings too long')
  end subroutine test_characters

  subroutine test_arrays()
    type(zarrc_array) :: array
    integer(int64), allocatable :: start(:), count(:)
    character(:), allocatable :: json

    call array%create(store, 'g/a', shape=[8, 4], kind=1.0, chunks=[2, 2], shards=[4, 2], codec=['gzip'], &
      codec_json=['{"level": 1}'], dimension_names=['x', ' '], attributes_json='{"units": "K"}', separator='.')
    call array%metadata_json(json)
    call check(index(json, 'gzip') > 0 .and. index(json, 'null') > 0, 'the document')
    call check(all(array%shard_shape() == [4, 2]) .and. all(array%chunk_counts() == [2, 2]), 'shards')
    call array%chunk_bounds([2, 1], start, count)
    call check(all(start == [5, 1]) .and. all(count == [4, 2]), 'the bounds of a shard')
    call check(array%rank() == 2 .and. array%data_type() == zarrc_float32 .and. array%format() == zarrc_format_v3, 'what it is')
    call array%fill_value_json(json)
    call check(json == '0.0', 'the fill value as JSON')
    call array%flush()
    call array%close()
    call array%flush(stat=stat)
    call check(stat == zarrc_invalid_argument, 'closed')
    call array%create(store, 'g/a', shape=[1], kind=1, stat=stat)
    call check(stat == zarrc_already_exists, 'exists')
    call other%open('memory:', mode='a')
    call array%create_json(other, 'json', zarrc_format_v2, '{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"<i4",' // &
      '"compressor":null,"fill_value":0,"order":"C","filters":null}')
    call check(all(array%shape() == [3]), 'from a document')
  end subroutine test_arrays

  subroutine test_attributes()
    type(zarrc_group) :: group
    character(:), allocatable :: text, words(:)
    real(real64) :: d
    real(real32) :: r
    integer :: i
    integer(int64) :: j
    logical :: l
    real(real64), allocatable :: list(:)
    integer, allocatable :: numbers(:)

    call group%create(store, 'attributes')
    call group%set_attribute('text', 'K')
    call group%set_attribute('real', 0.1d0)
    call group%set_attribute('single', 0.5)
    call group%set_attribute('integer', -3)
    call group%set_attribute('large', 2_int64**40)
    call group%set_attribute('flag', .true.)
    call group%set_attribute('list', [0.1d0, -1d300, 3d0])
    call group%set_attribute('numbers', [1, 2, 3])
    call group%get_attribute('text', text); call check(text == 'K', 'text')
    call group%get_attribute('real', d); call check(d == 0.1d0, 'real64')
    call group%get_attribute('single', r); call check(r == 0.5, 'real32')
    call group%get_attribute('integer', i); call check(i == -3, 'int32')
    call group%get_attribute('large', j); call check(j == 2_int64**40, 'int64')
    call group%get_attribute('large', i, stat=stat); call check(stat == zarrc_type_mismatch, 'too large')
    call group%get_attribute('flag', l); call check(l, 'logical')
    call group%get_attribute('list', list); call check(all(list == [0.1d0, -1d300, 3d0]), 'a list')
    call group%get_attribute('numbers', numbers); call check(all(numbers == [1, 2, 3]), 'numbers')
    call group%get_attribute('text', list, stat=stat); call check(stat == zarrc_type_mismatch, 'no list')
    call group%set_attribute('words', [character(5) :: 'a', 'longe', ''])
    call group%get_attribute('words', words)
    call check(size(words) == 3 .and. len(words) == 5 .and. words(1) == 'a' .and. words(3) == '', 'strings')
    call group%set_attribute('tenth', 0.1)
    call group%get_attribute_json('tenth', text); call check(text == '0.1', 'single precision keeps its digits: ' // text)
    call group%set_attribute_json('wide', '[1, 3000000000]')
    call group%get_attribute('wide', numbers, stat=stat); call check(stat == zarrc_type_mismatch, 'too large in a list')
    call group%get_attribute('integer', list); call check(size(list) == 1 .and. list(1) == -3, 'one number is a list')
    call group%set_attribute_json('object', '{"a": [1]}')
    call group%get_attribute_json('object', text); call check(index(text, '"a"') > 0, 'JSON')
    call group%delete_attribute('object')
    call group%get_attribute_json('object', text, stat=stat); call check(stat == zarrc_not_found, 'deleted')
    call group%replace_attributes_json('{}')
    call group%attributes_json(text); call check(text == '{}', 'replaced')
  end subroutine test_attributes

  subroutine test_hierarchy()
    type(zarrc_group) :: group
    character(:), allocatable :: paths(:), plan
    integer, allocatable :: kinds(:)
    integer(int8), allocatable :: value(:)
    type(zarrc_store) :: target_store

    call group%create(store, 'h')
    call group%create(store, 'h/inner', format=zarrc_format_v3)
    call group%open(store, 'h')
    call group%list(paths, kinds)
    call check(size(paths) == 1 .and. paths(1) == 'inner' .and. kinds(1) == zarrc_node_group, 'listed')
    call check(store%kind('h/inner') == zarrc_node_group .and. store%kind('x') == zarrc_node_none, 'kinds')
    call store%delete('h/inner')
    call check(store%kind('h/inner') == zarrc_node_none, 'deleted')
    call store%set_value('key', [1_int8, 2_int8, 3_int8])
    call store%get_value('key', value); call check(all(value == [1, 2, 3]), 'a value')
    call store%get_value('key', value, offset=1_int64); call check(all(value == [2, 3]), 'its end')
    call store%erase('key')
    call store%erase_prefix('none/')
    call store%forget('')
    call store%get_value('key', value, stat=stat); call check(stat == zarrc_not_found, 'no value')
    call target_store%open('memory:', mode='a')
    call store%convert('field', target_store, '', zarrc_format_v2, plan=plan)
    call check(index(plan, 'nodes') > 0, 'a plan')
    call store%convert('field', target_store, '', zarrc_format_v2)
    call check(target_store%kind('') == zarrc_node_array, 'converted')
  end subroutine test_hierarchy

  subroutine test_sharing()
    type(zarrc_array) :: first, second
    integer :: value
    call first%open(store, 'r0')
    second = first
    call first%close()
    call second%read(value)
    call check(value == 7, 'the other object keeps it open')
    second = second
    call second%read(value)
    call check(value == 7, 'assigned to itself')
  end subroutine test_sharing
end program test_zarrc
