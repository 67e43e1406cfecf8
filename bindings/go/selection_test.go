package zarrc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// field is 10 y + x, in chunks of 2 by 3.
func field(t *testing.T, store *Store, path string) *Array[float64] {
	a, err := CreateArray[float64](store, path, []uint64{4, 6}, Chunks(2, 3), DimensionNames("y", ""))
	must(t, err)
	values := make([]float64, 24)
	for i := range values {
		values[i] = float64(10*(i/6) + i%6)
	}
	must(t, a.Write(values))
	return a
}

func TestSelections(t *testing.T) {
	a := field(t, open(t), "a")
	ctx, end := context.WithTimeout(context.Background(), time.Hour)
	defer end()
	for _, c := range []context.Context{context.Background(), ctx} {
		read := func(s *Selection, e error) []float64 {
			t.Helper()
			must(t, e)
			shape, e := s.Shape()
			must(t, e)
			n := uint64(1)
			for _, extent := range shape {
				n *= extent
			}
			dst := make([]float64, n)
			must(t, a.ReadSelection(c, s, dst))
			must(t, a.WriteSelection(c, s, dst))
			return dst
		}
		equal(t, read(a.Select(Range(3, -2, 2), List(5, 0, 5))), []float64{35, 30, 35, 15, 10, 15})
		equal(t, read(a.Select(Index(2), Mask(true, false, false, true, true, false))), []float64{20, 23, 24})
		equal(t, read(a.Select(Index(1), All())), []float64{10, 11, 12, 13, 14, 15})
		equal(t, read(a.SelectPoints([]uint64{3, 5}, []uint64{0, 1})), []float64{35, 1})
		mask := make([]bool, 24)
		mask[7], mask[23] = true, true
		equal(t, read(a.SelectMask(mask)), []float64{11, 35})
		equal(t, read(a.SelectBlocks([]uint64{1, 1}, []uint64{1, 1})), []float64{23, 24, 25, 33, 34, 35})
		if n := len(read(a.Select())); n != 24 {
			t.Fatal(n)
		}
	}
	s, err := a.Select(List(3, 1), Index(0))
	must(t, err)
	must(t, a.WriteSelection(ctx, s, []float64{-1, -2}))
	must(t, a.Fill(nil, 0.5))
	must(t, a.Fill(s, 7))
	dst := make([]float64, 24)
	must(t, a.Read(dst))
	if dst[0] != 0.5 || dst[6] != 7 || dst[18] != 7 {
		t.Fatal(dst)
	}
	for _, e := range []error{
		a.ReadSelection(ctx, s, dst), s.Field("x"), func() error { _, e := a.Select(All()); return e }(),
		func() error { _, e := a.Select(Index(4), All()); return e }(), func() error { _, e := a.SelectPoints([]uint64{1}); return e }(),
	} {
		if e == nil {
			t.Fatal("expected an error")
		}
	}
	must(t, s.Close())
	if a.ReadSelection(ctx, s, dst[:2]) == nil || a.Fill(s, 1) == nil {
		t.Fatal("a closed selection")
	}
}

func TestSelectedStrings(t *testing.T) {
	a, err := CreateArray[string](open(t), "a", []uint64{3})
	must(t, err)
	must(t, a.Fill(nil, "none"))
	s, err := a.Select(List(2, 0))
	must(t, err)
	must(t, a.WriteSelection(context.Background(), s, []string{"c", "a"}))
	s, err = a.Select(Range(2, -1, 3))
	must(t, err)
	dst := make([]string, 3)
	must(t, a.ReadSelection(context.Background(), s, dst))
	equal(t, dst, []string{"c", "none", "a"})
}

// slow is a store whose reads wait, so that they can be ended.
type slow struct{ started chan struct{} }

func (s slow) Get(key string) ([]byte, error) {
	if !strings.HasSuffix(key, "zarr.json") {
		select {
		case s.started <- struct{}{}:
		default:
		}
		time.Sleep(20 * time.Millisecond)
		return nil, ErrNotFound
	}
	return []byte(`{"zarr_format": 3, "node_type": "array", "shape": [10000], "data_type": "uint8", "fill_value": 0, "chunk_grid":
		{"name": "regular", "configuration": {"chunk_shape": [1]}}, "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}]}`), nil
}

func TestContext(t *testing.T) {
	own := slow{make(chan struct{}, 1)}
	store, err := FromReader(own, Threads(2))
	must(t, err)
	a, err := OpenArray[uint8](store, "")
	must(t, err)
	s, err := a.Select()
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-own.started
		cancel()
	}()
	begin := time.Now()
	err = a.ReadSelection(ctx, s, make([]uint8, 10000))
	if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrCancelled) {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 20*time.Second { // all of it takes 100 s
		t.Fatal(took)
	}
	if err = a.ReadSelection(ctx, s, make([]uint8, 10000)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestWaysToOpen(t *testing.T) {
	store := open(t)
	a, err := RequireArray[float32](store, "a", []uint64{2, 3}, FillValue(float32(5)))
	must(t, err)
	if _, err := RequireArray[float32](store, "a", []uint64{3}); !errors.Is(err, ErrAlreadyExists) {
		t.Fatal(err)
	}
	same, err := OpenOrCreateArray[float32](store, "a", []uint64{3})
	must(t, err)
	like, err := CreateArrayLike(store, "like", a, WithShape(4, 4))
	must(t, err)
	other, err := OverwriteArray[float32](store, "a", []uint64{3}, MissingValue(float32(-999)))
	must(t, err)
	if same.Rank() != 2 || like.Rank() != 2 || other.Rank() != 1 {
		t.Fatal("ranks")
	}
	if v, err := other.FillValue(); err != nil || v != -999 {
		t.Fatal(v, err)
	}
	from, err := CreateArrayFrom(store, "from", []uint64{2}, []int16{3, 4})
	must(t, err)
	must(t, from.SetMissingValue(-1))
	var missing int
	must(t, from.Attributes().Get("_FillValue", &missing))
	if missing != -1 {
		t.Fatal(missing)
	}
	g, err := store.RequireGroup("g/h", FormatAny)
	must(t, err)
	must(t, g.Attributes().Update(map[string]any{"a": []any{1, nil, true}, "b": "x"}))
	text, err := g.Attributes().JSON("a")
	must(t, err)
	if text != "[1,null,true]" && text != "[1, null, true]" {
		t.Fatal(text)
	}
	_, err = store.OverwriteGroup("g", FormatAny)
	must(t, err)
	url := filepath.Join(t.TempDir(), "s.zarr")
	disk, err := Open(url, Overwrite)
	must(t, err)
	field(t, disk, "f")
	_, err = OpenArrayURL[float64](url+"/f", Read)
	must(t, err)
	root, err := OpenGroupURL(url, Read, Threads(1))
	must(t, err)
	tree, err := root.Tree()
	must(t, err)
	seen := ""
	must(t, root.Visit(func(e Entry) bool { seen += e.Path; return true }))
	if seen != "f" || !strings.Contains(tree, "f (4, 6) float64") {
		t.Fatal(seen, tree)
	}
}

func TestTold(t *testing.T) {
	a := field(t, open(t), "a")
	if name, err := a.DimensionName(0); err != nil || name != "y" {
		t.Fatal(name, err)
	}
	if name, err := a.DimensionName(1); err != nil || name != "" {
		t.Fatal(name, err)
	}
	for _, get := range []func() (string, error){a.DataTypeText, a.Codecs, a.Info, a.Path, a.StoreName, a.Metadata,
		func() (string, error) { return a.ContentDigest("sha1") }, func() (string, error) { return a.StoredDigest("sha256") }} {
		if text, err := get(); err != nil || text == "" {
			t.Fatal(text, err)
		}
	}
	if key, err := a.ChunkKey(1, 1); err != nil || key != "a/c/1/1" || a.Order() != 'C' || a.Separator() != '/' {
		t.Fatal(key, err)
	}
	chunks := 0
	must(t, a.VisitChunks(func(index []uint64, key string, bytes uint64) bool {
		chunks++
		return bytes > 0 && len(index) == 2 && chunks < 3
	}))
	if chunks != 3 {
		t.Fatal(chunks)
	}
}

func TestOperations(t *testing.T) {
	store, other, ctx := open(t), open(t), context.Background()
	a := field(t, store, "p/a")
	last := 0.0
	copied, err := Copy(ctx, store, "p", other, "q", Copying{Progress: func(done float64, what string) bool { last = done; return true }})
	must(t, err)
	if copied.Keys < 5 || last != 1 {
		t.Fatal(copied, last)
	}
	if _, err := Copy(ctx, store, "p", other, "q", Copying{}); !errors.Is(err, ErrAlreadyExists) {
		t.Fatal(err)
	}
	if copied, err = Copy(ctx, store, "p", other, "q", Copying{IfExists: IfExistsSkip}); err != nil || copied.Skipped < 5 {
		t.Fatal(copied, err)
	}
	if copied, err = Copy(ctx, store, "p", other, "r", Copying{Exclude: []string{"a"}, DryRun: true}); err != nil || copied.Keys > 1 {
		t.Fatal(copied, err)
	}
	if _, err := Copy(ctx, store, "p", other, "r", Copying{Link: true}); !errors.Is(err, ErrUnsupported) {
		t.Fatal(err) // in memory
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Copy(ended, store, "p", other, "r", Copying{}); !errors.Is(err, context.Canceled) || !errors.Is(err, ErrCancelled) {
		t.Fatal(err)
	}
	must(t, other.Move("q", "s"))
	must(t, Rechunk(ctx, a, other, "wide", 0, nil, Chunks(4, 1)))
	must(t, other.Consolidate("s"))
	must(t, other.Set("wide/c/9/9", []byte("x")))
	report, err := other.Verify(ctx, "wide", nil)
	must(t, err)
	if !strings.Contains(report, `"outside"`) {
		t.Fatal(report)
	}
	if report, err = other.Repair(ctx, "wide", "outside", true, nil); err != nil || !strings.Contains(report, "outside") {
		t.Fatal(report, err)
	}
	_, err = other.Repair(ctx, "wide", "outside", false, nil)
	must(t, err)
	if report, err = other.Verify(ctx, "wide", nil); err != nil || strings.Contains(report, `"outside"`) {
		t.Fatal(report, err)
	}
}

func TestCoordinatesAndAppendWith(t *testing.T) {
	store, e := Open("memory:", Append)
	must(t, e)
	defer store.Close()
	array, e := CreateArray[float64](store, "log", []uint64{0, 2, 3}, Chunks(2, 2, 3))
	must(t, e)
	defer array.Close()
	var kept *Array[float64]
	for n := uint64(0); n < 2; n++ {
		must(t, array.AppendWith(0, 2, func(grown *Array[float64], document string, first uint64) error {
			if first != 2*n {
				t.Errorf("begins at %d", first)
			}
			kept = grown
			if e := grown.WriteBox([]uint64{first, 0, 0}, []uint64{1, 2, 3}, []float64{1, 2, 3, 4, 5, 6}); e != nil {
				return e
			}
			other, e := OpenArrayJSON[float64](store, "log", FormatV3, document)
			if e != nil {
				return e
			}
			defer other.Close()
			return other.WriteBox([]uint64{first + 1, 0, 0}, []uint64{1, 2, 3}, []float64{7, 8, 9, 10, 11, 12})
		}))
	}
	if _, e := kept.Shape(); e == nil {
		t.Error("what the function kept is open")
	}
	got := make([]float64, 6)
	must(t, array.ReadBox([]uint64{3, 0, 0}, []uint64{1, 2, 3}, got))
	if got[0] != 7 || got[5] != 12 {
		t.Errorf("%v", got)
	}
	mine := errors.New("mine")
	e = array.AppendWith(0, 1, func(*Array[float64], string, uint64) error { return mine })
	if e == nil || !strings.Contains(e.Error(), "mine") {
		t.Errorf("%v", e)
	}
	e = array.AppendWith(0, 1, func(*Array[float64], string, uint64) error { panic("mine") })
	if e == nil || !strings.Contains(e.Error(), "panic: mine") {
		t.Errorf("%v", e)
	}
	if shape, e := array.Shape(); e != nil || shape[0] != 4 {
		t.Errorf("%v %v", shape, e)
	}
	selection, e := array.Select(Index(3), Range(1, -1, 2), List(2, 0))
	must(t, e)
	defer selection.Close()
	points, e := selection.Coordinates(1, 3)
	must(t, e)
	if fmt.Sprint(points) != "[[3 1 0] [3 0 2] [3 0 0]]" {
		t.Errorf("%v", points)
	}
	if _, e := selection.Coordinates(2, 3); !errors.Is(e, ErrOutOfBounds) {
		t.Errorf("%v", e)
	}
	if _, e := CreateArray[float64](store, "many/a/b", []uint64{2}); e != nil {
		t.Error(e)
	}
	var told []string
	deleted, e := store.DeleteAll(context.Background(), "many", func(done float64, what string) bool {
		told = append(told, what)
		return true
	})
	if e != nil || deleted == 0 || len(told) == 0 {
		t.Errorf("%d nodes, %v, %v", deleted, told, e)
	}
}
