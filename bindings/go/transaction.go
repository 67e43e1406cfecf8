package zarrc

/*
#include <zarrc.h>
*/
import "C"

// Begin starts a transaction: changes that others see all at once, by Commit, or never. Close it afterwards.
func (s *Store) Begin() (*Store, error) {
	var out *C.zarrc_store
	if e := s.with(func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status {
		return C.zarrc_store_begin(p, &out, err)
	}); e != nil {
		return nil, e
	}
	return storeOf(out), nil
}

// Commit makes a transaction's changes visible; Icechunk keeps the message. ErrConflict: others changed what it read or
// changed; begin another one and do the work again.
func (s *Store) Commit(message string) error {
	var text *C.char
	if message != "" {
		c, free := cstring(message)
		defer free()
		text = c
	}
	return s.with(func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status { return C.zarrc_store_commit(p, text, err) })
}

// Rollback drops a transaction's changes.
func (s *Store) Rollback() error {
	return s.with(func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status { return C.zarrc_store_rollback(p, err) })
}

// Snapshot names the snapshot that an Icechunk repository shows.
func (s *Store) Snapshot() (name string, e error) {
	e = s.with(func(p *C.zarrc_store, err *C.zarrc_error) C.zarrc_status {
		var out *C.char
		status := C.zarrc_store_snapshot(p, &out, err)
		name = owned(out)
		return status
	})
	return name, e
}
