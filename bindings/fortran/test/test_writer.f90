! The streaming writer, blocks that the program appends, coordinates of selections, transactions.
program test_writer
  use zarrc
  use, intrinsic :: iso_fortran_env, only: int16, int64, real32, real64
  implicit none
  type(zarrc_store) :: store
  type(zarrc_array) :: array, kept
  type(zarrc_selection) :: selection
  real(real32) :: values(6, 4)
  real(real64) :: part(3, 2, 2)
  integer(int64), allocatable :: points(:, :)
  integer :: stat, step, n, calls
  character(:), allocatable :: message
  real(real32), allocatable :: stored(:, :, :)
  logical :: flags(5)

  call store%open('memory:', mode='a')
  call steps()
  call resumed()
  call refused()
  call appends()
  call coordinates()
  call transactions()
  print '(a)', 'ok'

contains

  subroutine expect(what, yes)
    character(*), intent(in) :: what
    logical, intent(in) :: yes
    if (.not. yes) error stop what
  end subroutine expect

  !> Whole steps, boxes of several steps, sections with strides, logicals, coordinates; visible once committed.
  subroutine steps()
    type(zarrc_writer) :: writer
    type(zarrc_variable) :: field, time, flag, box, name, state
    character(3) :: names(2)
    integer(int16) :: wide(12, 4)

    call writer%open(store, 'run', flush_seconds=0._real64, buffer_bytes=0_int64)
    call writer%declare(field, 'field', shape=[6, 4, 0], kind=1._real32, chunks=[6, 4, 2], fill_value=-1._real32, &
      dimension_names=[character(4) :: 'x', 'y', 'time'], attributes_json='{"units": "K"}')
    call writer%declare(time, 'time', shape=[0], kind=1_int64, dimension_names=['time'])
    call writer%declare(flag, 'flag', shape=[5, 0], kind=.true.)
    call writer%declare(name, 'name', shape=[2, 0], kind='abc')
    call writer%declare(state, 'state', shape=[0], type='|S5')
    call writer%declare(box, 'box', shape=[6_int64, 4_int64, 0_int64], type='int16')
    call expect('a new writer begins at 0', writer%steps() == 0)
    wide = reshape([(int(n, int16), n = 1, 48)], [12, 4])
    do step = 1, 4
      do n = 1, 4
        values(:, n) = 100 * step + 10 * n
      end do
      call writer%put(field, values, step=step)
      call writer%put(time, [6 * step], start=[step])
      flags = [(mod(n + step, 2) == 0, n = 1, 5)]
      call writer%put(flag, flags, step=int(step, int64))
      names = [character(3) :: 'a', achar(iachar('a') + step) // 'xy']
      call writer%put(name, names, step=step)
      call writer%put(state, 'step', start=[step])
      call writer%put(box, wide(::2, :), start=[1, 1, step])
      call writer%commit(step)
    end do
    call writer%put(time, 'step', step=5, stat=stat, errmsg=message)
    call expect('no characters', stat == zarrc_type_mismatch)
    call writer%put(state, 'longer', step=5, stat=stat, errmsg=message)
    call expect('too long', stat == zarrc_type_mismatch)
    call writer%put(name, 3, start=[1, 5], stat=stat)
    call expect('no number', stat == zarrc_type_mismatch)
    call writer%put(field, reshape([7., 8.], [1, 1, 2]), start=[6, 4, 5])
    call writer%commit(5_int64)
    call writer%flush()
    call expect('five steps', writer%steps() == 5)
    call writer%put(field, values, step=6) ! never committed
    call writer%close()

    call array%open(store, 'run/field')
    call expect('shape', all(array%shape() == [6, 4, 5]))
    allocate (stored(6, 4, 5))
    call array%read(stored)
    call expect('first', stored(1, 1, 1) == 110 .and. stored(6, 3, 4) == 430)
    call expect('box', stored(6, 4, 5) == 7 .and. stored(5, 4, 5) == -1)
    call array%open(store, 'run/flag')
    call array%read(flags, start=[1, 3])
    call expect('logicals', all(flags .eqv. [(mod(n + 3, 2) == 0, n = 1, 5)]))
    call array%open(store, 'run/time')
    call array%read(n, start=[4])
    call expect('coordinate', n == 24)
    call array%open(store, 'run/name')
    call array%read(names, start=[1, 4])
    call expect('characters', all(names == [character(3) :: 'a', 'exy']))
    call array%open(store, 'run/state')
    call array%read(names(1), start=[3], stat=stat)
    call expect('longer than the variable', stat == zarrc_type_mismatch)
    call array%open(store, 'run/box')
    call array%read(n, start=[2, 3, 4])
    call expect('a section', n == 27)
  end subroutine steps

  !> Goes on after the steps that are visible; the end of the object closes the writer.
  subroutine resumed()
    block
      type(zarrc_writer) :: writer, same
      type(zarrc_variable) :: field
      call writer%open(store, 'run')
      call writer%declare(field, 'field', shape=[6, 4, 0], kind=1._real32)
      call expect('goes on', writer%steps() == 5)
      same = writer
      call writer%close()
      call same%put(field, values, step=6)
      call same%commit(6)
    end block
    call array%open(store, 'run/field')
    call expect('six steps', all(array%shape() == [6, 4, 6]))
  end subroutine resumed

  subroutine refused()
    type(zarrc_writer) :: writer
    type(zarrc_variable) :: field
    call writer%open(store, 'other')
    call writer%declare(field, 'field', shape=[6, 4, 3], kind=1._real32, stat=stat, errmsg=message)
    call expect('first extent', stat == zarrc_invalid_argument .and. len(message) > 10)
    call writer%declare(field, 'field', shape=[6, 4, 0], kind=1._real32)
    call writer%put(field, values, stat=stat)
    call expect('no place', stat == zarrc_invalid_argument)
    call writer%put(field, values, start=[1, 1], stat=stat)
    call expect('two indices', stat == zarrc_invalid_argument)
    call writer%put(field, values(:5, :), start=[3, 1, 1], stat=stat, errmsg=message)
    call expect('out of bounds', stat == zarrc_out_of_bounds)
    call writer%put(field, values, step=0, stat=stat)
    call expect('below 1', stat == zarrc_out_of_bounds)
    call writer%commit(-1, stat=stat)
    call expect('below 0', stat == zarrc_invalid_argument)
    call writer%put(field, values, step=1_int16)
    call writer%commit(1)
    call writer%put(field, values, step=1, stat=stat)
    call expect('committed', stat == zarrc_out_of_bounds)
    call writer%close(stat=stat)
    call expect('closes', stat == zarrc_ok)
    call writer%flush(stat=stat)
    call expect('is closed', stat == zarrc_invalid_argument)
  end subroutine refused

  subroutine appends()
    real(real64) :: wide(6, 5)
    call array%create(store, 'log', shape=[3, 2, 0], kind=1._real64, chunks=[3, 2, 2])
    calls = 0
    call array%append_with(2, two_steps)
    call array%append_with(2_int64, two_steps, dim=3)
    call expect('grown', all(array%shape() == [3, 2, 4]) .and. calls == 2)
    call array%read(part, start=[1, 1, 3])
    call expect('written', all(part == 3))
    call array%append(reshape([(real(n, real64), n = 1, 24)], [3, 2, 4]))
    call array%read(part, start=[1, 1, 7])
    call expect('appended', all(part == reshape([(n, n = 13, 24)], [3, 2, 2])))
    wide = reshape([(real(n, real64), n = 1, 30)], [6, 5])
    call array%append(wide(6:1:-2, 2:5:3))
    call array%read(part(:, :, 1), start=[1, 1, 9])
    call expect('a section appended', all(part(:, :, 1) == wide(6:1:-2, 2:5:3)))
    call array%resize([3, 2, 4])
    call array%append_with(1, none, stat=stat, errmsg=message)
    call expect('keeps its shape', stat == zarrc_cancelled .and. all(array%shape() == [3, 2, 4]))
    call array%append_with(1, none, dim=4, stat=stat)
    call expect('no such dimension', stat == zarrc_invalid_argument)
    n = kept%rank()
    call kept%refresh(stat=stat)
    call expect('what the callback kept is closed', stat == zarrc_invalid_argument)
  end subroutine appends

  integer function two_steps(grown, document, first) result(status)
    type(zarrc_array), intent(inout) :: grown
    character(*), intent(in) :: document
    integer(int64), intent(in) :: first
    type(zarrc_array) :: other
    calls = calls + 1
    kept = grown
    part = real(first, real64)
    call grown%write(part(:, :, :1), start=[1_int64, 1_int64, first])
    call other%open_json(store, 'log', grown%format(), document)
    call other%write(part(:, :, 2:), start=[1_int64, 1_int64, first + 1])
    status = zarrc_ok
  end function two_steps

  integer function none(grown, document, first) result(status)
    type(zarrc_array), intent(inout) :: grown
    character(*), intent(in) :: document
    integer(int64), intent(in) :: first
    status = zarrc_cancelled
  end function none

  subroutine coordinates()
    call array%open(store, 'run/field')
    call selection%create(array)
    call selection%set_indices(1, [5, 2])
    call selection%set_range(2, 4, 2, -3)
    call selection%set_index(3, 6)
    call selection%coordinates(points)
    call expect('all', all(points == reshape([5, 4, 6, 2, 4, 6, 5, 1, 6, 2, 1, 6], [3, 4])))
    call selection%coordinates(points, first=2_int64, count=1_int64)
    call expect('one', all(points == reshape([2, 4, 6], [3, 1])))
    call selection%coordinates(points, first=4_int64, count=2_int64, stat=stat)
    call expect('beyond', stat == zarrc_out_of_bounds)
  end subroutine coordinates

  subroutine transactions()
    type(zarrc_store) :: transaction
    type(zarrc_array) :: inside
    character(:), allocatable :: name
    integer :: found(2)

    call array%create(store, 'changed', shape=[2], kind=1)
    call array%write([1, 2])
    call store%begin(transaction)
    call inside%open(transaction, 'changed')
    call inside%write([3, 4])
    call inside%close()
    call array%read(found)
    call expect('not yet seen', all(found == [1, 2]))
    call transaction%commit('three and four')
    call array%read(found)
    call expect('seen', all(found == [3, 4]))
    call store%begin(transaction)
    call inside%open(transaction, 'changed')
    call inside%write([5, 6])
    call inside%close()
    call transaction%rollback()
    call transaction%close()
    call array%read(found)
    call expect('dropped', all(found == [3, 4]))
    call store%commit(stat=stat, errmsg=message)
    call expect('no transaction: ' // message, stat == zarrc_invalid_argument)
    call store%snapshot(name, stat=stat)
    call expect('no snapshot', stat == zarrc_unsupported)
  end subroutine transactions

end program test_writer
