package zarrc

/*
#include <stdlib.h>
#include "custom.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/cgo"
	"unsafe"
)

// Reader is a store of a program's own that is read. Methods are called by any number of threads at once. A key that
// is missing is ErrNotFound (or fs.ErrNotExist); the text of any other error reaches zarrc's caller.
type Reader interface {
	Get(key string) ([]byte, error)
}

// Writer is implemented by a store that is written, too.
type Writer interface {
	Set(key string, value []byte) error
	Erase(key string) error
}

// Lister is implemented by a store that knows its keys.
type Lister interface {
	// List calls give with every key that begins with prefix, in any order, until it returns false.
	List(prefix string, give func(key string) bool) error
}

// BytesCodec is a codec of a program's own. Methods are called by any number of threads at once.
type BytesCodec interface {
	Encode(decoded []byte) ([]byte, error)
	Decode(encoded []byte) ([]byte, error)
}

// FromReader opens a store of the program's own; it is written if it is a Writer, and listed if it is a Lister.
func FromReader(own Reader, options ...Option) (*Store, error) {
	chosen, e := makeOptions(options)
	if e != nil {
		return nil, e
	}
	defer C.zarrc_options_free(chosen)
	name, free := cstring(fmt.Sprintf("a %T of Go", own))
	defer free()
	_, writes := own.(Writer)
	_, lists := own.(Lister)
	user := cgo.NewHandle(own)
	var out *C.zarrc_store
	var err C.zarrc_error
	if e := check(C.zarrc_go_open(C.uintptr_t(user), name, C.bool(writes), C.bool(lists), chosen, &out, &err), &err); e != nil {
		user.Delete()
		return nil, e
	}
	return storeOf(out), nil
}

// RegisterCodec makes a codec known to the process, before arrays that use it are opened.
func RegisterCodec(name string, codec BytesCodec) error {
	c, free := cstring(name)
	defer free()
	user := cgo.NewHandle(codec)
	var err C.zarrc_error
	e := check(C.zarrc_go_register(C.uintptr_t(user), c, &err), &err)
	if e != nil {
		user.Delete()
	}
	return e
}

// UnregisterCodec takes a codec away; arrays that are open keep it.
func UnregisterCodec(name string) error {
	c, free := cstring(name)
	defer free()
	var err C.zarrc_error
	return check(C.zarrc_codec_unregister(c, &err), &err)
}

// answer puts an error, or a panic, into words that the library passes on.
func answer(err *C.zarrc_error, call func() error) (status C.zarrc_status) {
	tell := func(kind Status, text string) {
		status = C.zarrc_status(kind)
		if err != nil {
			message := unsafe.Slice((*byte)(unsafe.Pointer(&err.message[0])), len(err.message))
			message[copy(message[:len(message)-1], text)] = 0
		}
	}
	defer func() {
		if problem := recover(); problem != nil {
			tell(ErrIO, fmt.Sprint("panic: ", problem))
		}
	}()
	switch e := call(); {
	case e == nil:
		return C.ZARRC_OK
	case errors.Is(e, ErrNotFound), errors.Is(e, fs.ErrNotExist):
		return C.ZARRC_NOT_FOUND
	default:
		var own *Error
		if errors.As(e, &own) {
			tell(own.Status, own.Message)
		} else {
			tell(ErrIO, e.Error())
		}
	}
	return status
}

//export zarrcGoGet
func zarrcGoGet(user C.uintptr_t, key *C.char, give C.zarrc_give_bytes, to unsafe.Pointer, err *C.zarrc_error) C.zarrc_status {
	return answer(err, func() error {
		value, e := cgo.Handle(user).Value().(Reader).Get(C.GoString(key))
		if e == nil && !bool(C.zarrc_go_give_bytes(give, to, pointer(value), C.size_t(len(value)))) {
			e = &Error{Status: ErrOutOfMemory, Message: "no memory for the value"}
		}
		return e
	})
}

//export zarrcGoSet
func zarrcGoSet(user C.uintptr_t, key *C.char, value unsafe.Pointer, size C.size_t, err *C.zarrc_error) C.zarrc_status {
	return answer(err, func() error {
		own := make([]byte, int(size))
		copy(own, unsafe.Slice((*byte)(value), int(size)))
		return cgo.Handle(user).Value().(Writer).Set(C.GoString(key), own)
	})
}

//export zarrcGoErase
func zarrcGoErase(user C.uintptr_t, key *C.char, err *C.zarrc_error) C.zarrc_status {
	return answer(err, func() error { return cgo.Handle(user).Value().(Writer).Erase(C.GoString(key)) })
}

//export zarrcGoList
func zarrcGoList(user C.uintptr_t, prefix *C.char, give C.zarrc_give_key, to unsafe.Pointer, err *C.zarrc_error) C.zarrc_status {
	return answer(err, func() error {
		return cgo.Handle(user).Value().(Lister).List(C.GoString(prefix), func(key string) bool {
			c, free := cstring(key)
			defer free()
			return bool(C.zarrc_go_give_key(give, to, c))
		})
	})
}

//export zarrcGoTransform
func zarrcGoTransform(user C.uintptr_t, encode C.bool, src *C.uint8_t, size C.size_t, dst *C.uint8_t, capacity C.size_t, made *C.size_t, err *C.zarrc_error) C.zarrc_status {
	return answer(err, func() error {
		codec := cgo.Handle(user).Value().(BytesCodec)
		run := codec.Decode
		if encode {
			run = codec.Encode
		}
		out, e := run(unsafe.Slice((*byte)(unsafe.Pointer(src)), int(size)))
		if e != nil {
			return e
		}
		if len(out) > int(capacity) {
			return &Error{Status: ErrLimitExceeded, Message: "no room for what the codec makes"}
		}
		copy(unsafe.Slice((*byte)(unsafe.Pointer(dst)), int(capacity)), out)
		*made = C.size_t(len(out))
		return nil
	})
}

//export zarrcGoDestroy
func zarrcGoDestroy(user C.uintptr_t) { cgo.Handle(user).Delete() }
