! Written from ../mpi/zarrc_mpi.f90.in by bindings/generate/generate.py: change that, not this.
!> Zarr arrays that all ranks of a communicator read and write together.
!>
!>     use mpi_f08
!>     use zarrc_mpi
!>     type(zarrc_mpi_store) :: store
!>     type(zarrc_mpi_array) :: array
!>     call store%open(MPI_COMM_WORLD, 'ocean.zarr', mode='w')   ! a communicator of mpi_f08, or an integer
!>     call array%create(store, 'temperature', shape=[nx, ny], kind=mine(1, 1), chunks=[256, 256])
!>     call array%write(mine, start=[x0, y0])                     ! each rank its own box
!>     call array%close()
!>     call store%close()
!>
!> As in module zarrc, dimensions are in Fortran's order and indices begin at 1; stat= and errmsg= work alike. All
!> procedures but local() are collective: every rank calls them, in the same order, and gets the same status. A
!> rank whose `values` have no elements takes part with nothing. Sections with strides are copied first.
module zarrc_mpi
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use mpi_f08, only: MPI_Comm
  use zarrc_c
  use zarrc_memory
  implicit none
  private
  public :: zarrc_mpi_store, zarrc_mpi_array

  type :: zarrc_mpi_store
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, private :: open_f08, open_integer
    generic :: open => open_f08, open_integer
    procedure :: create_group
    procedure :: set_group_attributes
    procedure :: consolidate
    procedure :: close => store_close
  end type zarrc_mpi_store

  type :: zarrc_mpi_array
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => array_open
    procedure :: create => array_create
    procedure :: close => array_close
    procedure :: resize => array_resize
    procedure :: set_attribute_json
    procedure :: set_attributes
    procedure :: flush => array_flush
    procedure :: local
    procedure, private :: read_int8, write_int8, append_int8, read_selection_int8, write_selection_int8
    generic :: read => read_int8
    generic :: write => write_int8
    generic :: append => append_int8
    generic :: read_selection => read_selection_int8
    generic :: write_selection => write_selection_int8
    procedure, private :: read_int16, write_int16, append_int16, read_selection_int16, write_selection_int16
    generic :: read => read_int16
    generic :: write => write_int16
    generic :: append => append_int16
    generic :: read_selection => read_selection_int16
    generic :: write_selection => write_selection_int16
    procedure, private :: read_int32, write_int32, append_int32, read_selection_int32, write_selection_int32
    generic :: read => read_int32
    generic :: write => write_int32
    generic :: append => append_int32
    generic :: read_selection => read_selection_int32
    generic :: write_selection => write_selection_int32
    procedure, private :: read_int64, write_int64, append_int64, read_selection_int64, write_selection_int64
    generic :: read => read_int64
    generic :: write => write_int64
    generic :: append => append_int64
    generic :: read_selection => read_selection_int64
    generic :: write_selection => write_selection_int64
    procedure, private :: read_real32, write_real32, append_real32, read_selection_real32, write_selection_real32
    generic :: read => read_real32
    generic :: write => write_real32
    generic :: append => append_real32
    generic :: read_selection => read_selection_real32
    generic :: write_selection => write_selection_real32
    procedure, private :: read_real64, write_real64, append_real64, read_selection_real64, write_selection_real64
    generic :: read => read_real64
    generic :: write => write_real64
    generic :: append => append_real64
    generic :: read_selection => read_selection_real64
    generic :: write_selection => write_selection_real64
    procedure, private :: read_complex32, write_complex32, append_complex32, read_selection_complex32, write_selection_complex32
    generic :: read => read_complex32
    generic :: write => write_complex32
    generic :: append => append_complex32
    generic :: read_selection => read_selection_complex32
    generic :: write_selection => write_selection_complex32
    procedure, private :: read_complex64, write_complex64, append_complex64, read_selection_complex64, write_selection_complex64
    generic :: read => read_complex64
    generic :: write => write_complex64
    generic :: append => append_complex64
    generic :: read_selection => read_selection_complex64
    generic :: write_selection => write_selection_complex64
  end type zarrc_mpi_array

  interface
    integer(c_int32_t) function zarrc_mpi_store_open_f(comm, url, mode, options, store, err) bind(c)
      import
      integer(c_int), value :: comm ! an MPI_Fint
      character(kind=c_char), intent(in) :: url(*)
      integer(c_int32_t), value :: mode
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: store
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_store_open_f
    integer(c_int32_t) function zarrc_mpi_store_close(store, err) bind(c)
      import
      type(c_ptr), value :: store
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_store_close
    integer(c_int32_t) function zarrc_mpi_group_create(store, path, format, err) bind(c)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: format
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_group_create
    integer(c_int32_t) function zarrc_mpi_group_update_attributes(store, path, others, err) bind(c)
      import
      type(c_ptr), value :: store, others
      character(kind=c_char), intent(in) :: path(*)
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_group_update_attributes
    integer(c_int32_t) function zarrc_mpi_consolidate_metadata(store, path, err) bind(c)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_consolidate_metadata
    integer(c_int32_t) function zarrc_mpi_array_create(store, path, spec, array, err) bind(c)
      import
      type(c_ptr), value :: store, spec
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_create
    integer(c_int32_t) function zarrc_mpi_array_open(store, path, array, err) bind(c)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_open
    integer(c_int32_t) function zarrc_mpi_array_close(array, err) bind(c)
      import
      type(c_ptr), value :: array
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_close
    integer(c_int32_t) function zarrc_mpi_array_read(array, start, count, memory_type, data, size, err) bind(c)
      import
      type(c_ptr), value :: array, data
      integer(c_int64_t), intent(in) :: start(*), count(*)
      integer(c_int32_t), value :: memory_type
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_read
    integer(c_int32_t) function zarrc_mpi_array_read_selection(array, selection, memory_type, data, size, err) bind(c)
      import
      type(c_ptr), value :: array, selection, data
      integer(c_int32_t), value :: memory_type
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_read_selection
    integer(c_int32_t) function zarrc_mpi_array_write(array, start, count, memory_type, data, size, err) bind(c)
      import
      type(c_ptr), value :: array, data
      integer(c_int64_t), intent(in) :: start(*), count(*)
      integer(c_int32_t), value :: memory_type
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_write
    integer(c_int32_t) function zarrc_mpi_array_write_selection(array, selection, memory_type, data, size, err) bind(c)
      import
      type(c_ptr), value :: array, selection, data
      integer(c_int32_t), value :: memory_type
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_write_selection
    integer(c_int32_t) function zarrc_mpi_array_append(array, axis, extent, start, count, memory_type, data, size, err) &
      bind(c)
      import
      type(c_ptr), value :: array, data
      integer(c_size_t), value :: axis, size
      integer(c_int64_t), value :: extent
      integer(c_int64_t), intent(in) :: start(*), count(*)
      integer(c_int32_t), value :: memory_type
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_append
    integer(c_int32_t) function zarrc_mpi_array_resize(array, rank, shape, err) bind(c)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_resize
    integer(c_int32_t) function zarrc_mpi_array_set_attribute_json(array, key, json, err) bind(c)
      import
      type(c_ptr), value :: array
      character(kind=c_char), intent(in) :: key(*), json(*)
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_set_attribute_json
    integer(c_int32_t) function zarrc_mpi_array_update_attributes(array, others, err) bind(c)
      import
      type(c_ptr), value :: array, others
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_update_attributes
    integer(c_int32_t) function zarrc_mpi_array_flush(array, err) bind(c)
      import
      type(c_ptr), value :: array
      type(zarrc_error_c), intent(inout) :: err
    end function zarrc_mpi_array_flush
    type(c_ptr) function zarrc_mpi_array_local(array) bind(c)
      import
      type(c_ptr), value :: array
    end function zarrc_mpi_array_local
  end interface

contains

  ! ---- errors

  !> Gives the outcome to the caller: true if errmsg= wants the message, which the caller sets itself. (Some compilers
  !> lose its length on the way through another procedure.) Without stat= an error stops the program.
  function told(status, error, stat, wanted)
    integer(c_int32_t), intent(in) :: status
    type(zarrc_error_c), intent(in) :: error
    integer, intent(out), optional :: stat
    logical, intent(in) :: wanted
    logical :: told
    character(:), allocatable :: message

    told = wanted .and. status /= zarrc_ok
    if (present(stat)) stat = status
    if (status == zarrc_ok .or. present(stat)) return
    message = message_of(error)
    error stop message
  end function told

  function message_of(error) result(message)
    type(zarrc_error_c), intent(in) :: error
    character(:), allocatable :: message
    integer :: n, length

    do length = 0, size(error%message) - 1
      if (error%message(length + 1) == c_null_char) exit
    end do
    allocate (character(length) :: message)
    do n = 1, length
      message(n:n) = error%message(n)
    end do
  end function message_of

  pure function c(text)
    character(*), intent(in) :: text
    character(kind=c_char, len=:), allocatable :: c
    c = trim(text) // c_null_char
  end function c

  pure function reversed(values) result(other)
    integer, intent(in) :: values(:)
    integer(c_int64_t) :: other(size(values))
    other = values(size(values):1:-1)
  end function reversed

  ! ---- stores

  !> mode: r (default), r+, a, w-, w, as in h5py.
  subroutine open_f08(self, comm, url, mode, stat, errmsg)
    class(zarrc_mpi_store), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: url
    character(*), intent(in), optional :: mode
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status, number
    character(2) :: how

    how = 'r'
    if (present(mode)) how = mode
    number = findloc([character(2) :: 'r', 'r+', 'a', 'w-', 'w'], how, dim=1) - 1
    call store_close(self, status)
    status = zarrc_mpi_store_open_f(comm%MPI_VAL, c(url), number, c_null_ptr, self%handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine open_f08

  !> mode: r (default), r+, a, w-, w, as in h5py.
  subroutine open_integer(self, comm, url, mode, stat, errmsg)
    class(zarrc_mpi_store), intent(inout) :: self
    integer, intent(in) :: comm
    character(*), intent(in) :: url
    character(*), intent(in), optional :: mode
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status, number
    character(2) :: how

    how = 'r'
    if (present(mode)) how = mode
    number = findloc([character(2) :: 'r', 'r+', 'a', 'w-', 'w'], how, dim=1) - 1
    call store_close(self, status)
    status = zarrc_mpi_store_open_f(comm, c(url), number, c_null_ptr, self%handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine open_integer

  subroutine create_group(self, path, stat, errmsg)
    class(zarrc_mpi_store), intent(inout) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_mpi_group_create(self%handle, c(path), zarrc_format_any, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine create_group

  !> Sets attributes of a group with one write of its document: names, and JSON values such as '"K"'.
  subroutine set_group_attributes(self, path, names, json, stat, errmsg)
    class(zarrc_mpi_store), intent(inout) :: self
    character(*), intent(in) :: path, names(:), json(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error, mistake
    type(c_ptr) :: all
    integer(c_int32_t) :: status, done

    status = collected(names, json, all, mistake)
    ! also after a mistake, so that every rank takes part: without attributes nothing is set
    done = zarrc_mpi_group_update_attributes(self%handle, c(path), all, error)
    call zarrc_attributes_free(all)
    if (status == zarrc_ok) then
      status = done
    else
      error = mistake
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine set_group_attributes

  !> Writes consolidated metadata for a group ('': the root): one document with those of everything below.
  subroutine consolidate(self, path, stat, errmsg)
    class(zarrc_mpi_store), intent(inout) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_mpi_consolidate_metadata(self%handle, c(path), &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine consolidate

  !> New attributes with those values; c_null_ptr after a mistake.
  function collected(names, json, all, error) result(status)
    character(*), intent(in) :: names(:), json(:)
    type(c_ptr), intent(out) :: all
    type(zarrc_error_c), intent(inout) :: error
    integer(c_int32_t) :: status
    integer :: n

    all = c_null_ptr
    status = zarrc_attributes_new(all, error)
    do n = 1, min(size(names), size(json))
      if (status == zarrc_ok) status = zarrc_attributes_set_json(all, c(names(n)), c(json(n)), error)
    end do
    if (status == zarrc_ok) return
    call zarrc_attributes_free(all)
    all = c_null_ptr
  end function collected

  subroutine store_close(self, stat, errmsg)
    class(zarrc_mpi_store), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status

    status = zarrc_ok
    if (c_associated(self%handle)) status = zarrc_mpi_store_close(self%handle, error)
    self%handle = c_null_ptr
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_close

  subroutine array_close(self, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status

    status = zarrc_ok
    if (c_associated(self%handle)) status = zarrc_mpi_array_close(self%handle, error)
    self%handle = c_null_ptr
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_close

  ! ---- arrays

  subroutine array_open(self, store, path, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(zarrc_mpi_store), intent(in) :: store
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status

    call array_close(self, status)
    status = zarrc_mpi_array_open(store%handle, c(path), self%handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_open

  !> Creates an array of the type of `kind`, a number whose value does not matter.
  subroutine array_create(self, store, path, shape, kind, chunks, shards, dimension_names, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(zarrc_mpi_store), intent(in) :: store
    character(*), intent(in) :: path
    integer, intent(in) :: shape(:)
    class(*), intent(in) :: kind
    integer, intent(in), optional :: chunks(:), shards(:)
    character(*), intent(in), optional :: dimension_names(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error, mistake
    type(c_ptr) :: spec
    character(len=:, kind=c_char), allocatable, target :: names(:)
    type(c_ptr), allocatable :: pointers(:)
    integer(c_int32_t) :: status, number
    integer :: n

    call array_close(self, status)
    select type (kind)
    type is (integer(int8))
      number = zarrc_int8
    type is (integer(int16))
      number = zarrc_int16
    type is (integer(int32))
      number = zarrc_int32
    type is (integer(int64))
      number = zarrc_int64
    type is (real(real32))
      number = zarrc_float32
    type is (real(real64))
      number = zarrc_float64
    type is (complex(real32))
      number = zarrc_complex64
    type is (complex(real64))
      number = zarrc_complex128
    class default
      number = -1
    end select
    spec = c_null_ptr
    status = zarrc_array_spec_new(number, size(shape, kind=c_size_t), reversed(shape), spec, error)
    if (status == zarrc_ok .and. present(chunks)) &
      status = zarrc_array_spec_set_chunk_shape(spec, size(chunks, kind=c_size_t), reversed(chunks), error)
    if (status == zarrc_ok .and. present(shards)) &
      status = zarrc_array_spec_set_shard_shape(spec, size(shards, kind=c_size_t), reversed(shards), error)
    if (status == zarrc_ok .and. present(dimension_names)) then
      allocate (character(len(dimension_names) + 1) :: names(size(dimension_names)))
      allocate (pointers(size(dimension_names)))
      do n = 1, size(names)
        names(n) = c(dimension_names(size(names) + 1 - n))
        pointers(n) = c_loc(names(n))
      end do
      status = zarrc_array_spec_set_dimension_names(spec, size(pointers, kind=c_size_t), pointers, error)
    end if
    ! also after a mistake, so that every rank takes part: without a spec nothing is created
    mistake = error
    if (status /= zarrc_ok) then
      call zarrc_array_spec_free(spec)
      spec = c_null_ptr
    end if
    number = zarrc_mpi_array_create(store%handle, c(path), spec, self%handle, error)
    if (status == zarrc_ok) then
      status = number
    else
      error = mistake
    end if
    call zarrc_array_spec_free(spec)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_create

  subroutine array_resize(self, shape, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    status = zarrc_mpi_array_resize(self%handle, size(shape, kind=c_size_t), reversed(shape), error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_resize

  !> Sets an attribute to a JSON value: '"K"', '[1, 2]'.
  subroutine set_attribute_json(self, key, json, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    character(*), intent(in) :: key, json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_mpi_array_set_attribute_json(self%handle, c(key), c(json), &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine set_attribute_json

  !> Sets attributes with one write of the document: names, and JSON values. Only the first rank's count.
  subroutine set_attributes(self, names, json, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    character(*), intent(in) :: names(:), json(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error, mistake
    type(c_ptr) :: all
    integer(c_int32_t) :: status, done

    status = collected(names, json, all, mistake)
    done = zarrc_mpi_array_update_attributes(self%handle, all, error)
    call zarrc_attributes_free(all)
    if (status == zarrc_ok) then
      status = done
    else
      error = mistake
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine set_attributes

  !> Writes what was put off (option write_buffer) on all ranks.
  subroutine array_flush(self, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_mpi_array_flush(self%handle, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_flush

  !> This rank's own handle, for the functions of module zarrc_c that are not collective. Borrowed.
  function local(self) result(handle)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr) :: handle
    handle = zarrc_mpi_array_local(self%handle)
  end function local

  !> The box that `view` holds from `start` on (default: 1), in C's order.
  subroutine box(self, view, start, from, count)
    class(zarrc_mpi_array), intent(in) :: self
    type(memory), intent(in) :: view
    integer, intent(in), optional :: start(:)
    integer(c_int64_t), allocatable, intent(out) :: from(:), count(:)
    integer :: rank

    rank = int(zarrc_array_rank(zarrc_mpi_array_local(self%handle)))
    allocate (from(rank), count(rank))
    from = 0
    ! a memory array of lower rank is a slab: one element along the last dimensions
    count = view%extent(rank:1:-1)
    if (present(start)) from = reversed(start) - 1
  end subroutine box

  subroutine read_int8(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    integer(int8), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 1_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int8

  subroutine write_int8(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int8), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 1_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int8

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_int8(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int8), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 1_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int8

  subroutine read_int16(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    integer(int16), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 2_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int16

  subroutine write_int16(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int16), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 2_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int16

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_int16(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int16), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 2_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int16

  subroutine read_int32(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    integer(int32), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 4_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int32

  subroutine write_int32(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int32), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 4_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int32

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_int32(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int32), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 4_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int32

  subroutine read_int64(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    integer(int64), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int64

  subroutine write_int64(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int64), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int64

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_int64(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    integer(int64), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int64

  subroutine read_real32(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    real(real32), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 4_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_real32

  subroutine write_real32(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    real(real32), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 4_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_real32

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_real32(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    real(real32), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 4_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_real32

  subroutine read_real64(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    real(real64), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_real64

  subroutine write_real64(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    real(real64), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_real64

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_real64(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    real(real64), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_real64

  subroutine read_complex32(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    complex(real32), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_complex32

  subroutine write_complex32(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    complex(real32), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_complex32

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_complex32(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    complex(real32), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 8_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_complex32

  subroutine read_complex64(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    complex(real64), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_read(self%handle, from, count, view%data_type, view%data, product(count) * 16_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_complex64

  subroutine write_complex64(self, values, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    complex(real64), intent(in), target, contiguous :: values(..)
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_write(self%handle, from, count, view%data_type, view%data, product(count) * 16_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_complex64

  !> Appends a block of `extent` elements along dimension `axis`, of which this rank has the box that begins at `start`
  !> (default: 1) of the block. The boxes of all ranks fill the block; axis and extent are the same on every rank.
  subroutine append_complex64(self, values, axis, extent, start, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    complex(real64), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: axis, extent
    integer, intent(in), optional :: start(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)
    call layout(values, view)
    call box(self, view, start, from, count)
    if (told(zarrc_mpi_array_append(self%handle, int(size(from) - axis, c_size_t), int(extent, c_int64_t), from, count, &
      view%data_type, view%data, product(count) * 16_c_size_t, &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_complex64

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_int8(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    integer(int8), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 1, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_int8

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_int8(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    integer(int8), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 1, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_int8

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_int16(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    integer(int16), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 2, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_int16

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_int16(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    integer(int16), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 2, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_int16

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_int32(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    integer(int32), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 4, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_int32

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_int32(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    integer(int32), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 4, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_int32

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_int64(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    integer(int64), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 8, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_int64

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_int64(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    integer(int64), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 8, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_int64

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_real32(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    real(real32), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 4, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_real32

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_real32(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    real(real32), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 4, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_real32

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_real64(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    real(real64), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 8, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_real64

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_real64(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    real(real64), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 8, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_real64

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_complex32(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    complex(real32), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 8, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_complex32

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_complex32(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    complex(real32), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 8, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_complex32

  !> The elements of a selection: made with module zarrc_c for local(), where dimensions are in C's order and indices
  !> begin at 0; c_null_ptr: this rank reads nothing. `values` has as many elements, in any shape.
  subroutine read_selection_complex64(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(in) :: self
    type(c_ptr), intent(in) :: selection
    complex(real64), intent(inout), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_read_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 16, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selection_complex64

  !> Likewise. Of several values for one element, the last of the highest rank stays.
  subroutine write_selection_complex64(self, selection, values, stat, errmsg)
    class(zarrc_mpi_array), intent(inout) :: self
    type(c_ptr), intent(in) :: selection
    complex(real64), intent(in), target, contiguous :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    call layout(values, view)
    if (told(zarrc_mpi_array_write_selection(self%handle, selection, view%data_type, view%data, &
      size(values, kind=c_size_t) * 16, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selection_complex64

end module zarrc_mpi
