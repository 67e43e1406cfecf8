# The tutorial in Julia: each part between ANCHOR lines is a snippet of the book.
# ANCHOR: create
using Zarrc

store = Zarrc.open("tutorial.zarr", "w")
array = create_array(store, "temperature", Float32, (6, 4, 3); chunks=(6, 4, 1),
                     dimension_names=("x", "y", "time"))
# ANCHOR_END: create

# ANCHOR: write
values = Float32[100t + 10y + x for x in 0:5, y in 0:3, t in 0:2]
array[:, :, :] = values
# ANCHOR_END: write

# ANCHOR: read
part = Float64.(array[3:5, 2:3, 2])
foreach(row -> println(join(Int.(row), " ")), eachcol(part))
# ANCHOR_END: read

# ANCHOR: select
selected = array[1:2:5, [4, 1], 3]
foreach(row -> println(join(Int.(row), " ")), eachcol(selected))
# ANCHOR_END: select

# ANCHOR: append
append!(array, values[:, :, 1:1])          # along the last dimension
println("steps ", size(array, 3))
# ANCHOR_END: append

# ANCHOR: attributes
array.attributes["units"] = "K"
println("units ", array.attributes["units"])
# ANCHOR_END: attributes

# ANCHOR: request
reading = @async array[:, :, 1]            # a task that reads does not block the others
# other work
println("sum ", Int(sum(fetch(reading))))
# ANCHOR_END: request

# ANCHOR: errors
try
    open_array(store, "nothing")
catch e
    e isa Zarrc.Error && e.status == Zarrc.ZARRC_NOT_FOUND || rethrow()
    println("not found")
end
# ANCHOR_END: errors

# ANCHOR: close
close(array)
close(store)
# ANCHOR_END: close
