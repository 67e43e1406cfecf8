// The tutorial in Go: each part between ANCHOR lines is a snippet of the book.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"zarrc"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	// ANCHOR: create
	store, err := zarrc.Open("tutorial.zarr", zarrc.Overwrite)
	check(err)
	array, err := zarrc.CreateArray[float32](store, "temperature", []uint64{3, 4, 6},
		zarrc.Chunks(1, 4, 6), zarrc.DimensionNames("time", "y", "x"))
	check(err)
	// ANCHOR_END: create

	// ANCHOR: write
	values := make([]float32, 3*4*6)
	for i := range values {
		t, y, x := i/24, i/6%4, i%6
		values[i] = float32(100*t + 10*y + x)
	}
	check(array.Write(values))
	// ANCHOR_END: write

	// ANCHOR: read
	part := make([]float32, 6)
	check(array.ReadBox([]uint64{1, 1, 2}, []uint64{1, 2, 3}, part))
	fmt.Println(part[0], part[1], part[2])
	fmt.Println(part[3], part[4], part[5])
	// ANCHOR_END: read

	// ANCHOR: select
	selection, err := array.Select(zarrc.Index(2), zarrc.List(3, 0), zarrc.Range(0, 2, 3))
	check(err)
	check(array.ReadSelection(context.Background(), selection, part))
	fmt.Println(part[0], part[1], part[2])
	fmt.Println(part[3], part[4], part[5])
	// ANCHOR_END: select

	// ANCHOR: append
	check(array.Append(0, []uint64{1, 4, 6}, values[:24]))
	shape, err := array.Shape()
	check(err)
	fmt.Println("steps", shape[0])
	// ANCHOR_END: append

	// ANCHOR: attributes
	check(array.Attributes().Set("units", "K"))
	var units string
	check(array.Attributes().Get("units", &units))
	fmt.Println("units", units)
	// ANCHOR_END: attributes

	// ANCHOR: request
	ctx, cancel := context.WithCancel(context.Background()) // ends a read at its next chunk
	defer cancel()
	sums := make(chan float32)
	go func() {
		first := make([]float32, 24)
		selection, err := array.Select(zarrc.Index(0), zarrc.All(), zarrc.All())
		check(err)
		check(array.ReadSelection(ctx, selection, first))
		var sum float32
		for _, value := range first {
			sum += value
		}
		sums <- sum
	}()
	fmt.Println("sum", <-sums)
	// ANCHOR_END: request

	// ANCHOR: errors
	_, err = zarrc.OpenArray[float32](store, "nothing")
	if errors.Is(err, zarrc.ErrNotFound) {
		fmt.Println("not found")
	}
	// ANCHOR_END: errors

	// ANCHOR: close
	check(array.Close())
	check(store.Close())
	// ANCHOR_END: close
}
