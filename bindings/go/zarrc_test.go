package zarrc

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T) *Store {
	store, err := Open("memory:", Append, Threads(2))
	must(t, err)
	t.Cleanup(func() { store.Close() })
	return store
}

func equal[T comparable](t *testing.T, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v, expected %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%v, expected %v", got, want)
		}
	}
}

func testType[T Number](t *testing.T, values []T) {
	store := open(t)
	array, err := CreateArray[T](store, "a", []uint64{uint64(len(values))}, FillValue(values[0]))
	must(t, err)
	fill, err := array.FillValue()
	must(t, err)
	equal(t, []T{fill}, values[:1])
	must(t, array.Write(values))
	read := make([]T, len(values))
	must(t, array.Read(read))
	equal(t, read, values)
}

func TestTypes(t *testing.T) {
	testType(t, []bool{true, false})
	testType(t, []int8{-1, 2})
	testType(t, []int16{-1, 2})
	testType(t, []int32{-1, 2})
	testType(t, []int64{-1, 1 << 60})
	testType(t, []uint8{1, 255})
	testType(t, []uint16{1, 65535})
	testType(t, []uint32{1, 1 << 31})
	testType(t, []uint64{1, 1 << 63})
	testType(t, []float32{1.5, -2})
	testType(t, []float64{1.5, -2})
	testType(t, []complex64{1 + 2i, 3})
	testType(t, []complex128{1 + 2i, 3})
}

func TestArrays(t *testing.T) {
	store := open(t)
	array, err := CreateArray[float64](store, "g/a", []uint64{4, 6}, Chunks(2, 3), Shards(4, 3), Codec("gzip", `{"level": 1}`),
		FillValue(-1.0), DimensionNames("y", ""), WithAttributes(map[string]any{"units": "K"}), InFormat(FormatV3), Separator('.'))
	must(t, err)
	values := make([]float64, 24)
	for i := range values {
		values[i] = float64(i)
	}
	must(t, array.Write(values))
	part := make([]float64, 4)
	must(t, array.ReadSteps([]uint64{0, 1}, []uint64{2, 4}, []uint64{2, 2}, part))
	equal(t, part, []float64{1, 5, 13, 17})
	must(t, array.WriteBox([]uint64{3, 4}, []uint64{1, 2}, []float64{7, 8}))
	must(t, array.ReadBox([]uint64{3, 2}, []uint64{1, 4}, part))
	equal(t, part, []float64{20, 21, 7, 8})
	ints, err := OpenArray[int32](store, "g/a")
	must(t, err)
	row := make([]int32, 6)
	must(t, ints.ReadBox([]uint64{1, 0}, []uint64{1, 6}, row))
	equal(t, row, []int32{6, 7, 8, 9, 10, 11})

	shape, err := array.Shape()
	must(t, err)
	equal(t, shape, []uint64{4, 6})
	shards, err := array.ShardShape()
	must(t, err)
	equal(t, shards, []uint64{4, 3})
	chunks, err := array.ChunkShape()
	must(t, err)
	equal(t, chunks, []uint64{2, 3})
	sum := 0.0
	must(t, array.EachChunk(func(start, count []uint64) error {
		part := make([]float64, count[0]*count[1])
		err := array.ReadBox(start, count, part)
		for _, value := range part {
			sum += value
		}
		return err
	}))
	if sum != 276-22-23+15 {
		t.Fatal(sum)
	}
	must(t, array.Append(0, []uint64{1, 6}, make([]float64, 6)))
	must(t, array.Grow(6, 6))
	must(t, ints.Refresh())
	if shape, _ := ints.Shape(); shape[0] != 6 {
		t.Fatal(shape)
	}
	must(t, array.Resize(5, 6))
	must(t, array.Flush())
	document, err := array.Metadata()
	must(t, err)
	if !strings.Contains(document, "sharding_indexed") || array.Format() != FormatV3 || array.DataType() != Float64 || array.Rank() != 2 {
		t.Fatal(document)
	}
	if _, err := OpenArrayJSON[float64](store, "g/a", FormatV3, document); err != nil {
		t.Fatal(err)
	}
	fill, err := array.FillValueJSON()
	must(t, err)
	if fill != "-1.0" {
		t.Fatal(fill)
	}
	_, err = CreateArray[int32](store, "edges", []uint64{10}, ChunkEdges(0, 1, 9), Order('F'))
	must(t, err)
	times, err := CreateArray[int64](store, "times", []uint64{2}, StoredAs("<M8[ns]"))
	must(t, err)
	if times.DataType() != Datetime64 || StatusOf(nil) != StatusOK {
		t.Fatal(times.DataType())
	}
	_, err = CreateArrayJSON[int32](open(t), "json", FormatV2, `{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"<i4","compressor":null,"fill_value":0,"order":"C","filters":null}`)
	must(t, err)
}

func TestErrors(t *testing.T) {
	store := open(t)
	_, err := OpenArray[float64](store, "nothing")
	var own *Error
	if !errors.Is(err, ErrNotFound) || errors.Is(err, ErrIO) || !errors.As(err, &own) || !strings.Contains(own.Message, "nothing") {
		t.Fatal(err)
	}
	if _, err := Open("memory:", Append, With("thread", "2")); !errors.Is(err, ErrInvalidArgument) {
		t.Fatal(err)
	}
	array, err := CreateArray[uint8](store, "a", []uint64{3})
	must(t, err)
	for _, err := range []error{
		array.Read(make([]uint8, 2)), array.ReadBox([]uint64{0, 0}, []uint64{1, 1}, make([]uint8, 1)), array.Write(nil),
	} {
		if !errors.Is(err, ErrInvalidArgument) {
			t.Fatal(err)
		}
	}
	if err := array.ReadBox([]uint64{2}, []uint64{2}, make([]uint8, 2)); !errors.Is(err, ErrOutOfBounds) {
		t.Fatal(err)
	}
	if _, err := OpenArray[string](store, "a"); !errors.Is(err, ErrTypeMismatch) {
		t.Fatal(err)
	}
	must(t, array.Close())
	must(t, array.Close())
	if err := array.Read(make([]uint8, 3)); !errors.Is(err, ErrInvalidArgument) {
		t.Fatal(err)
	}
	if ErrNotFound.Error() != "ZARRC_NOT_FOUND" || Version() == "" {
		t.Fatal(ErrNotFound.Error())
	}
	info, err := BuildInfo()
	must(t, err)
	if !strings.Contains(info, "codecs") {
		t.Fatal(info)
	}
}

func TestStrings(t *testing.T) {
	array, err := CreateArray[string](open(t), "names", []uint64{2, 2})
	must(t, err)
	names := []string{"a", "", "größer", strings.Repeat("x", 1000)}
	must(t, array.Write(names))
	read := make([]string, 4)
	must(t, array.Read(read))
	equal(t, read, names)
	must(t, array.WriteBox([]uint64{0, 1}, []uint64{1, 1}, []string{"b"}))
	must(t, array.ReadBox([]uint64{0, 0}, []uint64{1, 2}, read[:2]))
	equal(t, read[:2], []string{"a", "b"})
	must(t, array.Append(0, []uint64{1, 2}, []string{"c", "d"}))
	must(t, array.ReadBox([]uint64{2, 0}, []uint64{1, 2}, read[:2]))
	equal(t, read[:2], []string{"c", "d"})
}

func TestHierarchy(t *testing.T) {
	store := open(t)
	group, err := store.CreateGroup("g", FormatAny)
	must(t, err)
	_, err = store.CreateGroup("g/h", FormatAny)
	must(t, err)
	group, err = store.OpenGroup("g")
	must(t, err)
	entries, err := group.List(false)
	must(t, err)
	equal(t, entries, []Entry{{"h", NodeKindGroup}})
	kind, err := store.Kind("g/h")
	must(t, err)
	if kind != NodeKindGroup {
		t.Fatal(kind)
	}
	attributes := group.Attributes()
	must(t, attributes.Set("x", []float64{1, 2.5}))
	must(t, attributes.Set("units", "K"))
	var x []float64
	must(t, attributes.Get("x", &x))
	equal(t, x, []float64{1, 2.5})
	if err := attributes.Get("units", &x); !errors.Is(err, ErrTypeMismatch) {
		t.Fatal(err)
	}
	must(t, attributes.Delete("x"))
	must(t, attributes.Replace(map[string]any{"y": 1}))
	all, err := attributes.JSON("")
	must(t, err)
	if all != `{"y":1}` {
		t.Fatal(all)
	}
	must(t, store.Delete("g/h"))
	must(t, store.Set("key", []byte("value")))
	value, err := store.Get("key")
	must(t, err)
	part, err := store.GetRange("key", 1, 2)
	must(t, err)
	if string(value) != "value" || string(part) != "al" {
		t.Fatal(string(value), string(part))
	}
	must(t, store.Erase("key"))
	must(t, store.ErasePrefix("none/"))
	must(t, store.Forget(""))
	array, err := CreateArray[int32](store, "a", []uint64{3})
	must(t, err)
	must(t, array.Write([]int32{1, 2, 3}))
	other := open(t)
	plan, err := store.ConvertPlan("a", other, "", FormatV2)
	must(t, err)
	if !strings.Contains(plan, "nodes") {
		t.Fatal(plan)
	}
	must(t, store.Convert("a", other, "", FormatV2))
	converted, err := OpenArray[int32](other, "")
	must(t, err)
	read := make([]int32, 3)
	must(t, converted.Read(read))
	equal(t, read, []int32{1, 2, 3})
}

type mapStore struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (m *mapStore) Get(key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if key == "broken/zarr.json" {
		panic("the disk is on fire")
	}
	if value, ok := m.values[key]; ok {
		return value, nil
	}
	return nil, fs.ErrNotExist
}
func (m *mapStore) Set(key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = value
	return nil
}
func (m *mapStore) Erase(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
	return nil
}
func (m *mapStore) List(prefix string, give func(string) bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.values {
		if strings.HasPrefix(key, prefix) && !give(key) {
			break
		}
	}
	return nil
}

type flip struct{}

func (flip) Encode(from []byte) ([]byte, error) {
	to := make([]byte, len(from))
	for i, b := range from {
		to[i] = ^b
	}
	return to, nil
}
func (f flip) Decode(from []byte) ([]byte, error) { return f.Encode(from) }

func TestCustom(t *testing.T) {
	own := &mapStore{values: map[string][]byte{}}
	store, err := FromReader(own)
	must(t, err)
	must(t, RegisterCodec("org.example.flip", flip{}))
	if err := RegisterCodec("org.example.flip", flip{}); !errors.Is(err, ErrAlreadyExists) {
		t.Fatal(err)
	}
	array, err := CreateArray[uint8](store, "a", []uint64{3}, Codec("org.example.flip", ""))
	must(t, err)
	must(t, array.Write([]uint8{1, 2, 3}))
	equal(t, own.values["a/c/0"], []byte{254, 253, 252})
	read := make([]uint8, 3)
	must(t, array.Read(read))
	equal(t, read, []uint8{1, 2, 3})
	if _, err := OpenArray[uint8](store, "broken"); !errors.Is(err, ErrIO) || !strings.Contains(err.Error(), "on fire") {
		t.Fatal(err)
	}
	root, err := store.OpenGroup("")
	must(t, err)
	entries, err := root.List(true)
	must(t, err)
	equal(t, entries, []Entry{{"a", NodeKindArray}})
	must(t, array.Close())
	must(t, UnregisterCodec("org.example.flip"))
	must(t, store.Close())
}

// Uses, closings and the garbage collector beside each other: for `go test -race`.
func TestRaces(t *testing.T) {
	store := open(t)
	array, err := CreateArray[int64](store, "a", []uint64{1000}, Chunks(10))
	must(t, err)
	values := make([]int64, 1000)
	for i := range values {
		values[i] = int64(i)
	}
	must(t, array.Write(values))
	var wait sync.WaitGroup
	for n := 0; n < 8; n++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := 0; i < 20; i++ {
				own, err := OpenArray[int64](store, "a")
				must(t, err)
				part := make([]int64, 500)
				must(t, own.ReadBox([]uint64{uint64(i)}, []uint64{500}, part))
				if part[0] != int64(i) {
					t.Error(part[0])
				}
				if err := array.ReadBox([]uint64{0}, []uint64{500}, part); err != nil && !errors.Is(err, ErrInvalidArgument) {
					t.Error(err)
				}
				runtime.GC()
			}
		}()
	}
	array.Close()
	wait.Wait()
}

func TestWriter(t *testing.T) {
	store := open(t)
	writer, err := store.OpenStepWriter("stream", StepWriterOptions{BufferBytes: 1 << 20})
	must(t, err)
	field, err := Declare[float32](writer, "field", []uint64{0, 3}, Chunks(2, 3), DimensionNames("time", "x"))
	must(t, err)
	times, err := Declare[int64](writer, "time", []uint64{0}, DimensionNames("time"))
	must(t, err)
	var group sync.WaitGroup
	for step := uint64(0); step < 3; step++ {
		group.Add(1)
		go func(step uint64) {
			defer group.Done()
			if e := field.Put([]uint64{step, 0}, []uint64{1, 3}, []float32{float32(step), 8, 9}); e != nil {
				t.Error(e)
			}
		}(step)
	}
	must(t, times.Put([]uint64{0}, []uint64{3}, []int64{5, 6, 7}))
	group.Wait()
	must(t, writer.Commit(3))
	must(t, writer.Flush())
	steps, err := writer.Steps()
	must(t, err)
	equal(t, []uint64{steps}, []uint64{3})
	if e := times.Put([]uint64{0}, []uint64{1}, []int64{5}); !errors.Is(e, ErrOutOfBounds) {
		t.Fatalf("a committed step: %v", e)
	}
	if e := times.Put([]uint64{3}, []uint64{2}, []int64{5}); !errors.Is(e, ErrInvalidArgument) {
		t.Fatalf("too few elements: %v", e)
	}
	must(t, writer.Close())
	array, err := OpenArray[float32](store, "stream/field")
	must(t, err)
	read := make([]float32, 9)
	must(t, array.Read(read))
	equal(t, read, []float32{0, 8, 9, 1, 8, 9, 2, 8, 9})
}
