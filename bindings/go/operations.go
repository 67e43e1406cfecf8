package zarrc

/*
#include <stdlib.h>
#include "custom.h"
*/
import "C"

import (
	"context"
	"runtime/cgo"
	"unsafe"
)

// Progress receives how far a long call is (0 to 1) and the last step; false ends the call with ErrCancelled. It is
// called from any thread, by one at a time. The end of the context ends the call too.
type Progress func(done float64, what string) bool

// reporter is what the callback of C works on.
type reporter struct {
	ctx  context.Context
	told Progress
}

//export zarrcGoProgress
func zarrcGoProgress(user C.uintptr_t, done C.double, what *C.char) C.bool {
	r := cgo.Handle(user).Value().(*reporter)
	return C.bool(r.ctx.Err() == nil && (r.told == nil || r.told(float64(done), C.GoString(what))))
}

func reported(ctx context.Context, told Progress, call func(user C.uintptr_t) error) error {
	user := cgo.NewHandle(&reporter{ctx, told})
	defer user.Delete()
	return ended(ctx, call(C.uintptr_t(user)))
}

// two calls what uses two stores, which may be one.
func two(from, to *Store, use func(p, q *C.zarrc_store, err *C.zarrc_error) C.zarrc_status) error {
	if to == nil {
		return errClosed
	}
	return from.with(func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status {
		if to.handle == from.handle {
			return use(p, p, err)
		}
		to.mu.RLock()
		defer to.mu.RUnlock()
		return use(p, to.p, err) // a NULL is refused
	})
}

// Copying says how Copy goes about it.
type Copying struct {
	IfExists IfExists // keys that are in the target already: none must be, by default
	DryRun   bool     // only count
	Link     bool     // make hard links: both stores are directories on one file system
	Exclude  []string // nodes, relative to the copied one, that are left out with all below them
	Progress Progress
}

// Copied counts what Copy did.
type Copied struct{ Keys, Skipped, Bytes uint64 }

// Copy copies a node and everything below it, as it is stored.
func Copy(ctx context.Context, from *Store, path string, to *Store, toPath string, how Copying) (Copied, error) {
	p, freePath := cstring(path)
	defer freePath()
	q, freeTo := cstring(toPath)
	defer freeTo()
	list, freeList := cstrings(how.Exclude)
	defer freeList()
	var copied C.zarrc_copied
	e := reported(ctx, how.Progress, func(user C.uintptr_t) error {
		return two(from, to, func(a, b *C.zarrc_store, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_go_copy(a, p, b, q, C.zarrc_if_exists(how.IfExists), C.bool(how.DryRun), C.bool(how.Link),
				C.size_t(len(how.Exclude)), list, user, &copied, err)
		})
	})
	return Copied{uint64(copied.keys), uint64(copied.skipped), uint64(copied.bytes)}, e
}

// cstrings is a list of strings of C; "" becomes NULL. end frees it.
func cstrings(texts []string) (**C.char, func()) {
	list := (*[1 << 20]*C.char)(C.calloc(C.size_t(len(texts)+1), C.size_t(unsafe.Sizeof(uintptr(0)))))
	for i, text := range texts {
		if text != "" {
			list[i] = C.CString(text)
		}
	}
	return &list[0], func() {
		for i := range texts {
			C.free(unsafe.Pointer(list[i]))
		}
		C.free(unsafe.Pointer(list))
	}
}

// Move gives a node, and everything below it, another path in the same store.
func (s *Store) Move(path, toPath string) error {
	c, free := cstring(toPath)
	defer free()
	return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_node_move(p, path, c, err)
	})
}

// Consolidate writes consolidated metadata for a group.
func (s *Store) Consolidate(path string) error {
	return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_consolidate_metadata(p, path, err)
	})
}

// Rechunk writes an array anew in other chunks, shards, codecs or another format, within memoryLimit bytes (0: 256 MiB).
// Called again after an interruption, it resumes.
func Rechunk[T Element](ctx context.Context, from *Array[T], to *Store, path string, memoryLimit uint64, told Progress, options ...ArrayOption) error {
	shape, e := from.Shape()
	if e != nil {
		return e
	}
	spec, e := describe(from.DataType(), shape, nil)
	if e != nil {
		return e
	}
	defer C.zarrc_array_spec_free(spec)
	if C.zarrc_data_type_size(C.zarrc_data_type(from.DataType())) == 0 { // a type with parameters
		stated, e := from.DataTypeText()
		if e != nil {
			return e
		}
		options = append([]ArrayOption{StoredAs(stated)}, options...)
	}
	if e := apply(spec, options); e != nil {
		return e
	}
	return reported(ctx, told, func(user C.uintptr_t) error {
		return to.at(path, func(s *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
			from.mu.RLock()
			defer from.mu.RUnlock()
			return C.zarrc_go_rechunk(from.p, s, path, spec, C.uint64_t(memoryLimit), user, err)
		})
	})
}

// Verify checks everything below a node. The report is JSON.
func (s *Store) Verify(ctx context.Context, path string, told Progress) (report string, e error) {
	e = reported(ctx, told, func(user C.uintptr_t) error {
		return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
			var out *C.char
			status := C.zarrc_go_verify(p, path, user, &out, err)
			report = owned(out)
			return status
		})
	})
	return report, e
}

// DeleteAll deletes a node and everything below it, node by node, each whole: how many.
func (s *Store) DeleteAll(ctx context.Context, path string, told Progress) (uint64, error) {
	var deleted C.uint64_t
	e := reported(ctx, told, func(user C.uintptr_t) error {
		return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
			return C.zarrc_go_delete(p, path, user, &deleted, err)
		})
	})
	return uint64(deleted), e
}

// Repair puts right the problems of some kinds ("outside,consolidated"). The report is JSON.
func (s *Store) Repair(ctx context.Context, path, kinds string, dryRun bool, told Progress) (report string, e error) {
	k, free := cstring(kinds)
	defer free()
	e = reported(ctx, told, func(user C.uintptr_t) error {
		return s.at(path, func(p *C.zarrc_store, path *C.char, err *C.zarrc_error) C.zarrc_status {
			var out *C.char
			status := C.zarrc_go_repair(p, path, k, C.bool(dryRun), user, &out, err)
			report = owned(out)
			return status
		})
	})
	return report, e
}

// owned is a string that the library gives, which is freed.
func owned(c *C.char) string {
	if c == nil {
		return ""
	}
	defer C.zarrc_string_free(c)
	return C.GoString(c)
}

//export zarrcGoChunk
func zarrcGoChunk(user C.uintptr_t, index *C.uint64_t, key *C.char, bytes C.uint64_t) C.bool {
	return C.bool(cgo.Handle(user).Value().(func(*C.uint64_t, string, uint64) bool)(index, C.GoString(key), uint64(bytes)))
}

// VisitChunks calls visit for each chunk (shard, if the array has shards) that is stored, until it returns false.
func (a *Array[T]) VisitChunks(visit func(index []uint64, key string, bytes uint64) bool) error {
	user := cgo.NewHandle(func(index *C.uint64_t, key string, bytes uint64) bool {
		own := make([]uint64, a.rank)
		copy(own, unsafe.Slice((*uint64)(unsafe.Pointer(index)), a.rank))
		return visit(own, key, bytes)
	})
	defer user.Delete()
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_go_visit_chunks(p, C.size_t(a.rank), C.uintptr_t(user), err)
	})
}

//export zarrcGoAppend
func zarrcGoAppend(user C.uintptr_t, grown *C.zarrc_array, document *C.char, first C.uint64_t, err *C.zarrc_error) C.zarrc_status {
	return answer(err, func() error {
		return cgo.Handle(user).Value().(func(*C.zarrc_array, string, uint64) error)(grown, C.GoString(document), uint64(first))
	})
}

// AppendWith appends extent elements along one dimension, which write writes, in any number of calls, goroutines or
// processes: through grown, the array as it will be, which is closed afterwards, or through what OpenArrayJSON opens with
// document. first is where the block begins. The array grows once write has returned nil. write may be called again with
// another place if others append meanwhile.
func (a *Array[T]) AppendWith(axis int, extent uint64, write func(grown *Array[T], document string, first uint64) error) error {
	user := cgo.NewHandle(func(p *C.zarrc_array, document string, first uint64) error {
		grown := &Array[T]{
			newHandle(p, func(*C.zarrc_array, *C.zarrc_error) C.zarrc_status { return C.ZARRC_OK }), // the library's
			a.rank,
		}
		defer grown.Close()
		return write(grown, document, first)
	})
	defer user.Delete()
	return a.with(func(p *C.zarrc_array, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_go_append(p, C.size_t(axis), C.uint64_t(extent), C.uintptr_t(user), err)
	})
}

//export zarrcGoNode
func zarrcGoNode(user C.uintptr_t, path *C.char, kind C.zarrc_node_kind) C.bool {
	return C.bool(cgo.Handle(user).Value().(func(Entry) bool)(Entry{C.GoString(path), NodeKind(kind)}))
}

// Visit calls visit for everything below the group, sorted by path, until it returns false.
func (g *Group) Visit(visit func(Entry) bool) error {
	user := cgo.NewHandle(visit)
	defer user.Delete()
	return g.with(func(p *C.zarrc_group, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_go_visit(p, C.uintptr_t(user), err)
	})
}

// Tree is the group and everything below it as text, a line for each node.
func (g *Group) Tree() (string, error) {
	var out *C.char
	e := g.with(func(p *C.zarrc_group, err *C.zarrc_error) C.zarrc_status { return C.zarrc_group_tree(p, &out, err) })
	return owned(out), e
}
