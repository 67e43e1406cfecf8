! Written from fortran/zarrc.f90.in by bindings/generate/generate.py: change that, not this.
!> Zarr arrays from Fortran.
!>
!>     use zarrc
!>     type(zarrc_store) :: store
!>     type(zarrc_array) :: array
!>     call store%open('first.zarr', mode='w')               ! r, r+, a, w-, w as in h5py
!>     call array%create(store, 'field', shape=shape(field), kind=field(1, 1))
!>     call array%write(field)
!>     call array%read(part, start=[3, 2])                    ! counts are those of part
!>
!> Dimensions are in Fortran's order (the first is Zarr's last, so nothing is transposed), indices begin at 1.
!> Arrays in memory may have any kind of number, any rank and any strides; they are never copied. A memory array
!> of lower rank than the stored one is a slab: one element along the last dimensions, which `start` names.
!> Every procedure takes stat= (one of the zarrc_ constants, zarrc_ok is 0) and errmsg=; without stat= an error
!> stops the program with its message. Objects may be assigned (both then are the same open thing) and are closed
!> when the last of them goes out of scope, or by close().
module zarrc
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use zarrc_c
  use zarrc_memory
  implicit none
  private
  public :: zarrc_options, zarrc_store, zarrc_group, zarrc_array, zarrc_selection, zarrc_request, zarrc_edges
  public :: zarrc_writer, zarrc_variable, zarrc_append_writer
  public :: zarrc_progress, zarrc_chunk_visitor, zarrc_node_visitor, zarrc_own_store, zarrc_own_codec
  public :: zarrc_register_codec, zarrc_unregister_codec
  public :: zarrc_wait_any, zarrc_library_version, zarrc_library_info
public :: zarrc_ok
  public :: zarrc_invalid_argument
  public :: zarrc_out_of_bounds
  public :: zarrc_not_found
  public :: zarrc_already_exists
  public :: zarrc_invalid_metadata
  public :: zarrc_corrupt_data
  public :: zarrc_unsupported
  public :: zarrc_type_mismatch
  public :: zarrc_permission_denied
  public :: zarrc_io
  public :: zarrc_conflict
  public :: zarrc_limit_exceeded
  public :: zarrc_cancelled
  public :: zarrc_out_of_memory
  public :: zarrc_internal
  public :: zarrc_native
  public :: zarrc_bool
  public :: zarrc_int8
  public :: zarrc_int16
  public :: zarrc_int32
  public :: zarrc_int64
  public :: zarrc_uint8
  public :: zarrc_uint16
  public :: zarrc_uint32
  public :: zarrc_uint64
  public :: zarrc_float16
  public :: zarrc_bfloat16
  public :: zarrc_float32
  public :: zarrc_float64
  public :: zarrc_complex64
  public :: zarrc_complex128
  public :: zarrc_raw
  public :: zarrc_fixed_bytes
  public :: zarrc_fixed_utf32
  public :: zarrc_datetime64
  public :: zarrc_timedelta64
  public :: zarrc_struct
  public :: zarrc_string
  public :: zarrc_bytes
  public :: zarrc_ragged
  public :: zarrc_json
  public :: zarrc_int2
  public :: zarrc_int4
  public :: zarrc_uint2
  public :: zarrc_uint4
  public :: zarrc_float4_e2m1fn
  public :: zarrc_float6_e2m3fn
  public :: zarrc_float6_e3m2fn
  public :: zarrc_float8_e3m4
  public :: zarrc_float8_e4m3
  public :: zarrc_float8_e4m3b11fnuz
  public :: zarrc_float8_e4m3fn
  public :: zarrc_float8_e4m3fnuz
  public :: zarrc_float8_e5m2
  public :: zarrc_float8_e5m2fnuz
  public :: zarrc_float8_e8m0fnu
  public :: zarrc_complex_float16
  public :: zarrc_complex_bfloat16
  public :: zarrc_complex_float4_e2m1fn
  public :: zarrc_complex_float6_e2m3fn
  public :: zarrc_complex_float6_e3m2fn
  public :: zarrc_complex_float8_e3m4
  public :: zarrc_complex_float8_e4m3
  public :: zarrc_complex_float8_e4m3b11fnuz
  public :: zarrc_complex_float8_e4m3fn
  public :: zarrc_complex_float8_e4m3fnuz
  public :: zarrc_complex_float8_e5m2
  public :: zarrc_complex_float8_e5m2fnuz
  public :: zarrc_complex_float8_e8m0fnu
  public :: zarrc_format_any
  public :: zarrc_format_v1
  public :: zarrc_format_v2
  public :: zarrc_format_v3
  public :: zarrc_format_n5
  public :: zarrc_format_v3_2019
  public :: zarrc_format_v3_2020
  public :: zarrc_format_v3_2022
  public :: zarrc_read
  public :: zarrc_read_write
  public :: zarrc_append
  public :: zarrc_create
  public :: zarrc_overwrite
  public :: zarrc_attribute_null
  public :: zarrc_attribute_bool
  public :: zarrc_attribute_integer
  public :: zarrc_attribute_number
  public :: zarrc_attribute_string
  public :: zarrc_attribute_integers
  public :: zarrc_attribute_numbers
  public :: zarrc_attribute_strings
  public :: zarrc_attribute_list
  public :: zarrc_attribute_object
  public :: zarrc_node_none
  public :: zarrc_node_group
  public :: zarrc_node_array
  public :: zarrc_codec_bytes
  public :: zarrc_codec_array_bytes
  public :: zarrc_codec_array
  public :: zarrc_if_exists_fail
  public :: zarrc_if_exists_skip
  public :: zarrc_if_exists_replace

  !> An open handle, and how many objects share it.
  type :: shared
    type(c_ptr) :: handle = c_null_ptr
    integer :: count = 1
  end type shared

  !> Settings of a store: call options%set('threads', '4').
  type :: zarrc_options
    private
    type(shared), pointer :: own => null()
  contains
    procedure :: set => options_set
    procedure, private :: options_assign
    generic :: assignment(=) => options_assign
    final :: options_final
  end type zarrc_options

  !> Extents of the chunks along one dimension: zarrc_edges([3_int64, 5_int64]), zarrc_edges() where all are alike.
  type :: zarrc_edges
    integer(int64), allocatable :: extents(:)
  end type zarrc_edges

  type :: zarrc_store
    private
    type(shared), pointer :: own => null()
  contains
    procedure :: open => store_open
    procedure :: open_own => store_open_own
    procedure :: close => store_close
    procedure :: kind => store_kind
    procedure :: delete => store_delete
    procedure :: get_value => store_get_value
    procedure :: set_value => store_set_value
    procedure :: erase => store_erase
    procedure :: erase_prefix => store_erase_prefix
    procedure :: forget => store_forget
    procedure :: begin => store_begin
    procedure :: commit => store_commit
    procedure :: rollback => store_rollback
    procedure :: snapshot => store_snapshot
    procedure :: convert => store_convert
    procedure :: hdf5_export => store_hdf5_export
    procedure :: references_json => store_references_json
    procedure :: copy => store_copy
    procedure :: move => store_move
    procedure :: consolidate => store_consolidate
    procedure :: verify => store_verify
    procedure :: repair => store_repair
    procedure, private :: store_assign
    generic :: assignment(=) => store_assign
    final :: store_final
  end type zarrc_store

  !> What a group and an array have in common: attributes.
  type, abstract :: zarrc_node
    private
    type(shared), pointer :: own => null()
  contains
    procedure(attributes_of), deferred, private :: attributes
    procedure, private :: set_character, set_logical, set_strings, get_character, get_logical, get_strings
    procedure, private :: set_int32, get_int32, set_list_int32, get_list_int32
    procedure, private :: set_int64, get_int64, set_list_int64, get_list_int64
    procedure, private :: set_real32, get_real32, set_list_real32, get_list_real32
    procedure, private :: set_real64, get_real64, set_list_real64, get_list_real64
    generic :: set_attribute => set_character, set_logical, set_strings
    generic :: get_attribute => get_character, get_logical, get_strings
    generic :: set_attribute => set_int32, set_list_int32
    generic :: get_attribute => get_int32, get_list_int32
    generic :: set_attribute => set_int64, set_list_int64
    generic :: get_attribute => get_int64, get_list_int64
    generic :: set_attribute => set_real32, set_list_real32
    generic :: get_attribute => get_real32, get_list_real32
    generic :: set_attribute => set_real64, set_list_real64
    generic :: get_attribute => get_real64, get_list_real64
    procedure :: get_attribute_json => get_json
    procedure :: set_attribute_json => set_json
    procedure :: attributes_json => all_json
    procedure :: replace_attributes_json => replace_json
    procedure :: delete_attribute => delete_attribute
  end type zarrc_node

  abstract interface
    function attributes_of(self) result(handle)
      import :: zarrc_node, c_ptr
      class(zarrc_node), intent(in) :: self
      type(c_ptr) :: handle
    end function attributes_of
  end interface

  type, extends(zarrc_node) :: zarrc_group
  contains
    procedure :: open => group_open
    procedure :: create => group_create
    procedure :: close => group_close
    procedure :: list => group_list
    procedure :: open_url => group_open_url
    procedure :: require => group_require
    procedure :: overwrite => group_overwrite
    procedure :: tree => group_tree
    procedure :: visit => group_visit
    procedure, private :: attributes => group_attributes
    procedure, private :: group_assign
    generic :: assignment(=) => group_assign
    final :: group_final
  end type zarrc_group

  type, extends(zarrc_node) :: zarrc_array
  contains
    procedure :: open => array_open
    procedure :: create => array_create
    procedure :: create_json => array_create_json
    procedure :: create_like => array_create_like
    procedure :: open_url => array_open_url
    procedure :: rechunk => array_rechunk
    procedure :: digest => array_digest
    procedure :: chunk_key => array_chunk_key
    procedure :: dimension_name => array_dimension_name
    procedure :: order => array_order
    procedure :: separator => array_separator
    procedure :: data_type_text => array_data_type_text
    procedure :: codecs_json => array_codecs_json
    procedure :: info_json => array_info_json
    procedure :: path => array_path
    procedure :: store_name => array_store_name
    procedure :: open_json => array_open_json
    procedure :: close => array_close
    procedure :: flush => array_flush
    procedure :: resize => array_resize
    procedure :: grow => array_grow
    procedure :: append_with => array_append_with
    procedure :: refresh => array_refresh
    procedure :: rank => array_rank
    procedure :: shape => array_shape
    procedure :: chunk_shape => array_chunk_shape
    procedure :: shard_shape => array_shard_shape
    procedure :: chunk_counts => array_chunk_counts
    procedure :: chunk_bounds => array_chunk_bounds
    procedure :: visit_chunks => array_visit_chunks
    procedure :: data_type => array_data_type
    procedure :: format => array_format
    procedure :: element_size => array_element_size
    procedure :: metadata_json => array_metadata_json
    procedure :: fill_value_json => array_fill_value_json
    procedure, private :: move => array_move
    procedure, private :: read_selected_character, write_selected_character, append_character
    generic :: read => read_selected_character
    generic :: write => write_selected_character
    generic :: append => append_character
    procedure, private :: read_character, write_character, read_logical, write_logical, read_bool, write_bool
    generic :: read => read_character, read_logical, read_bool
    generic :: write => write_character, write_logical, write_bool
    procedure, private :: read_int8, write_int8, append_int8, fill_int8, set_all_int8, missing_int8
    procedure, private :: read_selected_int8, write_selected_int8, read_start_int8, write_start_int8
    generic :: read => read_selected_int8
    generic :: write => write_selected_int8
    generic :: read_start => read_start_int8
    generic :: write_start => write_start_int8
    generic :: fill => set_all_int8
    generic :: set_missing_value => missing_int8
    generic :: read => read_int8
    generic :: append => append_int8
    generic :: write => write_int8
    generic :: fill_value => fill_int8
    procedure, private :: read_int16, write_int16, append_int16, fill_int16, set_all_int16, missing_int16
    procedure, private :: read_selected_int16, write_selected_int16, read_start_int16, write_start_int16
    generic :: read => read_selected_int16
    generic :: write => write_selected_int16
    generic :: read_start => read_start_int16
    generic :: write_start => write_start_int16
    generic :: fill => set_all_int16
    generic :: set_missing_value => missing_int16
    generic :: read => read_int16
    generic :: append => append_int16
    generic :: write => write_int16
    generic :: fill_value => fill_int16
    procedure, private :: read_int32, write_int32, append_int32, fill_int32, set_all_int32, missing_int32
    procedure, private :: read_selected_int32, write_selected_int32, read_start_int32, write_start_int32
    generic :: read => read_selected_int32
    generic :: write => write_selected_int32
    generic :: read_start => read_start_int32
    generic :: write_start => write_start_int32
    generic :: fill => set_all_int32
    generic :: set_missing_value => missing_int32
    generic :: read => read_int32
    generic :: append => append_int32
    generic :: write => write_int32
    generic :: fill_value => fill_int32
    procedure, private :: read_int64, write_int64, append_int64, fill_int64, set_all_int64, missing_int64
    procedure, private :: read_selected_int64, write_selected_int64, read_start_int64, write_start_int64
    generic :: read => read_selected_int64
    generic :: write => write_selected_int64
    generic :: read_start => read_start_int64
    generic :: write_start => write_start_int64
    generic :: fill => set_all_int64
    generic :: set_missing_value => missing_int64
    generic :: read => read_int64
    generic :: append => append_int64
    generic :: write => write_int64
    generic :: fill_value => fill_int64
    procedure, private :: read_real32, write_real32, append_real32, fill_real32, set_all_real32, missing_real32
    procedure, private :: read_selected_real32, write_selected_real32, read_start_real32, write_start_real32
    generic :: read => read_selected_real32
    generic :: write => write_selected_real32
    generic :: read_start => read_start_real32
    generic :: write_start => write_start_real32
    generic :: fill => set_all_real32
    generic :: set_missing_value => missing_real32
    generic :: read => read_real32
    generic :: append => append_real32
    generic :: write => write_real32
    generic :: fill_value => fill_real32
    procedure, private :: read_real64, write_real64, append_real64, fill_real64, set_all_real64, missing_real64
    procedure, private :: read_selected_real64, write_selected_real64, read_start_real64, write_start_real64
    generic :: read => read_selected_real64
    generic :: write => write_selected_real64
    generic :: read_start => read_start_real64
    generic :: write_start => write_start_real64
    generic :: fill => set_all_real64
    generic :: set_missing_value => missing_real64
    generic :: read => read_real64
    generic :: append => append_real64
    generic :: write => write_real64
    generic :: fill_value => fill_real64
    procedure, private :: read_complex32, write_complex32, append_complex32, fill_complex32, set_all_complex32, missing_complex32
    procedure, private :: read_selected_complex32, write_selected_complex32, read_start_complex32, write_start_complex32
    generic :: read => read_selected_complex32
    generic :: write => write_selected_complex32
    generic :: read_start => read_start_complex32
    generic :: write_start => write_start_complex32
    generic :: fill => set_all_complex32
    generic :: set_missing_value => missing_complex32
    generic :: read => read_complex32
    generic :: append => append_complex32
    generic :: write => write_complex32
    generic :: fill_value => fill_complex32
    procedure, private :: read_complex64, write_complex64, append_complex64, fill_complex64, set_all_complex64, missing_complex64
    procedure, private :: read_selected_complex64, write_selected_complex64, read_start_complex64, write_start_complex64
    generic :: read => read_selected_complex64
    generic :: write => write_selected_complex64
    generic :: read_start => read_start_complex64
    generic :: write_start => write_start_complex64
    generic :: fill => set_all_complex64
    generic :: set_missing_value => missing_complex64
    generic :: read => read_complex64
    generic :: append => append_complex64
    generic :: write => write_complex64
    generic :: fill_value => fill_complex64
    procedure, private :: attributes => array_attributes
    procedure, private :: array_assign
    generic :: assignment(=) => array_assign
    final :: array_final
  end type zarrc_array

  !> What is read or written of an array: `call selection%create(array)`, then dimension by dimension, or points or a mask;
  !> `call array%read(selection, values)`.
  type :: zarrc_selection
    private
    type(shared), pointer :: own => null()
    integer :: rank = 0
  contains
    procedure :: create => selection_create
    procedure :: free => selection_free
    procedure :: set_range => selection_set_range
    procedure :: set_index => selection_set_index
    procedure :: set_indices => selection_set_indices
    procedure :: set_mask => selection_set_mask
    procedure :: set_points => selection_set_points
    procedure :: set_element_mask => selection_set_element_mask
    procedure :: set_blocks => selection_set_blocks
    procedure :: set_field => selection_set_field
    procedure :: shape => selection_shape
    procedure :: coordinates => selection_coordinates
    procedure, private :: selection_assign
    generic :: assignment(=) => selection_assign
    final :: selection_final
  end type zarrc_selection

  !> A read or write that was started.
  type :: zarrc_request
    private
    type(shared), pointer :: own => null()
  contains
    procedure :: done => request_done
    procedure :: wait => request_wait
    procedure :: cancel => request_cancel
    procedure :: fd => request_fd
    procedure :: free => request_free
    procedure, private :: request_assign
    generic :: assignment(=) => request_assign
    final :: request_final
  end type zarrc_request

  !> Writes arrays of a group that grow by steps, which readers see whole or not at all:
  !>
  !>     call writer%open(store)
  !>     call writer%declare(field, 'field', shape=[180, 90, 0], kind=1.0)
  !>     do step = int(writer%steps()) + 1, 100
  !>       call writer%put(field, values, step=step)           ! values(180, 90)
  !>       call writer%commit(step)
  !>     end do
  !>     call writer%close()
  !>
  !> Any number of threads may put blocks. What fails at the end is told by close(), not by the end of the object.
  type :: zarrc_writer
    private
    type(shared), pointer :: own => null()
  contains
    procedure :: open => writer_open
    procedure :: declare => writer_declare
    procedure, private :: put_int8
    generic :: put => put_int8
    procedure, private :: put_int16
    generic :: put => put_int16
    procedure, private :: put_int32
    generic :: put => put_int32
    procedure, private :: put_int64
    generic :: put => put_int64
    procedure, private :: put_real32
    generic :: put => put_real32
    procedure, private :: put_real64
    generic :: put => put_real64
    procedure, private :: put_complex32
    generic :: put => put_complex32
    procedure, private :: put_complex64
    generic :: put => put_complex64
    procedure, private :: put_logical
    generic :: put => put_logical
    procedure, private :: put_bool
    generic :: put => put_bool
    procedure, private :: put_character
    generic :: put => put_character
    procedure :: commit => writer_commit
    procedure :: flush => writer_flush
    procedure :: steps => writer_steps
    procedure :: close => writer_close
    procedure, private :: writer_assign
    generic :: assignment(=) => writer_assign
    final :: writer_final
  end type zarrc_writer

  !> An array of a writer.
  type :: zarrc_variable
    private
    integer(c_size_t) :: number = 0
    integer :: rank = 0
    integer :: length = 0 ! of its characters
  end type zarrc_variable

  ! ---- what a program brings along: visitors, stores, codecs

  abstract interface
    !> Receives reports of a long call, from any thread, one at a time: the fraction done (0 to 1), and what was done last.
    !> .false. cancels the call.
    logical function zarrc_progress(done, what)
      import :: real64
      real(real64), intent(in) :: done
      character(*), intent(in) :: what
    end function zarrc_progress

    !> Receives a chunk that is stored: its index (in chunks, from 1), its key, its stored size (bytes). .false. ends the visit.
    logical function zarrc_chunk_visitor(index, key, bytes)
      import :: int64
      integer(int64), intent(in) :: index(:)
      character(*), intent(in) :: key
      integer(int64), intent(in) :: bytes
    end function zarrc_chunk_visitor

    !> Writes a block that array%append_with() appends: through `grown`, the array as it will be (closed after the call), or
    !> through arrays opened by open_json() with `document`, its metadata as it will be. `first` is the block's first index
    !> along the dimension. The result is a status; zarrc_ok: the array now grows.
    integer function zarrc_append_writer(grown, document, first) result(status)
      import :: zarrc_array, int64
      type(zarrc_array), intent(inout) :: grown
      character(*), intent(in) :: document
      integer(int64), intent(in) :: first
    end function zarrc_append_writer

    !> Receives a node: its path, relative to the group, and what it is (zarrc_node_array, ...). .false. ends the visit.
    logical function zarrc_node_visitor(path, kind)
      import :: c_int32_t
      character(*), intent(in) :: path
      integer(c_int32_t), intent(in) :: kind
    end function zarrc_node_visitor
  end interface

  !> A store of the program's own: extend it, define get() and what else it can, and open it with store%open_own().
  !> Functions return a status: zarrc_ok, zarrc_not_found for a key that is not there, or another one. Any number of
  !> threads may call them at once, so compile them with -frecursive or the like, and lock what they change.
  type, abstract :: zarrc_own_store
  contains
    procedure(own_get), deferred :: get
    procedure :: set => own_set
    procedure :: erase => own_erase
    procedure :: list => own_list
  end type zarrc_own_store

  !> A codec of the program's own, of bytes: extend it, define decode(), and encode() unless arrays are only read, and
  !> register it with zarrc_register_codec(). Functions return a status, and are called as those of a store.
  type, abstract :: zarrc_own_codec
  contains
    procedure :: check => own_check
    procedure(own_code), deferred :: decode
    procedure :: encode => own_encode
  end type zarrc_own_codec

  abstract interface
    !> The whole value of a key.
    integer function own_get(self, key, value) result(status)
      import :: zarrc_own_store, int8
      class(zarrc_own_store), intent(inout) :: self
      character(*), intent(in) :: key
      integer(int8), allocatable, intent(out) :: value(:)
    end function own_get

    !> Decodes (or encodes) `source`. The configuration is the JSON object of the metadata document, {} where there is none.
    integer function own_code(self, configuration, source, made) result(status)
      import :: zarrc_own_codec, int8
      class(zarrc_own_codec), intent(inout) :: self
      character(*), intent(in) :: configuration
      integer(int8), intent(in) :: source(:)
      integer(int8), allocatable, intent(out) :: made(:)
    end function own_code
  end interface

  type :: store_holder
    class(zarrc_own_store), allocatable :: own
  end type store_holder

  type :: codec_holder
    class(zarrc_own_codec), allocatable :: own
  end type codec_holder

  type :: configured
    character(:), allocatable :: json
  end type configured

  type :: report
    procedure(zarrc_progress), pointer, nopass :: call => null()
  end type report

  type :: chunk_visit
    integer :: rank
    procedure(zarrc_chunk_visitor), pointer, nopass :: call => null()
  end type chunk_visit

  type :: append
    procedure(zarrc_append_writer), pointer, nopass :: call => null()
  end type append

  type :: node_visit
    procedure(zarrc_node_visitor), pointer, nopass :: call => null()
  end type node_visit

  ! structures of C

  type, bind(c) :: copy_options
    integer(c_size_t) :: size = 0
    integer(c_int32_t) :: if_exists = 0
    logical(c_bool) :: dry_run = .false._c_bool
    integer(c_size_t) :: exclude_count = 0
    type(c_ptr) :: exclude = c_null_ptr
    type(c_funptr) :: progress = c_null_funptr
    type(c_ptr) :: user = c_null_ptr
    type(c_ptr) :: spec = c_null_ptr
    integer(c_int64_t) :: memory_limit = 0
    logical(c_bool) :: link = .false._c_bool
  end type copy_options

  type, bind(c) :: writer_options
    integer(c_size_t) :: size = 0
    real(c_double) :: flush_seconds = 0
    integer(c_int64_t) :: buffer_bytes = 0
  end type writer_options

  type, bind(c) :: store_callbacks
    integer(c_size_t) :: size = 0
    type(c_ptr) :: user = c_null_ptr, name = c_null_ptr
    integer(c_size_t) :: concurrency = 0
    type(c_funptr) :: destroy = c_null_funptr, get = c_null_funptr, stat = c_null_funptr, get_range = c_null_funptr
    type(c_funptr) :: set = c_null_funptr, erase = c_null_funptr, list = c_null_funptr, flush = c_null_funptr
  end type store_callbacks

  type, bind(c) :: codec_callbacks
    integer(c_size_t) :: size = 0
    type(c_ptr) :: user = c_null_ptr
    type(c_funptr) :: destroy = c_null_funptr, open = c_null_funptr, close = c_null_funptr, decode = c_null_funptr
    type(c_funptr) :: encode = c_null_funptr, bound = c_null_funptr, decode_part = c_null_funptr
  end type codec_callbacks

  abstract interface
    logical(c_bool) function give_bytes(to, bytes, size) bind(c)
      import :: c_bool, c_ptr, c_size_t
      type(c_ptr), value :: to, bytes
      integer(c_size_t), value :: size
    end function give_bytes

    logical(c_bool) function give_key(to, key) bind(c)
      import :: c_bool, c_ptr, c_char
      type(c_ptr), value :: to
      character(kind=c_char), intent(in) :: key(*)
    end function give_key
  end interface

  interface zarrc_wait_any
    procedure :: wait_any
  end interface zarrc_wait_any

contains

  !> The version of the library that is running.
  function zarrc_library_version() result(version)
    character(:), allocatable :: version
    version = text_of(zarrc_version())
  end function zarrc_library_version

  !> What this build of the library can do, as JSON.
  function zarrc_library_info() result(json)
    character(:), allocatable :: json
    type(c_ptr) :: text
    text = c_null_ptr
    json = ''
    if (zarrc_build_info(text) == zarrc_ok) json = taken(text)
  end function zarrc_library_info

  ! ---- errors and strings

  !> Gives a status to whoever asks for it; stops where nobody does. True: the caller's errmsg is to be set.
  !> (gfortran 12 loses the length of an optional errmsg that is passed on, so each procedure sets its own.)
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
    message = text_of(zarrc_status_name(status)) // ': ' // message_of(error)
    error stop message
  end function told

  function message_of(error) result(message)
    type(zarrc_error_c), intent(in) :: error
    character(:), allocatable :: message
    integer :: n, length

    length = 0
    do n = 1, size(error%message)
      if (error%message(n) == c_null_char) exit
      length = n
    end do
    allocate (character(length) :: message)
    do n = 1, length
      message(n:n) = error%message(n)
    end do
  end function message_of

  !> An error of the binding's own.
  function refuse(status, message) result(error)
    integer(c_int32_t), intent(in) :: status
    character(*), intent(in) :: message
    type(zarrc_error_c) :: error
    integer :: n

    error%status = status
    do n = 1, min(len(message), size(error%message) - 1)
      error%message(n) = message(n:n)
    end do
  end function refuse

  pure function c(text)
    character(*), intent(in) :: text
    character(kind=c_char, len=:), allocatable :: c
    c = trim(text) // c_null_char
  end function c

  !> A copy of a C string.
  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: length, n
    interface
      integer(c_size_t) function strlen(string) bind(c)
        import :: c_ptr, c_size_t
        type(c_ptr), value :: string
      end function strlen
    end interface

    length = 0
    if (c_associated(pointer)) length = int(strlen(pointer))
    allocate (character(length) :: text)
    if (length == 0) return
    call c_f_pointer(pointer, letters, [length])
    do n = 1, length
      text(n:n) = letters(n)
    end do
  end function text_of

  !> A copy of a string that is ours to free.
  function taken(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    text = text_of(pointer)
    call zarrc_string_free(pointer)
  end function taken

  !> Integers of any kind, in Zarr's order.
  function reversed(list, less) result(numbers)
    class(*), intent(in) :: list(:)
    integer, intent(in) :: less
    integer(c_int64_t), allocatable :: numbers(:)

    allocate (numbers(size(list)))
    if (size(list) == 0) return
    select type (list)
    type is (integer(int8))
      numbers = int(list(size(list):1:-1), int64) - less
    type is (integer(int16))
      numbers = int(list(size(list):1:-1), int64) - less
    type is (integer(int32))
      numbers = int(list(size(list):1:-1), int64) - less
    type is (integer(int64))
      numbers = int(list(size(list):1:-1), int64) - less
    class default
      numbers = -1_int64 ! out of any bounds
    end select
  end function reversed

  !> An integer of any kind.
  pure integer(c_int64_t) function whole(value)
    class(*), intent(in) :: value
    whole = -1_int64 ! out of any bounds
    select type (value)
    type is (integer(int8))
      whole = value
    type is (integer(int16))
      whole = value
    type is (integer(int32))
      whole = value
    type is (integer(int64))
      whole = value
    end select
  end function whole

  ! ---- handles

  !> One object less uses the handle; true: it was the last, to be closed by the caller.
  function released(own, handle) result(last)
    type(shared), pointer, intent(inout) :: own
    type(c_ptr), intent(out) :: handle
    logical :: last

    last = .false.
    handle = c_null_ptr
    if (.not. associated(own)) return
    own%count = own%count - 1
    last = own%count == 0
    handle = own%handle
    if (last) deallocate (own)
    own => null()
  end function released

  subroutine share(from, to)
    type(shared), pointer, intent(in) :: from
    type(shared), pointer, intent(inout) :: to
    if (associated(from)) from%count = from%count + 1
    to => from
  end subroutine share

  subroutine keep(own, handle)
    type(shared), pointer, intent(inout) :: own
    type(c_ptr), intent(in) :: handle
    allocate (own)
    own%handle = handle
  end subroutine keep

  pure function handle_of(own) result(handle)
    type(shared), pointer, intent(in) :: own
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (associated(own)) handle = own%handle
  end function handle_of

  subroutine store_assign(self, other)
    class(zarrc_store), intent(inout) :: self
    type(zarrc_store), intent(in) :: other
    type(shared), pointer :: own
    integer :: stat
    call share(other%own, own)
    call store_close(self, stat)
    self%own => own
  end subroutine store_assign

  subroutine store_final(self)
    type(zarrc_store), intent(inout) :: self
    integer :: stat
    call store_close(self, stat)
  end subroutine store_final

  !> Closes it, once no other object shares it.
  subroutine store_close(self, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    status = zarrc_ok
    if (released(self%own, handle)) status = zarrc_store_close(handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_close

  subroutine group_assign(self, other)
    class(zarrc_group), intent(inout) :: self
    type(zarrc_group), intent(in) :: other
    type(shared), pointer :: own
    integer :: stat
    call share(other%own, own)
    call group_close(self, stat)
    self%own => own
  end subroutine group_assign

  subroutine group_final(self)
    type(zarrc_group), intent(inout) :: self
    integer :: stat
    call group_close(self, stat)
  end subroutine group_final

  !> Closes it, once no other object shares it.
  subroutine group_close(self, stat, errmsg)
    class(zarrc_group), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    status = zarrc_ok
    if (released(self%own, handle)) status = zarrc_group_close(handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_close

  subroutine array_assign(self, other)
    class(zarrc_array), intent(inout) :: self
    type(zarrc_array), intent(in) :: other
    type(shared), pointer :: own
    integer :: stat
    call share(other%own, own)
    call array_close(self, stat)
    self%own => own
  end subroutine array_assign

  subroutine array_final(self)
    type(zarrc_array), intent(inout) :: self
    integer :: stat
    call array_close(self, stat)
  end subroutine array_final

  !> Closes it, once no other object shares it.
  subroutine array_close(self, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    status = zarrc_ok
    if (released(self%own, handle)) status = zarrc_array_close(handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_close

  subroutine writer_assign(self, other)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_writer), intent(in) :: other
    type(shared), pointer :: own
    integer :: stat
    call share(other%own, own)
    call writer_close(self, stat)
    self%own => own
  end subroutine writer_assign

  subroutine writer_final(self)
    type(zarrc_writer), intent(inout) :: self
    integer :: stat
    call writer_close(self, stat)
  end subroutine writer_final

  !> Closes it, once no other object shares it.
  subroutine writer_close(self, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    status = zarrc_ok
    if (released(self%own, handle)) status = zarrc_writer_close(handle, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine writer_close

  ! ---- options

  subroutine options_set(self, name, value, stat, errmsg)
    class(zarrc_options), intent(inout) :: self
    character(*), intent(in) :: name, value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (.not. associated(self%own)) call keep(self%own, zarrc_options_new())
    if (told(zarrc_options_set(handle_of(self%own), c(name), c(value), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine options_set

  subroutine options_assign(self, other)
    class(zarrc_options), intent(inout) :: self
    type(zarrc_options), intent(in) :: other
    type(shared), pointer :: own
    type(c_ptr) :: handle
    call share(other%own, own)
    if (released(self%own, handle)) call zarrc_options_free(handle)
    self%own => own
  end subroutine options_assign

  subroutine options_final(self)
    type(zarrc_options), intent(inout) :: self
    type(c_ptr) :: handle
    if (released(self%own, handle)) call zarrc_options_free(handle)
  end subroutine options_final

  ! ---- stores

  subroutine store_open(self, url, mode, options, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: url
    character(*), intent(in), optional :: mode !< r (default), r+, a, w-, w
    type(zarrc_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: how
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle, chosen
    integer(c_int32_t) :: status, number

    how = 'r'
    if (present(mode)) how = trim(mode)
    number = zarrc_read
    call self%close(number)
    number = -1
    select case (how)
    case ('r')
      number = zarrc_read
    case ('r+')
      number = zarrc_read_write
    case ('a')
      number = zarrc_append
    case ('w-')
      number = zarrc_create
    case ('w')
      number = zarrc_overwrite
    end select
    handle = c_null_ptr
    chosen = c_null_ptr
    if (present(options)) chosen = handle_of(options%own)
    status = zarrc_ok
    if (number < 0) then
      status = zarrc_invalid_argument
      error = refuse(status, 'mode "' // how // '": expected r, r+, a, w- or w')
    end if
    if (status == zarrc_ok) status = zarrc_store_open(c(url), number, chosen, handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_open

  !> What is at a path: zarrc_node_none, zarrc_node_group or zarrc_node_array.
  function store_kind(self, path) result(kind)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: path
    integer(c_int32_t) :: kind, status

    kind = zarrc_node_none
    status = zarrc_node_kind_at(handle_of(self%own), c(path), kind)
    if (status /= zarrc_ok) kind = zarrc_node_none
  end function store_kind

  subroutine store_erase(self, path, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_store_erase(handle_of(self%own), c(path), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_erase

  subroutine store_erase_prefix(self, path, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_store_erase_prefix(handle_of(self%own), c(path), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine store_erase_prefix

  subroutine store_forget(self, path, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_store_forget(handle_of(self%own), c(path), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_forget

  subroutine store_consolidate(self, path, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_consolidate_metadata(handle_of(self%own), c(path), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine store_consolidate

  !> The value of a key, as it lies in the store; some bytes of it from an offset (0 is the first) on.
  subroutine store_get_value(self, key, value, offset, length, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: key
    integer(int8), allocatable, intent(out) :: value(:)
    integer(int64), intent(in), optional :: offset, length
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: bytes
    integer(c_size_t) :: count
    integer(int8), pointer :: found(:)
    integer(c_int32_t) :: status
    integer(int64) :: from, most

    bytes = c_null_ptr
    count = 0
    if (present(offset) .or. present(length)) then
      from = 0
      most = -1 ! UINT64_MAX: to the end
      if (present(offset)) from = offset
      if (present(length)) most = length
      status = zarrc_store_get_range(handle_of(self%own), c(key), from, most, bytes, count, error)
    else
      status = zarrc_store_get(handle_of(self%own), c(key), bytes, count, error)
    end if
    if (status == zarrc_ok) then
      allocate (value(count))
      if (count > 0) then
        call c_f_pointer(bytes, found, [count])
        value = found
      end if
      call zarrc_value_free(bytes, count)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_get_value

  subroutine store_set_value(self, key, value, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: key
    integer(int8), intent(in), contiguous, target :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    status = zarrc_store_set(handle_of(self%own), c(key), c_loc(value), size(value, kind=c_size_t), error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_set_value

  !> Writes a node and all below it in another format (zarrc_format_v2, ...), in place where `to` is the same store.
  subroutine store_convert(self, path, to, to_path, format, plan, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: path
    type(zarrc_store), intent(inout) :: to
    character(*), intent(in) :: to_path
    integer(c_int32_t), intent(in) :: format
    character(:), allocatable, intent(out), optional :: plan !< given: nothing is written, JSON tells what would be
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    type(c_ptr) :: json

    if (present(plan)) then
      json = c_null_ptr
      status = zarrc_convert_plan(handle_of(self%own), c(path), handle_of(to%own), c(to_path), format, c_null_ptr, json, error)
      if (status == zarrc_ok) plan = taken(json)
    else
      status = zarrc_convert(handle_of(self%own), c(path), handle_of(to%own), c(to_path), format, c_null_ptr, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_convert

  !> Writes a node and all below it as a new HDF5 file; the notes tell, as JSON, what changes on the way.
  subroutine store_hdf5_export(self, path, file, notes, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: path, file
    character(:), allocatable, intent(out), optional :: notes
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    character(:), allocatable :: found
    integer(c_int32_t) :: status

    text = c_null_ptr
    status = zarrc_hdf5_export(handle_of(self%own), c(path), c(file), c_null_ptr, text, error)
    if (status == zarrc_ok) found = taken(text)
    if (present(notes) .and. allocated(found)) notes = found
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_hdf5_export

  !> References to a node and all below it where their values lie in files, as kerchunk's JSON.
  subroutine store_references_json(self, path, json, url, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: path
    character(:), allocatable, intent(out) :: json
    character(*), intent(in), optional :: url !< what the references call the file
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status

    text = c_null_ptr
    if (present(url)) then
      status = zarrc_references_json(handle_of(self%own), c(path), c(url), c_null_funptr, c_null_ptr, text, error)
    else
      status = zarrc_references_json(store=handle_of(self%own), path=c(path), progress=c_null_funptr, user=c_null_ptr, &
        json=text, err=error)
    end if
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_references_json

  !> Begins a transaction: changes that others see all at once, by commit(), or never. Close it afterwards.
  subroutine store_begin(self, transaction, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    type(zarrc_store), intent(inout) :: transaction
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    handle = c_null_ptr
    status = zarrc_store_begin(handle_of(self%own), handle, error)
    if (status == zarrc_ok) then
      call transaction%close(status)
      status = zarrc_ok
      call keep(transaction%own, handle)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_begin

  !> Makes a transaction's changes visible; Icechunk keeps the message. zarrc_conflict: others changed what it read or
  !> changed; begin another one and do the work again.
  subroutine store_commit(self, message, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in), optional :: message
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (present(message)) then
      status = zarrc_store_commit(handle_of(self%own), c(message), error)
    else
      status = zarrc_store_commit(transaction=handle_of(self%own), err=error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_commit

  !> Drops a transaction's changes.
  subroutine store_rollback(self, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_store_rollback(handle_of(self%own), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_rollback

  !> The snapshot that an Icechunk repository shows.
  subroutine store_snapshot(self, name, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(:), allocatable, intent(out) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_store_snapshot(handle_of(self%own), text, error)
    if (status == zarrc_ok) name = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_snapshot

  ! ---- groups

  subroutine group_open(self, store, path, stat, errmsg)
    class(zarrc_group), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    call self%close(status)
    handle = c_null_ptr
    status = zarrc_group_open(handle_of(store%own), c(path), handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_open

  subroutine group_create(self, store, path, format, stat, errmsg)
    class(zarrc_group), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer(c_int32_t), intent(in), optional :: format
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status, chosen

    call self%close(status)
    chosen = zarrc_format_any
    if (present(format)) chosen = format
    handle = c_null_ptr
    status = zarrc_group_create(handle_of(store%own), c(path), chosen, handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_create

  !> Paths of the nodes below, relative to the group, and what they are (zarrc_node_group, zarrc_node_array).
  subroutine group_list(self, paths, kinds, recursive, stat, errmsg)
    class(zarrc_group), intent(in) :: self
    character(:), allocatable, intent(out) :: paths(:)
    integer(c_int32_t), allocatable, intent(out), optional :: kinds(:)
    logical, intent(in), optional :: recursive
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: listing
    integer(c_int32_t) :: status
    integer(c_size_t) :: count, n
    logical(c_bool) :: deep
    integer :: longest

    deep = .false.
    if (present(recursive)) deep = logical(recursive, c_bool)
    listing = c_null_ptr
    status = zarrc_group_list(handle_of(self%own), deep, listing, error)
    if (status == zarrc_ok) then
      count = zarrc_listing_count(listing)
      longest = 0
      do n = 0, count - 1
        longest = max(longest, len(text_of(zarrc_listing_path(listing, n))))
      end do
      allocate (character(longest) :: paths(count))
      if (present(kinds)) allocate (kinds(count))
      do n = 0, count - 1
        paths(n + 1) = text_of(zarrc_listing_path(listing, n))
        if (present(kinds)) kinds(n + 1) = zarrc_listing_kind(listing, n)
      end do
      call zarrc_listing_free(listing)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_list

  function group_attributes(self) result(handle)
    class(zarrc_group), intent(in) :: self
    type(c_ptr) :: handle
    handle = zarrc_group_attributes(handle_of(self%own))
  end function group_attributes

  ! ---- attributes

  subroutine set_character(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    character(*), intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_string(self%attributes(), c(name), c(value), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine set_character

  subroutine set_int32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_int64(self%attributes(), c(name), int(value,int64), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine set_int32

  subroutine set_int64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int64), intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_int64(self%attributes(), c(name), value, error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine set_int64

  subroutine set_real32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    real(real32), intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_float(self%attributes(), c(name), value, error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine set_real32

  subroutine set_real64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    real(real64), intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_double(self%attributes(), c(name), value, error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine set_real64

  subroutine get_int32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    integer(int32), intent(inout) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int64) :: found
    integer(c_int32_t) :: status
    found = 0
    status = zarrc_attributes_get_int64(self%attributes(), c(name), found, error)
    if (status == zarrc_ok) then
      if ((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found)) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ' does not fit the kind of value')
      else
        value = int(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_int32

  subroutine get_int64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    integer(int64), intent(inout) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int64) :: found
    integer(c_int32_t) :: status
    found = 0
    status = zarrc_attributes_get_int64(self%attributes(), c(name), found, error)
    if (status == zarrc_ok) then
      if ((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found)) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ' does not fit the kind of value')
      else
        value = int(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_int64

  subroutine get_real32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    real(real32), intent(inout) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    real(real64) :: found
    integer(c_int32_t) :: status
    found = 0
    status = zarrc_attributes_get_double(self%attributes(), c(name), found, error)
    if (status == zarrc_ok) then
      if ((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found)) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ' does not fit the kind of value')
      else
        value = real(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_real32

  subroutine get_real64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    real(real64), intent(inout) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    real(real64) :: found
    integer(c_int32_t) :: status
    found = 0
    status = zarrc_attributes_get_double(self%attributes(), c(name), found, error)
    if (status == zarrc_ok) then
      if ((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found)) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ' does not fit the kind of value')
      else
        value = real(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_real64

  !> Sets an attribute to a list.
  subroutine set_list_int32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int32), intent(in) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_int64s(self%attributes(), c(name), size(value, kind=c_size_t), int(value,int64), error), &
        error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_list_int32

  !> Sets an attribute to a list.
  subroutine set_list_int64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int64), intent(in) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_int64s(self%attributes(), c(name), size(value, kind=c_size_t), value, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_list_int64

  !> Sets an attribute to a list.
  subroutine set_list_real64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    real(real64), intent(in) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_doubles(self%attributes(), c(name), size(value, kind=c_size_t), value, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_list_real64

  !> A list of single precision, with as many digits as that has.
  subroutine set_list_real32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    real(real32), intent(in) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: json
    character(40) :: number
    type(zarrc_error_c) :: error
    integer :: n
    json = '['
    do n = 1, size(value)
      write (number, '(es16.8e3)') value(n)
      if (n > 1) json = json // ','
      json = json // json_number(number)
    end do
    if (told(zarrc_attributes_set_json(self%attributes(), c(name), c(json // ']'), error), error, stat, present(errmsg))) &
      errmsg = message_of(error)
  end subroutine set_list_real32

  !> Reads a list of numbers; a single number is a list of one.
  subroutine get_list_int32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    integer(int32), allocatable, intent(inout) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int64), allocatable :: found(:)
    integer(c_size_t) :: count
    integer(c_int32_t) :: status
    allocate (found(0))
    count = 0
    status = zarrc_attributes_get_int64s(self%attributes(), c(name), 0_c_size_t, found, count, error)
    if (status == zarrc_ok) then
      deallocate (found)
      allocate (found(count))
      status = zarrc_attributes_get_int64s(self%attributes(), c(name), size(found, kind=c_size_t), found, count, error)
    end if
    if (status == zarrc_ok) then
      if (any((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found))) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ': a value does not fit the kind of value')
      else
        value = int(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_list_int32

  !> Reads a list of numbers; a single number is a list of one.
  subroutine get_list_int64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    integer(int64), allocatable, intent(inout) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int64), allocatable :: found(:)
    integer(c_size_t) :: count
    integer(c_int32_t) :: status
    allocate (found(0))
    count = 0
    status = zarrc_attributes_get_int64s(self%attributes(), c(name), 0_c_size_t, found, count, error)
    if (status == zarrc_ok) then
      deallocate (found)
      allocate (found(count))
      status = zarrc_attributes_get_int64s(self%attributes(), c(name), size(found, kind=c_size_t), found, count, error)
    end if
    if (status == zarrc_ok) then
      if (any((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found))) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ': a value does not fit the kind of value')
      else
        value = int(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_list_int64

  !> Reads a list of numbers; a single number is a list of one.
  subroutine get_list_real32(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    real(real32), allocatable, intent(inout) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    real(real64), allocatable :: found(:)
    integer(c_size_t) :: count
    integer(c_int32_t) :: status
    allocate (found(0))
    count = 0
    status = zarrc_attributes_get_doubles(self%attributes(), c(name), 0_c_size_t, found, count, error)
    if (status == zarrc_ok) then
      deallocate (found)
      allocate (found(count))
      status = zarrc_attributes_get_doubles(self%attributes(), c(name), size(found, kind=c_size_t), found, count, error)
    end if
    if (status == zarrc_ok) then
      if (any((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found))) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ': a value does not fit the kind of value')
      else
        value = real(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_list_real32

  !> Reads a list of numbers; a single number is a list of one.
  subroutine get_list_real64(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    real(real64), allocatable, intent(inout) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    real(real64), allocatable :: found(:)
    integer(c_size_t) :: count
    integer(c_int32_t) :: status
    allocate (found(0))
    count = 0
    status = zarrc_attributes_get_doubles(self%attributes(), c(name), 0_c_size_t, found, count, error)
    if (status == zarrc_ok) then
      deallocate (found)
      allocate (found(count))
      status = zarrc_attributes_get_doubles(self%attributes(), c(name), size(found, kind=c_size_t), found, count, error)
    end if
    if (status == zarrc_ok) then
      if (any((found > huge(value) .or. found < -huge(value) - 1) .and. abs(found) <= huge(found))) then
        status = zarrc_type_mismatch
        error = refuse(status, 'attribute ' // trim(name) // ': a value does not fit the kind of value')
      else
        value = real(found, kind(value))
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_list_real64

  !> Sets an attribute to a list of strings, without their trailing blanks.
  subroutine set_strings(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    character(*), intent(in) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    character(kind=c_char, len=len(value) + 1), target :: texts(size(value))
    type(c_ptr) :: list(size(value))
    integer :: n
    do n = 1, size(value)
      texts(n) = trim(value(n)) // c_null_char
      list(n) = c_loc(texts(n))
    end do
    if (told(zarrc_attributes_set_strings(self%attributes(), c(name), size(value, kind=c_size_t), list, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_strings

  !> Reads a list of strings, padded with blanks to the longest; a single string is a list of one.
  subroutine get_strings(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    character(:), allocatable, intent(inout) :: value(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr), allocatable :: texts(:)
    integer(c_size_t) :: count, n
    integer(c_int32_t) :: status, kind
    integer :: longest

    count = 0
    longest = 0
    status = zarrc_attributes_kind(self%attributes(), c(name), kind, count, error)
    allocate (texts(count))
    texts = c_null_ptr
    do n = 1, count
      if (status == zarrc_ok) status = zarrc_attributes_get_string_at(self%attributes(), c(name), n - 1, texts(n), error)
      if (status == zarrc_ok) longest = max(longest, len(text_of(texts(n))))
    end do
    if (status == zarrc_ok) then
      if (allocated(value)) deallocate (value)
      allocate (character(longest) :: value(count))
    end if
    do n = 1, count
      if (status == zarrc_ok) value(n) = text_of(texts(n))
      call zarrc_string_free(texts(n))
    end do
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_strings

  !> A number as JSON has it: with a digit before the point, NaN and infinities as strings.
  function json_number(text) result(number)
    character(*), intent(in) :: text
    character(:), allocatable :: number
    number = trim(adjustl(text))
    select case (number)
    case ('NaN')
      number = '"NaN"'
    case ('Infinity', '+Infinity', 'Inf', '+Inf')
      number = '"Infinity"'
    case ('-Infinity', '-Inf')
      number = '"-Infinity"'
    end select
  end function json_number

  subroutine set_logical(self, name, value, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    logical, intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    status = zarrc_attributes_set_bool(self%attributes(), c(name), logical(value, c_bool), error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine set_logical

  subroutine get_logical(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    logical, intent(inout) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    logical(c_bool) :: found
    integer(c_int32_t) :: status
    found = .false.
    status = zarrc_attributes_get_bool(self%attributes(), c(name), found, error)
    if (status == zarrc_ok) value = logical(found)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_logical

  subroutine get_character(self, name, value, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    character(:), allocatable, intent(inout) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_attributes_get_string(self%attributes(), c(name), text, error)
    if (status == zarrc_ok) value = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_character

  subroutine get_attribute_text(self, name, json, status, error)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    character(:), allocatable, intent(out) :: json
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    type(c_ptr) :: text
    text = c_null_ptr
    status = zarrc_attributes_get_json(self%attributes(), c(name), text, error)
    if (status == zarrc_ok) json = taken(text)
  end subroutine get_attribute_text

  subroutine get_json(self, name, json, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(*), intent(in) :: name
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call get_attribute_text(self, name, json, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine get_json

  subroutine set_json(self, name, json, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name, json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_set_json(self%attributes(), c(name), c(json), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine set_json

  !> All attributes as a JSON object.
  subroutine all_json(self, json, stat, errmsg)
    class(zarrc_node), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_attributes_json(self%attributes(), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine all_json

  subroutine replace_json(self, json, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_replace_json(self%attributes(), c(json), error), error, stat, &
        present(errmsg))) errmsg = message_of(error)
  end subroutine replace_json

  subroutine delete_attribute(self, name, stat, errmsg)
    class(zarrc_node), intent(inout) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_attributes_delete(self%attributes(), c(name), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine delete_attribute

  ! ---- arrays: what they are

  subroutine array_open(self, store, path, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    call self%close(status)
    handle = c_null_ptr
    status = zarrc_array_open(handle_of(store%own), c(path), handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_open

  !> Creates an array and opens it. `shape` and all that goes by dimension is in Fortran's order.
  subroutine array_create(self, store, path, shape, kind, data_type, type, format, chunks, shards, fill_value, &
      fill_value_json, codec, codec_json, order, separator, dimension_names, attributes_json, missing_value, &
      exists, chunk_edges, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    class(*), intent(in) :: shape(:)                  !< integers of any kind
    class(*), intent(in), optional :: kind            !< any value of the type that elements are to have
    integer(c_int32_t), intent(in), optional :: data_type !< instead: zarrc_float32, ...
    character(*), intent(in), optional :: type        !< instead, or for parameters: '|S12', '<M8[ns]', 'string'
    integer(c_int32_t), intent(in), optional :: format !< zarrc_format_v2, ...
    class(*), intent(in), optional :: chunks(:), shards(:)
    class(*), intent(in), optional :: fill_value      !< of the same type as kind
    character(*), intent(in), optional :: fill_value_json
    character(*), intent(in), optional :: codec(:)    !< names, in the order in which they encode
    character(*), intent(in), optional :: codec_json(:) !< their configurations; blank for the defaults
    character(1), intent(in), optional :: order, separator
    character(*), intent(in), optional :: dimension_names(:) !< blank for one without a name
    character(*), intent(in), optional :: attributes_json
    class(*), intent(in), optional :: missing_value   !< CF's, of the same type as kind; the fill value then is the same
    character(*), intent(in), optional :: exists      !< if there is one: 'fail' (default), 'open', 'require', 'overwrite'
    type(zarrc_edges), intent(in), optional :: chunk_edges(:) !< the chunks' extents one by one, where a dimension has them
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle, spec
    character(:), allocatable :: how
    integer(c_int32_t) :: status

    call self%close(status)
    handle = c_null_ptr
    call specify(spec, status, error, shape, kind, data_type, type, format, chunks, shards, fill_value, fill_value_json, &
      codec, codec_json, order, separator, dimension_names, attributes_json, missing_value, chunk_edges)
    how = 'fail'
    if (present(exists)) how = exists
    if (status == zarrc_ok) then
      select case (how)
      case ('fail')
        status = zarrc_array_create(handle_of(store%own), c(path), spec, handle, error)
      case ('open')
        status = zarrc_array_open_or_create(handle_of(store%own), c(path), spec, handle, error)
      case ('require')
        status = zarrc_array_require(handle_of(store%own), c(path), spec, handle, error)
      case ('overwrite')
        status = zarrc_array_overwrite(handle_of(store%own), c(path), spec, handle, error)
      case default
        status = zarrc_invalid_argument
        error = refuse(status, 'exists "' // how // '": expected fail, open, require or overwrite')
      end select
    end if
    call zarrc_array_spec_free(spec)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_create

  !> The specification of an array, to be freed; the arguments are those of array%create().
  subroutine specify(spec, status, error, shape, kind, data_type, type, format, chunks, shards, fill_value, fill_value_json, &
      codec, codec_json, order, separator, dimension_names, attributes_json, missing_value, chunk_edges)
    type(c_ptr), intent(out) :: spec
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    class(*), intent(in) :: shape(:)
    class(*), intent(in), optional :: kind, fill_value, missing_value
    integer(c_int32_t), intent(in), optional :: data_type, format
    character(*), intent(in), optional :: type, fill_value_json, codec(:), codec_json(:), dimension_names(:), attributes_json
    class(*), intent(in), optional :: chunks(:), shards(:)
    character(1), intent(in), optional :: order, separator
    type(zarrc_edges), intent(in), optional :: chunk_edges(:)
    integer(c_int32_t) :: number
    integer(c_int64_t), allocatable :: extents(:)
    integer :: n

    number = zarrc_native
    if (present(kind)) number = type_of(kind)
    if (present(data_type)) number = data_type
    if (present(type)) number = type_named(type)
    extents = reversed(shape, 0)
    spec = c_null_ptr
    status = zarrc_array_spec_new(number, size(shape, kind=c_size_t), extents, spec, error)
    if (present(type)) then
      if (status == zarrc_ok) status = zarrc_array_spec_set_data_type(spec, c(type), error)
    else if (number == zarrc_fixed_bytes .and. present(kind)) then
      if (status == zarrc_ok) status = zarrc_array_spec_set_data_type(spec, c(bytes_type(kind)), error)
    end if
    if (status == zarrc_ok .and. present(format)) status = zarrc_array_spec_set_format(spec, format, error)
    if (status == zarrc_ok .and. present(chunks)) then
      extents = reversed(chunks, 0)
      status = zarrc_array_spec_set_chunk_shape(spec, size(chunks, kind=c_size_t), extents, error)
    end if
    if (present(chunk_edges)) then
      do n = 1, size(chunk_edges)
        if (status /= zarrc_ok) exit
        if (.not. allocated(chunk_edges(n)%extents)) cycle
        status = zarrc_array_spec_set_chunk_edges(spec, int(size(shape) - n, c_size_t), &
          size(chunk_edges(n)%extents, kind=c_size_t), chunk_edges(n)%extents, error)
      end do
    end if
    if (status == zarrc_ok .and. present(shards)) then
      extents = reversed(shards, 0)
      status = zarrc_array_spec_set_shard_shape(spec, size(shards, kind=c_size_t), extents, error)
    end if
    if (status == zarrc_ok .and. present(fill_value)) call set_fill_value(spec, fill_value, number, status, error)
    if (status == zarrc_ok .and. present(missing_value)) call set_missing_value(spec, missing_value, number, status, error)
    if (status == zarrc_ok .and. present(fill_value_json)) &
      status = zarrc_array_spec_set_fill_value_json(spec, c(fill_value_json), error)
    if (present(codec)) then
      do n = 1, size(codec)
        if (status /= zarrc_ok) exit
        if (present(codec_json)) then
          if (n <= size(codec_json)) then
            if (len_trim(codec_json(n)) > 0) then
              status = zarrc_array_spec_add_codec(spec, c(codec(n)), c(codec_json(n)), error)
              cycle
            end if
          end if
        end if
        status = zarrc_array_spec_add_codec(spec, c(codec(n)), err=error)
      end do
    end if
    if (status == zarrc_ok .and. present(order)) status = zarrc_array_spec_set_order(spec, letter(order), error)
    if (status == zarrc_ok .and. present(separator)) status = zarrc_array_spec_set_separator(spec, letter(separator), error)
    if (status == zarrc_ok .and. present(dimension_names)) call set_dimension_names(spec, dimension_names, status, error)
    if (status == zarrc_ok .and. present(attributes_json)) &
      status = zarrc_array_spec_set_attributes_json(spec, c(attributes_json), error)
  end subroutine specify

  !> From a metadata document, as it would stand in the store: create_json() stores it, open_json() reads no other.
  subroutine array_create_json(self, store, path, format, json, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer(c_int32_t), intent(in) :: format
    character(*), intent(in) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    call self%close(status)
    handle = c_null_ptr
    status = zarrc_array_create_json(handle_of(store%own), c(path), format, c(json), handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_create_json

  !> From a metadata document, as it would stand in the store: create_json() stores it, open_json() reads no other.
  subroutine array_open_json(self, store, path, format, json, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer(c_int32_t), intent(in) :: format
    character(*), intent(in) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    call self%close(status)
    handle = c_null_ptr
    status = zarrc_array_open_json(handle_of(store%own), c(path), format, c(json), handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_open_json

  !> A char of C. (gfortran 12 passes the address of a dummy character to one that is a value.)
  pure integer(c_signed_char) function letter(text)
    character(1), intent(in) :: text
    letter = int(iachar(text), c_signed_char)
  end function letter

  !> The data type of any value; zarrc_native (which no array can have) for what zarrc has no type for.
  function type_of(value) result(number)
    class(*), intent(in) :: value
    integer(c_int32_t) :: number
    select type (value)
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
    type is (logical)
      number = zarrc_bool
    type is (logical(c_bool))
      number = zarrc_bool
    type is (character(*))
      number = zarrc_fixed_bytes
    class default
      number = zarrc_native
    end select
  end function type_of

  !> The data type that a text names, as far as the number must be known: types with parameters, and of variable length.
  pure function type_named(text) result(number)
    character(*), intent(in) :: text
    integer(c_int32_t) :: number
    integer :: n
    character(16), parameter :: names(15) = [character(16) :: 'bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', &
      'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128']
    character(2), parameter :: short(14) = ['b1', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', '--', 'f4', 'f8', 'c8']

    do n = 1, size(names)
      number = n
      if (text == names(n)) return
    end do
    select case (text(1:1))
    case ('[', '{')
      number = zarrc_struct
      return
    case ('<', '>', '|')
      do n = 1, size(short)
        number = n
        if (text(2:) == short(n)) return
      end do
      number = zarrc_complex128
      if (text(2:) == 'c16') return
      select case (text(2:2))
      case ('S')
        number = zarrc_fixed_bytes
      case ('U')
        number = zarrc_fixed_utf32
      case ('M')
        number = zarrc_datetime64
      case ('m')
        number = zarrc_timedelta64
      case default
        number = zarrc_raw
      end select
      return
    end select
    select case (text)
    case ('string', 'vlen-utf8')
      number = zarrc_string
    case ('bytes', 'vlen-bytes')
      number = zarrc_bytes
    case ('json')
      number = zarrc_json
    case default
      number = zarrc_raw
      if (index(text, 'vlen-array') == 1) number = zarrc_ragged
    end select
  end function type_named

  function bytes_type(value) result(text)
    class(*), intent(in) :: value
    character(:), allocatable :: text
    character(20) :: number
    number = '1'
    select type (value)
    type is (character(*))
      write (number, '(i0)') max(len(value), 1)
    end select
    text = '|S' // trim(number)
  end function bytes_type

  subroutine set_fill_value(spec, value, number, status, error)
    type(c_ptr), intent(in) :: spec
    class(*), intent(in), target :: value
    integer(c_int32_t), intent(in) :: number
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    character(kind=c_char, len=:), allocatable, target :: text

    if (type_of(value) /= number) then
      status = zarrc_type_mismatch
      error = refuse(status, 'fill_value: expected the type that the array is created with')
      return
    end if
    select type (value)
    type is (integer(int8))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 1_c_size_t, error)
    type is (integer(int16))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 2_c_size_t, error)
    type is (integer(int32))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 4_c_size_t, error)
    type is (integer(int64))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 8_c_size_t, error)
    type is (real(real32))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 4_c_size_t, error)
    type is (real(real64))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 8_c_size_t, error)
    type is (complex(real32))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 8_c_size_t, error)
    type is (complex(real64))
      status = zarrc_array_spec_set_fill_value(spec, c_loc(value), 16_c_size_t, error)
    type is (logical)
      status = zarrc_array_spec_set_fill_value_json(spec, c(trim(merge('true ', 'false', value))), error)
    type is (character(*))
      text = value
      status = zarrc_array_spec_set_fill_value(spec, c_loc(text), len(text, kind=c_size_t), error)
    class default
      status = zarrc_type_mismatch
      error = refuse(status, 'fill_value: no type of zarrc is like this')
    end select
  end subroutine set_fill_value

  subroutine set_missing_value(spec, value, number, status, error)
    type(c_ptr), intent(in) :: spec
    class(*), intent(in), target :: value
    integer(c_int32_t), intent(in) :: number
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error

    status = zarrc_type_mismatch
    error = refuse(status, 'missing_value: expected a number of the type that the array is created with')
    if (type_of(value) /= number) return
    select type (value)
    type is (integer(int8))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 1_c_size_t, error)
    type is (integer(int16))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 2_c_size_t, error)
    type is (integer(int32))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 4_c_size_t, error)
    type is (integer(int64))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 8_c_size_t, error)
    type is (real(real32))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 4_c_size_t, error)
    type is (real(real64))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 8_c_size_t, error)
    type is (complex(real32))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 8_c_size_t, error)
    type is (complex(real64))
      status = zarrc_array_spec_set_missing_value(spec, c_loc(value), 16_c_size_t, error)
    end select
  end subroutine set_missing_value

  subroutine set_dimension_names(spec, names, status, error)
    type(c_ptr), intent(in) :: spec
    character(*), intent(in) :: names(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    character(kind=c_char, len=len(names) + 1), target :: texts(size(names))
    type(c_ptr) :: list(size(names))
    integer :: n

    do n = 1, size(names)
      texts(n) = trim(names(n)) // c_null_char
      list(size(names) + 1 - n) = c_null_ptr
      if (len_trim(names(n)) > 0) list(size(names) + 1 - n) = c_loc(texts(n))
    end do
    status = zarrc_array_spec_set_dimension_names(spec, size(names, kind=c_size_t), list, error)
  end subroutine set_dimension_names

  integer function array_rank(self)
    class(zarrc_array), intent(in) :: self
    array_rank = int(zarrc_array_rank(handle_of(self%own)))
  end function array_rank

  !> In Fortran's order; empty where there is nothing of the kind.
  function array_shape(self) result(extents)
    class(zarrc_array), intent(in) :: self
    integer(int64), allocatable :: extents(:)
    allocate (extents(self%rank()))
    if (zarrc_array_shape(handle_of(self%own), size(extents, kind=c_size_t), extents) /= zarrc_ok) then
      deallocate (extents)
      allocate (extents(0))
    end if
    extents = extents(size(extents):1:-1)
  end function array_shape

  !> In Fortran's order; empty where there is nothing of the kind.
  function array_chunk_shape(self) result(extents)
    class(zarrc_array), intent(in) :: self
    integer(int64), allocatable :: extents(:)
    allocate (extents(self%rank()))
    if (zarrc_array_chunk_shape(handle_of(self%own), size(extents, kind=c_size_t), extents) /= zarrc_ok) then
      deallocate (extents)
      allocate (extents(0))
    end if
    extents = extents(size(extents):1:-1)
  end function array_chunk_shape

  !> In Fortran's order; empty where there is nothing of the kind.
  function array_shard_shape(self) result(extents)
    class(zarrc_array), intent(in) :: self
    integer(int64), allocatable :: extents(:)
    allocate (extents(self%rank()))
    if (zarrc_array_shard_shape(handle_of(self%own), size(extents, kind=c_size_t), extents) /= zarrc_ok) then
      deallocate (extents)
      allocate (extents(0))
    end if
    extents = extents(size(extents):1:-1)
  end function array_shard_shape

  !> In Fortran's order; empty where there is nothing of the kind.
  function array_chunk_counts(self) result(extents)
    class(zarrc_array), intent(in) :: self
    integer(int64), allocatable :: extents(:)
    allocate (extents(self%rank()))
    if (zarrc_array_chunk_counts(handle_of(self%own), size(extents, kind=c_size_t), extents) /= zarrc_ok) then
      deallocate (extents)
      allocate (extents(0))
    end if
    extents = extents(size(extents):1:-1)
  end function array_chunk_counts

  !> The part of the array that lies in one chunk (in one shard, if the array has them); indices begin at 1.
  subroutine array_chunk_bounds(self, index, start, count, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    class(*), intent(in) :: index(:)
    integer(int64), allocatable, intent(out) :: start(:), count(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status

    allocate (start(size(index)), count(size(index)))
    status = zarrc_array_chunk_bounds(handle_of(self%own), size(index, kind=c_size_t), reversed(index, 1), start, count, error)
    start = start(size(start):1:-1) + 1
    count = count(size(count):1:-1)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_chunk_bounds

  integer(c_int32_t) function array_data_type(self)
    class(zarrc_array), intent(in) :: self
    array_data_type = zarrc_array_data_type(handle_of(self%own))
  end function array_data_type

  integer(c_int32_t) function array_format(self)
    class(zarrc_array), intent(in) :: self
    array_format = zarrc_array_format(handle_of(self%own))
  end function array_format

  !> Bytes of an element in memory; 0 where they have a length of their own.
  integer(c_size_t) function array_element_size(self)
    class(zarrc_array), intent(in) :: self
    array_element_size = zarrc_array_element_size(handle_of(self%own))
  end function array_element_size

  subroutine array_metadata_json(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_metadata_json(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_metadata_json

  subroutine array_fill_value_json(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_fill_value_json(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_fill_value_json

  subroutine array_data_type_text(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_data_type_text(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_data_type_text

  subroutine array_codecs_json(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_codecs_json(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_codecs_json

  subroutine array_info_json(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_info_json(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_info_json

  subroutine array_path(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_path(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_path

  subroutine array_store_name(self, json, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_store_name(handle_of(self%own), text, error)
    if (status == zarrc_ok) json = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_store_name

  function array_attributes(self) result(handle)
    class(zarrc_array), intent(in) :: self
    type(c_ptr) :: handle
    handle = zarrc_array_attributes(handle_of(self%own))
  end function array_attributes

  subroutine array_flush(self, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_array_flush(handle_of(self%own), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_flush

  !> Gives the array another shape. resize() deletes what a smaller one leaves outside, grow() never cuts anything.
  subroutine array_resize(self, shape, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    class(*), intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    status = zarrc_array_resize(handle_of(self%own), size(shape, kind=c_size_t), reversed(shape, 0), error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_resize

  !> Gives the array another shape. resize() deletes what a smaller one leaves outside, grow() never cuts anything.
  subroutine array_grow(self, shape, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    class(*), intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    status = zarrc_array_grow(handle_of(self%own), size(shape, kind=c_size_t), reversed(shape, 0), error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_grow

  !> Reads the document again: the shape that others gave the array, its attributes.
  subroutine array_refresh(self, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_array_refresh(handle_of(self%own), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_refresh

  subroutine fill_int8(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int8), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_int8) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 1_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_int8

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_int8(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int8), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int8

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_int8(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int8), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 1_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 1_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int8

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_int8(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int8), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int8

  subroutine fill_int16(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int16), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_int16) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 2_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_int16

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_int16(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int16), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int16

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_int16(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int16), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 2_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 2_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int16

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_int16(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int16), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int16

  subroutine fill_int32(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int32), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_int32) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 4_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_int32

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_int32(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int32), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int32

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_int32(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int32), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 4_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 4_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int32

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_int32(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int32), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int32

  subroutine fill_int64(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int64), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_int64) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_int64

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_int64(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    integer(int64), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_int64

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_int64(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int64), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 8_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_int64

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_int64(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int64), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_int64

  subroutine fill_real32(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    real(real32), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_float32) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 4_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_real32

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_real32(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    real(real32), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_real32

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_real32(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real32), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 4_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 4_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_real32

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_real32(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real32), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_real32

  subroutine fill_real64(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    real(real64), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_float64) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_real64

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_real64(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    real(real64), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_real64

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_real64(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real64), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 8_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_real64

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_real64(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real64), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_real64

  subroutine fill_complex32(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    complex(real32), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_complex64) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_complex32

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_complex32(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    complex(real32), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_complex32

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_complex32(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real32), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 8_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_complex32

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_complex32(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real32), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_complex32

  subroutine fill_complex64(self, value, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    complex(real64), intent(out), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    value = 0
    if (self%data_type() /= zarrc_complex128) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_fill_value(handle_of(self%own), c_loc(value), 16_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine fill_complex64

  ! ---- arrays: reading and writing

  !> Reads the elements from `start` on (default: 1), `step` apart, as many as `values` has.
  subroutine read_complex64(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    complex(real64), intent(inout), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.false., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_complex64

  !> Appends a block along its last dimension (or `dim`): all of it arrives, or nothing, also beside other writers.
  !> A block of one rank less is one element along the last dimension. A section with strides is copied first.
  subroutine append_complex64(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real64), intent(in), target :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_int64_t), allocatable :: count(:)
    integer(int8), allocatable, target :: buffer(:)
    integer :: rank, along
    call layout(values, view)
    call gather(view, 16_int64, buffer)
    rank = self%rank()
    along = rank
    if (present(dim)) along = dim
    status = zarrc_invalid_argument
    if (view%rank /= rank .and. (view%rank + 1 /= rank .or. along /= rank)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      allocate (count(rank))
      count = view%extent(rank:1:-1)
      status = zarrc_array_append(handle_of(self%own), int(rank - along, c_size_t), count, view%data_type, view%data, &
        product(count) * 16_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_complex64

  !> Writes `values` to the elements from `start` on (default: 1), `step` apart.
  subroutine write_complex64(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real64), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_complex64

  subroutine array_move(self, writing, view, start, step, status, error)
    class(zarrc_array), intent(in) :: self
    logical, intent(in) :: writing
    type(memory), intent(in) :: view
    class(*), intent(in), optional :: start(:), step(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    integer(c_int64_t), allocatable :: from(:), by(:), count(:), strides(:)

    call place(self, view, start, step, from, by, count, strides, status, error)
    if (status == zarrc_ok) then
      if (writing) then
        status = zarrc_array_write_strided(handle_of(self%own), from, by, count, view%data_type, view%data, strides, error)
      else
        status = zarrc_array_read_strided(handle_of(self%own), from, by, count, view%data_type, view%data, strides, error)
      end if
    end if
  end subroutine array_move

  !> What a view of memory takes of an array, dimension by dimension in Zarr's order.
  subroutine place(self, view, start, step, from, by, count, strides, status, error)
    class(zarrc_array), intent(in) :: self
    type(memory), intent(in) :: view
    class(*), intent(in), optional :: start(:), step(:)
    integer(c_int64_t), allocatable, intent(out) :: from(:), by(:), count(:), strides(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    character(80) :: message
    integer :: n, rank

    status = zarrc_invalid_argument
    rank = self%rank()
    message = ''
    if (.not. associated(self%own)) then
      message = 'the array is not open'
    else if (view%rank > rank .or. (view%rank < rank .and. .not. present(start))) then
      write (message, '(a, i0, a, i0, a)') 'values: rank ', view%rank, ', but the array has rank ', rank, &
        ' (a slab needs start=)'
    end if
    if (present(start)) then
      if (size(start) /= rank) write (message, '(a, i0, a)') 'start: expected ', rank, ' indices'
    end if
    if (present(step)) then
      if (size(step) /= rank) write (message, '(a, i0, a)') 'step: expected ', rank, ' numbers'
    end if
    if (message /= '') then
      error = refuse(status, trim(message))
      return
    end if
    status = zarrc_ok
    allocate (from(rank), by(rank), count(rank), strides(rank))
    from = 0
    by = 1
    if (present(start)) from = reversed(start, 1)
    if (present(step)) by = reversed(step, 0)
    do n = 1, rank
      count(n) = 1
      strides(n) = 0
      if (rank + 1 - n <= view%rank) then
        count(n) = view%extent(rank + 1 - n)
        strides(n) = view%stride(rank + 1 - n)
      end if
    end do
  end subroutine place

  subroutine read_logical(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    logical, intent(inout) :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int8), allocatable, target :: bytes(:)
    type(memory) :: view
    integer(c_int32_t) :: status

    allocate (bytes(size(values)))
    call packed(shape(values, int64), c_loc(bytes), zarrc_bool, 1_int64, view)
    call self%move(.false., view, start, step, status, error)
    if (status == zarrc_ok) call unflat(logical(bytes /= 0, kind(values)), values)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_logical

  subroutine write_logical(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    logical, intent(in) :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int8), allocatable, target :: bytes(:)
    type(memory) :: view
    integer(c_int32_t) :: status

    bytes = merge(1_int8, 0_int8, flat(values))
    call packed(shape(values, int64), c_loc(bytes), zarrc_bool, 1_int64, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_logical

  subroutine read_bool(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    logical(c_bool), intent(inout) :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int8), allocatable, target :: bytes(:)
    type(memory) :: view
    integer(c_int32_t) :: status

    allocate (bytes(size(values)))
    call packed(shape(values, int64), c_loc(bytes), zarrc_bool, 1_int64, view)
    call self%move(.false., view, start, step, status, error)
    if (status == zarrc_ok) call unflat(logical(bytes /= 0, kind(values)), values)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_bool

  subroutine write_bool(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    logical(c_bool), intent(in) :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int8), allocatable, target :: bytes(:)
    type(memory) :: view
    integer(c_int32_t) :: status

    bytes = merge(1_int8, 0_int8, flat(values))
    call packed(shape(values, int64), c_loc(bytes), zarrc_bool, 1_int64, view)
    call self%move(.true., view, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_bool

  !> Memory in Fortran's own order.
  subroutine packed(extent, data, data_type, size, view)
    integer(int64), intent(in) :: extent(:), size
    type(c_ptr), intent(in) :: data
    integer(c_int32_t), intent(in) :: data_type
    type(memory), intent(out) :: view
    integer :: n
    integer(int64) :: stride

    view%data = data
    view%data_type = data_type
    view%rank = ubound(extent, 1)
    stride = size
    do n = 1, view%rank
      view%extent(n) = extent(n)
      view%stride(n) = stride
      stride = stride * extent(n)
    end do
  end subroutine packed

  ! ---- arrays: characters and strings

  !> Characters: of fixed bytes, padded with blanks in memory and with NULs in the store; or strings of any length.
  subroutine read_character(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(*), intent(inout) :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    character(len(values)), allocatable :: all(:)
    character(kind=c_char), allocatable, target :: bytes(:)
    type(memory) :: view
    integer(c_int32_t) :: status
    integer :: length, n, m

    allocate (all(size(values)))
    length = int(self%element_size())
    if (length == 0) then
      call read_strings(self, all, shape(values, int64), start, step, status, error)
    else
      allocate (bytes(length * size(all)))
      call packed(shape(values, int64), c_loc(bytes), zarrc_native, int(length, int64), view)
      call self%move(.false., view, start, step, status, error)
      if (self%data_type() /= zarrc_fixed_bytes .and. status == zarrc_ok) then
        status = zarrc_type_mismatch
        error = refuse(status, 'the array holds no characters')
      end if
      do n = 1, size(all)
        if (status /= zarrc_ok) exit
        all(n) = ''
        do m = 1, length
          if (bytes((n - 1) * length + m) == c_null_char) exit
          if (m <= len(all)) then
            all(n)(m:m) = bytes((n - 1) * length + m)
          else if (bytes((n - 1) * length + m) /= ' ') then
            status = zarrc_type_mismatch
            error = refuse(status, 'an element is longer than the characters it is read into')
          end if
        end do
      end do
    end if
    if (status == zarrc_ok) call unflat(all, values)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_character

  subroutine write_character(self, values, start, step, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    character(*), intent(in) :: values(..)
    class(*), intent(in), optional :: start(:), step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    character(len(values)), allocatable :: all(:)
    character(kind=c_char), allocatable, target :: bytes(:)
    type(memory) :: view
    integer(c_int32_t) :: status
    integer :: length

    all = flat(values)
    length = int(self%element_size())
    if (length == 0) then
      call write_strings(self, all, shape(values, int64), start, step, status, error)
    else if (self%data_type() /= zarrc_fixed_bytes) then
      status = zarrc_type_mismatch
      error = refuse(status, 'the array holds no characters')
    else
      call join_fixed(all, length, bytes, status, error)
    end if
    if (length > 0 .and. allocated(bytes)) then
      call packed(shape(values, int64), c_loc(bytes), zarrc_native, int(length, int64), view)
      call self%move(.true., view, start, step, status, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_character

  subroutine read_strings(self, all, extent, start, step, status, error)
    class(zarrc_array), intent(in) :: self
    character(*), intent(inout) :: all(:)
    integer(int64), intent(in) :: extent(:)
    class(*), intent(in), optional :: start(:), step(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    type(memory) :: view
    type(c_ptr) :: values
    integer(c_int64_t), allocatable :: from(:), by(:), count(:), strides(:)

    call packed(extent, c_null_ptr, zarrc_native, 1_int64, view)
    call place(self, view, start, step, from, by, count, strides, status, error)
    values = c_null_ptr
    if (status == zarrc_ok) call no_steps(by, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_vlen(handle_of(self%own), from, count, values, error)
    if (status == zarrc_ok) call take_strings(values, all, status, error)
  end subroutine read_strings

  !> Copies what was read, which is freed, to characters that are padded with blanks.
  subroutine take_strings(values, all, status, error)
    type(c_ptr), intent(in) :: values
    character(*), intent(inout) :: all(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    integer(int64), pointer :: offsets(:)
    character(kind=c_char), pointer :: bytes(:)
    integer(int64) :: n, m, found

    status = zarrc_ok
    found = zarrc_vlen_count(values)
    call c_f_pointer(zarrc_vlen_offsets(values), offsets, [found + 1])
    call c_f_pointer(zarrc_vlen_bytes(values), bytes, [max(offsets(found + 1), 1_int64)])
    do n = 1, found
      all(n) = ''
      if (offsets(n + 1) - offsets(n) > len(all)) then
        status = zarrc_type_mismatch
        error = refuse(status, 'an element is longer than the characters it is read into')
        exit
      end if
      do m = 1, offsets(n + 1) - offsets(n)
        all(n)(m:m) = bytes(offsets(n) + m)
      end do
    end do
    call zarrc_vlen_free(values)
  end subroutine take_strings

  !> Characters without their trailing blanks, one after the other, and where each begins.
  subroutine join_strings(all, offsets, bytes)
    character(*), intent(in) :: all(:)
    integer(c_int64_t), allocatable, intent(out) :: offsets(:)
    character(kind=c_char), allocatable, intent(out) :: bytes(:)
    integer :: n, m

    allocate (offsets(size(all) + 1), bytes(max(sum(len_trim(all)), 1)))
    offsets(1) = 0
    do n = 1, size(all)
      do m = 1, len_trim(all(n))
        bytes(offsets(n) + m) = all(n)(m:m)
      end do
      offsets(n + 1) = offsets(n) + len_trim(all(n))
    end do
  end subroutine join_strings

  !> Characters of fixed bytes as they lie in an array whose elements have `length`, padded with NULs.
  subroutine join_fixed(all, length, bytes, status, error)
    character(*), intent(in) :: all(:)
    integer, intent(in) :: length
    character(kind=c_char), allocatable, intent(out) :: bytes(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    integer :: n, m

    status = zarrc_ok
    if (maxval(len_trim(all)) > length) then
      status = zarrc_type_mismatch
      error = refuse(status, 'values: the elements of the array are shorter')
      return
    end if
    allocate (bytes(length * size(all)))
    bytes = c_null_char
    do n = 1, size(all)
      do m = 1, len_trim(all(n))
        bytes((n - 1) * length + m) = all(n)(m:m)
      end do
    end do
  end subroutine join_fixed

  !> Appends characters, as append() does numbers: to an array of strings, or of fixed bytes.
  subroutine append_character(self, values, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    character(*), intent(in) :: values(..)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    character(kind=c_char), allocatable, target :: bytes(:)
    integer(c_int64_t), allocatable :: count(:), offsets(:)
    integer(c_int32_t) :: status
    integer(c_size_t) :: along
    integer :: n, wanted

    wanted = self%rank()
    if (present(dim)) wanted = dim
    along = int(self%rank() - wanted, c_size_t)
    count = [(1_c_int64_t, n=1, self%rank())]
    status = zarrc_invalid_argument
    if (rank(values) /= self%rank() .and. (rank(values) + 1 /= self%rank() .or. along /= 0)) then
      error = refuse(status, 'values: expected the rank of the array, or one less')
    else
      do n = 1, rank(values)
        count(self%rank() + 1 - n) = size(values, n, c_int64_t)
      end do
      if (self%element_size() == 0) then
        call join_strings(flat(values), offsets, bytes)
        status = zarrc_array_append_vlen(handle_of(self%own), along, count, offsets, c_loc(bytes), error)
      else if (self%data_type() /= zarrc_fixed_bytes) then
        status = zarrc_type_mismatch
        error = refuse(status, 'the array holds no characters')
      else
        call join_fixed(flat(values), int(self%element_size()), bytes, status, error)
        if (status == zarrc_ok) status = zarrc_array_append(handle_of(self%own), along, count, zarrc_native, c_loc(bytes), &
          size(bytes, kind=c_size_t), error)
      end if
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine append_character

  !> Reads what a selection selects of an array of strings.
  subroutine read_selected_character(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    character(*), intent(inout) :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    character(len(values)), allocatable :: all(:)
    type(c_ptr) :: found
    integer(c_int32_t) :: status

    call fit_strings(selection, shape(values, int64), status, error)
    found = c_null_ptr
    if (status == zarrc_ok) status = zarrc_array_read_selection_vlen(handle_of(self%own), handle_of(selection%own), found, error)
    if (status == zarrc_ok) then
      allocate (all(size(values)))
      call take_strings(found, all, status, error)
      if (status == zarrc_ok) call unflat(all, values)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_character

  !> Writes strings to what a selection selects.
  subroutine write_selected_character(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    character(*), intent(in) :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    character(kind=c_char), allocatable, target :: bytes(:)
    integer(c_int64_t), allocatable :: offsets(:)
    integer(c_int32_t) :: status

    call fit_strings(selection, shape(values, int64), status, error)
    if (status == zarrc_ok) then
      call join_strings(flat(values), offsets, bytes)
      status = zarrc_array_write_selection_vlen(handle_of(self%own), handle_of(selection%own), offsets, c_loc(bytes), error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_character

  subroutine fit_strings(selection, extent, status, error)
    type(zarrc_selection), intent(in) :: selection
    integer(int64), intent(in) :: extent(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    type(memory) :: view
    integer(c_int64_t), allocatable :: strides(:)
    integer(c_size_t) :: bytes

    call packed(extent, c_null_ptr, zarrc_native, 1_int64, view)
    call fit(selection, view, 1_c_size_t, strides, bytes, status, error)
  end subroutine fit_strings

  !> Strings without their trailing blanks.
  subroutine write_strings(self, all, extent, start, step, status, error)
    class(zarrc_array), intent(inout) :: self
    character(*), intent(in) :: all(:)
    integer(int64), intent(in) :: extent(:)
    class(*), intent(in), optional :: start(:), step(:)
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    type(memory) :: view
    integer(c_int64_t), allocatable :: from(:), by(:), count(:), strides(:), offsets(:)
    character(kind=c_char), allocatable, target :: bytes(:)

    call packed(extent, c_null_ptr, zarrc_native, 1_int64, view)
    call place(self, view, start, step, from, by, count, strides, status, error)
    if (status == zarrc_ok) call no_steps(by, status, error)
    if (status == zarrc_ok) then
      call join_strings(all, offsets, bytes)
      status = zarrc_array_write_vlen(handle_of(self%own), from, count, offsets, c_loc(bytes), error)
    end if
  end subroutine write_strings

  subroutine no_steps(by, status, error)
    integer(c_int64_t), intent(in) :: by(:)
    integer(c_int32_t), intent(inout) :: status
    type(zarrc_error_c), intent(inout) :: error
    if (all(by == 1)) return
    status = zarrc_unsupported
    error = refuse(status, 'step: elements of variable length are read and written without steps')
  end subroutine no_steps

  ! ---- selections

  subroutine selection_assign(self, other)
    class(zarrc_selection), intent(inout) :: self
    type(zarrc_selection), intent(in) :: other
    type(shared), pointer :: own
    call share(other%own, own)
    call self%free()
    self%own => own
  end subroutine selection_assign

  subroutine selection_final(self)
    type(zarrc_selection), intent(inout) :: self
    call self%free()
  end subroutine selection_final

  !> Frees it, once no other object shares it. Of a request: waits until it is done.
  subroutine selection_free(self)
    class(zarrc_selection), intent(inout) :: self
    type(c_ptr) :: handle
    if (released(self%own, handle)) call zarrc_selection_free(handle)
  end subroutine selection_free

  subroutine request_assign(self, other)
    class(zarrc_request), intent(inout) :: self
    type(zarrc_request), intent(in) :: other
    type(shared), pointer :: own
    call share(other%own, own)
    call self%free()
    self%own => own
  end subroutine request_assign

  subroutine request_final(self)
    type(zarrc_request), intent(inout) :: self
    call self%free()
  end subroutine request_final

  !> Frees it, once no other object shares it. Of a request: waits until it is done.
  subroutine request_free(self)
    class(zarrc_request), intent(inout) :: self
    type(c_ptr) :: handle
    if (released(self%own, handle)) call zarrc_request_free(handle)
  end subroutine request_free

  !> Begins a selection: everything of an array.
  subroutine selection_create(self, array, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    type(zarrc_array), intent(in) :: array
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status

    call self%free()
    handle = c_null_ptr
    status = zarrc_selection_new(handle_of(array%own), handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    self%rank = array%rank()
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_create

  !> Which of Zarr's dimensions one of Fortran's is; outside of all where there is none.
  pure integer(c_size_t) function dimension_of(self, dim)
    class(zarrc_selection), intent(in) :: self
    integer, intent(in) :: dim
    dimension_of = huge(dimension_of)
    if (dim >= 1 .and. dim <= self%rank) dimension_of = int(self%rank - dim, c_size_t)
  end function dimension_of

  !> `count` indices of one dimension from `start` on, `step` apart; a step may be negative.
  subroutine selection_set_range(self, dim, start, count, step, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    integer, intent(in) :: dim
    integer, intent(in) :: start, count
    integer, intent(in), optional :: step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int64_t) :: by
    by = 1
    if (present(step)) by = step
    if (told(zarrc_selection_set_range(handle_of(self%own), dimension_of(self, dim), int(start - 1, c_int64_t), by, &
      int(count, c_int64_t), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_range

  !> One index of one dimension, which drops the dimension.
  subroutine selection_set_index(self, dim, index, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    integer, intent(in) :: dim, index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_selection_set_index(handle_of(self%own), dimension_of(self, dim), int(index - 1, c_int64_t), error), error, &
      stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_index

  !> Listed indices of one dimension, in any order, repeated or not.
  subroutine selection_set_indices(self, dim, indices, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    integer, intent(in) :: dim
    class(*), intent(in) :: indices(:) !< integers of any kind
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: list(:)
    list = reversed(indices, 1)
    list = list(size(list):1:-1)
    if (told(zarrc_selection_set_indices(handle_of(self%own), dimension_of(self, dim), size(list, kind=c_size_t), list, error), &
      error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_indices

  !> The indices of one dimension for which a mask as long as it is true.
  subroutine selection_set_mask(self, dim, mask, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    integer, intent(in) :: dim
    logical, intent(in) :: mask(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int8), target :: flags(size(mask))
    flags = merge(1_int8, 0_int8, mask)
    if (told(zarrc_selection_set_mask(handle_of(self%own), dimension_of(self, dim), size(flags, kind=c_size_t), c_loc(flags), &
      error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_mask

  !> Elements one by one: each column of `points` has the indices of one.
  subroutine selection_set_points(self, points, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    integer, intent(in) :: points(:, :)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (size(points, 1) /= self%rank) then
      status = zarrc_invalid_argument
      error = refuse(status, 'points: expected as many indices in a column as the array has dimensions')
    else
      status = zarrc_selection_set_points(handle_of(self%own), size(points, 2, kind=c_size_t), &
        reshape(int(points(self%rank:1:-1, :) - 1, c_int64_t), [size(points)]), error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_points

  !> The elements for which a mask of the whole array, in Fortran's order, is true.
  subroutine selection_set_element_mask(self, mask, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    logical, intent(in) :: mask(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(int8), allocatable, target :: flags(:)
    flags = merge(1_int8, 0_int8, flat(mask))
    if (told(zarrc_selection_set_element_mask(handle_of(self%own), c_loc(flags), size(flags, kind=c_size_t), error), error, &
        stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_element_mask

  !> A box of whole chunks (shards, if the array has them); the first has the indices 1.
  subroutine selection_set_blocks(self, start, count, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    class(*), intent(in) :: start(:), count(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (size(start) /= self%rank .or. size(count) /= self%rank) then
      status = zarrc_invalid_argument
      error = refuse(status, 'start, count: expected the rank of the array')
    else
      status = zarrc_selection_set_blocks(handle_of(self%own), reversed(start, 1), reversed(count, 0), error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_set_blocks

  !> One field of elements of a struct type, beside what else is selected.
  subroutine selection_set_field(self, name, stat, errmsg)
    class(zarrc_selection), intent(inout) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_selection_set_field(handle_of(self%own), c(name), error), error, stat, present(errmsg))) &
      errmsg = message_of(error)
  end subroutine selection_set_field

  !> The shape of the result, in Fortran's order.
  function selection_shape(self) result(extents)
    class(zarrc_selection), intent(in) :: self
    integer(int64), allocatable :: extents(:)
    allocate (extents(zarrc_selection_rank(handle_of(self%own))))
    if (zarrc_selection_shape(handle_of(self%own), size(extents, kind=c_size_t), extents) /= zarrc_ok) extents = 0
    extents = extents(size(extents):1:-1)
  end function selection_shape

  !> The indices of the selected elements, in the order of the result's memory: a column for each, as set_points() takes
  !> them, of `count` elements (default: all) from the number `first` on (default: 1).
  subroutine selection_coordinates(self, points, first, count, stat, errmsg)
    class(zarrc_selection), intent(in) :: self
    integer(int64), allocatable, intent(out) :: points(:, :)
    integer(int64), intent(in), optional :: first, count
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int64_t), allocatable :: found(:)
    integer(c_int64_t) :: from, many
    integer(c_int32_t) :: status

    from = 1
    if (present(first)) from = first
    many = max(product(self%shape()) - from + 1, 0_int64)
    if (present(count)) many = count
    allocate (found(self%rank * many), source=0_int64)
    status = zarrc_selection_coordinates(handle_of(self%own), int(self%rank, c_size_t), from - 1, int(many, c_size_t), found, &
        error)
    points = reshape(found, [int(self%rank, int64), many])
    points = points(self%rank:1:-1, :) + 1
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine selection_coordinates

  !> How memory takes what is selected: strides in Zarr's order, and bytes from the lowest to the highest.
  subroutine fit(selection, view, element, strides, bytes, status, error)
    type(zarrc_selection), intent(in) :: selection
    type(memory), intent(in) :: view
    integer(c_size_t), intent(in) :: element
    integer(c_int64_t), allocatable, intent(out) :: strides(:)
    integer(c_size_t), intent(out) :: bytes
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    integer(int64), allocatable :: extents(:)
    logical :: same

    extents = selection%shape()
    strides = view%stride(view%rank:1:-1)
    bytes = 0
    if (all(view%extent(1:view%rank) > 0)) &
      bytes = element + sum((view%extent(1:view%rank) - 1) * abs(view%stride(1:view%rank)))
    status = zarrc_ok
    same = size(extents) == view%rank
    if (same) same = all(extents == view%extent(1:view%rank))
    if (same) return
    status = zarrc_invalid_argument
    error = refuse(status, 'values: expected the shape of the selection')
  end subroutine fit

  subroutine read_selected_int8(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int8), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 1_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_int8

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_int8(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int8), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 1_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_int8

  subroutine write_selected_int8(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int8), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 1_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_int8

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_int8(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int8), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 1_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_int8

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_int8(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int8), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 1_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_int8

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_int8(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int8), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 1_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_int8

  subroutine read_selected_int16(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int16), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 2_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_int16

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_int16(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int16), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 2_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_int16

  subroutine write_selected_int16(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int16), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 2_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_int16

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_int16(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int16), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 2_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_int16

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_int16(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int16), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 2_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_int16

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_int16(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int16), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 2_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_int16

  subroutine read_selected_int32(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int32), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_int32

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_int32(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int32), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_int32

  subroutine write_selected_int32(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int32), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_int32

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_int32(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int32), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_int32

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_int32(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int32), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 4_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_int32

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_int32(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int32), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 4_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_int32

  subroutine read_selected_int64(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int64), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_int64

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_int64(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int64), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_int64

  subroutine write_selected_int64(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int64), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_int64

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_int64(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    integer(int64), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_int64

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_int64(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int64), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 8_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_int64

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_int64(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    integer(int64), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_int64

  subroutine read_selected_real32(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real32), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_real32

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_real32(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real32), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_real32

  subroutine write_selected_real32(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real32), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_real32

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_real32(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real32), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 4_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_real32

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_real32(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real32), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 4_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_real32

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_real32(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real32), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 4_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_real32

  subroutine read_selected_real64(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real64), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_real64

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_real64(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real64), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_real64

  subroutine write_selected_real64(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real64), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_real64

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_real64(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    real(real64), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_real64

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_real64(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real64), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 8_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_real64

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_real64(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    real(real64), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_real64

  subroutine read_selected_complex32(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real32), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_complex32

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_complex32(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real32), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_complex32

  subroutine write_selected_complex32(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real32), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_complex32

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_complex32(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real32), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 8_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_complex32

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_complex32(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real32), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 8_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_complex32

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_complex32(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real32), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 8_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_complex32

  subroutine read_selected_complex64(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real64), intent(inout), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 16_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_selected_complex64

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine read_start_complex64(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real64), intent(inout), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 16_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_read_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine read_start_complex64

  subroutine write_selected_complex64(self, selection, values, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real64), intent(in), target :: values(..)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call layout(values, view)
    call fit(selection, view, 16_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection(handle_of(self%own), handle_of(selection%own), view%data_type, &
      view%data, strides, bytes, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_selected_complex64

  !> The same without waiting: `values` must have the attributes asynchronous and target, stay as it is until the
  !> request is done, and not be a section that is copied.
  subroutine write_start_complex64(self, selection, values, request, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_selection), intent(in) :: selection
    complex(real64), intent(in), target :: values(..)
    type(zarrc_request), intent(inout) :: request
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(memory) :: view
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer(c_size_t) :: bytes
    integer(c_int64_t), allocatable :: strides(:)
    call request%free()
    handle = c_null_ptr
    call layout(values, view)
    call fit(selection, view, 16_c_size_t, strides, bytes, status, error)
    if (status == zarrc_ok) status = zarrc_array_write_selection_start(handle_of(self%own), handle_of(selection%own), &
      view%data_type, view%data, strides, bytes, handle, error)
    if (status == zarrc_ok) call keep(request%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine write_start_complex64

  !> Writes one element to all of the array, or of what is selected.
  subroutine set_all_complex64(self, value, selection, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real64), intent(in), target :: value
    type(zarrc_selection), intent(in), optional :: selection
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: chosen
    chosen = c_null_ptr
    if (present(selection)) chosen = handle_of(selection%own)
    if (told(zarrc_array_fill(handle_of(self%own), chosen, type_of(value), c_loc(value), 16_c_size_t, error), error, stat, &
      present(errmsg))) errmsg = message_of(error)
  end subroutine set_all_complex64

  !> Names CF's missing value, which is of the array's type, in the attribute _FillValue.
  subroutine missing_complex64(self, value, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    complex(real64), intent(in), target :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (type_of(value) /= self%data_type()) then
      status = zarrc_type_mismatch
      error = refuse(status, 'value: expected the type of the array')
    else
      status = zarrc_array_set_missing_value(handle_of(self%own), c_loc(value), 16_c_size_t, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine missing_complex64

  ! ---- requests

  !> Whether it is done, without waiting.
  logical function request_done(self)
    class(zarrc_request), intent(in) :: self
    logical(c_bool) :: done
    done = .false.
    request_done = zarrc_request_test(handle_of(self%own), done) == zarrc_ok
    request_done = request_done .and. logical(done)
  end function request_done

  !> Waits, and tells how it went.
  subroutine request_wait(self, stat, errmsg)
    class(zarrc_request), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_request_wait(handle_of(self%own), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine request_wait

  !> Ends it at the next chunk: wait() then reports zarrc_cancelled, unless it was done before.
  subroutine request_cancel(self)
    class(zarrc_request), intent(in) :: self
    call zarrc_request_cancel(handle_of(self%own))
  end subroutine request_cancel

  !> A descriptor that becomes readable once it is done, for poll(); not to be read or closed. -1: there is none.
  integer(c_int32_t) function request_fd(self)
    class(zarrc_request), intent(in) :: self
    request_fd = -1
    if (zarrc_request_fd(handle_of(self%own), request_fd) /= zarrc_ok) request_fd = -1
  end function request_fd

  !> Waits until one of several requests is done: which of them, of several the first.
  subroutine wait_any(requests, index, stat, errmsg)
    type(zarrc_request), intent(in) :: requests(:)
    integer, intent(out) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handles(size(requests))
    integer(c_int32_t) :: status
    integer(c_size_t) :: found
    integer :: n
    do n = 1, size(requests)
      handles(n) = handle_of(requests(n)%own)
    end do
    found = 0
    status = zarrc_request_wait_any(handles, size(handles, kind=c_size_t), found, error)
    index = int(found) + 1
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine wait_any

  ! ---- operations on nodes

  !> Deletes a node and everything below it, the deepest nodes first. Cancelled by its progress, it can be called again.
  subroutine store_delete(self, path, progress, deleted, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path
    procedure(zarrc_progress), optional :: progress
    integer(int64), intent(out), optional :: deleted !< nodes
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(report), target :: to_caller
    type(c_funptr) :: call
    integer(c_int64_t) :: count
    integer(c_int32_t) :: status

    call = c_null_funptr
    if (present(progress)) then
      to_caller%call => progress
      call = c_funloc(reported)
    end if
    count = 0
    status = zarrc_node_delete_with(handle_of(self%own), c(path), call, c_loc(to_caller), count, error)
    if (present(deleted)) deleted = count
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_delete

  !> Copies a node and everything below it, as it is stored.
  subroutine store_copy(self, path, to, to_path, if_exists, dry_run, exclude, copied, progress, link, &
      stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: path
    type(zarrc_store), intent(inout) :: to
    character(*), intent(in) :: to_path
    integer(c_int32_t), intent(in), optional :: if_exists !< of keys in the target: zarrc_if_exists_fail (default), ...
    logical, intent(in), optional :: dry_run           !< only count
    character(*), intent(in), optional :: exclude(:)    !< paths below the node that are left out, with all below them
    integer(int64), intent(out), optional :: copied(3)  !< keys copied, keys that were there and stayed, bytes copied
    procedure(zarrc_progress), optional :: progress
    logical, intent(in), optional :: link               !< hard links: both stores are directories on one file system
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(copy_options), target :: options
    type(report), target :: to_caller
    integer(c_int64_t), target :: counts(3)
    character(kind=c_char, len=:), allocatable, target :: texts(:)
    type(c_ptr), allocatable, target :: list(:)
    integer(c_int32_t) :: status
    integer :: n

    if (present(if_exists)) options%if_exists = if_exists
    if (present(dry_run)) options%dry_run = logical(dry_run, c_bool)
    if (present(link)) options%link = logical(link, c_bool)
    if (present(exclude)) then
      allocate (character(len(exclude) + 1) :: texts(size(exclude)))
      allocate (list(size(exclude)))
      do n = 1, size(exclude)
        texts(n) = trim(exclude(n)) // c_null_char
        list(n) = c_loc(texts(n))
      end do
      options%exclude_count = size(exclude, kind=c_size_t)
      if (size(exclude) > 0) options%exclude = c_loc(list)
    end if
    if (present(progress)) then
      to_caller%call => progress
      options%progress = c_funloc(reported)
      options%user = c_loc(to_caller)
    end if
    options%size = c_sizeof(options)
    counts = 0
    status = zarrc_node_copy_with(handle_of(self%own), c(path), handle_of(to%own), c(to_path), c_loc(options), c_loc(counts), &
        error)
    if (present(copied)) copied = counts
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_copy

  !> Gives a node, and everything below it, another path in the same store.
  subroutine store_move(self, path, to_path, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path, to_path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_node_move(handle_of(self%own), c(path), c(to_path), error), error, stat, present(errmsg))) &
      errmsg = message_of(error)
  end subroutine store_move

  !> Checks everything below a node; the report is JSON.
  subroutine store_verify(self, path, report, stat, errmsg)
    class(zarrc_store), intent(in) :: self
    character(*), intent(in) :: path
    character(:), allocatable, intent(out) :: report
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_verify(handle_of(self%own), c(path), c_null_funptr, c_null_ptr, text, error)
    if (status == zarrc_ok) report = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_verify

  !> Puts right the problems of some kinds ('outside,consolidated'); the report is JSON.
  subroutine store_repair(self, path, kinds, report, dry_run, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    character(*), intent(in) :: path, kinds
    character(:), allocatable, intent(out) :: report
    logical, intent(in), optional :: dry_run
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    logical(c_bool) :: dry
    dry = .false.
    if (present(dry_run)) dry = logical(dry_run, c_bool)
    text = c_null_ptr
    status = zarrc_repair(handle_of(self%own), c(path), c(kinds), dry, c_null_funptr, c_null_ptr, text, error)
    if (status == zarrc_ok) report = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_repair

  !> Rewrites an array with other chunks (in Fortran's order), within bounded memory. Called again, it resumes.
  subroutine array_rechunk(self, to, path, chunks, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    type(zarrc_store), intent(inout) :: to
    character(*), intent(in) :: path
    class(*), intent(in) :: chunks(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: spec
    integer(c_int32_t) :: status
    spec = c_null_ptr
    status = zarrc_array_spec_new_like(handle_of(self%own), spec, error)
    if (status == zarrc_ok) status = zarrc_array_spec_set_chunk_shape(spec, size(chunks, kind=c_size_t), reversed(chunks, 0), &
        error)
    if (status == zarrc_ok) status = zarrc_rechunk(handle_of(self%own), handle_of(to%own), c(path), spec, 0_c_int64_t, &
      c_null_funptr, c_null_ptr, error)
    call zarrc_array_spec_free(spec)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_rechunk

  !> Creates an array like another one, perhaps of another shape.
  subroutine array_create_like(self, store, path, other, shape, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    type(zarrc_array), intent(in) :: other
    class(*), intent(in), optional :: shape(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: spec, handle
    integer(c_int32_t) :: status
    call self%close(status)
    spec = c_null_ptr
    handle = c_null_ptr
    status = zarrc_array_spec_new_like(handle_of(other%own), spec, error)
    if (present(shape)) then
      if (status == zarrc_ok) status = zarrc_array_spec_set_shape(spec, size(shape, kind=c_size_t), reversed(shape, 0), error)
    end if
    if (status == zarrc_ok) status = zarrc_array_create(handle_of(store%own), c(path), spec, handle, error)
    call zarrc_array_spec_free(spec)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_create_like

  !> Opens it by one URL, without a store of its own.
  subroutine array_open_url(self, url, mode, options, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    character(*), intent(in) :: url
    integer(c_int32_t), intent(in), optional :: mode !< zarrc_read (default), zarrc_read_write
    type(zarrc_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle, chosen
    integer(c_int32_t) :: status, how
    call self%close(status)
    how = zarrc_read
    if (present(mode)) how = mode
    handle = c_null_ptr
    chosen = c_null_ptr
    if (present(options)) chosen = handle_of(options%own)
    status = zarrc_array_open_url(c(url), how, chosen, handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_open_url

  !> Opens it by one URL, without a store of its own.
  subroutine group_open_url(self, url, mode, options, stat, errmsg)
    class(zarrc_group), intent(inout) :: self
    character(*), intent(in) :: url
    integer(c_int32_t), intent(in), optional :: mode !< zarrc_read (default), zarrc_read_write
    type(zarrc_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle, chosen
    integer(c_int32_t) :: status, how
    call self%close(status)
    how = zarrc_read
    if (present(mode)) how = mode
    handle = c_null_ptr
    chosen = c_null_ptr
    if (present(options)) chosen = handle_of(options%own)
    status = zarrc_group_open_url(c(url), how, chosen, handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_open_url

  !> require() opens a group, or creates it where there is nothing; overwrite() creates it in place of whatever is there.
  subroutine group_require(self, store, path, format, stat, errmsg)
    class(zarrc_group), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer(c_int32_t), intent(in), optional :: format
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status, chosen
    call self%close(status)
    chosen = zarrc_format_any
    if (present(format)) chosen = format
    handle = c_null_ptr
    status = zarrc_group_require(handle_of(store%own), c(path), chosen, handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_require

  !> require() opens a group, or creates it where there is nothing; overwrite() creates it in place of whatever is there.
  subroutine group_overwrite(self, store, path, format, stat, errmsg)
    class(zarrc_group), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in) :: path
    integer(c_int32_t), intent(in), optional :: format
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: handle
    integer(c_int32_t) :: status, chosen
    call self%close(status)
    chosen = zarrc_format_any
    if (present(format)) chosen = format
    handle = c_null_ptr
    status = zarrc_group_overwrite(handle_of(store%own), c(path), chosen, handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_overwrite

  !> The group and everything below it as text, a line for each node.
  subroutine group_tree(self, text, stat, errmsg)
    class(zarrc_group), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: found
    integer(c_int32_t) :: status
    found = c_null_ptr
    status = zarrc_group_tree(handle_of(self%own), found, error)
    if (status == zarrc_ok) text = taken(found)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_tree

  !> The digest of the elements ('sha1' or 'sha256'), or of what is stored.
  subroutine array_digest(self, algorithm, digest, stored, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    character(*), intent(in) :: algorithm
    character(:), allocatable, intent(out) :: digest
    logical, intent(in), optional :: stored
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    logical :: bytes
    bytes = .false.
    if (present(stored)) bytes = stored
    text = c_null_ptr
    if (bytes) then
      status = zarrc_array_stored_digest(handle_of(self%own), c(algorithm), text, error)
    else
      status = zarrc_array_content_digest(handle_of(self%own), c(algorithm), text, error)
    end if
    if (status == zarrc_ok) digest = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_digest

  !> The key under which a chunk (a shard, if the array has them) is stored or would be; indices begin at 1.
  subroutine array_chunk_key(self, index, key, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    class(*), intent(in) :: index(:)
    character(:), allocatable, intent(out) :: key
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: text
    integer(c_int32_t) :: status
    text = c_null_ptr
    status = zarrc_array_chunk_key(handle_of(self%own), size(index, kind=c_size_t), reversed(index, 1), text, error)
    if (status == zarrc_ok) key = taken(text)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_chunk_key

  !> The name of a dimension; empty for one without a name.
  function array_dimension_name(self, dim) result(name)
    class(zarrc_array), intent(in) :: self
    integer, intent(in) :: dim
    character(:), allocatable :: name
    type(c_ptr) :: text
    text = c_null_ptr
    name = ''
    if (zarrc_array_dimension_name(handle_of(self%own), int(self%rank() - dim, c_size_t), text) == zarrc_ok) name = text_of(text)
  end function array_dimension_name

  character(1) function array_order(self)
    class(zarrc_array), intent(in) :: self
    array_order = achar(zarrc_array_order(handle_of(self%own)))
  end function array_order

  character(1) function array_separator(self)
    class(zarrc_array), intent(in) :: self
    array_separator = achar(zarrc_array_separator(handle_of(self%own)))
  end function array_separator

  ! ---- the streaming writer

  !> Opens a writer for a group, which is created if there is none; `path` is that of the group (default: the root).
  subroutine writer_open(self, store, path, flush_seconds, buffer_bytes, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_store), intent(in) :: store
    character(*), intent(in), optional :: path
    real(real64), intent(in), optional :: flush_seconds !< how long committed steps may stay invisible; 0: until flush()
    integer(int64), intent(in), optional :: buffer_bytes !< of chunks that are not full; 0: two rows of chunks per array
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(writer_options), target :: how
    type(c_ptr) :: handle
    character(:), allocatable :: at
    integer(c_int32_t) :: status

    call self%close(status)
    handle = c_null_ptr
    at = ''
    if (present(path)) at = path
    how%size = c_sizeof(how)
    if (present(flush_seconds)) how%flush_seconds = flush_seconds
    if (present(buffer_bytes)) how%buffer_bytes = buffer_bytes
    status = zarrc_writer_open(handle_of(store%own), c(at), c_loc(how), handle, error)
    if (status == zarrc_ok) call keep(self%own, handle)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine writer_open

  !> Creates an array whose last extent, that of the steps, is 0; or opens it to go on. The rest goes as in array%create().
  !> Declare all arrays before the first block or commit.
  subroutine writer_declare(self, variable, name, shape, kind, data_type, type, format, chunks, shards, fill_value, &
      fill_value_json, codec, codec_json, order, separator, dimension_names, attributes_json, missing_value, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(out) :: variable     !< for put()
    character(*), intent(in) :: name
    class(*), intent(in) :: shape(:)
    class(*), intent(in), optional :: kind, fill_value, missing_value
    integer(c_int32_t), intent(in), optional :: data_type, format
    character(*), intent(in), optional :: type, fill_value_json, codec(:), codec_json(:), dimension_names(:), attributes_json
    class(*), intent(in), optional :: chunks(:), shards(:)
    character(1), intent(in), optional :: order, separator
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(c_ptr) :: spec
    integer(c_int32_t) :: status

    call specify(spec, status, error, shape, kind, data_type, type, format, chunks, shards, fill_value, fill_value_json, &
      codec, codec_json, order, separator, dimension_names, attributes_json, missing_value)
    if (status == zarrc_ok) status = zarrc_writer_declare(handle_of(self%own), c(name), spec, variable%number, error)
    call zarrc_array_spec_free(spec)
    variable%rank = size(shape)
    variable%length = characters_of(kind, type)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine writer_declare

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_int8(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    integer(int8), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 1_int64, buffer)
    call put_view(self, variable, view, 1_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_int8

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_int16(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    integer(int16), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 2_int64, buffer)
    call put_view(self, variable, view, 2_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_int16

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_int32(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    integer(int32), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 4_int64, buffer)
    call put_view(self, variable, view, 4_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_int32

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_int64(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    integer(int64), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 8_int64, buffer)
    call put_view(self, variable, view, 8_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_int64

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_real32(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    real(real32), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 4_int64, buffer)
    call put_view(self, variable, view, 4_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_real32

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_real64(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    real(real64), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 8_int64, buffer)
    call put_view(self, variable, view, 8_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_real64

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_complex32(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    complex(real32), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 8_int64, buffer)
    call put_view(self, variable, view, 8_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_complex32

  !> Copies a block and starts to write it: from the indices `start` on, the last of which is the step; or the whole of
  !> one step, `step`. A block of lower rank is a slab, as for array%write(). A section with strides is copied first.
  subroutine put_complex64(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    complex(real64), intent(in), target :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: buffer(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    call layout(values, view)
    call gather(view, 16_int64, buffer)
    call put_view(self, variable, view, 16_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_complex64

  subroutine put_logical(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    logical, intent(in) :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: bytes(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    bytes = merge(1_int8, 0_int8, flat(values))
    call packed(shape(values, int64), c_loc(bytes), zarrc_bool, 1_int64, view)
    call put_view(self, variable, view, 1_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_logical

  subroutine put_bool(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    logical(c_bool), intent(in) :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int8), allocatable, target :: bytes(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    bytes = merge(1_int8, 0_int8, flat(values))
    call packed(shape(values, int64), c_loc(bytes), zarrc_bool, 1_int64, view)
    call put_view(self, variable, view, 1_int64, start, step, status, error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_bool

  !> Characters of an array that was declared with a character as `kind`, or with `type='|S8'` and the like.
  subroutine put_character(self, variable, values, start, step, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    type(zarrc_variable), intent(in) :: variable
    character(*), intent(in) :: values(..)
    class(*), intent(in), optional :: start(:), step
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: bytes(:)
    type(memory) :: view
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status

    if (variable%length == 0) then
      status = zarrc_type_mismatch
      error = refuse(status, 'put: the array was not declared as one of characters')
    else
      call join_fixed(flat(values), variable%length, bytes, status, error)
    end if
    if (status == zarrc_ok) then
      call packed(shape(values, int64), c_loc(bytes), zarrc_native, int(variable%length, int64), view)
      call put_view(self, variable, view, int(variable%length, int64), start, step, status, error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine put_character

  !> How many characters an element has; 0 if it is none.
  integer function characters_of(kind, type) result(length)
    class(*), intent(in), optional :: kind
    character(*), intent(in), optional :: type
    character(:), allocatable :: name
    integer :: failed

    name = ''
    if (present(type)) then
      name = type
    else if (present(kind)) then
      if (type_of(kind) == zarrc_fixed_bytes) name = bytes_type(kind)
    end if
    length = 0
    if (index(name, '|S') == 1) read (name(3:), *, iostat=failed) length
  end function characters_of

  !> Puts a block of memory without gaps.
  subroutine put_view(self, variable, view, element, start, step, status, error)
    class(zarrc_writer), intent(in) :: self
    type(zarrc_variable), intent(in) :: variable
    type(memory), intent(in) :: view
    integer(int64), intent(in) :: element
    class(*), intent(in), optional :: start(:), step
    integer(c_int32_t), intent(out) :: status
    type(zarrc_error_c), intent(inout) :: error
    integer(c_int64_t), allocatable :: from(:), count(:)

    status = zarrc_invalid_argument
    allocate (from(variable%rank), source=0_int64)
    allocate (count(variable%rank), source=1_int64)
    if (present(start) .eqv. present(step)) then
      error = refuse(status, 'put: expected start= or step=')
      return
    end if
    if (present(start)) then
      from = reversed(start, 1)
    else
      from(1) = whole(step) - 1
    end if
    if (size(from) /= variable%rank .or. view%rank > variable%rank) then
      error = refuse(status, 'put: values or start have another rank than the array')
      return
    end if
    if (any(from < 0)) then
      status = zarrc_out_of_bounds
      error = refuse(status, 'put: indices begin at 1')
      return
    end if
    count(variable%rank + 1 - view%rank:) = view%extent(view%rank:1:-1)
    status = zarrc_writer_put(handle_of(self%own), variable%number, from, count, view%data_type, view%data, &
      product(count) * element, error)
  end subroutine put_view

  !> All blocks of the first `steps` steps were put; does not wait.
  subroutine writer_commit(self, steps, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    class(*), intent(in) :: steps !< an integer of any kind
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    integer(c_int32_t) :: status
    if (whole(steps) < 0) then
      status = zarrc_invalid_argument
      error = refuse(status, 'commit: expected a number of steps')
    else
      status = zarrc_writer_commit(handle_of(self%own), whole(steps), error)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine writer_commit

  !> Makes all committed steps visible, and waits for that.
  subroutine writer_flush(self, stat, errmsg)
    class(zarrc_writer), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_writer_flush(handle_of(self%own), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine writer_flush

  !> The steps that readers see; at first, and once all arrays are declared, those after which to go on.
  integer(int64) function writer_steps(self, stat, errmsg) result(steps)
    class(zarrc_writer), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    steps = 0
    if (told(zarrc_writer_steps(handle_of(self%own), steps, error), error, stat, present(errmsg))) errmsg = message_of(error)
  end function writer_steps

  ! ---- progress and visits

  logical(c_bool) function reported(user, done, what) bind(c, name='') result(more)
    type(c_ptr), value :: user, what
    real(c_double), value :: done
    type(report), pointer :: to
    call c_f_pointer(user, to)
    more = logical(to%call(done, text_of(what)), c_bool)
  end function reported

  !> Visits the chunks (shards, if the array has them) that are stored, from `start` on (default: 1), `count` along each
  !> dimension (default: all), in chunks. The visitor may be an internal procedure.
  subroutine array_visit_chunks(self, visitor, start, count, stat, errmsg)
    class(zarrc_array), intent(in) :: self
    procedure(zarrc_chunk_visitor) :: visitor
    class(*), intent(in), optional :: start(:), count(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(chunk_visit), target :: visit
    integer(c_int64_t), allocatable :: from(:), many(:)
    integer(c_int32_t) :: status

    visit%rank = self%rank()
    visit%call => visitor
    if (present(start)) from = reversed(start, 1)
    if (present(count)) many = reversed(count, 0)
    status = zarrc_array_visit_chunks(handle_of(self%own), int(self%rank(), c_size_t), from, many, &
      c_funloc(chunk_visited), c_loc(visit), error) ! what is not allocated is not present
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_visit_chunks

  logical(c_bool) function chunk_visited(user, index, key, bytes) bind(c, name='') result(more)
    type(c_ptr), value :: user, key
    integer(c_int64_t), intent(in) :: index(*)
    integer(c_int64_t), value :: bytes
    type(chunk_visit), pointer :: visit
    call c_f_pointer(user, visit)
    more = logical(visit%call(index(visit%rank:1:-1) + 1, text_of(key), bytes), c_bool)
  end function chunk_visited

  !> Visits everything below a group, sorted by path. The visitor may be an internal procedure.
  subroutine group_visit(self, visitor, stat, errmsg)
    class(zarrc_group), intent(in) :: self
    procedure(zarrc_node_visitor) :: visitor
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(node_visit), target :: visit
    integer(c_int32_t) :: status

    visit%call => visitor
    status = zarrc_group_visit(handle_of(self%own), c_funloc(node_visited), c_loc(visit), error)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine group_visit

  logical(c_bool) function node_visited(user, path, kind) bind(c, name='') result(more)
    type(c_ptr), value :: user, path
    integer(c_int32_t), value :: kind
    type(node_visit), pointer :: visit
    call c_f_pointer(user, visit)
    more = logical(visit%call(text_of(path), kind), c_bool)
  end function node_visited

  ! ---- appending what a program writes

  !> Appends a block of `extent` elements along the last dimension (or `dim`), which a procedure writes, in any number of
  !> calls, threads or processes; the array grows once it has returned zarrc_ok. It must write all of the block, may be
  !> called again with another place if others append meanwhile, and may be an internal procedure.
  subroutine array_append_with(self, extent, write, dim, stat, errmsg)
    class(zarrc_array), intent(inout) :: self
    class(*), intent(in) :: extent !< an integer of any kind
    procedure(zarrc_append_writer) :: write
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(append), target :: to
    integer :: along

    along = self%rank()
    if (present(dim)) along = dim
    to%call => write
    if (told(zarrc_array_append_with(handle_of(self%own), int(self%rank() - along, c_size_t), whole(extent), &
      c_funloc(appended), c_loc(to), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine array_append_with

  integer(c_int32_t) function appended(user, grown, document, first, error) bind(c, name='') result(status)
    type(c_ptr), value :: user, grown, document, error
    integer(c_int64_t), value :: first
    type(append), pointer :: to
    type(zarrc_array) :: array
    integer :: stat
    call c_f_pointer(user, to)
    call keep(array%own, grown)
    status = to%call(array, text_of(document), first + 1)
    array%own%handle = c_null_ptr ! the library's: what else shares it is closed now
    call array%close(stat)
  end function appended

  ! ---- stores of the program's own

  !> Opens a store of the program's own, of which it keeps a copy (what that points at is shared). A store that is not
  !> writable is never asked to set or erase.
  subroutine store_open_own(self, own, name, writable, options, stat, errmsg)
    class(zarrc_store), intent(inout) :: self
    class(zarrc_own_store), intent(in), target :: own ! target: else gfortran takes what it points at for untouched later
    character(*), intent(in), optional :: name !< what messages call it
    logical, intent(in), optional :: writable !< default: .true.
    type(zarrc_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(store_callbacks), target :: calls
    type(store_holder), pointer :: holder
    type(c_ptr) :: handle, settings
    character(kind=c_char, len=:), allocatable, target :: text
    integer(c_int32_t) :: status
    logical :: writes

    call self%close(status)
    allocate (holder)
    allocate (holder%own, source=own)
    writes = .true.
    if (present(writable)) writes = writable
    text = c('a store of the program')
    if (present(name)) text = c(name)
    calls%size = c_sizeof(calls)
    calls%user = c_loc(holder)
    calls%name = c_loc(text)
    calls%destroy = c_funloc(store_destroyed)
    calls%get = c_funloc(store_asked)
    calls%list = c_funloc(store_listed)
    if (writes) calls%set = c_funloc(store_set)
    if (writes) calls%erase = c_funloc(store_erased)
    settings = c_null_ptr
    if (present(options)) settings = handle_of(options%own)
    handle = c_null_ptr
    status = zarrc_store_from_callbacks(c_loc(calls), settings, handle, error)
    if (status == zarrc_ok) then
      call keep(self%own, handle)
    else
      deallocate (holder)
    end if
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine store_open_own

  !> What a store cannot do unless it is defined.
  integer function own_set(self, key, value) result(status)
    class(zarrc_own_store), intent(inout) :: self
    character(*), intent(in) :: key
    integer(int8), intent(in) :: value(:)
    status = zarrc_unsupported
  end function own_set

  integer function own_erase(self, key) result(status)
    class(zarrc_own_store), intent(inout) :: self
    character(*), intent(in) :: key
    status = zarrc_unsupported
  end function own_erase

  !> Every key that begins with `prefix`, padded with blanks.
  integer function own_list(self, prefix, keys) result(status)
    class(zarrc_own_store), intent(inout) :: self
    character(*), intent(in) :: prefix
    character(:), allocatable, intent(out) :: keys(:)
    status = zarrc_unsupported
  end function own_list

  subroutine store_destroyed(user) bind(c, name='')
    type(c_ptr), value :: user
    type(store_holder), pointer :: holder
    call c_f_pointer(user, holder)
    deallocate (holder)
  end subroutine store_destroyed

  integer(c_int32_t) function store_asked(user, key, give, to, error) bind(c, name='') result(status)
    type(c_ptr), value :: user, key, to, error
    type(c_funptr), value :: give
    type(store_holder), pointer :: holder
    procedure(give_bytes), pointer :: hand_over
    integer(int8), allocatable, target :: value(:)
    call c_f_pointer(user, holder)
    call c_f_procpointer(give, hand_over)
    status = holder%own%get(text_of(key), value)
    if (status /= zarrc_ok) return
    if (.not. allocated(value)) allocate (value(0))
    if (size(value) == 0) return
    if (.not. hand_over(to, c_loc(value), size(value, kind=c_size_t))) status = zarrc_out_of_memory
  end function store_asked

  integer(c_int32_t) function store_set(user, key, value, size, error) bind(c, name='') result(status)
    type(c_ptr), value :: user, key, value, error
    integer(c_size_t), value :: size
    type(store_holder), pointer :: holder
    integer(int8), pointer :: bytes(:)
    integer(int8), target :: none(0)
    call c_f_pointer(user, holder)
    bytes => none
    if (size > 0) call c_f_pointer(value, bytes, [size])
    status = holder%own%set(text_of(key), bytes)
  end function store_set

  integer(c_int32_t) function store_erased(user, key, error) bind(c, name='') result(status)
    type(c_ptr), value :: user, key, error
    type(store_holder), pointer :: holder
    call c_f_pointer(user, holder)
    status = holder%own%erase(text_of(key))
  end function store_erased

  integer(c_int32_t) function store_listed(user, prefix, give, to, error) bind(c, name='') result(status)
    type(c_ptr), value :: user, prefix, to, error
    type(c_funptr), value :: give
    type(store_holder), pointer :: holder
    procedure(give_key), pointer :: hand_over
    character(:), allocatable :: keys(:)
    integer :: n
    call c_f_pointer(user, holder)
    call c_f_procpointer(give, hand_over)
    status = holder%own%list(text_of(prefix), keys)
    if (status /= zarrc_ok .or. .not. allocated(keys)) return
    do n = 1, size(keys)
      if (.not. hand_over(to, c(keys(n)))) exit
    end do
  end function store_listed

  ! ---- codecs of the program's own

  !> Makes a codec of bytes known to the whole process, by its name in metadata. A copy of it is kept until it is
  !> unregistered and the last array that uses it is closed.
  subroutine zarrc_register_codec(name, codec, stat, errmsg)
    character(*), intent(in) :: name
    class(zarrc_own_codec), intent(in), target :: codec ! target, as for own above
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    type(codec_callbacks), target :: calls
    type(codec_holder), pointer :: holder
    type(c_ptr) :: aliases(1)
    integer(c_int32_t) :: status

    allocate (holder)
    allocate (holder%own, source=codec)
    aliases = c_null_ptr
    calls%size = c_sizeof(calls)
    calls%user = c_loc(holder)
    calls%destroy = c_funloc(codec_destroyed)
    calls%open = c_funloc(codec_opened)
    calls%close = c_funloc(codec_closed)
    calls%decode = c_funloc(codec_decoded)
    calls%encode = c_funloc(codec_encoded)
    status = zarrc_codec_register(c(name), aliases, 0_c_size_t, zarrc_codec_bytes, c_loc(calls), error)
    if (status /= zarrc_ok) deallocate (holder)
    if (told(status, error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine zarrc_register_codec

  subroutine zarrc_unregister_codec(name, stat, errmsg)
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(zarrc_error_c) :: error
    if (told(zarrc_codec_unregister(c(name), error), error, stat, present(errmsg))) errmsg = message_of(error)
  end subroutine zarrc_unregister_codec

  !> Whether a configuration is one of the codec's; by default any is.
  integer function own_check(self, configuration) result(status)
    class(zarrc_own_codec), intent(inout) :: self
    character(*), intent(in) :: configuration
    status = zarrc_ok
  end function own_check

  integer function own_encode(self, configuration, source, made) result(status)
    class(zarrc_own_codec), intent(inout) :: self
    character(*), intent(in) :: configuration
    integer(int8), intent(in) :: source(:)
    integer(int8), allocatable, intent(out) :: made(:)
    status = zarrc_unsupported
  end function own_encode

  subroutine codec_destroyed(user) bind(c, name='')
    type(c_ptr), value :: user
    type(codec_holder), pointer :: holder
    call c_f_pointer(user, holder)
    deallocate (holder)
  end subroutine codec_destroyed

  integer(c_int32_t) function codec_opened(user, configuration, chunk, codec, error) bind(c, name='') result(status)
    type(c_ptr), value :: user, configuration, chunk, error
    type(c_ptr), intent(out) :: codec
    type(codec_holder), pointer :: holder
    type(configured), pointer :: made
    call c_f_pointer(user, holder)
    codec = c_null_ptr
    status = holder%own%check(text_of(configuration))
    if (status /= zarrc_ok) return
    allocate (made)
    made%json = text_of(configuration)
    codec = c_loc(made)
  end function codec_opened

  subroutine codec_closed(user, codec) bind(c, name='')
    type(c_ptr), value :: user, codec
    type(configured), pointer :: made
    call c_f_pointer(codec, made)
    deallocate (made)
  end subroutine codec_closed

  integer(c_int32_t) function codec_decoded(user, codec, src, src_size, dst, capacity, dst_size, error) &
      bind(c, name='') result(status)
    type(c_ptr), value :: user, codec, src, dst, error
    integer(c_size_t), value :: src_size, capacity
    integer(c_size_t), intent(out) :: dst_size
    type(codec_holder), pointer :: holder
    type(configured), pointer :: made
    integer(int8), pointer :: source(:), room(:)
    integer(int8), allocatable :: bytes(:)
    integer(int8), target :: none(0)
    call c_f_pointer(user, holder)
    call c_f_pointer(codec, made)
    source => none
    dst_size = 0
    if (src_size > 0) call c_f_pointer(src, source, [src_size])
    status = holder%own%decode(made%json, source, bytes)
    if (status /= zarrc_ok .or. .not. allocated(bytes)) return
    if (size(bytes, kind=c_size_t) > capacity) then
      status = zarrc_limit_exceeded ! zarrc asks again with more room
      return
    end if
    dst_size = size(bytes, kind=c_size_t)
    if (dst_size == 0) return
    call c_f_pointer(dst, room, [dst_size])
    room = bytes
  end function codec_decoded

  integer(c_int32_t) function codec_encoded(user, codec, src, src_size, dst, capacity, dst_size, error) &
      bind(c, name='') result(status)
    type(c_ptr), value :: user, codec, src, dst, error
    integer(c_size_t), value :: src_size, capacity
    integer(c_size_t), intent(out) :: dst_size
    type(codec_holder), pointer :: holder
    type(configured), pointer :: made
    integer(int8), pointer :: source(:), room(:)
    integer(int8), allocatable :: bytes(:)
    integer(int8), target :: none(0)
    call c_f_pointer(user, holder)
    call c_f_pointer(codec, made)
    source => none
    dst_size = 0
    if (src_size > 0) call c_f_pointer(src, source, [src_size])
    status = holder%own%encode(made%json, source, bytes)
    if (status /= zarrc_ok .or. .not. allocated(bytes)) return
    if (size(bytes, kind=c_size_t) > capacity) then
      status = zarrc_limit_exceeded ! zarrc asks again with more room
      return
    end if
    dst_size = size(bytes, kind=c_size_t)
    if (dst_size == 0) return
    call c_f_pointer(dst, room, [dst_size])
    room = bytes
  end function codec_encoded

end module zarrc
