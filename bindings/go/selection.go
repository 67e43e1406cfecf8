package zarrc

/*
#include <stdlib.h>
#include "custom.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// Part is what is selected along one dimension: All, Range, Index, List or Mask.
type Part func(s *C.zarrc_selection, dimension C.size_t, err *C.zarrc_error) C.zarrc_status

// All selects all of a dimension.
func All() Part {
	return func(*C.zarrc_selection, C.size_t, *C.zarrc_error) C.zarrc_status { return C.ZARRC_OK }
}

// Range selects count indices from start on, step apart; a step may be negative.
func Range(start uint64, step int64, count uint64) Part {
	return func(s *C.zarrc_selection, d C.size_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_range(s, d, C.uint64_t(start), C.int64_t(step), C.uint64_t(count), err)
	}
}

// Index selects one index, and drops the dimension.
func Index(index uint64) Part {
	return func(s *C.zarrc_selection, d C.size_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_index(s, d, C.uint64_t(index), err)
	}
}

// List selects listed indices, in any order, repeated or not.
func List(indices ...uint64) Part {
	return func(s *C.zarrc_selection, d C.size_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_indices(s, d, C.size_t(len(indices)), uint64s(indices), err)
	}
}

// Mask selects the indices at which it is true; it is as long as the dimension.
func Mask(mask ...bool) Part {
	return func(s *C.zarrc_selection, d C.size_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_mask(s, d, C.size_t(len(mask)), (*C.uint8_t)(pointer(mask)), err)
	}
}

// Selection is what is read or written of an array. It keeps the array open; goroutines may share it.
type Selection struct {
	*handle[C.zarrc_selection]
	rank int // the array's
}

func (a *Array[T]) newSelection(set func(s *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status) (*Selection, error) {
	var out *C.zarrc_selection
	if e := a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status { return C.zarrc_selection_new(p, &out, err) }); e != nil {
		return nil, e
	}
	s := &Selection{newHandle(out, func(p *C.zarrc_selection, _ *C.zarrc_error) C.zarrc_status {
		C.zarrc_selection_free(p)
		return C.ZARRC_OK
	}), a.rank}
	if e := s.with(set); e != nil {
		s.Close()
		return nil, e
	}
	return s, nil
}

// Select selects a part of each dimension: array.Select(zarrc.Index(3), zarrc.List(4, 1)). Without parts: everything.
func (a *Array[T]) Select(parts ...Part) (*Selection, error) {
	if len(parts) != 0 && len(parts) != a.rank {
		return nil, invalid(fmt.Sprintf("%d parts: the array has %d dimensions", len(parts), a.rank))
	}
	return a.newSelection(func(s *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		for d, part := range parts {
			if status := part(s, C.size_t(d), err); status != C.ZARRC_OK {
				return status
			}
		}
		return C.ZARRC_OK
	})
}

// SelectPoints selects elements one by one, each by its indices.
func (a *Array[T]) SelectPoints(points ...[]uint64) (*Selection, error) {
	flat := make([]uint64, 0, len(points)*a.rank)
	for _, point := range points {
		if len(point) != a.rank {
			return nil, invalid(fmt.Sprintf("a point of %d indices: the array has %d dimensions", len(point), a.rank))
		}
		flat = append(flat, point...)
	}
	return a.newSelection(func(s *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_points(s, C.size_t(len(points)), uint64s(flat), err)
	})
}

// SelectMask selects the elements at which the mask, one for each element in C order, is true.
func (a *Array[T]) SelectMask(mask []bool) (*Selection, error) {
	return a.newSelection(func(s *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_element_mask(s, (*C.uint8_t)(pointer(mask)), C.size_t(len(mask)), err)
	})
}

// SelectBlocks selects whole chunks (shards, if the array has them) by their own indices.
func (a *Array[T]) SelectBlocks(start, count []uint64) (*Selection, error) {
	if len(start) != a.rank || len(count) != a.rank {
		return nil, invalid(fmt.Sprintf("blocks: the array has %d dimensions", a.rank))
	}
	return a.newSelection(func(s *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_blocks(s, uint64s(start), uint64s(count), err)
	})
}

// Field selects one field of elements of a struct type, beside what else is selected.
func (s *Selection) Field(name string) error {
	c, free := cstring(name)
	defer free()
	return s.with(func(p *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_set_field(p, c, err)
	})
}

// Shape is the shape of the result.
func (s *Selection) Shape() ([]uint64, error) {
	var out []uint64
	e := s.with(func(p *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		n := C.zarrc_selection_rank(p)
		out = make([]uint64, int(n))
		return C.zarrc_selection_shape(p, n, uint64s(out), err)
	})
	return out, e
}

// Coordinates returns the indices of count selected elements, in C order of the result, from the number first on; each
// is a point as SelectPoints takes it.
func (s *Selection) Coordinates(first uint64, count int) ([][]uint64, error) {
	if count < 0 {
		return nil, invalid(fmt.Sprintf("count %d: expected a number of elements", count))
	}
	flat := make([]uint64, count*s.rank)
	e := s.with(func(p *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_selection_coordinates(p, C.size_t(s.rank), C.uint64_t(first), C.size_t(count), uint64s(flat), err)
	})
	if e != nil {
		return nil, e
	}
	points := make([][]uint64, count)
	for n := range points {
		points[n] = flat[n*s.rank : (n+1)*s.rank]
	}
	return points, nil
}

// holds checks the number of elements in memory against the selection.
func (s *Selection) holds(elements int) error {
	shape, e := s.Shape()
	size := uint64(1)
	for _, n := range shape {
		size *= n
	}
	if e == nil && size != uint64(elements) {
		e = invalid(fmt.Sprintf("the slice has %d elements, the selection %d", elements, size))
	}
	return e
}

// both calls what uses an array and a selection.
func (a *Array[T]) both(s *Selection, use func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status) error {
	if s == nil {
		return errClosed
	}
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return use(p, s.p, err) // a NULL is refused
	})
}

// cancelled is the library's error for what a context ended: errors.Is finds both.
type cancelled struct{ own, cause error }

func (e *cancelled) Error() string        { return e.own.Error() }
func (e *cancelled) Is(target error) bool { return errors.Is(e.own, target) }
func (e *cancelled) Unwrap() error        { return e.cause }

func ended(ctx context.Context, e error) error {
	if own, ok := e.(*Error); ok && own.Status == ErrCancelled && ctx.Err() != nil {
		return &cancelled{own, ctx.Err()}
	}
	return e
}

// cancellable calls what starts a request and waits for it, which the end of the context cancels. Memory of Go is used
// by one call of C only, as cgo asks for.
func cancellable(ctx context.Context, call func(running *C.zarrc_go_running) error) error {
	if e := ctx.Err(); e != nil {
		return &cancelled{&Error{Status: ErrCancelled, Message: e.Error()}, e}
	}
	running := C.zarrc_go_begin()
	if running == nil {
		return &Error{Status: ErrOutOfMemory, Message: "no memory for a request"}
	}
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			C.zarrc_go_cancel(running)
		case <-done:
		}
	}()
	e := call(running)
	close(done)
	<-stopped
	C.zarrc_go_end(running)
	return ended(ctx, e)
}

// ReadSelection reads what is selected; dst is filled in C order. The end of the context ends the call at the next chunk.
func (a *Array[T]) ReadSelection(ctx context.Context, s *Selection, dst []T) error {
	if e := s.holds(len(dst)); e != nil {
		return e
	}
	if TypeOf[T]() == String {
		var values *C.zarrc_vlen
		if e := a.both(s, func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_array_read_selection_vlen(p, q, &values, err)
		}); e != nil {
			return e
		}
		decoded(values, dst)
		return nil
	}
	kind, size := C.zarrc_data_type(TypeOf[T]()), C.size_t(uintptr(len(dst))*unsafe.Sizeof(*new(T)))
	defer runtime.KeepAlive(dst)
	if ctx.Done() == nil {
		return a.both(s, func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_array_read_selection(p, q, kind, pointer(dst), nil, size, err)
		})
	}
	return cancellable(ctx, func(running *C.zarrc_go_running) error {
		return a.both(s, func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_go_read(p, q, kind, pointer(dst), size, running, err)
		})
	})
}

// WriteSelection writes src, in C order, to what is selected. Chunks are written whole or not at all, also where the
// context ends.
func (a *Array[T]) WriteSelection(ctx context.Context, s *Selection, src []T) error {
	if e := s.holds(len(src)); e != nil {
		return e
	}
	if TypeOf[T]() == String {
		offsets, data := encoded(src)
		return a.both(s, func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_array_write_selection_vlen(p, q, uint64s(offsets), (*C.uint8_t)(pointer(data)), err)
		})
	}
	kind, size := C.zarrc_data_type(TypeOf[T]()), C.size_t(uintptr(len(src))*unsafe.Sizeof(*new(T)))
	defer runtime.KeepAlive(src)
	if ctx.Done() == nil {
		return a.both(s, func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_array_write_selection(p, q, kind, pointer(src), nil, size, err)
		})
	}
	return cancellable(ctx, func(running *C.zarrc_go_running) error {
		return a.both(s, func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_go_write(p, q, kind, pointer(src), size, running, err)
		})
	})
}

// Fill writes one element to all that is selected; nil is the whole array.
func (a *Array[T]) Fill(s *Selection, value T) error {
	fill := func(p *C.zarrc_array, q *C.zarrc_selection, err *C.zarrc_error) C.zarrc_status {
		if TypeOf[T]() == String {
			data := []byte(reflect.ValueOf(value).String())
			return C.zarrc_array_fill(p, q, C.ZARRC_NATIVE, pointer(data), C.size_t(len(data)), err)
		}
		return C.zarrc_array_fill(p, q, C.zarrc_data_type(TypeOf[T]()), unsafe.Pointer(&value), C.size_t(unsafe.Sizeof(value)), err)
	}
	if s == nil {
		return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status { return fill(p, nil, err) })
	}
	if _, e := s.Shape(); e != nil {
		return e
	}
	return a.both(s, fill)
}
