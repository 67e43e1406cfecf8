! Written from fortran/zarrc_memory.f90.in by bindings/generate/generate.py: change that, not this.
! Where the elements of a Fortran array lie in memory: of any rank, of any kind, also of a section with strides.
! An assumed-rank dummy is passed without a copy; the addresses of its first elements tell its strides.
module zarrc_memory
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use zarrc_c
  implicit none
  private
  public :: memory, layout, gather, flat, unflat

  !> Dimensions in Fortran's order: the first is the fastest.
  type :: memory
    type(c_ptr) :: data = c_null_ptr
    integer(c_int32_t) :: data_type = zarrc_native
    integer :: rank = 0
    integer(int64) :: extent(15) = 1
    integer(int64) :: stride(15) = 0 !< bytes
  end type memory

  !> Describes an array of numbers.
  interface layout
    procedure :: layout_int8
    procedure :: layout_int16
    procedure :: layout_int32
    procedure :: layout_int64
    procedure :: layout_real32
    procedure :: layout_real64
    procedure :: layout_complex32
    procedure :: layout_complex64
  end interface layout

  !> All elements one after the other, and back.
  interface flat
    procedure :: flat_character, flat_logical, flat_bool
  end interface flat
  interface unflat
    procedure :: unflat_character, unflat_logical, unflat_bool
  end interface unflat

contains

  subroutine layout_int8(x, view)
    integer(int8), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_int8
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_int8

  subroutine layout_int16(x, view)
    integer(int16), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_int16
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_int16

  subroutine layout_int32(x, view)
    integer(int32), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_int32
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_int32

  subroutine layout_int64(x, view)
    integer(int64), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_int64
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_int64

  subroutine layout_real32(x, view)
    real(real32), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_float32
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_real32

  subroutine layout_real64(x, view)
    real(real64), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_float64
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_real64

  subroutine layout_complex32(x, view)
    complex(real32), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_complex64
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_complex32

  subroutine layout_complex64(x, view)
    complex(real64), intent(in), target :: x(..)
    type(memory), intent(out) :: view
    integer :: l(15) ! gfortran 12 counts the elements of an expression's result from 0

    view%data_type = zarrc_complex128
    view%rank = rank(x)
    select rank (x)
    rank (0)
      view%data = c_loc(x)
    rank (1)
      view%extent(1:1) = shape(x, int64)
      l(1:1) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1))), c_loc(x(l(1)+1)))
        view%data = c_loc(x(l(1)))
      end if
    rank (2)
      view%extent(1:2) = shape(x, int64)
      l(1:2) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1)+1, l(2))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2))), c_loc(x(l(1), l(2)+1)))
        view%data = c_loc(x(l(1), l(2)))
      end if
    rank (3)
      view%extent(1:3) = shape(x, int64)
      l(1:3) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1)+1, l(2), l(3))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2)+1, l(3))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3))), c_loc(x(l(1), l(2), l(3)+1)))
        view%data = c_loc(x(l(1), l(2), l(3)))
      end if
    rank (4)
      view%extent(1:4) = shape(x, int64)
      l(1:4) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1)+1, l(2), l(3), l(4))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2)+1, l(3), l(4))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3)+1, l(4))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4))), c_loc(x(l(1), l(2), l(3), l(4)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4)))
      end if
    rank (5)
      view%extent(1:5) = shape(x, int64)
      l(1:5) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1)+1, l(2), l(3), l(4), &
        l(5))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2)+1, l(3), l(4), &
        l(5))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3)+1, l(4), &
        l(5))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4)+1, &
        l(5))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5))), c_loc(x(l(1), l(2), l(3), l(4), &
        l(5)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5)))
      end if
    rank (6)
      view%extent(1:6) = shape(x, int64)
      l(1:6) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1)+1, l(2), l(3), &
        l(4), l(5), l(6))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2)+1, l(3), &
        l(4), l(5), l(6))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3)+1, &
        l(4), l(5), l(6))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4)+1, l(5), l(6))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5)+1, l(6))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6))), c_loc(x(l(1), l(2), l(3), &
        l(4), l(5), l(6)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)))
      end if
    rank (7)
      view%extent(1:7) = shape(x, int64)
      l(1:7) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1)+1, l(2), &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2)+1, &
        l(3), l(4), l(5), l(6), l(7))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3)+1, l(4), l(5), l(6), l(7))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4)+1, l(5), l(6), l(7))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5)+1, l(6), l(7))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6)+1, l(7))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7))), c_loc(x(l(1), l(2), &
        l(3), l(4), l(5), l(6), l(7)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)))
      end if
    rank (8)
      view%extent(1:8) = shape(x, int64)
      l(1:8) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1)+1, &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8))), c_loc(x(l(1), &
        l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)))
      end if
    rank (9)
      view%extent(1:9) = shape(x, int64)
      l(1:9) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)))
      end if
    rank (10)
      view%extent(1:10) = shape(x, int64)
      l(1:10) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10))), &
        c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)))
      end if
    rank (11)
      view%extent(1:11) = shape(x, int64)
      l(1:11) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)))
      end if
    rank (12)
      view%extent(1:12) = shape(x, int64)
      l(1:12) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)))
      end if
    rank (13)
      view%extent(1:13) = shape(x, int64)
      l(1:13) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), l(13))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), l(13))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, l(13))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13)))
      end if
    rank (14)
      view%extent(1:14) = shape(x, int64)
      l(1:14) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), l(13), &
        l(14))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), l(12), &
        l(13), l(14))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, l(12), &
        l(13), l(14))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12)+1, &
        l(13), l(14))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), &
        l(14)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14)))
      end if
    rank (15)
      view%extent(1:15) = shape(x, int64)
      l(1:15) = lbound(x)
      if (size(x, kind=int64) > 0) then
        if (size(x, 1) > 1) view%stride(1) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1)+1, l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 2) > 1) view%stride(2) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2)+1, l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 3) > 1) view%stride(3) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3)+1, l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 4) > 1) view%stride(4) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4)+1, l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 5) > 1) view%stride(5) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5)+1, l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 6) > 1) view%stride(6) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6)+1, l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 7) > 1) view%stride(7) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7)+1, l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 8) > 1) view%stride(8) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8)+1, l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 9) > 1) view%stride(9) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9)+1, l(10), l(11), l(12), &
        l(13), l(14), l(15))))
        if (size(x, 10) > 1) view%stride(10) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10)+1, l(11), &
        l(12), l(13), l(14), l(15))))
        if (size(x, 11) > 1) view%stride(11) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11)+1, &
        l(12), l(13), l(14), l(15))))
        if (size(x, 12) > 1) view%stride(12) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), &
        l(12)+1, l(13), l(14), l(15))))
        if (size(x, 13) > 1) view%stride(13) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13)+1, l(14), l(15))))
        if (size(x, 14) > 1) view%stride(14) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14)+1, l(15))))
        if (size(x, 15) > 1) view%stride(15) = apart(c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), &
        l(11), l(12), l(13), l(14), l(15))), c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), &
        l(13), l(14), l(15)+1)))
        view%data = c_loc(x(l(1), l(2), l(3), l(4), l(5), l(6), l(7), l(8), l(9), l(10), l(11), l(12), l(13), l(14), l(15)))
      end if
    end select
  end subroutine layout_complex64

  !> Copies elements that lie apart into a buffer without gaps, which the view then describes.
  subroutine gather(view, element, buffer)
    type(memory), intent(inout) :: view
    integer(int64), intent(in) :: element !< bytes
    integer(int8), allocatable, target, intent(out) :: buffer(:)
    integer(int8), pointer :: from(:)
    integer(int64) :: index(15), packed(15), n, at
    integer :: d

    at = element
    do d = 1, view%rank
      packed(d) = at
      at = at * view%extent(d)
    end do
    d = view%rank
    if (at == 0 .or. all(view%extent(:d) == 1 .or. view%stride(:d) == packed(:d))) return
    allocate (buffer(at))
    index = 0
    do n = 0, at - 1, element
      call c_f_pointer(moved(view%data, sum(index(:d) * view%stride(:d))), from, [element])
      buffer(n + 1:n + element) = from
      call advance(index, view%extent(:d))
    end do
    view%data = c_loc(buffer)
    view%stride(:d) = packed(:d)
  end subroutine gather

  !> The next index, first dimension fastest.
  pure subroutine advance(index, extent)
    integer(int64), intent(inout) :: index(:)
    integer(int64), intent(in) :: extent(:)
    integer :: d
    do d = 1, size(extent)
      index(d) = index(d) + 1
      if (index(d) < extent(d)) return
      index(d) = 0
    end do
  end subroutine advance

  pure type(c_ptr) function moved(address, bytes)
    type(c_ptr), intent(in) :: address
    integer(int64), intent(in) :: bytes
    moved = transfer(transfer(address, 0_int64) + bytes, address)
  end function moved

  !> Bytes from one address to another.
  pure integer(int64) function apart(from, to)
    type(c_ptr), intent(in) :: from, to
    apart = transfer(to, 0_int64) - transfer(from, 0_int64)
  end function apart

  function flat_character(x) result(all)
    character(*), intent(in) :: x(..)
    character(len(x)), allocatable :: all(:)

    select rank (x)
    rank (0)
      all = [x]
    rank (1)
      all = reshape(x, [size(x)])
    rank (2)
      all = reshape(x, [size(x)])
    rank (3)
      all = reshape(x, [size(x)])
    rank (4)
      all = reshape(x, [size(x)])
    rank (5)
      all = reshape(x, [size(x)])
    rank (6)
      all = reshape(x, [size(x)])
    rank (7)
      all = reshape(x, [size(x)])
    rank (8)
      all = reshape(x, [size(x)])
    rank (9)
      all = reshape(x, [size(x)])
    rank (10)
      all = reshape(x, [size(x)])
    rank (11)
      all = reshape(x, [size(x)])
    rank (12)
      all = reshape(x, [size(x)])
    rank (13)
      all = reshape(x, [size(x)])
    rank (14)
      all = reshape(x, [size(x)])
    rank (15)
      all = reshape(x, [size(x)])
    end select
  end function flat_character

  subroutine unflat_character(all, x)
    character(*), intent(in) :: all(:)
    character(*), intent(inout) :: x(..)

    select rank (x)
    rank (0)
      x = all(1)
    rank (1)
      x = reshape(all, shape(x))
    rank (2)
      x = reshape(all, shape(x))
    rank (3)
      x = reshape(all, shape(x))
    rank (4)
      x = reshape(all, shape(x))
    rank (5)
      x = reshape(all, shape(x))
    rank (6)
      x = reshape(all, shape(x))
    rank (7)
      x = reshape(all, shape(x))
    rank (8)
      x = reshape(all, shape(x))
    rank (9)
      x = reshape(all, shape(x))
    rank (10)
      x = reshape(all, shape(x))
    rank (11)
      x = reshape(all, shape(x))
    rank (12)
      x = reshape(all, shape(x))
    rank (13)
      x = reshape(all, shape(x))
    rank (14)
      x = reshape(all, shape(x))
    rank (15)
      x = reshape(all, shape(x))
    end select
  end subroutine unflat_character

  function flat_logical(x) result(all)
    logical, intent(in) :: x(..)
    logical, allocatable :: all(:)

    select rank (x)
    rank (0)
      all = [x]
    rank (1)
      all = reshape(x, [size(x)])
    rank (2)
      all = reshape(x, [size(x)])
    rank (3)
      all = reshape(x, [size(x)])
    rank (4)
      all = reshape(x, [size(x)])
    rank (5)
      all = reshape(x, [size(x)])
    rank (6)
      all = reshape(x, [size(x)])
    rank (7)
      all = reshape(x, [size(x)])
    rank (8)
      all = reshape(x, [size(x)])
    rank (9)
      all = reshape(x, [size(x)])
    rank (10)
      all = reshape(x, [size(x)])
    rank (11)
      all = reshape(x, [size(x)])
    rank (12)
      all = reshape(x, [size(x)])
    rank (13)
      all = reshape(x, [size(x)])
    rank (14)
      all = reshape(x, [size(x)])
    rank (15)
      all = reshape(x, [size(x)])
    end select
  end function flat_logical

  subroutine unflat_logical(all, x)
    logical, intent(in) :: all(:)
    logical, intent(inout) :: x(..)

    select rank (x)
    rank (0)
      x = all(1)
    rank (1)
      x = reshape(all, shape(x))
    rank (2)
      x = reshape(all, shape(x))
    rank (3)
      x = reshape(all, shape(x))
    rank (4)
      x = reshape(all, shape(x))
    rank (5)
      x = reshape(all, shape(x))
    rank (6)
      x = reshape(all, shape(x))
    rank (7)
      x = reshape(all, shape(x))
    rank (8)
      x = reshape(all, shape(x))
    rank (9)
      x = reshape(all, shape(x))
    rank (10)
      x = reshape(all, shape(x))
    rank (11)
      x = reshape(all, shape(x))
    rank (12)
      x = reshape(all, shape(x))
    rank (13)
      x = reshape(all, shape(x))
    rank (14)
      x = reshape(all, shape(x))
    rank (15)
      x = reshape(all, shape(x))
    end select
  end subroutine unflat_logical

  function flat_bool(x) result(all)
    logical(c_bool), intent(in) :: x(..)
    logical(c_bool), allocatable :: all(:)

    select rank (x)
    rank (0)
      all = [x]
    rank (1)
      all = reshape(x, [size(x)])
    rank (2)
      all = reshape(x, [size(x)])
    rank (3)
      all = reshape(x, [size(x)])
    rank (4)
      all = reshape(x, [size(x)])
    rank (5)
      all = reshape(x, [size(x)])
    rank (6)
      all = reshape(x, [size(x)])
    rank (7)
      all = reshape(x, [size(x)])
    rank (8)
      all = reshape(x, [size(x)])
    rank (9)
      all = reshape(x, [size(x)])
    rank (10)
      all = reshape(x, [size(x)])
    rank (11)
      all = reshape(x, [size(x)])
    rank (12)
      all = reshape(x, [size(x)])
    rank (13)
      all = reshape(x, [size(x)])
    rank (14)
      all = reshape(x, [size(x)])
    rank (15)
      all = reshape(x, [size(x)])
    end select
  end function flat_bool

  subroutine unflat_bool(all, x)
    logical(c_bool), intent(in) :: all(:)
    logical(c_bool), intent(inout) :: x(..)

    select rank (x)
    rank (0)
      x = all(1)
    rank (1)
      x = reshape(all, shape(x))
    rank (2)
      x = reshape(all, shape(x))
    rank (3)
      x = reshape(all, shape(x))
    rank (4)
      x = reshape(all, shape(x))
    rank (5)
      x = reshape(all, shape(x))
    rank (6)
      x = reshape(all, shape(x))
    rank (7)
      x = reshape(all, shape(x))
    rank (8)
      x = reshape(all, shape(x))
    rank (9)
      x = reshape(all, shape(x))
    rank (10)
      x = reshape(all, shape(x))
    rank (11)
      x = reshape(all, shape(x))
    rank (12)
      x = reshape(all, shape(x))
    rank (13)
      x = reshape(all, shape(x))
    rank (14)
      x = reshape(all, shape(x))
    rank (15)
      x = reshape(all, shape(x))
    end select
  end subroutine unflat_bool

end module zarrc_memory
