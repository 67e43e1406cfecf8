# Selections: what stands between the brackets, as the library takes it.

"""What is read or written of an array. Julia's indexing is that of the library: each dimension goes by itself."""
mutable struct Selection
    pointer::Ptr{Cvoid}
    shape::Dims  # of the result, in Julia's order
    function Selection(array)
        selection = new(with(p -> new_pointer((out, err) -> zarrc_selection_new(p, out, err)), array.handle), ())
        finalizer(s -> zarrc_selection_free(s.pointer), selection)
    end
end

const Steps = Union{AbstractUnitRange{<:Integer},StepRange{<:Integer,<:Integer}}
const Flags = AbstractVector{Bool}
const Index = Union{Integer,Colon,AbstractArray{<:Integer}}

# One dimension, counted from 0 in Zarr's order. A result has the dimensions of its indices one after the other.
select!(s, d, ::Colon, extent) = (extent,)
select!(s, d, index::Integer, extent) = (check(err -> zarrc_selection_set_index(s.pointer, d, index - 1, err)); ())
function select!(s, d, index::Steps, extent)
    start = isempty(index) ? 0 : first(index) - 1
    check(err -> zarrc_selection_set_range(s.pointer, d, start, step(index), length(index), err))
    (length(index),)
end
function select!(s, d, index::Flags, extent)
    mask = collect(UInt8, index)
    check(err -> zarrc_selection_set_mask(s.pointer, d, length(mask), mask, err))
    (count(index),)
end
function select!(s, d, index::AbstractArray{<:Integer}, extent)
    indices = UInt64[i - 1 for i in index]
    check(err -> zarrc_selection_set_indices(s.pointer, d, length(indices), indices, err))
    size(index)
end

within(::Colon, extent) = true
within(index::Integer, extent) = 1 <= index <= extent
within(index::Flags, extent) = length(index) == extent
within(index::AbstractArray{<:Integer}, extent) = isempty(index) || (minimum(index) >= 1 && maximum(index) <= extent)

function select(array, indices...)
    length(indices) == ndims(array) && all(map(within, indices, size(array))) || throw(BoundsError(array, indices))
    selection = Selection(array)
    for (n, (index, extent)) in enumerate(zip(indices, size(array)))
        selection.shape = (selection.shape..., select!(selection, ndims(array) - n, index, extent)...)
    end
    selection
end

"""Elements one by one."""
function select(array, points::AbstractVector{<:CartesianIndex})
    all(point -> checkbounds(Bool, CartesianIndices(size(array)), point), points) || throw(BoundsError(array, points))
    coordinates = UInt64[i - 1 for point in points for i in reverse(Tuple(point))]
    selection = Selection(array)
    check(err -> zarrc_selection_set_points(selection.pointer, length(points), coordinates, err))
    selection.shape = (length(points),)
    selection
end

"""The elements of a mask of the whole array."""
function select_mask(array, mask)
    size(mask) == size(array) || throw(BoundsError(array, mask))
    flags = collect(UInt8, vec(mask))
    selection = Selection(array)
    check(err -> zarrc_selection_set_element_mask(selection.pointer, flags, length(flags), err))
    selection.shape = (count(mask),)
    selection
end

"""
    select_blocks(array, ranges...)

Whole chunks (shards, if the array has them) by ranges of their own indices, for `read_selected` and `write_selected`.
"""
function select_blocks(array, ranges::AbstractUnitRange...)
    length(ranges) == ndims(array) || throw(BoundsError(array, ranges))
    selection = Selection(array)
    start, count = UInt64[first(r) - 1 for r in reverse(ranges)], UInt64[length(r) for r in reverse(ranges)]
    check(err -> zarrc_selection_set_blocks(selection.pointer, start, count, err))
    rank = zarrc_selection_rank(selection.pointer)
    shape = zeros(UInt64, rank)
    check(err -> zarrc_selection_shape(selection.pointer, rank, shape, err))
    selection.shape = Dims(reverse(shape))
    selection
end

"""
    read_field(array, name, T, indices...)

One field of the elements of a struct type, as `T`.
"""
function read_field(array, name, T::Type, indices...)
    selection = select(array, indices...)
    check(err -> zarrc_selection_set_field(selection.pointer, name, err))
    out = Array{T}(undef, selection.shape)
    read!(array, selection, out, Int32(NUMBERS[T]))
    out
end

"""
    coordinates(array, selection; first=1, count)

The indices of the selected elements, in the order of the result, as `CartesianIndex`es; `count` of them (default: all) from
the number `first` on.
"""
function coordinates(array::AbstractArray{T,N}, selection::Selection; first=1, count=prod(selection.shape) - first + 1) where {T,N}
    found = zeros(UInt64, N, count)
    GC.@preserve selection check(err -> zarrc_selection_coordinates(selection.pointer, N, first - 1, count, found, err))
    [CartesianIndex(ntuple(d -> Int(found[N+1-d, n]) + 1, N)) for n in 1:count]
end
coordinates(array, indices...; settings...) = coordinates(array, select(array, indices...); settings...)

# ---- requests

"""A read or write that was started. Tasks wait for it without blocking each other: `wait`, `fetch`; `isready`, `cancel`."""
mutable struct Request
    pointer::Ptr{Cvoid}
    memory::Any  # outlives the request
    result::Any
    function Request(start, memory, result)
        request = new(GC.@preserve(memory, new_pointer(start)), memory, result)
        finalizer(free, request)
    end
end

function free(request::Request)
    zarrc_request_free(request.pointer)  # waits
    request.pointer = C_NULL
end

function Base.isready(request::Request)
    done = Ref(false)
    GC.@preserve request check(err -> zarrc_request_test(request.pointer, done, err))
    done[]
end

function Base.wait(request::Request)
    if !isready(request)
        fd = Ref{Int32}(-1)
        GC.@preserve request check(err -> zarrc_request_fd(request.pointer, fd, err))
        poll_fd(RawFD(fd[]); readable=true)
    end
    GC.@preserve request check(err -> zarrc_request_wait(request.pointer, err))
end

"""Waits; what was read."""
Base.fetch(request::Request) = (wait(request); request.result)
"""Ends it at the next chunk: `wait` then throws `ZARRC_CANCELLED`, unless it was done before."""
cancel(request::Request) = GC.@preserve request zarrc_request_cancel(request.pointer)

"""Waits until one of several requests is done, and returns the first that is; the thread waits with its other tasks."""
function wait_any(requests::AbstractVector{Request})
    index = Ref{Csize_t}(0)
    pointers = [request.pointer for request in requests]
    GC.@preserve requests check(err -> zarrc_request_wait_any(pointers, length(pointers), index, err))
    requests[index[]+1]
end

"""Waits for a request; an exception, as of Ctrl-C, ends it before its memory goes away."""
function finish(request::Request)
    try
        wait(request)
    catch
        cancel(request)
        rethrow()
    finally
        finalize(request)
    end
end

function start_read(array, selection, out, memory_type)
    address = Ptr{Cvoid}(pointer(out))
    Request((array, selection, out), out) do request, err
        with(p -> zarrc_array_read_selection_start(p, selection.pointer, memory_type, address, C_NULL, sizeof(out), request, err), array.handle)
    end
end

function start_write(array, selection, values, memory_type)
    address = Ptr{Cvoid}(pointer(values))
    Request((array, selection, values), nothing) do request, err
        with(p -> zarrc_array_write_selection_start(p, selection.pointer, memory_type, address, C_NULL, sizeof(values), request, err), array.handle)
    end
end

read!(array, selection, out, memory_type) = finish(start_read(array, selection, out, memory_type))
