using Zarrc
field = [10.0 * y + x for x in 0:5, y in 0:3]                   # column-major: the same order in the store, no copy
store = Zarrc.open("first.zarr", "w")
array = create_array(store, "field", Float64, size(field))
array[:, :] = field
part = array[3:5, 2:3]
println(Int.(part[:, 1])...); println(Int.(part[:, 2])...)
array.attributes["units"] = "K"
