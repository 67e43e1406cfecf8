package zarrc

/*
#include <zarrc.h>
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"
)

// StepWriter writes arrays of a group that grow by steps, which readers see whole or not at all. Any number of goroutines
// may put blocks.
type StepWriter struct{ *handle[C.zarrc_writer] }

// StepWriterOptions says how to write; the zero value has the defaults.
type StepWriterOptions struct {
	// FlushAfter is how long a committed step may stay invisible because its chunks are not full; 0: until Flush.
	FlushAfter time.Duration
	// BufferBytes limits the memory of chunks that are not full; 0: two rows of chunks of each array.
	BufferBytes uint64
}

// Variable is an array of a writer, whose blocks hold elements of T.
type Variable[T Number] struct {
	writer *StepWriter
	number C.size_t
}

// OpenStepWriter opens a writer for the group at path, which is created if there is none.
func (s *Store) OpenStepWriter(path string, options StepWriterOptions) (*StepWriter, error) {
	how := C.zarrc_writer_options{
		size:          C.sizeof_zarrc_writer_options,
		flush_seconds: C.double(options.FlushAfter.Seconds()),
		buffer_bytes:  C.uint64_t(options.BufferBytes),
	}
	var out *C.zarrc_writer
	if e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_writer_open(p, path, &how, &out, err)
	}); e != nil {
		return nil, e
	}
	return &StepWriter{newHandle(out, func(p *C.zarrc_writer, err *C.zarrc_error) C.zarrc_status { return C.zarrc_writer_close(p, err) })}, nil
}

// Declare creates an array of T whose first extent is 0, or opens it to go on. Declare all arrays before the first
// block or commit.
func Declare[T Number](writer *StepWriter, name string, shape []uint64, options ...ArrayOption) (*Variable[T], error) {
	spec, e := describe(TypeOf[T](), shape, options)
	if e != nil {
		return nil, e
	}
	defer C.zarrc_array_spec_free(spec)
	v := &Variable[T]{writer: writer}
	e = writer.with(func(p *C.zarrc_writer, err *C.zarrc_error) C.zarrc_status {
		return withText(name, func(c *C.char) C.zarrc_status { return C.zarrc_writer_declare(p, c, spec, &v.number, err) })
	})
	if e != nil {
		return nil, e
	}
	return v, nil
}

// Put copies a block, last dimension fastest, and starts to write it; start[0] is its first step.
func (v *Variable[T]) Put(start, count []uint64, elements []T) error {
	n := uint64(1)
	for _, extent := range count {
		n *= extent
	}
	if len(start) != len(count) || n != uint64(len(elements)) {
		return invalid(fmt.Sprintf("put: %d elements for a block of %v at %v", len(elements), count, start))
	}
	return v.writer.with(func(p *C.zarrc_writer, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_writer_put(p, v.number, uint64s(start), uint64s(count), C.zarrc_data_type(TypeOf[T]()), pointer(elements),
			C.size_t(uintptr(len(elements))*unsafe.Sizeof(*new(T))), err)
	})
}

// Commit says that all blocks of the first steps were put; it does not wait.
func (w *StepWriter) Commit(steps uint64) error {
	return w.with(func(p *C.zarrc_writer, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_writer_commit(p, C.uint64_t(steps), err)
	})
}

// Flush makes all committed steps visible, and waits for that.
func (w *StepWriter) Flush() error {
	return w.with(func(p *C.zarrc_writer, err *C.zarrc_error) C.zarrc_status { return C.zarrc_writer_flush(p, err) })
}

// Steps returns how many steps readers see; at first, the step at which to go on.
func (w *StepWriter) Steps() (uint64, error) {
	var steps C.uint64_t
	e := w.with(func(p *C.zarrc_writer, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_writer_steps(p, &steps, err)
	})
	return uint64(steps), e
}
