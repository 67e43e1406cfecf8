package zarrc

import (
	"errors"
	"testing"
)

func TestTransactions(t *testing.T) {
	store := open(t)
	array, err := CreateArray[int32](store, "a", []uint64{2})
	must(t, err)
	seen := func(want int32) {
		t.Helper()
		values := make([]int32, 2)
		must(t, array.Read(values))
		equal(t, values, []int32{want, want})
	}
	change := func(from, to int32, end func(*Store) error) {
		t.Helper()
		transaction, err := store.Begin()
		must(t, err)
		defer transaction.Close()
		inside, err := OpenArray[int32](transaction, "a")
		must(t, err)
		must(t, inside.Write([]int32{to, to}))
		seen(from)
		must(t, inside.Close())
		must(t, end(transaction))
	}
	change(0, 7, func(transaction *Store) error { return transaction.Commit("seven") })
	seen(7)
	change(7, 8, (*Store).Rollback)
	seen(7)
	if err := store.Commit(""); !errors.Is(err, ErrInvalidArgument) {
		t.Fatal(err)
	}
	if _, err := store.Snapshot(); !errors.Is(err, ErrUnsupported) {
		t.Fatal(err)
	}
}
