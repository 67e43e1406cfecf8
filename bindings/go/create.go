package zarrc

/*
#include <stdlib.h>
#include <zarrc.h>
*/
import "C"

import (
	"encoding/json"
	"unsafe"
)

// ArrayOption says more of a new array than its shape and type.
type ArrayOption func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status

// Chunks sets the shape of a chunk (of an inner chunk, where there are shards).
func Chunks(shape ...uint64) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_chunk_shape(spec, C.size_t(len(shape)), uint64s(shape), err)
	}
}

// Shards puts chunks together in shards of this shape.
func Shards(shape ...uint64) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_shard_shape(spec, C.size_t(len(shape)), uint64s(shape), err)
	}
}

// ChunkEdges lists the extents of the chunks along one dimension, one by one (Zarr v3's rectilinear grid).
func ChunkEdges(dimension int, extents ...uint64) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_chunk_edges(spec, C.size_t(dimension), C.size_t(len(extents)), uint64s(extents), err)
	}
}

// FillValue sets the value of elements that were never written.
func FillValue[T Number](value T) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_fill_value(spec, unsafe.Pointer(&value), C.size_t(unsafe.Sizeof(value)), err)
	}
}

func withText(text string, set func(*C.char) C.zarrc_status) C.zarrc_status {
	c, free := cstring(text)
	defer free()
	return set(c)
}

// FillValueJSON sets it as the format's documents say it.
func FillValueJSON(text string) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return withText(text, func(c *C.char) C.zarrc_status { return C.zarrc_array_spec_set_fill_value_json(spec, c, err) })
	}
}

// StoredAs sets the type that is stored, where it is another than T or has parameters: "float32", ">f8", "<M8[ns]".
func StoredAs(dataType string) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return withText(dataType, func(c *C.char) C.zarrc_status { return C.zarrc_array_spec_set_data_type(spec, c, err) })
	}
}

// Codec adds a codec by its name and configuration (JSON; "" for the defaults), in the order in which they encode.
func Codec(name, configuration string) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return withText(name, func(n *C.char) C.zarrc_status {
			if configuration == "" {
				return C.zarrc_array_spec_add_codec(spec, n, nil, err)
			}
			return withText(configuration, func(c *C.char) C.zarrc_status { return C.zarrc_array_spec_add_codec(spec, n, c, err) })
		})
	}
}

// InFormat sets the format; by default it is that of the group above, else Zarr v3.
func InFormat(format Format) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_format(spec, C.zarrc_format(format), err)
	}
}

// Order sets the order of elements within a chunk, 'C' or 'F'.
func Order(order byte) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_order(spec, C.char(order), err)
	}
}

// Separator sets what stands between the numbers of a chunk's key, '.' or '/'.
func Separator(separator byte) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_separator(spec, C.char(separator), err)
	}
}

// DimensionNames names the dimensions; "" for one without a name.
func DimensionNames(names ...string) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		list, free := cstrings(names)
		defer free()
		return C.zarrc_array_spec_set_dimension_names(spec, C.size_t(len(names)), list, err)
	}
}

// WithAttributes sets the attributes that the array begins with.
func WithAttributes(values map[string]any) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		text, _ := json.Marshal(values) // what JSON cannot say becomes "", which is refused
		return withText(string(text), func(c *C.char) C.zarrc_status { return C.zarrc_array_spec_set_attributes_json(spec, c, err) })
	}
}

// MissingValue sets CF's missing value, which becomes the fill value too.
func MissingValue[T Number](value T) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_missing_value(spec, unsafe.Pointer(&value), C.size_t(unsafe.Sizeof(value)), err)
	}
}

// WithShape sets the shape, for CreateArrayLike.
func WithShape(shape ...uint64) ArrayOption {
	return func(spec *C.zarrc_array_spec, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_set_shape(spec, C.size_t(len(shape)), uint64s(shape), err)
	}
}

func apply(spec *C.zarrc_array_spec, options []ArrayOption) error {
	var err C.zarrc_error
	for _, option := range options {
		if e := check(option(spec, &err), &err); e != nil {
			return e
		}
	}
	return nil
}

// describe makes a description, to be freed.
func describe(kind DataType, shape []uint64, options []ArrayOption) (*C.zarrc_array_spec, error) {
	var spec *C.zarrc_array_spec
	var err C.zarrc_error
	if e := check(C.zarrc_array_spec_new(C.zarrc_data_type(kind), C.size_t(len(shape)), uint64s(shape), &spec, &err), &err); e != nil {
		return nil, e
	}
	if e := apply(spec, options); e != nil {
		C.zarrc_array_spec_free(spec)
		return nil, e
	}
	return spec, nil
}

type create func(p *C.zarrc_store, path *C.char, spec *C.zarrc_array_spec, out **C.zarrc_array, err *C.zarrc_error) C.zarrc_status

func created[T Element](store *Store, path string, spec *C.zarrc_array_spec, e error, how create) (*Array[T], error) {
	if e != nil {
		return nil, e
	}
	defer C.zarrc_array_spec_free(spec)
	var out *C.zarrc_array
	if e := store.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return how(p, path, spec, &out, err)
	}); e != nil {
		return nil, e
	}
	return arrayOf[T](out)
}

func createNew(p *C.zarrc_store, path *C.char, spec *C.zarrc_array_spec, out **C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
	return C.zarrc_array_create(p, path, spec, out, err)
}

// CreateArray creates an array of T and opens it.
func CreateArray[T Element](store *Store, path string, shape []uint64, options ...ArrayOption) (*Array[T], error) {
	spec, e := describe(TypeOf[T](), shape, options)
	return created[T](store, path, spec, e, createNew)
}

// RequireArray opens an array of this shape and type, or creates it where there is none.
func RequireArray[T Element](store *Store, path string, shape []uint64, options ...ArrayOption) (*Array[T], error) {
	spec, e := describe(TypeOf[T](), shape, options)
	return created[T](store, path, spec, e, func(p *C.zarrc_store, path *C.char, spec *C.zarrc_array_spec, out **C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_require(p, path, spec, out, err)
	})
}

// OpenOrCreateArray opens an array, whatever its shape, or creates it where there is none.
func OpenOrCreateArray[T Element](store *Store, path string, shape []uint64, options ...ArrayOption) (*Array[T], error) {
	spec, e := describe(TypeOf[T](), shape, options)
	return created[T](store, path, spec, e, func(p *C.zarrc_store, path *C.char, spec *C.zarrc_array_spec, out **C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_open_or_create(p, path, spec, out, err)
	})
}

// OverwriteArray creates an array in place of whatever is there.
func OverwriteArray[T Element](store *Store, path string, shape []uint64, options ...ArrayOption) (*Array[T], error) {
	spec, e := describe(TypeOf[T](), shape, options)
	return created[T](store, path, spec, e, func(p *C.zarrc_store, path *C.char, spec *C.zarrc_array_spec, out **C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_overwrite(p, path, spec, out, err)
	})
}

// CreateArrayLike creates an array like another one; what the options set is different.
func CreateArrayLike[T Element](store *Store, path string, other *Array[T], options ...ArrayOption) (*Array[T], error) {
	var spec *C.zarrc_array_spec
	if e := other.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_spec_new_like(p, &spec, err)
	}); e != nil {
		return nil, e
	}
	if e := apply(spec, options); e != nil {
		C.zarrc_array_spec_free(spec)
		return nil, e
	}
	return created[T](store, path, spec, nil, createNew)
}

// CreateArrayFrom creates an array with its elements: there is none where they cannot be written.
func CreateArrayFrom[T Number](store *Store, path string, shape []uint64, elements []T) (*Array[T], error) {
	var out *C.zarrc_array
	if e := store.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_create_from_buffer(p, path, C.zarrc_data_type(TypeOf[T]()), C.size_t(len(shape)), uint64s(shape),
			pointer(elements), C.size_t(uintptr(len(elements))*unsafe.Sizeof(*new(T))), &out, err)
	}); e != nil {
		return nil, e
	}
	return arrayOf[T](out)
}

// OpenArrayURL opens an array by one URL, without a store of its own.
func OpenArrayURL[T Element](url string, mode Mode, options ...Option) (*Array[T], error) {
	chosen, e := makeOptions(options)
	if e != nil {
		return nil, e
	}
	defer C.zarrc_options_free(chosen)
	u, free := cstring(url)
	defer free()
	var out *C.zarrc_array
	var err C.zarrc_error
	if e := check(C.zarrc_array_open_url(u, C.zarrc_mode(mode), chosen, &out, &err), &err); e != nil {
		return nil, e
	}
	return arrayOf[T](out)
}

// CreateArrayJSON creates an array from its metadata document, as it would stand in the store.
func CreateArrayJSON[T Element](store *Store, path string, format Format, metadata string) (*Array[T], error) {
	m, free := cstring(metadata)
	defer free()
	var out *C.zarrc_array
	if e := store.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_create_json(p, path, C.zarrc_format(format), m, &out, err)
	}); e != nil {
		return nil, e
	}
	return arrayOf[T](out)
}

// OpenArrayJSON opens an array that a document given here describes; that in the store is not read.
func OpenArrayJSON[T Element](store *Store, path string, format Format, metadata string) (*Array[T], error) {
	m, free := cstring(metadata)
	defer free()
	var out *C.zarrc_array
	if e := store.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_array_open_json(p, path, C.zarrc_format(format), m, &out, err)
	}); e != nil {
		return nil, e
	}
	return arrayOf[T](out)
}
