! The C functions and constants of zarrc.
! Written from include/zarrc.h by bindings/generate/generate.py: change that, not this.
module zarrc_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int32_t), parameter :: zarrc_ok = 0
  integer(c_int32_t), parameter :: zarrc_invalid_argument = 1
  integer(c_int32_t), parameter :: zarrc_out_of_bounds = 2
  integer(c_int32_t), parameter :: zarrc_not_found = 3
  integer(c_int32_t), parameter :: zarrc_already_exists = 4
  integer(c_int32_t), parameter :: zarrc_invalid_metadata = 5
  integer(c_int32_t), parameter :: zarrc_corrupt_data = 6
  integer(c_int32_t), parameter :: zarrc_unsupported = 7
  integer(c_int32_t), parameter :: zarrc_type_mismatch = 8
  integer(c_int32_t), parameter :: zarrc_permission_denied = 9
  integer(c_int32_t), parameter :: zarrc_io = 10
  integer(c_int32_t), parameter :: zarrc_conflict = 11
  integer(c_int32_t), parameter :: zarrc_limit_exceeded = 12
  integer(c_int32_t), parameter :: zarrc_cancelled = 13
  integer(c_int32_t), parameter :: zarrc_out_of_memory = 14
  integer(c_int32_t), parameter :: zarrc_internal = 15

  integer(c_int32_t), parameter :: zarrc_native = 0
  integer(c_int32_t), parameter :: zarrc_bool = 1
  integer(c_int32_t), parameter :: zarrc_int8 = 2
  integer(c_int32_t), parameter :: zarrc_int16 = 3
  integer(c_int32_t), parameter :: zarrc_int32 = 4
  integer(c_int32_t), parameter :: zarrc_int64 = 5
  integer(c_int32_t), parameter :: zarrc_uint8 = 6
  integer(c_int32_t), parameter :: zarrc_uint16 = 7
  integer(c_int32_t), parameter :: zarrc_uint32 = 8
  integer(c_int32_t), parameter :: zarrc_uint64 = 9
  integer(c_int32_t), parameter :: zarrc_float16 = 10
  integer(c_int32_t), parameter :: zarrc_bfloat16 = 11
  integer(c_int32_t), parameter :: zarrc_float32 = 12
  integer(c_int32_t), parameter :: zarrc_float64 = 13
  integer(c_int32_t), parameter :: zarrc_complex64 = 14
  integer(c_int32_t), parameter :: zarrc_complex128 = 15
  integer(c_int32_t), parameter :: zarrc_raw = 16
  integer(c_int32_t), parameter :: zarrc_fixed_bytes = 17
  integer(c_int32_t), parameter :: zarrc_fixed_utf32 = 18
  integer(c_int32_t), parameter :: zarrc_datetime64 = 19
  integer(c_int32_t), parameter :: zarrc_timedelta64 = 20
  integer(c_int32_t), parameter :: zarrc_struct = 21
  integer(c_int32_t), parameter :: zarrc_string = 22
  integer(c_int32_t), parameter :: zarrc_bytes = 23
  integer(c_int32_t), parameter :: zarrc_ragged = 24
  integer(c_int32_t), parameter :: zarrc_json = 25
  integer(c_int32_t), parameter :: zarrc_int2 = 26
  integer(c_int32_t), parameter :: zarrc_int4 = 27
  integer(c_int32_t), parameter :: zarrc_uint2 = 28
  integer(c_int32_t), parameter :: zarrc_uint4 = 29
  integer(c_int32_t), parameter :: zarrc_float4_e2m1fn = 30
  integer(c_int32_t), parameter :: zarrc_float6_e2m3fn = 31
  integer(c_int32_t), parameter :: zarrc_float6_e3m2fn = 32
  integer(c_int32_t), parameter :: zarrc_float8_e3m4 = 33
  integer(c_int32_t), parameter :: zarrc_float8_e4m3 = 34
  integer(c_int32_t), parameter :: zarrc_float8_e4m3b11fnuz = 35
  integer(c_int32_t), parameter :: zarrc_float8_e4m3fn = 36
  integer(c_int32_t), parameter :: zarrc_float8_e4m3fnuz = 37
  integer(c_int32_t), parameter :: zarrc_float8_e5m2 = 38
  integer(c_int32_t), parameter :: zarrc_float8_e5m2fnuz = 39
  integer(c_int32_t), parameter :: zarrc_float8_e8m0fnu = 40
  integer(c_int32_t), parameter :: zarrc_complex_float16 = 41
  integer(c_int32_t), parameter :: zarrc_complex_bfloat16 = 42
  integer(c_int32_t), parameter :: zarrc_complex_float4_e2m1fn = 43
  integer(c_int32_t), parameter :: zarrc_complex_float6_e2m3fn = 44
  integer(c_int32_t), parameter :: zarrc_complex_float6_e3m2fn = 45
  integer(c_int32_t), parameter :: zarrc_complex_float8_e3m4 = 46
  integer(c_int32_t), parameter :: zarrc_complex_float8_e4m3 = 47
  integer(c_int32_t), parameter :: zarrc_complex_float8_e4m3b11fnuz = 48
  integer(c_int32_t), parameter :: zarrc_complex_float8_e4m3fn = 49
  integer(c_int32_t), parameter :: zarrc_complex_float8_e4m3fnuz = 50
  integer(c_int32_t), parameter :: zarrc_complex_float8_e5m2 = 51
  integer(c_int32_t), parameter :: zarrc_complex_float8_e5m2fnuz = 52
  integer(c_int32_t), parameter :: zarrc_complex_float8_e8m0fnu = 53

  integer(c_int32_t), parameter :: zarrc_format_any = 0
  integer(c_int32_t), parameter :: zarrc_format_v1 = 1
  integer(c_int32_t), parameter :: zarrc_format_v2 = 2
  integer(c_int32_t), parameter :: zarrc_format_v3 = 3
  integer(c_int32_t), parameter :: zarrc_format_n5 = 4
  integer(c_int32_t), parameter :: zarrc_format_v3_2019 = 5
  integer(c_int32_t), parameter :: zarrc_format_v3_2020 = 6
  integer(c_int32_t), parameter :: zarrc_format_v3_2022 = 7

  integer(c_int32_t), parameter :: zarrc_read = 0
  integer(c_int32_t), parameter :: zarrc_read_write = 1
  integer(c_int32_t), parameter :: zarrc_append = 2
  integer(c_int32_t), parameter :: zarrc_create = 3
  integer(c_int32_t), parameter :: zarrc_overwrite = 4

  integer(c_int32_t), parameter :: zarrc_attribute_null = 0
  integer(c_int32_t), parameter :: zarrc_attribute_bool = 1
  integer(c_int32_t), parameter :: zarrc_attribute_integer = 2
  integer(c_int32_t), parameter :: zarrc_attribute_number = 3
  integer(c_int32_t), parameter :: zarrc_attribute_string = 4
  integer(c_int32_t), parameter :: zarrc_attribute_integers = 5
  integer(c_int32_t), parameter :: zarrc_attribute_numbers = 6
  integer(c_int32_t), parameter :: zarrc_attribute_strings = 7
  integer(c_int32_t), parameter :: zarrc_attribute_list = 8
  integer(c_int32_t), parameter :: zarrc_attribute_object = 9

  integer(c_int32_t), parameter :: zarrc_node_none = 0
  integer(c_int32_t), parameter :: zarrc_node_group = 1
  integer(c_int32_t), parameter :: zarrc_node_array = 2

  integer(c_int32_t), parameter :: zarrc_codec_bytes = 0
  integer(c_int32_t), parameter :: zarrc_codec_array_bytes = 1
  integer(c_int32_t), parameter :: zarrc_codec_array = 2

  integer(c_int32_t), parameter :: zarrc_if_exists_fail = 0
  integer(c_int32_t), parameter :: zarrc_if_exists_skip = 1
  integer(c_int32_t), parameter :: zarrc_if_exists_replace = 2

  type, bind(c) :: zarrc_error_c
    integer(c_int32_t) :: status = 0
    integer(c_int32_t) :: system_code = 0
    character(kind=c_char) :: message(1016) = c_null_char
  end type zarrc_error_c

  interface
    function zarrc_status_name(status) bind(c) result(answer)
      import
      integer(c_int32_t), value :: status
      type(c_ptr) :: answer
    end function zarrc_status_name

    function zarrc_version() bind(c) result(answer)
      import
      type(c_ptr) :: answer
    end function zarrc_version

    function zarrc_build_info(json, err) bind(c) result(answer)
      import
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_build_info

    subroutine zarrc_string_free(string) bind(c)
      import
      type(c_ptr), value :: string
    end subroutine zarrc_string_free

    function zarrc_data_type_name(data_type) bind(c) result(answer)
      import
      integer(c_int32_t), value :: data_type
      type(c_ptr) :: answer
    end function zarrc_data_type_name

    function zarrc_data_type_size(data_type) bind(c) result(answer)
      import
      integer(c_int32_t), value :: data_type
      integer(c_size_t) :: answer
    end function zarrc_data_type_size

    function zarrc_options_new() bind(c) result(answer)
      import
      type(c_ptr) :: answer
    end function zarrc_options_new

    function zarrc_options_set(options, name, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(in) :: value(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_options_set

    subroutine zarrc_options_free(options) bind(c)
      import
      type(c_ptr), value :: options
    end subroutine zarrc_options_free

    function zarrc_store_open(url, mode, options, store, err) bind(c) result(answer)
      import
      character(kind=c_char), intent(in) :: url(*)
      integer(c_int32_t), value :: mode
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: store
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_open

    function zarrc_store_close(store, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_close

    function zarrc_store_get(store, key, value, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: key(*)
      type(c_ptr), intent(inout) :: value
      integer(c_size_t), intent(inout) :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_get

    function zarrc_store_get_range(store, key, offset, length, value, size, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: key(*)
      integer(c_int64_t), value :: offset
      integer(c_int64_t), value :: length
      type(c_ptr), intent(inout) :: value
      integer(c_size_t), intent(inout) :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_get_range

    function zarrc_store_set(store, key, value, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: key(*)
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_set

    function zarrc_store_erase(store, key, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: key(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_erase

    function zarrc_store_erase_prefix(store, prefix, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: prefix(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_erase_prefix

    function zarrc_store_forget(store, prefix, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: prefix(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_forget

    subroutine zarrc_value_free(value, size) bind(c)
      import
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
    end subroutine zarrc_value_free

    function zarrc_store_begin(store, transaction, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      type(c_ptr), intent(inout) :: transaction
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_begin

    function zarrc_store_commit(transaction, message, err) bind(c) result(answer)
      import
      type(c_ptr), value :: transaction
      character(kind=c_char), intent(in), optional :: message(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_commit

    function zarrc_store_rollback(transaction, err) bind(c) result(answer)
      import
      type(c_ptr), value :: transaction
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_rollback

    function zarrc_store_snapshot(store, snapshot, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      type(c_ptr), intent(inout) :: snapshot
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_snapshot

    function zarrc_store_from_callbacks(callbacks, options, store, err) bind(c) result(answer)
      import
      type(c_ptr), value :: callbacks
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: store
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_store_from_callbacks

    function zarrc_attributes_json(attributes, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_json

    function zarrc_attributes_replace_json(attributes, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: json(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_replace_json

    function zarrc_attributes_get_json(attributes, key, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_json

    function zarrc_attributes_set_json(attributes, key, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      character(kind=c_char), intent(in) :: json(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_json

    function zarrc_attributes_count(attributes, count, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      integer(c_size_t), intent(inout) :: count
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_count

    function zarrc_attributes_name(attributes, index, name, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      integer(c_size_t), value :: index
      type(c_ptr), intent(inout) :: name
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_name

    function zarrc_attributes_new(attributes, err) bind(c) result(answer)
      import
      type(c_ptr), intent(inout) :: attributes
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_new

    subroutine zarrc_attributes_free(attributes) bind(c)
      import
      type(c_ptr), value :: attributes
    end subroutine zarrc_attributes_free

    function zarrc_attributes_update(attributes, others, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      type(c_ptr), value :: others
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_update

    function zarrc_attributes_delete(attributes, key, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_delete

    function zarrc_attributes_get_double(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), intent(inout) :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_double

    function zarrc_attributes_set_double(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), value :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_double

    function zarrc_attributes_set_float(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      real(c_float), value :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_float

    function zarrc_attributes_get_int64(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_int64_t), intent(inout) :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_int64

    function zarrc_attributes_set_int64(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_int64_t), value :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_int64

    function zarrc_attributes_get_string(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      type(c_ptr), intent(inout) :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_string

    function zarrc_attributes_set_string(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      character(kind=c_char), intent(in) :: value(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_string

    function zarrc_attributes_get_doubles(attributes, key, capacity, values, count, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_size_t), value :: capacity
      real(c_double), intent(inout) :: values(*)
      integer(c_size_t), intent(inout) :: count
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_doubles

    function zarrc_attributes_set_doubles(attributes, key, count, values, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_size_t), value :: count
      real(c_double), intent(in), optional :: values(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_doubles

    function zarrc_attributes_get_int64s(attributes, key, capacity, values, count, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_size_t), value :: capacity
      integer(c_int64_t), intent(inout) :: values(*)
      integer(c_size_t), intent(inout) :: count
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_int64s

    function zarrc_attributes_set_int64s(attributes, key, count, values, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(in), optional :: values(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_int64s

    function zarrc_attributes_get_string_at(attributes, key, index, value, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_size_t), value :: index
      type(c_ptr), intent(inout) :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_string_at

    function zarrc_attributes_set_strings(attributes, key, count, values, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_size_t), value :: count
      type(c_ptr), intent(in) :: values(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_strings

    function zarrc_attributes_get_bool(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      logical(c_bool), intent(inout) :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_get_bool

    function zarrc_attributes_set_bool(attributes, key, value, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      logical(c_bool), value :: value
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_bool

    function zarrc_attributes_set_null(attributes, key, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_set_null

    function zarrc_attributes_kind(attributes, key, kind, count, err) bind(c) result(answer)
      import
      type(c_ptr), value :: attributes
      character(kind=c_char), intent(in) :: key(*)
      integer(c_int32_t), intent(inout) :: kind
      integer(c_size_t), intent(inout) :: count
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_attributes_kind

    function zarrc_node_kind_at(store, path, kind, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), intent(inout) :: kind
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_node_kind_at

    function zarrc_group_open(store, path, group, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: group
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_open

    function zarrc_group_create(store, path, format, group, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: format
      type(c_ptr), intent(inout) :: group
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_create

    function zarrc_group_require(store, path, format, group, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: format
      type(c_ptr), intent(inout) :: group
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_require

    function zarrc_group_overwrite(store, path, format, group, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: format
      type(c_ptr), intent(inout) :: group
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_overwrite

    function zarrc_group_open_url(url, mode, options, group, err) bind(c) result(answer)
      import
      character(kind=c_char), intent(in) :: url(*)
      integer(c_int32_t), value :: mode
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: group
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_open_url

    function zarrc_group_close(group, err) bind(c) result(answer)
      import
      type(c_ptr), value :: group
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_close

    function zarrc_group_attributes(group) bind(c) result(answer)
      import
      type(c_ptr), value :: group
      type(c_ptr) :: answer
    end function zarrc_group_attributes

    function zarrc_group_list(group, recursive, listing, err) bind(c) result(answer)
      import
      type(c_ptr), value :: group
      logical(c_bool), value :: recursive
      type(c_ptr), intent(inout) :: listing
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_list

    function zarrc_listing_count(listing) bind(c) result(answer)
      import
      type(c_ptr), value :: listing
      integer(c_size_t) :: answer
    end function zarrc_listing_count

    function zarrc_listing_path(listing, index) bind(c) result(answer)
      import
      type(c_ptr), value :: listing
      integer(c_size_t), value :: index
      type(c_ptr) :: answer
    end function zarrc_listing_path

    function zarrc_listing_kind(listing, index) bind(c) result(answer)
      import
      type(c_ptr), value :: listing
      integer(c_size_t), value :: index
      integer(c_int32_t) :: answer
    end function zarrc_listing_kind

    subroutine zarrc_listing_free(listing) bind(c)
      import
      type(c_ptr), value :: listing
    end subroutine zarrc_listing_free

    function zarrc_node_delete(store, path, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_node_delete

    function zarrc_node_delete_with(store, path, progress, user, deleted, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_funptr), value :: progress
      type(c_ptr), value :: user
      integer(c_int64_t), intent(inout) :: deleted
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_node_delete_with

    function zarrc_array_spec_new(data_type, rank, shape, spec, err) bind(c) result(answer)
      import
      integer(c_int32_t), value :: data_type
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      type(c_ptr), intent(inout) :: spec
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_new

    function zarrc_array_spec_set_shape(spec, rank, shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_shape

    subroutine zarrc_array_spec_free(spec) bind(c)
      import
      type(c_ptr), value :: spec
    end subroutine zarrc_array_spec_free

    function zarrc_array_spec_set_format(spec, format, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_int32_t), value :: format
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_format

    function zarrc_array_spec_set_data_type(spec, data_type, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      character(kind=c_char), intent(in) :: data_type(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_data_type

    function zarrc_array_spec_set_chunk_shape(spec, rank, chunk_shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: chunk_shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_chunk_shape

    function zarrc_array_spec_set_chunk_edges(spec, dimension, count, edges, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_size_t), value :: dimension
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(in) :: edges(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_chunk_edges

    function zarrc_array_spec_set_shard_shape(spec, rank, shard_shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shard_shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_shard_shape

    function zarrc_array_spec_set_fill_value(spec, value, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_fill_value

    function zarrc_array_spec_set_missing_value(spec, value, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_missing_value

    function zarrc_array_spec_set_fill_value_json(spec, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      character(kind=c_char), intent(in) :: json(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_fill_value_json

    function zarrc_array_spec_add_codec(spec, name, configuration_json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(in), optional :: configuration_json(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_add_codec

    function zarrc_array_spec_set_order(spec, order, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_signed_char), value :: order
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_order

    function zarrc_array_spec_set_separator(spec, separator, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_signed_char), value :: separator
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_separator

    function zarrc_array_spec_set_dimension_names(spec, rank, names, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      integer(c_size_t), value :: rank
      type(c_ptr), intent(in) :: names(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_dimension_names

    function zarrc_array_spec_set_attributes_json(spec, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      character(kind=c_char), intent(in) :: json(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_attributes_json

    function zarrc_array_spec_set_attributes(spec, attributes, err) bind(c) result(answer)
      import
      type(c_ptr), value :: spec
      type(c_ptr), value :: attributes
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_set_attributes

    function zarrc_array_create(store, path, spec, array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: spec
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_create

    function zarrc_array_open_or_create(store, path, spec, array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: spec
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_open_or_create

    function zarrc_array_require(store, path, spec, array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: spec
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_require

    function zarrc_array_overwrite(store, path, spec, array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: spec
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_overwrite

    function zarrc_array_create_from_buffer(store, path, data_type, rank, shape, buffer, &
        buffer_size, array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: data_type
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_create_from_buffer

    function zarrc_array_spec_new_like(array, spec, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: spec
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_spec_new_like

    function zarrc_array_open_url(url, mode, options, array, err) bind(c) result(answer)
      import
      character(kind=c_char), intent(in) :: url(*)
      integer(c_int32_t), value :: mode
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_open_url

    function zarrc_array_create_json(store, path, format, metadata_json, array, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: format
      character(kind=c_char), intent(in) :: metadata_json(*)
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_create_json

    function zarrc_array_open_json(store, path, format, metadata_json, array, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: format
      character(kind=c_char), intent(in) :: metadata_json(*)
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_open_json

    function zarrc_array_open(store, path, array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_open

    function zarrc_array_close(array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_close

    function zarrc_array_format(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int32_t) :: answer
    end function zarrc_array_format

    function zarrc_array_data_type_text(array, text, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: text
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_data_type_text

    function zarrc_array_dimension_name(array, dimension, name, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: dimension
      type(c_ptr), intent(inout) :: name
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_dimension_name

    function zarrc_array_set_missing_value(array, value, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_set_missing_value

    function zarrc_array_data_type(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int32_t) :: answer
    end function zarrc_array_data_type

    function zarrc_array_element_size(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t) :: answer
    end function zarrc_array_element_size

    function zarrc_array_rank(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t) :: answer
    end function zarrc_array_rank

    function zarrc_array_shape(array, rank, shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(inout) :: shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_shape

    function zarrc_array_chunk_shape(array, rank, chunk_shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(inout) :: chunk_shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_chunk_shape

    function zarrc_array_chunk_counts(array, rank, counts, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(inout) :: counts(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_chunk_counts

    function zarrc_array_chunk_bounds(array, rank, index, start, count, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: index(*)
      integer(c_int64_t), intent(inout) :: start(*)
      integer(c_int64_t), intent(inout) :: count(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_chunk_bounds

    function zarrc_array_shard_shape(array, rank, shard_shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(inout) :: shard_shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_shard_shape

    function zarrc_array_fill_value(array, value, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_fill_value

    function zarrc_array_fill_value_json(array, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_fill_value_json

    function zarrc_array_metadata_json(array, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_metadata_json

    function zarrc_array_attributes(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr) :: answer
    end function zarrc_array_attributes

    function zarrc_array_read(array, start, count, memory_type, buffer, buffer_size, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read

    function zarrc_array_write(array, start, count, memory_type, buffer, buffer_size, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write

    function zarrc_array_read_strided(array, start, step, count, memory_type, buffer, strides, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: step(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_int64_t), intent(in), optional :: strides(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read_strided

    function zarrc_array_write_strided(array, start, step, count, memory_type, buffer, strides, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: step(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_int64_t), intent(in), optional :: strides(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write_strided

    function zarrc_array_flush(array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_flush

    function zarrc_array_read_vlen(array, start, count, values, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      type(c_ptr), intent(inout) :: values
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read_vlen

    function zarrc_array_write_vlen(array, start, count, offsets, bytes, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int64_t), intent(in) :: offsets(*)
      type(c_ptr), value :: bytes
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write_vlen

    function zarrc_vlen_count(values) bind(c) result(answer)
      import
      type(c_ptr), value :: values
      integer(c_size_t) :: answer
    end function zarrc_vlen_count

    function zarrc_vlen_offsets(values) bind(c) result(answer)
      import
      type(c_ptr), value :: values
      type(c_ptr) :: answer
    end function zarrc_vlen_offsets

    function zarrc_vlen_bytes(values) bind(c) result(answer)
      import
      type(c_ptr), value :: values
      type(c_ptr) :: answer
    end function zarrc_vlen_bytes

    subroutine zarrc_vlen_free(values) bind(c)
      import
      type(c_ptr), value :: values
    end subroutine zarrc_vlen_free

    function zarrc_array_append(array, axis, count, memory_type, buffer, buffer_size, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: axis
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_append

    function zarrc_array_append_vlen(array, axis, count, offsets, bytes, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: axis
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int64_t), intent(in) :: offsets(*)
      type(c_ptr), value :: bytes
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_append_vlen

    function zarrc_array_append_with(array, axis, extent, write, user, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: axis
      integer(c_int64_t), value :: extent
      type(c_funptr), value :: write
      type(c_ptr), value :: user
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_append_with

    function zarrc_array_grow(array, rank, shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_grow

    function zarrc_array_resize(array, rank, shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_resize

    function zarrc_array_refresh(array, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_refresh

    function zarrc_selection_new(array, selection, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: selection
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_new

    subroutine zarrc_selection_free(selection) bind(c)
      import
      type(c_ptr), value :: selection
    end subroutine zarrc_selection_free

    function zarrc_selection_set_range(selection, dimension, start, step, count, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: dimension
      integer(c_int64_t), value :: start
      integer(c_int64_t), value :: step
      integer(c_int64_t), value :: count
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_range

    function zarrc_selection_set_index(selection, dimension, index, err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: dimension
      integer(c_int64_t), value :: index
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_index

    function zarrc_selection_set_indices(selection, dimension, count, indices, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: dimension
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(in) :: indices(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_indices

    function zarrc_selection_set_mask(selection, dimension, count, mask, err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: dimension
      integer(c_size_t), value :: count
      type(c_ptr), value :: mask
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_mask

    function zarrc_selection_set_points(selection, count, coordinates, err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(in) :: coordinates(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_points

    function zarrc_selection_set_element_mask(selection, mask, size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      type(c_ptr), value :: mask
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_element_mask

    function zarrc_selection_set_blocks(selection, block_start, block_count, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_int64_t), intent(in), optional :: block_start(*)
      integer(c_int64_t), intent(in), optional :: block_count(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_blocks

    function zarrc_selection_set_field(selection, field, err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      character(kind=c_char), intent(in), optional :: field(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_set_field

    function zarrc_selection_rank(selection) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t) :: answer
    end function zarrc_selection_rank

    function zarrc_selection_shape(selection, rank, shape, err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(inout) :: shape(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_shape

    function zarrc_selection_coordinates(selection, rank, first, count, coordinates, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: selection
      integer(c_size_t), value :: rank
      integer(c_int64_t), value :: first
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(inout) :: coordinates(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_selection_coordinates

    function zarrc_array_read_selection(array, selection, memory_type, buffer, strides, &
        buffer_size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_int64_t), intent(in), optional :: strides(*)
      integer(c_size_t), value :: buffer_size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read_selection

    function zarrc_array_write_selection(array, selection, memory_type, buffer, strides, &
        buffer_size, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_int64_t), intent(in), optional :: strides(*)
      integer(c_size_t), value :: buffer_size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write_selection

    function zarrc_array_fill(array, selection, memory_type, value, size, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: value
      integer(c_size_t), value :: size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_fill

    function zarrc_array_read_selection_vlen(array, selection, values, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      type(c_ptr), intent(inout) :: values
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read_selection_vlen

    function zarrc_array_write_selection_vlen(array, selection, offsets, bytes, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      integer(c_int64_t), intent(in) :: offsets(*)
      type(c_ptr), value :: bytes
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write_selection_vlen

    function zarrc_array_read_start(array, start, count, memory_type, buffer, buffer_size, &
        request, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(c_ptr), intent(inout) :: request
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read_start

    function zarrc_array_write_start(array, start, count, memory_type, buffer, buffer_size, &
        request, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(c_ptr), intent(inout) :: request
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write_start

    function zarrc_array_read_selection_start(array, selection, memory_type, buffer, strides, &
        buffer_size, request, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_int64_t), intent(in), optional :: strides(*)
      integer(c_size_t), value :: buffer_size
      type(c_ptr), intent(inout) :: request
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_read_selection_start

    function zarrc_array_write_selection_start(array, selection, memory_type, buffer, strides, &
        buffer_size, request, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: selection
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_int64_t), intent(in), optional :: strides(*)
      integer(c_size_t), value :: buffer_size
      type(c_ptr), intent(inout) :: request
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_write_selection_start

    function zarrc_request_test(request, done, err) bind(c) result(answer)
      import
      type(c_ptr), value :: request
      logical(c_bool), intent(inout) :: done
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_request_test

    function zarrc_request_wait(request, err) bind(c) result(answer)
      import
      type(c_ptr), value :: request
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_request_wait

    function zarrc_request_wait_any(requests, count, index, err) bind(c) result(answer)
      import
      type(c_ptr), intent(in) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout) :: index
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_request_wait_any

    function zarrc_request_fd(request, fd, err) bind(c) result(answer)
      import
      type(c_ptr), value :: request
      integer(c_int32_t), intent(inout) :: fd
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_request_fd

    subroutine zarrc_request_cancel(request) bind(c)
      import
      type(c_ptr), value :: request
    end subroutine zarrc_request_cancel

    subroutine zarrc_request_free(request) bind(c)
      import
      type(c_ptr), value :: request
    end subroutine zarrc_request_free

    function zarrc_writer_open(store, path, options, writer, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: writer
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_open

    function zarrc_writer_declare(writer, name, spec, variable, err) bind(c) result(answer)
      import
      type(c_ptr), value :: writer
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: spec
      integer(c_size_t), intent(inout) :: variable
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_declare

    function zarrc_writer_put(writer, variable, start, count, memory_type, buffer, buffer_size, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: writer
      integer(c_size_t), value :: variable
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      integer(c_int32_t), value :: memory_type
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: buffer_size
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_put

    function zarrc_writer_commit(writer, steps, err) bind(c) result(answer)
      import
      type(c_ptr), value :: writer
      integer(c_int64_t), value :: steps
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_commit

    function zarrc_writer_flush(writer, err) bind(c) result(answer)
      import
      type(c_ptr), value :: writer
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_flush

    function zarrc_writer_steps(writer, steps, err) bind(c) result(answer)
      import
      type(c_ptr), value :: writer
      integer(c_int64_t), intent(inout) :: steps
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_steps

    function zarrc_writer_close(writer, err) bind(c) result(answer)
      import
      type(c_ptr), value :: writer
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_writer_close

    function zarrc_codec_register(name, aliases, alias_count, kind, callbacks, &
        err) bind(c) result(answer)
      import
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(in) :: aliases(*)
      integer(c_size_t), value :: alias_count
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: callbacks
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_codec_register

    function zarrc_codec_unregister(name, err) bind(c) result(answer)
      import
      character(kind=c_char), intent(in) :: name(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_codec_unregister

    function zarrc_array_info_json(array, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_info_json

    function zarrc_array_content_digest(array, algorithm, digest, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      character(kind=c_char), intent(in) :: algorithm(*)
      type(c_ptr), intent(inout) :: digest
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_content_digest

    function zarrc_array_stored_digest(array, algorithm, digest, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      character(kind=c_char), intent(in) :: algorithm(*)
      type(c_ptr), intent(inout) :: digest
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_stored_digest

    function zarrc_array_codecs_json(array, json, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_codecs_json

    function zarrc_array_path(array, path, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: path
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_path

    function zarrc_array_store_name(array, name, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: name
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_store_name

    function zarrc_array_order(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_signed_char) :: answer
    end function zarrc_array_order

    function zarrc_array_separator(array) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_signed_char) :: answer
    end function zarrc_array_separator

    function zarrc_array_chunk_key(array, rank, index, key, err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in) :: index(*)
      type(c_ptr), intent(inout) :: key
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_chunk_key

    function zarrc_array_visit_chunks(array, rank, start, count, visitor, user, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: rank
      integer(c_int64_t), intent(in), optional :: start(*)
      integer(c_int64_t), intent(in), optional :: count(*)
      type(c_funptr), value :: visitor
      type(c_ptr), value :: user
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_array_visit_chunks

    function zarrc_group_tree(group, text, err) bind(c) result(answer)
      import
      type(c_ptr), value :: group
      type(c_ptr), intent(inout) :: text
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_tree

    function zarrc_group_visit(group, visitor, user, err) bind(c) result(answer)
      import
      type(c_ptr), value :: group
      type(c_funptr), value :: visitor
      type(c_ptr), value :: user
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_group_visit

    function zarrc_convert(from, from_path, to, to_path, format, options, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: from
      character(kind=c_char), intent(in) :: from_path(*)
      type(c_ptr), value :: to
      character(kind=c_char), intent(in) :: to_path(*)
      integer(c_int32_t), value :: format
      type(c_ptr), value :: options
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_convert

    function zarrc_convert_plan(from, from_path, to, to_path, format, options, json, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: from
      character(kind=c_char), intent(in) :: from_path(*)
      type(c_ptr), value :: to
      character(kind=c_char), intent(in) :: to_path(*)
      integer(c_int32_t), value :: format
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_convert_plan

    function zarrc_node_copy(from, from_path, to, to_path, err) bind(c) result(answer)
      import
      type(c_ptr), value :: from
      character(kind=c_char), intent(in) :: from_path(*)
      type(c_ptr), value :: to
      character(kind=c_char), intent(in) :: to_path(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_node_copy

    function zarrc_node_copy_with(from, from_path, to, to_path, options, copied, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: from
      character(kind=c_char), intent(in) :: from_path(*)
      type(c_ptr), value :: to
      character(kind=c_char), intent(in) :: to_path(*)
      type(c_ptr), value :: options
      type(c_ptr), value :: copied
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_node_copy_with

    function zarrc_node_move(store, from_path, to_path, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: from_path(*)
      character(kind=c_char), intent(in) :: to_path(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_node_move

    function zarrc_consolidate_metadata(store, path, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_consolidate_metadata

    function zarrc_rechunk(from, to, path, spec, memory_limit, progress, user, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: spec
      integer(c_int64_t), value :: memory_limit
      type(c_funptr), value :: progress
      type(c_ptr), value :: user
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_rechunk

    function zarrc_verify(store, path, progress, user, report, err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      type(c_funptr), value :: progress
      type(c_ptr), value :: user
      type(c_ptr), intent(inout) :: report
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_verify

    function zarrc_repair(store, path, kinds, dry_run, progress, user, report, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: kinds(*)
      logical(c_bool), value :: dry_run
      type(c_funptr), value :: progress
      type(c_ptr), value :: user
      type(c_ptr), intent(inout) :: report
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_repair

    function zarrc_hdf5_export(from, from_path, file, options, notes, err) bind(c) result(answer)
      import
      type(c_ptr), value :: from
      character(kind=c_char), intent(in) :: from_path(*)
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: notes
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_hdf5_export

    function zarrc_references_json(store, path, url, progress, user, json, &
        err) bind(c) result(answer)
      import
      type(c_ptr), value :: store
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in), optional :: url(*)
      type(c_funptr), value :: progress
      type(c_ptr), value :: user
      type(c_ptr), intent(inout) :: json
      type(zarrc_error_c), intent(inout), optional :: err
      integer(c_int32_t) :: answer
    end function zarrc_references_json

  end interface
end module zarrc_c
