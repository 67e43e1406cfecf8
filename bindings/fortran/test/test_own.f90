! What a program brings along: visitors, a store, a codec; and elements of variable length in selections.
module own
  use zarrc
  use, intrinsic :: iso_fortran_env, only: int8, int64, real64
  implicit none
  type(zarrc_store) :: store

  type :: entry
    character(60) :: key = ''
    integer(int8), allocatable :: value(:)
  end type entry

  type :: shelf
    type(entry) :: entries(100)
    integer :: count = 0, asked = 0
  end type shelf

  !> A store in Fortran's memory. (The option threads=1 keeps others out of it.)
  type, extends(zarrc_own_store) :: memory_store
    type(shelf), pointer :: shelf
  contains
    procedure :: get
    procedure :: set
    procedure :: erase
    procedure :: list
    procedure, private :: find
  end type memory_store

  !> Adds its number to each byte.
  type, extends(zarrc_own_codec) :: shift
    integer :: by
  contains
    procedure :: check
    procedure :: decode
    procedure :: encode
  end type shift

contains

  integer function find(self, key) result(n)
    class(memory_store), intent(in) :: self
    character(*), intent(in) :: key
    do n = self%shelf%count, 1, -1
      if (self%shelf%entries(n)%key == key) return
    end do
  end function find

  integer function get(self, key, value) result(status)
    class(memory_store), intent(inout) :: self
    character(*), intent(in) :: key
    integer(int8), allocatable, intent(out) :: value(:)
    integer :: n
    n = self%find(key)
    self%shelf%asked = self%shelf%asked + 1
    status = zarrc_not_found
    if (n == 0) return
    value = self%shelf%entries(n)%value
    status = zarrc_ok
  end function get

  integer function set(self, key, value) result(status)
    class(memory_store), intent(inout) :: self
    character(*), intent(in) :: key
    integer(int8), intent(in) :: value(:)
    integer :: n
    n = self%find(key)
    if (n == 0) then
      n = self%shelf%count + 1
      self%shelf%count = n
      self%shelf%entries(n)%key = key
    end if
    if (allocated(self%shelf%entries(n)%value)) deallocate (self%shelf%entries(n)%value)
    allocate (self%shelf%entries(n)%value, source=value)
    status = zarrc_ok
  end function set

  integer function erase(self, key) result(status)
    class(memory_store), intent(inout) :: self
    character(*), intent(in) :: key
    integer :: n
    n = self%find(key)
    if (n > 0) then
      self%shelf%entries(n) = self%shelf%entries(self%shelf%count)
      self%shelf%count = self%shelf%count - 1
    end if
    status = zarrc_ok
  end function erase

  integer function list(self, prefix, keys) result(status)
    class(memory_store), intent(inout) :: self
    character(*), intent(in) :: prefix
    character(:), allocatable, intent(out) :: keys(:)
    integer :: n, found
    allocate (character(60) :: keys(self%shelf%count))
    found = 0
    do n = 1, self%shelf%count
      if (index(self%shelf%entries(n)%key, prefix) /= 1) cycle
      found = found + 1
      keys(found) = self%shelf%entries(n)%key
    end do
    keys = keys(1:found)
    status = zarrc_ok
  end function list

  integer function check(self, configuration) result(status)
    class(shift), intent(inout) :: self
    character(*), intent(in) :: configuration
    status = zarrc_ok
    if (index(configuration, 'bad') > 0) status = zarrc_invalid_metadata
  end function check

  integer function encode(self, configuration, source, made) result(status)
    class(shift), intent(inout) :: self
    character(*), intent(in) :: configuration
    integer(int8), intent(in) :: source(:)
    integer(int8), allocatable, intent(out) :: made(:)
    made = [int(mod(int(source) + self%by + 384, 256) - 128, int8)]
    status = zarrc_ok
  end function encode

  integer function decode(self, configuration, source, made) result(status)
    class(shift), intent(inout) :: self
    character(*), intent(in) :: configuration
    integer(int8), intent(in) :: source(:)
    integer(int8), allocatable, intent(out) :: made(:)
    made = [int(mod(int(source) - self%by + 384, 256) - 128, int8)]
    status = zarrc_ok
  end function decode
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    character(:), allocatable :: text
    if (condition) return
    text = 'failed: ' // what
    error stop text
  end subroutine expect

  subroutine test_strings()
    type(zarrc_array) :: array
    type(zarrc_selection) :: part
    character(6) :: words(2, 3), found(2, 2), every(2, 5), wrong(3)
    integer :: stat
    words = reshape([character(6) :: 'a', 'bb', '', 'zwölf', 'e', 'f'], [2, 3])
    call array%create(store, 'words', shape=[2, 3], type='string', chunks=[2, 2])
    call array%write(words)
    call array%append(reshape([character(6) :: 'g', 'h'], [2, 1]))
    call array%append([character(6) :: 'i', 'jj'])
    call expect(all_equal(int(array%shape()), [2, 5]), 'two blocks are appended')
    call part%create(array)
    call part%set_indices(2, [5, 2])
    call array%read(part, found)
    call expect(all(found == reshape([character(6) :: 'i', 'jj', '', 'zwölf'], [2, 2])), 'strings of a selection')
    call array%write(part, reshape([character(6) :: 'p', 'q', 'r', 's'], [2, 2]))
    call array%read(every)
    call expect(all_of(every) == 'a,bb,r,s,e,f,g,h,p,q', 'strings written to a selection')
    call array%read(part, wrong, stat=stat)
    call expect(stat == zarrc_invalid_argument, 'another shape than that of the selection')
    call array%append(wrong(1:1), dim=1, stat=stat)
    call expect(stat == zarrc_invalid_argument, 'another rank than that of the array')
    call array%create(store, 'fixed', shape=[2], type='|S3')
    call array%write([character(3) :: 'abc', 'd'])
    call array%append([character(5) :: 'ef'])
    call array%read(wrong)
    call expect(wrong(1) == 'abc' .and. wrong(3) == 'ef', 'fixed bytes are appended')
    call array%append([character(5) :: 'long'], stat=stat)
    call expect(stat == zarrc_type_mismatch, 'longer than an element')
  end subroutine test_strings

  logical function all_equal(a, b)
    integer, intent(in) :: a(:), b(:)
    all_equal = size(a) == size(b)
    if (all_equal) all_equal = all(a == b)
  end function all_equal

  function all_of(words) result(text)
    character(*), intent(in) :: words(:, :)
    character(:), allocatable :: text
    integer :: i, k
    text = ''
    do k = 1, size(words, 2)
      do i = 1, size(words, 1)
        text = text // ',' // trim(words(i, k))
      end do
    end do
    text = text(2:)
  end function all_of

  subroutine test_visits()
    type(zarrc_array) :: array
    type(zarrc_group) :: group
    integer(int64) :: start(2), seen(2, 10)
    integer(int64), allocatable :: count(:), first(:)
    character(:), allocatable :: text
    integer :: n
    ! 4 columns of chunks of 3, 2 rows of 4 and 2
    call array%create(store, 'v/edges', shape=[6, 12], kind=1, chunks=[1, 3], codec=['none'], &
      chunk_edges=[zarrc_edges([4_int64, 2_int64]), zarrc_edges()])
    call array%write(reshape([(n, n=1, 72)], [6, 12]))
    call array%chunk_bounds([2, 4], first, count)
    call expect(all(first == [5, 10]) .and. all(count == [2, 3]), 'edges of chunks')
    n = 0
    call array%visit_chunks(one)
    call expect(n == 8 .and. all(seen(:, 2) == [2, 1]) .and. all(seen(:, 8) == [2, 4]), 'all chunks')
    n = 0
    start = [1, 2]
    call array%visit_chunks(one, start=start, count=[1, 2])
    call expect(n == 2 .and. all(seen(:, 1) == [1, 2]) .and. all(seen(:, 2) == [1, 3]), 'chunks of a row')
    n = 9
    call array%visit_chunks(one)
    call expect(n == 10, 'a visit that ends early')
    call group%open(store, '')
    text = ''
    call group%visit(node)
    call expect(text == 'fixed v* v/edges words ', 'nodes: ' // text)
  contains
    logical function one(index, key, bytes)
      integer(int64), intent(in) :: index(:)
      character(*), intent(in) :: key
      integer(int64), intent(in) :: bytes
      n = n + 1
      seen(:, n) = index
      call expect(bytes == 4 * 3 * merge(4, 2, index(1) == 1) .and. len(key) > 8, 'a stored chunk')
      one = n < 10
    end function one
    logical function node(path, kind)
      use, intrinsic :: iso_c_binding, only: c_int32_t
      character(*), intent(in) :: path
      integer(c_int32_t), intent(in) :: kind
      text = text // path // trim(merge('* ', '  ', kind == zarrc_node_group)) // ' '
      node = .true.
    end function node
  end subroutine test_visits

  subroutine test_copy()
    type(zarrc_store) :: other
    integer(int64) :: copied(3), again(3), deleted
    integer :: stat, reports
    call other%open('memory:', mode='a')
    call store%copy('', other, 'x', dry_run=.true., copied=copied)
    call expect(copied(1) > 8 .and. other%kind('x') == zarrc_node_none, 'a dry run')
    call store%copy('', other, 'x', exclude=[character(7) :: 'v', 'fixed'], copied=again)
    call expect(again(1) < copied(1) .and. other%kind('x/words') == zarrc_node_array, 'a copy')
    call expect(other%kind('x/v') == zarrc_node_none, 'what is left out')
    call store%copy('', other, 'x', stat=stat)
    call expect(stat == zarrc_already_exists, 'a copy onto another')
    call store%copy('', other, 'x', if_exists=zarrc_if_exists_skip, copied=copied)
    call expect(copied(2) > 0 .and. other%kind('x/v/edges') == zarrc_node_array, 'a copy that goes on')
    call store%copy('', other, 'y', link=.true., stat=stat)
    call expect(stat == zarrc_unsupported, 'links in memory')
    reports = 0
    call store%copy('', other, 'y', progress=first_only, stat=stat)
    call expect(stat == zarrc_cancelled .and. reports == 1, 'a copy that is cancelled')
    call other%delete('x', progress=watch, deleted=deleted)
    call expect(deleted == 5 .and. reports > 1, 'nodes are counted, and reported')
    call expect(other%kind('x') == zarrc_node_none, 'deleted')
  contains
    logical function first_only(done, what)
      real(real64), intent(in) :: done
      character(*), intent(in) :: what
      reports = reports + 1
      call expect(done >= 0 .and. done <= 1 .and. len(what) > 0, 'a report')
      first_only = .false.
    end function first_only
    logical function watch(done, what)
      real(real64), intent(in) :: done
      character(*), intent(in) :: what
      reports = reports + 1
      watch = done <= 1 .and. len(what) > 0
    end function watch
  end subroutine test_copy

  subroutine test_store()
    type(memory_store) :: mine
    type(shelf), target :: things
    type(zarrc_store) :: kept
    type(zarrc_options) :: options
    type(zarrc_array) :: array
    type(zarrc_group) :: group
    character(:), allocatable :: paths(:), message
    integer :: found(5, 4), n, stat
    mine%shelf => things
    call options%set('threads', '1')
    call kept%open_own(mine, name='my shelf', options=options)
    call array%create(kept, 'a/b', shape=[5, 4], kind=1, chunks=[2, 2])
    call array%write(reshape([(n, n=1, 20)], [5, 4]))
    call array%read(found)
    call expect(all(found == reshape([(n, n=1, 20)], [5, 4])), 'elements of a store of the program')
    call group%open(kept, '')
    call group%list(paths, recursive=.true.)
    call expect(size(paths) == 2, 'a listing')
    call expect(things%count == 9 .and. things%asked > 0, 'six chunks, three documents')
    call kept%delete('a')
    call expect(things%count == 1, 'erased')
    call array%close()
    call group%close()
    call kept%close()
    call kept%open_own(mine, name='my shelf', writable=.false., options=options)
    call array%create(kept, 'c', shape=[1], kind=1, stat=stat, errmsg=message)
    call expect(stat == zarrc_permission_denied .and. index(message, 'my shelf') > 0, 'a store that is read only: ' // message)
  end subroutine test_store

  subroutine test_codec()
    type(zarrc_array) :: array
    integer(int8) :: values(6), found(6)
    integer(int8), allocatable :: stored(:)
    integer :: stat
    values = [-127_int8, -1_int8, 0_int8, 1_int8, 126_int8, 127_int8]
    call zarrc_register_codec('test.shift', shift(by=3))
    call zarrc_register_codec('test.shift', shift(by=3), stat=stat)
    call expect(stat == zarrc_already_exists, 'a name that is taken')
    call array%create(store, 'shifted', shape=[6], kind=values(1), codec=['test.shift'])
    call array%write(values)
    call array%read(found)
    call expect(all(found == values), 'through a codec of the program')
    call store%get_value('shifted/c/0', stored)
    call expect(all(stored == [-124_int8, 2_int8, 3_int8, 4_int8, -127_int8, -126_int8]), 'encoded bytes')
    call array%close()
    call array%create(store, 'refused', shape=[6], kind=values(1), codec=['test.shift'], codec_json=['{"bad":1}'], stat=stat)
    call expect(stat /= zarrc_ok, 'a configuration that the codec refuses')
    call zarrc_unregister_codec('test.shift')
    call array%open(store, 'shifted', stat=stat)
    call expect(stat == zarrc_unsupported, 'a codec that is gone')
  end subroutine test_codec
end module own

program test_own
  use zarrc
  use own
  implicit none
  call store%open('memory:', mode='a')
  call test_strings()
  call test_visits()
  call test_copy()
  call test_store()
  call test_codec()
  print '(a)', 'ok'
end program test_own
