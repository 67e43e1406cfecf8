package main

import ("errors"; "fmt"; "log"; "zarrc")

func main() {
	field := make([]float64, 24)
	for i := range field { field[i] = float64(10*(i/6) + i%6) }
	store, err := zarrc.Open("first.zarr", zarrc.Overwrite)
	if err != nil { log.Fatal(err) }
	defer store.Close()
	array, err := zarrc.CreateArray[float64](store, "field", []uint64{4, 6})
	if err != nil { log.Fatal(err) }
	defer array.Close()
	if err := array.Write(field); err != nil { log.Fatal(err) }
	part := make([]float64, 6)
	if err := array.ReadBox([]uint64{1, 2}, []uint64{2, 3}, part); err != nil { log.Fatal(err) }
	fmt.Println(part[0], part[1], part[2]); fmt.Println(part[3], part[4], part[5])
	if _, err := zarrc.OpenArray[float64](store, "nothing"); !errors.Is(err, zarrc.ErrNotFound) { log.Fatal("expected not found") }
}
