"""
Zarr arrays of every version and store.

    using Zarrc
    store = Zarrc.open("first.zarr", "w")
    array = create_array(store, "field", Float64, size(field))
    array[:, :] = field
    part = array[3:5, 2:3]
    array.attributes["units"] = "K"

Indices begin at 1 and the first dimension is the fastest, as in any array of Julia: it is Zarr's last, so nothing is
transposed or copied. The library is found as `libzarrc`, or where the environment variable `ZARRC_LIBRARY` says.
"""
module Zarrc

using FileWatching: poll_fd
using Libdl

export create_array, open_array, create_group, open_group, attributes, chunks, resize_array!, read_missing

include("api.jl")
include("json.jl")
include("library.jl")
include("store.jl")
include("transaction.jl")
include("selection.jl")
include("array.jl")
include("operations.jl")
include("writer.jl")

function __init__()
    library = Libdl.dlopen(get(ENV, "ZARRC_LIBRARY", "libzarrc"))
    for (number, name) in enumerate(FUNCTIONS)
        ADDRESSES[number] = Libdl.dlsym(library, name)
    end
end

end
