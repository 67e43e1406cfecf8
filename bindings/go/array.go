package zarrc

/*
#include <stdlib.h>
#include <zarrc.h>
*/
import "C"

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"unsafe"
)

// Number is what the elements of an array can be in memory: zarrc converts, and checks every value.
type Number interface {
	~bool | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// Element is a number, or a string (of variable length: text, bytes, JSON).
type Element interface{ Number | ~string }

var kinds = map[reflect.Kind]DataType{
	reflect.Bool: Bool, reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
	reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64, reflect.Complex128: Complex128,
	reflect.String: String,
}

// TypeOf is the data type of a Go type.
func TypeOf[T Element]() DataType {
	var zero T
	return kinds[reflect.TypeOf(zero).Kind()]
}

func pointer[T any](values []T) unsafe.Pointer {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Pointer(&values[0])
}

// Array is an open array whose elements are T in memory.
type Array[T Element] struct {
	*handle[C.zarrc_array]
	rank int
}

var _ io.Closer = (*Array[float64])(nil)

func arrayOf[T Element](p *C.zarrc_array) (*Array[T], error) {
	a := &Array[T]{
		newHandle(p, func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status { return C.zarrc_array_close(p, err) }),
		int(C.zarrc_array_rank(p)),
	}
	variable := C.zarrc_array_element_size(p) == 0
	stored := DataType(C.zarrc_array_data_type(p))
	if variable != (TypeOf[T]() == String) || (!variable && stored >= Raw && stored <= Struct && stored != Datetime64 && stored != Timedelta64) {
		a.Close()
		return nil, &Error{Status: ErrTypeMismatch, Message: fmt.Sprintf("the array's elements (data type %d) cannot be had as %T", stored, *new(T))}
	}
	return a, nil
}

// OpenArray opens an array; "" is one that is the whole store.
func OpenArray[T Element](store *Store, path string) (*Array[T], error) {
	var out *C.zarrc_array
	if e := store.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_open(p, path, &out, err)
	}); e != nil {
		return nil, e
	}
	return arrayOf[T](out)
}

// Rank is the number of dimensions.
func (a *Array[T]) Rank() int { return a.rank }

func (a *Array[T]) extents(get func(p *C.zarrc_array, rank C.size_t, out *C.uint64_t, err *C.zarrc_error) C.zarrc_status) ([]uint64, error) {
	out := make([]uint64, a.rank, a.rank+1)
	e := a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return get(p, C.size_t(a.rank), (*C.uint64_t)(unsafe.Pointer(&out[:a.rank+1][0])), err)
	})
	return out, e
}

// Shape is the present shape, slowest dimension first.
func (a *Array[T]) Shape() ([]uint64, error) {
	return a.extents(func(p *C.zarrc_array, n C.size_t, out *C.uint64_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_shape(p, n, out, err)
	})
}

// ChunkShape is the shape of a chunk; of an inner chunk, where there are shards.
func (a *Array[T]) ChunkShape() ([]uint64, error) {
	return a.extents(func(p *C.zarrc_array, n C.size_t, out *C.uint64_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_chunk_shape(p, n, out, err)
	})
}

// ShardShape is the shape of a shard; ErrNotFound where there are none.
func (a *Array[T]) ShardShape() ([]uint64, error) {
	return a.extents(func(p *C.zarrc_array, n C.size_t, out *C.uint64_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_shard_shape(p, n, out, err)
	})
}

// ChunkCounts is how many chunks (shards, if the array has them) lie along each dimension.
func (a *Array[T]) ChunkCounts() ([]uint64, error) {
	return a.extents(func(p *C.zarrc_array, n C.size_t, out *C.uint64_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_chunk_counts(p, n, out, err)
	})
}

// ChunkBounds is the part of the array that lies in one chunk (in one shard, if the array has them).
func (a *Array[T]) ChunkBounds(index []uint64) (start, count []uint64, err error) {
	count = make([]uint64, a.rank+1)
	start, err = a.extents(func(p *C.zarrc_array, n C.size_t, out *C.uint64_t, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_chunk_bounds(p, C.size_t(len(index)), uint64s(index), out, uint64s(count), err)
	})
	return start, count[:a.rank], err
}

// EachChunk calls visit with the bounds of every chunk, in C order, until it returns an error.
func (a *Array[T]) EachChunk(visit func(start, count []uint64) error) error {
	counts, err := a.ChunkCounts()
	for _, n := range counts {
		if n == 0 {
			return err
		}
	}
	for index := make([]uint64, a.rank); err == nil; {
		var start, count []uint64
		if start, count, err = a.ChunkBounds(index); err == nil {
			err = visit(start, count)
		}
		d := a.rank - 1
		for ; d >= 0; d-- {
			if index[d]++; index[d] < counts[d] {
				break
			}
			index[d] = 0
		}
		if d < 0 {
			break
		}
	}
	return err
}

// DataType is the type that is stored.
func (a *Array[T]) DataType() (kind DataType) {
	a.with(func(p *C.zarrc_array, _ *C.zarrc_error) C.zarrc_status {
		kind = DataType(C.zarrc_array_data_type(p))
		return 0
	})
	return kind
}

// Format is the format that the array is stored in.
func (a *Array[T]) Format() (format Format) {
	a.with(func(p *C.zarrc_array, _ *C.zarrc_error) C.zarrc_status {
		format = Format(C.zarrc_array_format(p))
		return 0
	})
	return format
}

// text is what a function gives of the array.
func (a *Array[T]) text(get func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status) (string, error) {
	var out *C.char
	e := a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status { return get(p, &out, err) })
	return owned(out), e
}

// Metadata is the metadata document as it is in the store now.
func (a *Array[T]) Metadata() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_metadata_json(p, out, err)
	})
}

// FillValueJSON is the value of elements that were never written, as JSON.
func (a *Array[T]) FillValueJSON() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_fill_value_json(p, out, err)
	})
}

// DataTypeText is the type as the format's documents have it.
func (a *Array[T]) DataTypeText() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_data_type_text(p, out, err)
	})
}

// Codecs are the codecs in the order in which they encode, as JSON.
func (a *Array[T]) Codecs() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_codecs_json(p, out, err)
	})
}

// Info is everything that is known of the array, as JSON; sizes are asked of the store.
func (a *Array[T]) Info() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_info_json(p, out, err)
	})
}

// Path is the path of the array in its store.
func (a *Array[T]) Path() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_path(p, out, err)
	})
}

// StoreName is the name of its store, without credentials.
func (a *Array[T]) StoreName() (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_store_name(p, out, err)
	})
}

// ChunkKey is the key under which a chunk (a shard, if the array has them) is stored or would be.
func (a *Array[T]) ChunkKey(index ...uint64) (string, error) {
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_chunk_key(p, C.size_t(len(index)), uint64s(index), out, err)
	})
}

// ContentDigest is the digest of the elements, "sha1" or "sha256", whatever the format and codecs.
func (a *Array[T]) ContentDigest(algorithm string) (string, error) {
	c, free := cstring(algorithm)
	defer free()
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_content_digest(p, c, out, err)
	})
}

// StoredDigest is the digest of what is stored.
func (a *Array[T]) StoredDigest(algorithm string) (string, error) {
	c, free := cstring(algorithm)
	defer free()
	return a.text(func(p *C.zarrc_array, out **C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_stored_digest(p, c, out, err)
	})
}

// DimensionName is the name of a dimension; "" for one without a name.
func (a *Array[T]) DimensionName(dimension int) (name string, e error) {
	e = a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		var out *C.char
		status := C.zarrc_array_dimension_name(p, C.size_t(dimension), &out, err)
		if status == C.ZARRC_OK && out != nil {
			name = C.GoString(out)
		}
		return status
	})
	return name, e
}

// Order is the order of the elements in the chunks, 'C' or 'F'.
func (a *Array[T]) Order() (order byte) {
	a.with(func(p *C.zarrc_array, _ *C.zarrc_error) C.zarrc_status {
		order = byte(C.zarrc_array_order(p))
		return 0
	})
	return order
}

// Separator is what stands between the numbers of a chunk's key, '.' or '/'.
func (a *Array[T]) Separator() (separator byte) {
	a.with(func(p *C.zarrc_array, _ *C.zarrc_error) C.zarrc_status {
		separator = byte(C.zarrc_array_separator(p))
		return 0
	})
	return separator
}

// SetMissingValue names CF's missing value, which is of the stored type, in the attribute _FillValue.
func (a *Array[T]) SetMissingValue(value T) error {
	if a.DataType() != TypeOf[T]() {
		return &Error{Status: ErrTypeMismatch, Message: "the stored type is another"}
	}
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		if TypeOf[T]() == String {
			data := []byte(reflect.ValueOf(value).String())
			return C.zarrc_array_set_missing_value(p, pointer(data), C.size_t(len(data)), err)
		}
		return C.zarrc_array_set_missing_value(p, unsafe.Pointer(&value), C.size_t(unsafe.Sizeof(value)), err)
	})
}

// FillValue is the same as a T, where that is the stored type.
func (a *Array[T]) FillValue() (value T, err error) {
	if a.DataType() != TypeOf[T]() || TypeOf[T]() == String {
		return value, &Error{Status: ErrTypeMismatch, Message: "the stored type is another: FillValueJSON gives its fill value"}
	}
	err = a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_fill_value(p, unsafe.Pointer(&value), C.size_t(unsafe.Sizeof(value)), err)
	})
	return value, err
}

// Attributes are those of the array.
func (a *Array[T]) Attributes() Attributes {
	return Attributes{func(use func(*C.zarrc_attributes, *C.zarrc_error) C.zarrc_status) error {
		return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
			return use(C.zarrc_array_attributes(p), err)
		})
	}}
}

// Resize gives the array another shape; what a smaller one leaves outside is deleted.
func (a *Array[T]) Resize(shape ...uint64) error {
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_resize(p, C.size_t(len(shape)), uint64s(shape), err)
	})
}

// Grow makes the array at least as large; nothing is ever cut.
func (a *Array[T]) Grow(shape ...uint64) error {
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_grow(p, C.size_t(len(shape)), uint64s(shape), err)
	})
}

// Refresh reads the document again: the shape that others gave the array, its attributes.
func (a *Array[T]) Refresh() error {
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status { return C.zarrc_array_refresh(p, err) })
}

// Append appends a block, whose shape is count, along one dimension: all of it arrives, or nothing.
func (a *Array[T]) Append(axis int, count []uint64, src []T) error {
	if count == nil {
		return invalid("count: the block needs a shape")
	}
	if _, e := a.box(nil, nil, count, len(src)); e != nil {
		return e
	}
	if TypeOf[T]() == String {
		offsets, data := encoded(src)
		return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_array_append_vlen(p, C.size_t(axis), uint64s(count), uint64s(offsets), (*C.uint8_t)(pointer(data)), err)
		})
	}
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_append(p, C.size_t(axis), uint64s(count), C.zarrc_data_type(TypeOf[T]()), pointer(src),
			C.size_t(uintptr(len(src))*unsafe.Sizeof(*new(T))), err)
	})
}

// Flush hands to the store what the option write_buffer has gathered.
func (a *Array[T]) Flush() error {
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status { return C.zarrc_array_flush(p, err) })
}

// box checks start, step and count (nil: the whole array) against the rank, and the number of elements against memory.
func (a *Array[T]) box(start, step, count []uint64, elements int) ([]uint64, error) {
	for _, list := range [][]uint64{start, step, count} {
		if list != nil && len(list) != a.rank {
			return nil, invalid(fmt.Sprintf("%d indices: the array has %d dimensions", len(list), a.rank))
		}
	}
	if count == nil {
		var err error
		if count, err = a.Shape(); err != nil {
			return nil, err
		}
		for i, s := range start {
			if s > count[i] {
				return nil, &Error{Status: ErrOutOfBounds, Message: fmt.Sprintf("start %d: the array's extent is %d", s, count[i])}
			}
			count[i] -= s
		}
	}
	size := uint64(1)
	for _, n := range count {
		if n != 0 && size > (1<<62)/n {
			return nil, invalid("the box is too large")
		}
		size *= n
	}
	if size != uint64(elements) {
		return nil, invalid(fmt.Sprintf("the slice has %d elements, the box %d", elements, size))
	}
	return count, nil
}

// Read reads the whole array; dst must have its size.
func (a *Array[T]) Read(dst []T) error { return a.ReadSteps(nil, nil, nil, dst) }

// ReadBox reads count elements from start on; dst is filled in C order.
func (a *Array[T]) ReadBox(start, count []uint64, dst []T) error {
	return a.ReadSteps(start, nil, count, dst)
}

// ReadSteps reads elements step apart; nil is the origin, 1, and all.
func (a *Array[T]) ReadSteps(start, step, count []uint64, dst []T) error {
	count, e := a.box(start, step, count, len(dst))
	if e != nil {
		return e
	}
	if TypeOf[T]() == String {
		return a.readStrings(start, step, count, dst)
	}
	e = a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_read_strided(p, uint64s(start), uint64s(step), uint64s(count), C.zarrc_data_type(TypeOf[T]()), pointer(dst), nil, err)
	})
	runtime.KeepAlive(dst)
	return e
}

// Write writes the whole array.
func (a *Array[T]) Write(src []T) error { return a.WriteSteps(nil, nil, nil, src) }

// WriteBox writes src, in C order, to count elements from start on.
func (a *Array[T]) WriteBox(start, count []uint64, src []T) error {
	return a.WriteSteps(start, nil, count, src)
}

// WriteSteps writes to elements step apart; nil is the origin, 1, and all.
func (a *Array[T]) WriteSteps(start, step, count []uint64, src []T) error {
	count, e := a.box(start, step, count, len(src))
	if e != nil {
		return e
	}
	if TypeOf[T]() == String {
		return a.writeStrings(start, step, count, src)
	}
	e = a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_write_strided(p, uint64s(start), uint64s(step), uint64s(count), C.zarrc_data_type(TypeOf[T]()), pointer(src), nil, err)
	})
	runtime.KeepAlive(src)
	return e
}

var errSteps = &Error{Status: ErrUnsupported, Message: "elements of variable length are read and written without steps"}

func (a *Array[T]) readStrings(start, step, count []uint64, dst []T) error {
	if step != nil {
		return errSteps
	}
	var values *C.zarrc_vlen
	if e := a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_read_vlen(p, uint64s(start), uint64s(count), &values, err)
	}); e != nil {
		return e
	}
	decoded(values, dst)
	return nil
}

// decoded takes strings out of what the library read, and frees that.
func decoded[T Element](values *C.zarrc_vlen, dst []T) {
	defer C.zarrc_vlen_free(values)
	n := int(C.zarrc_vlen_count(values))
	offsets := unsafe.Slice((*uint64)(unsafe.Pointer(C.zarrc_vlen_offsets(values))), n+1)
	data := string(unsafe.Slice((*byte)(unsafe.Pointer(C.zarrc_vlen_bytes(values))), int(offsets[n])))
	for i := range dst {
		reflect.ValueOf(&dst[i]).Elem().SetString(data[offsets[i]:offsets[i+1]])
	}
}

func (a *Array[T]) writeStrings(start, step, count []uint64, src []T) error {
	if step != nil {
		return errSteps
	}
	offsets, data := encoded(src)
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_write_vlen(p, uint64s(start), uint64s(count), uint64s(offsets), (*C.uint8_t)(pointer(data)), err)
	})
}

// encoded puts strings one after the other, and tells where each begins.
func encoded[T Element](src []T) (offsets []uint64, data []byte) {
	offsets = make([]uint64, len(src)+1)
	for i := range src {
		data = append(data, reflect.ValueOf(src[i]).String()...)
		offsets[i+1] = uint64(len(data))
	}
	return offsets, data
}
