// Package zarrc reads and writes Zarr arrays of every version and store.
//
//	store, err := zarrc.Open("first.zarr", zarrc.Overwrite)
//	array, err := zarrc.CreateArray[float64](store, "field", []uint64{4, 6})
//	err = array.Write(field)
//	err = array.ReadBox([]uint64{1, 2}, []uint64{2, 3}, part)
//
// It stands on the C library zarrc, found by pkg-config. Handles may be used by any number of goroutines at
// once, and closed at any time; a handle that is forgotten is closed by the garbage collector. Errors are
// *zarrc.Error, and errors.Is compares their status: errors.Is(err, zarrc.ErrNotFound).
package zarrc

/*
#cgo pkg-config: zarrc
#include <stdlib.h>
#include <zarrc.h>
*/
import "C"

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strconv"
	"sync"
	"unsafe"
)

// Error is what the library reports.
type Error struct {
	Status     Status
	SystemCode int // errno or an HTTP status, 0 where there is none
	Message    string
}

func (e *Error) Error() string { return "zarrc: " + e.Message }

// Is makes errors.Is(err, zarrc.ErrNotFound) work.
func (e *Error) Is(target error) bool {
	status, ok := target.(Status)
	return ok && status == e.Status
}

// Error is the status's name, as "ZARRC_NOT_FOUND".
func (s Status) Error() string { return C.GoString(C.zarrc_status_name(C.zarrc_status(s))) }

var errClosed = &Error{Status: ErrInvalidArgument, Message: "the handle is closed"}

func check(status C.zarrc_status, err *C.zarrc_error) error {
	if status == C.ZARRC_OK {
		return nil
	}
	return &Error{Status(status), int(err.system_code), C.GoString(&err.message[0])}
}

func invalid(message string) error { return &Error{Status: ErrInvalidArgument, Message: message} }

// Version is that of the library that is running.
func Version() string { return C.GoString(C.zarrc_version()) }

// BuildInfo is what this build of the library can do, as JSON.
func BuildInfo() (string, error) {
	return text(func(out **C.char, err *C.zarrc_error) C.zarrc_status { return C.zarrc_build_info(out, err) })
}

// cstring is a string of C; end frees it.
func cstring(s string) (*C.char, func()) {
	c := C.CString(s)
	return c, func() { C.free(unsafe.Pointer(c)) }
}

func text(call func(**C.char, *C.zarrc_error) C.zarrc_status) (string, error) {
	var out *C.char
	var err C.zarrc_error
	if e := check(call(&out, &err), &err); e != nil {
		return "", e
	}
	defer C.zarrc_string_free(out)
	return C.GoString(out), nil
}

// uint64s points at the first of some numbers; nil for none, which the library takes for the default.
func uint64s(values []uint64) *C.uint64_t {
	if len(values) == 0 {
		return nil
	}
	return (*C.uint64_t)(unsafe.Pointer(&values[0]))
}

// handle is a pointer of C that is closed once, and not beside its use.
type handle[P any] struct {
	mu    sync.RWMutex
	p     *P
	close func(*P, *C.zarrc_error) C.zarrc_status
}

func newHandle[P any](p *P, close func(*P, *C.zarrc_error) C.zarrc_status) *handle[P] {
	h := &handle[P]{p: p, close: close}
	runtime.SetFinalizer(h, func(h *handle[P]) { h.Close() })
	return h
}

// with calls what uses the pointer, unless it is closed.
func (h *handle[P]) with(use func(p *P, err *C.zarrc_error) C.zarrc_status) error {
	if h == nil {
		return errClosed
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.p == nil {
		return errClosed
	}
	var err C.zarrc_error
	return check(use(h.p, &err), &err)
}

// Close ends the handle, and says what went wrong with a last write. A second call does nothing.
func (h *handle[P]) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.p == nil {
		return nil
	}
	var err C.zarrc_error
	p := h.p
	h.p = nil
	runtime.SetFinalizer(h, nil)
	return check(h.close(p, &err), &err)
}

// Option is a setting of a store, made by With and others.
type Option func(map[string]string)

// With sets one of the library's options by name: BuildInfo lists them.
func With(name, value string) Option { return func(o map[string]string) { o[name] = value } }

// Threads sets how many threads one call may use.
func Threads(n int) Option { return With("threads", strconv.Itoa(n)) }

func makeOptions(options []Option) (*C.zarrc_options, error) {
	if len(options) == 0 {
		return nil, nil
	}
	settings := map[string]string{}
	for _, option := range options {
		option(settings)
	}
	made := C.zarrc_options_new()
	for name, value := range settings {
		n, freeName := cstring(name)
		v, freeValue := cstring(value)
		var err C.zarrc_error
		e := check(C.zarrc_options_set(made, n, v, &err), &err)
		freeName()
		freeValue()
		if e != nil {
			C.zarrc_options_free(made)
			return nil, e
		}
	}
	return made, nil
}

// Store is an open store. What was opened from it stays usable after its end.
type Store struct{ *handle[C.zarrc_store] }

var _ io.Closer = (*Store)(nil)

func storeOf(p *C.zarrc_store) *Store {
	return &Store{newHandle(p, func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status { return C.zarrc_store_close(p, err) })}
}

// Open opens a store: a path, or a URL of any scheme that zarrc knows.
func Open(url string, mode Mode, options ...Option) (*Store, error) {
	chosen, e := makeOptions(options)
	if e != nil {
		return nil, e
	}
	defer C.zarrc_options_free(chosen)
	u, free := cstring(url)
	defer free()
	var out *C.zarrc_store
	var err C.zarrc_error
	if e := check(C.zarrc_store_open(u, C.zarrc_mode(mode), chosen, &out, &err), &err); e != nil {
		return nil, e
	}
	return storeOf(out), nil
}

// at calls what takes a path or key.
func (s *Store) at(path string, use func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status) error {
	c, free := cstring(path)
	defer free()
	return s.with(func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status { return use(p, c, err) })
}

// Kind tells what is at a path.
func (s *Store) Kind(path string) (NodeKind, error) {
	var kind C.zarrc_node_kind
	e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_node_kind_at(p, path, &kind, err)
	})
	return NodeKind(kind), e
}

// Delete deletes a node and everything below it.
func (s *Store) Delete(path string) error {
	return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_node_delete(p, path, err)
	})
}

func bytes(value *C.uint8_t, size C.size_t) []byte {
	defer C.zarrc_value_free(value, size)
	out := make([]byte, int(size))
	copy(out, unsafe.Slice((*byte)(unsafe.Pointer(value)), int(size)))
	return out
}

// Get gives the value of a key, as it lies in the store.
func (s *Store) Get(key string) ([]byte, error) {
	var value *C.uint8_t
	var size C.size_t
	if e := s.at(key, func(p *C.zarrc_store, key *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_get(p, key, &value, &size, err)
	}); e != nil {
		return nil, e
	}
	return bytes(value, size), nil
}

// GetRange gives length bytes of a value from offset on, fewer where it ends before.
func (s *Store) GetRange(key string, offset, length uint64) ([]byte, error) {
	var value *C.uint8_t
	var size C.size_t
	if e := s.at(key, func(p *C.zarrc_store, key *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_get_range(p, key, C.uint64_t(offset), C.uint64_t(length), &value, &size, err)
	}); e != nil {
		return nil, e
	}
	return bytes(value, size), nil
}

// Set replaces the value of a key, at once and whole.
func (s *Store) Set(key string, value []byte) error {
	return s.at(key, func(p *C.zarrc_store, key *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_set(p, key, pointer(value), C.size_t(len(value)), err)
	})
}

// Erase takes a key and its value away.
func (s *Store) Erase(key string) error {
	return s.at(key, func(p *C.zarrc_store, key *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_erase(p, key, err)
	})
}

// ErasePrefix takes away every key that begins with prefix, which ends in "/" or is empty.
func (s *Store) ErasePrefix(prefix string) error {
	return s.at(prefix, func(p *C.zarrc_store, key *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_erase_prefix(p, key, err)
	})
}

// Forget drops what adapters keep of the values below prefix, and the consolidated metadata.
func (s *Store) Forget(prefix string) error {
	return s.at(prefix, func(p *C.zarrc_store, key *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_forget(p, key, err)
	})
}

// Convert writes a node and all below it in another format; in place where to is the same store.
func (s *Store) Convert(path string, to *Store, toPath string, format Format) error {
	c, free := cstring(toPath)
	defer free()
	return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		if to == s {
			return C.zarrc_convert(p, path, p, c, C.zarrc_format(format), nil, err)
		}
		to.mu.RLock()
		defer to.mu.RUnlock()
		return C.zarrc_convert(p, path, to.p, c, C.zarrc_format(format), nil, err)
	})
}

// HDF5Export writes a node and all below it as a new HDF5 file; what changes on the way is JSON.
func (s *Store) HDF5Export(path string, file string) (string, error) {
	c, free := cstring(file)
	defer free()
	var notes *C.char
	e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_hdf5_export(p, path, c, nil, &notes, err)
	})
	if e != nil {
		return "", e
	}
	defer C.zarrc_string_free(notes)
	return C.GoString(notes), nil
}

// ReferencesJSON is references to all below a node as kerchunk writes them.
func (s *Store) ReferencesJSON(path string) (string, error) {
	var text *C.char
	e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_references_json(p, path, nil, nil, nil, &text, err)
	})
	if e != nil {
		return "", e
	}
	defer C.zarrc_string_free(text)
	return C.GoString(text), nil
}

// ConvertPlan is what Convert would do, as JSON.
func (s *Store) ConvertPlan(path string, to *Store, toPath string, format Format) (string, error) {
	c, free := cstring(toPath)
	defer free()
	var plan *C.char
	e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		if to != s {
			to.mu.RLock()
			defer to.mu.RUnlock()
		}
		return C.zarrc_convert_plan(p, path, to.p, c, C.zarrc_format(format), nil, &plan, err)
	})
	if e != nil {
		return "", e
	}
	defer C.zarrc_string_free(plan)
	return C.GoString(plan), nil
}

// Group is an open group.
type Group struct{ *handle[C.zarrc_group] }

func groupOf(p *C.zarrc_group) *Group {
	return &Group{newHandle(p, func(p *C.zarrc_group, err *C.zarrc_error) C.zarrc_status { return C.zarrc_group_close(p, err) })}
}

// OpenGroup opens a group; "" is the root.
func (s *Store) OpenGroup(path string) (*Group, error) {
	var out *C.zarrc_group
	if e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_group_open(p, path, &out, err)
	}); e != nil {
		return nil, e
	}
	return groupOf(out), nil
}

func (s *Store) groupBy(path string, how func(p *C.zarrc_store, path *C.char, out **C.zarrc_group, err *C.zarrc_error) C.zarrc_status) (*Group, error) {
	var out *C.zarrc_group
	if e := s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return how(p, path, &out, err)
	}); e != nil {
		return nil, e
	}
	return groupOf(out), nil
}

// CreateGroup creates a group, and those above it that are missing. FormatAny: that of the group above, else v3.
func (s *Store) CreateGroup(path string, format Format) (*Group, error) {
	return s.groupBy(path, func(p *C.zarrc_store, path *C.char, out **C.zarrc_group, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_group_create(p, path, C.zarrc_format(format), out, err)
	})
}

// RequireGroup opens a group, or creates it where there is nothing.
func (s *Store) RequireGroup(path string, format Format) (*Group, error) {
	return s.groupBy(path, func(p *C.zarrc_store, path *C.char, out **C.zarrc_group, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_group_require(p, path, C.zarrc_format(format), out, err)
	})
}

// OverwriteGroup creates an empty group in place of whatever is there.
func (s *Store) OverwriteGroup(path string, format Format) (*Group, error) {
	return s.groupBy(path, func(p *C.zarrc_store, path *C.char, out **C.zarrc_group, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_group_overwrite(p, path, C.zarrc_format(format), out, err)
	})
}

// OpenGroupURL opens a group by one URL, without a store of its own.
func OpenGroupURL(url string, mode Mode, options ...Option) (*Group, error) {
	chosen, e := makeOptions(options)
	if e != nil {
		return nil, e
	}
	defer C.zarrc_options_free(chosen)
	u, free := cstring(url)
	defer free()
	var out *C.zarrc_group
	var err C.zarrc_error
	if e := check(C.zarrc_group_open_url(u, C.zarrc_mode(mode), chosen, &out, &err), &err); e != nil {
		return nil, e
	}
	return groupOf(out), nil
}

// Entry is a node below a group.
type Entry struct {
	Path string // relative to the group
	Kind NodeKind
}

// List gives the nodes below a group, sorted by path: its children, or everything.
func (g *Group) List(recursive bool) ([]Entry, error) {
	var listing *C.zarrc_listing
	if e := g.with(func(p *C.zarrc_group, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_group_list(p, C.bool(recursive), &listing, err)
	}); e != nil {
		return nil, e
	}
	defer C.zarrc_listing_free(listing)
	entries := make([]Entry, int(C.zarrc_listing_count(listing)))
	for i := range entries {
		entries[i] = Entry{
			C.GoString(C.zarrc_listing_path(listing, C.size_t(i))), NodeKind(C.zarrc_listing_kind(listing, C.size_t(i))),
		}
	}
	return entries, nil
}

// Attributes are those of the group.
func (g *Group) Attributes() Attributes {
	return Attributes{func(use func(*C.zarrc_attributes, *C.zarrc_error) C.zarrc_status) error {
		return g.with(func(p *C.zarrc_group, err *C.zarrc_error) C.zarrc_status {
			return use(C.zarrc_group_attributes(p), err)
		})
	}}
}

// Attributes of an open node, written through at once. Values are what encoding/json makes of them.
type Attributes struct {
	with func(use func(*C.zarrc_attributes, *C.zarrc_error) C.zarrc_status) error
}

// JSON gives one attribute as JSON; "" gives all of them, as an object.
func (a Attributes) JSON(key string) (string, error) {
	c, free := cstring(key)
	defer free()
	var out *C.char
	if e := a.with(func(p *C.zarrc_attributes, err *C.zarrc_error) C.zarrc_status {
		if key == "" {
			return C.zarrc_attributes_json(p, &out, err)
		}
		return C.zarrc_attributes_get_json(p, c, &out, err)
	}); e != nil {
		return "", e
	}
	defer C.zarrc_string_free(out)
	return C.GoString(out), nil
}

// Get decodes one attribute into what value points at.
func (a Attributes) Get(key string, value any) error {
	text, e := a.JSON(key)
	if e != nil {
		return e
	}
	if e := json.Unmarshal([]byte(text), value); e != nil {
		return &Error{Status: ErrTypeMismatch, Message: "attribute " + key + ": " + e.Error()}
	}
	return nil
}

// Set sets one attribute.
func (a Attributes) Set(key string, value any) error {
	text, e := json.Marshal(value)
	if e != nil {
		return invalid("attribute " + key + ": " + e.Error())
	}
	k, freeKey := cstring(key)
	defer freeKey()
	v, freeValue := cstring(string(text))
	defer freeValue()
	return a.with(func(p *C.zarrc_attributes, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_attributes_set_json(p, k, v, err)
	})
}

// Replace replaces all attributes.
func (a Attributes) Replace(values map[string]any) error {
	text, e := json.Marshal(values)
	if e != nil {
		return invalid("attributes: " + e.Error())
	}
	v, free := cstring(string(text))
	defer free()
	return a.with(func(p *C.zarrc_attributes, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_attributes_replace_json(p, v, err)
	})
}

// Update sets several attributes by one write of the document.
func (a Attributes) Update(values map[string]any) error {
	var others *C.zarrc_attributes
	var err C.zarrc_error
	if e := check(C.zarrc_attributes_new(&others, &err), &err); e != nil {
		return e
	}
	defer C.zarrc_attributes_free(others)
	several := Attributes{func(use func(*C.zarrc_attributes, *C.zarrc_error) C.zarrc_status) error {
		return check(use(others, &err), &err)
	}}
	for key, value := range values {
		if e := several.Set(key, value); e != nil {
			return e
		}
	}
	return a.with(func(p *C.zarrc_attributes, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_attributes_update(p, others, err)
	})
}

// Delete takes one attribute away.
func (a Attributes) Delete(key string) error {
	k, free := cstring(key)
	defer free()
	return a.with(func(p *C.zarrc_attributes, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_attributes_delete(p, k, err)
	})
}

// StatusOf is the status of any error: StatusOK for nil, ErrInternal for one that is not zarrc's.
func StatusOf(err error) Status {
	var e *Error
	switch {
	case err == nil:
		return StatusOK
	case errors.As(err, &e):
		return e.Status
	}
	return ErrInternal
}
