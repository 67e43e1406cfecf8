# The streaming writer.

"""
    Writer(store, path=""; flush_seconds=0, buffer_bytes=0)

Arrays of a group that grow by steps, which readers see whole or not at all:

    Zarrc.Writer(store) do writer
        field = Zarrc.declare(writer, "field", Float32, (180, 90, 0))
        for step in Zarrc.steps(writer)+1:100
            field[:, :, step] = values
            Zarrc.commit!(writer, step)
        end
    end

flush_seconds: how long a committed step may stay invisible because its chunks are not full; 0: until `flush`. buffer_bytes:
limit of the memory of chunks that are not full; 0: two rows of chunks of each array. A block is copied, and written while
the program goes on.
"""
struct Writer
    handle::Handle
end

function Writer(store::Store, path::AbstractString=""; flush_seconds=0, buffer_bytes=0)
    options = Ref(CWriterOptions(sizeof(CWriterOptions), flush_seconds, buffer_bytes))
    pointer = GC.@preserve options with(store.handle) do p
        how = Ptr{Cvoid}(Base.unsafe_convert(Ptr{CWriterOptions}, options))
        new_pointer((out, err) -> zarrc_writer_open(p, path, how, out, err))
    end
    Writer(Handle(pointer, zarrc_writer_close))
end

function Writer(f::Function, arguments...; settings...)
    writer = Writer(arguments...; settings...)
    try
        f(writer)
    finally
        close(writer)
    end
end

# These wait for the store, or for room in the queue: in a thread of libuv's, so that other tasks go on.
const PUT, FLUSH, CLOSE = (findfirst(==(name), FUNCTIONS) for name in (:zarrc_writer_put, :zarrc_writer_flush, :zarrc_writer_close))
put_elsewhere(writer, variable, start, count, type, block, size, err) =
    @threadcall(ADDRESSES[PUT], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{CError}),
                writer, variable, start, count, type, block, size, err)
flush_elsewhere(writer, err) = @threadcall(ADDRESSES[FLUSH], Int32, (Ptr{Cvoid}, Ptr{CError}), writer, err)
close_elsewhere(writer, err) = @threadcall(ADDRESSES[CLOSE], Int32, (Ptr{Cvoid}, Ptr{CError}), writer, err)

"""Makes all committed steps visible, and ends. Other tasks go on meanwhile."""
function Base.close(writer::Writer)
    pointer, writer.handle.pointer = writer.handle.pointer, C_NULL
    pointer == C_NULL || check(err -> close_elsewhere(pointer, err))
    nothing
end
Base.show(io::IO, writer::Writer) = print(io, "Zarrc.Writer()")

"""An array of a writer. Blocks are put by `variable[:, 1:3, step] = values`; the last index is the step, or steps."""
struct Variable{T,N}
    writer::Writer
    number::Csize_t
    dims::NTuple{N,Int}
end

"""
    declare(writer, name, T, dims; settings...)

Creates an array of numbers whose last extent is 0, or opens it to go on; the settings are those of `create_array`. Declare
all arrays before the first block or commit.
"""
function declare(writer::Writer, name, T::Type, dims; settings...)
    number = Ref{Csize_t}(0)
    described(T, dims; settings...) do spec
        with(p -> check(err -> zarrc_writer_declare(p, name, spec, number, err)), writer.handle)
    end
    Variable{T,length(dims)}(writer, number[], Dims(dims))
end

function Base.setindex!(variable::Variable{T,N}, values, indices::Vararg{Union{Integer,Colon,AbstractUnitRange{<:Integer}},N}) where {T,N}
    last(indices) isa Colon && throw(ArgumentError("expected a step, or a range of steps, as last index"))
    ranges = map((index, extent) -> index isa Colon ? (1:extent) : index isa Integer ? (index:index) : index, indices, variable.dims)
    all(range -> isempty(range) || first(range) >= 1, ranges) || throw(BoundsError(variable, indices))
    count = map(length, ranges)
    if !(values isa AbstractArray)
        values = fill(convert(T, values), count)
    end
    length(values) == prod(count) || throw(DimensionMismatch("$(size(values)) values for $count elements"))
    block = eltype(values) === T || !haskey(NUMBERS, eltype(values)) ? convert(Array{T}, values) : Array(values)
    start = UInt64[isempty(range) ? 0 : first(range) - 1 for range in reverse(ranges)]
    extent = collect(UInt64, reverse(count))
    GC.@preserve block start extent with(variable.writer.handle) do p
        address, number = Ptr{Cvoid}(pointer(block)), Int32(NUMBERS[eltype(block)])
        check(err -> put_elsewhere(p, variable.number, pointer(start), pointer(extent), number, address, sizeof(block), err))
    end
    variable
end

"""All blocks of the first `steps` steps were put; does not wait."""
commit!(writer::Writer, steps) = (with(p -> check(err -> zarrc_writer_commit(p, steps, err)), writer.handle); writer)
"""Makes all committed steps visible, and waits for that. Other tasks go on meanwhile."""
Base.flush(writer::Writer) = with(p -> check(err -> flush_elsewhere(p, err)), writer.handle)

"""The steps that readers see; at first, and once all arrays are declared, those after which to go on."""
function steps(writer::Writer)
    found = Ref{UInt64}(0)
    with(p -> check(err -> zarrc_writer_steps(p, found, err)), writer.handle)
    Int(found[])
end
