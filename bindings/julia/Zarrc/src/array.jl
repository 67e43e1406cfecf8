# Arrays: Julia's indexing over the C functions.

const TYPES = Dict{DataType,Tuple{Base.DataType,DataType}}()  # stored: Julia's type, and the memory type to ask for
const NUMBERS = Dict{Base.DataType,DataType}()
for (number, type) in (
    ZARRC_BOOL => Bool, ZARRC_INT8 => Int8, ZARRC_INT16 => Int16, ZARRC_INT32 => Int32, ZARRC_INT64 => Int64,
    ZARRC_UINT8 => UInt8, ZARRC_UINT16 => UInt16, ZARRC_UINT32 => UInt32, ZARRC_UINT64 => UInt64, ZARRC_FLOAT16 => Float16,
    ZARRC_FLOAT32 => Float32, ZARRC_FLOAT64 => Float64, ZARRC_COMPLEX64 => ComplexF32, ZARRC_COMPLEX128 => ComplexF64,
)
    TYPES[number] = (type, number)
    NUMBERS[type] = number
end
for number in instances(DataType)
    name = string(number)
    haskey(TYPES, number) && continue
    if startswith(name, "ZARRC_INT")
        TYPES[number] = (Int8, ZARRC_NATIVE)
    elseif startswith(name, "ZARRC_UINT")
        TYPES[number] = (UInt8, ZARRC_NATIVE)
    elseif startswith(name, "ZARRC_FLOAT") || number == ZARRC_BFLOAT16
        TYPES[number] = (Float32, ZARRC_FLOAT32)
    elseif startswith(name, "ZARRC_COMPLEX")
        TYPES[number] = (ComplexF32, ZARRC_COMPLEX64)
    elseif number in (ZARRC_DATETIME64, ZARRC_TIMEDELTA64)
        TYPES[number] = (Int64, ZARRC_NATIVE)
    end
end

"""
An open array. Strings and other elements of variable length are `String`s; what Julia has no type for is a tuple of
bytes (of `Char`s for UTF-32).
"""
struct ZarrcArray{T,N} <: AbstractArray{T,N}
    handle::Handle
    memory_type::Int32
end

function ZarrcArray(pointer::Ptr{Cvoid})
    handle = Handle(pointer, zarrc_array_close)
    stored = DataType(zarrc_array_data_type(pointer))
    size = Int(zarrc_array_element_size(pointer))
    type, memory = if haskey(TYPES, stored)
        TYPES[stored]
    elseif size == 0
        String, ZARRC_NATIVE
    elseif stored == ZARRC_FIXED_UTF32
        NTuple{size ÷ 4,Char}, ZARRC_NATIVE
    else
        NTuple{size,UInt8}, ZARRC_NATIVE
    end
    ZarrcArray{type,Int(zarrc_array_rank(pointer))}(handle, Int32(memory))
end

Base.close(array::ZarrcArray) = close(getfield(array, :handle))
attributes(array::ZarrcArray) = Attributes(getfield(array, :handle), zarrc_array_attributes)

function Base.getproperty(array::ZarrcArray, name::Symbol)
    name === :attributes ? attributes(array) :
    name === :fill_value ? fill_value(array) :
    name === :metadata ? parse_json(text_of(array, zarrc_array_metadata_json)) : getfield(array, name)
end

text_of(array::ZarrcArray, f) = with(p -> owned_string((out, err) -> f(p, out, err)), array.handle)

"""Extents in Julia's order."""
function extents(array::ZarrcArray{T,N}, f) where {T,N}
    out = zeros(UInt64, N)
    with(p -> check(err -> f(p, N, out, err)), array.handle)
    NTuple{N,Int}(reverse(out))
end

Base.size(array::ZarrcArray) = extents(array, zarrc_array_shape)
chunk_size(array::ZarrcArray) = extents(array, zarrc_array_chunk_shape)
shard_size(array::ZarrcArray) = extents(array, zarrc_array_shard_shape)
chunk_counts(array::ZarrcArray) = extents(array, zarrc_array_chunk_counts)
"""Names of the dimensions; `nothing` for one without a name."""
dimension_names(array::ZarrcArray{T,N}) where {T,N} = ntuple(N) do n
    name = Ref{Cstring}(Cstring(C_NULL))
    with(array.handle) do p
        check(err -> zarrc_array_dimension_name(p, N - n, name, err))
        name[] == Cstring(C_NULL) ? nothing : unsafe_string(name[])
    end
end
data_type_text(array::ZarrcArray) = text_of(array, zarrc_array_data_type_text)
"""The codecs in the order in which they encode, as Zarr v3 spells them."""
codecs(array::ZarrcArray) = parse_json(text_of(array, zarrc_array_codecs_json))
"""Everything that is known of an array, in Zarr's order; sizes are asked of the store."""
info(array::ZarrcArray) = parse_json(text_of(array, zarrc_array_info_json))
path(array::ZarrcArray) = text_of(array, zarrc_array_path)
store_name(array::ZarrcArray) = text_of(array, zarrc_array_store_name)
order(array::ZarrcArray) = Char(with(zarrc_array_order, array.handle))
separator(array::ZarrcArray) = Char(with(zarrc_array_separator, array.handle))
"""The digest of the elements, "sha1" or "sha256"; `stored`: of what is stored."""
digest(array::ZarrcArray, algorithm="sha256"; stored=false) =
    text_of(array, (p, out, err) -> (stored ? zarrc_array_stored_digest : zarrc_array_content_digest)(p, algorithm, out, err))
"""The key under which a chunk (a shard, if the array has them) is stored or would be; indices begin at 1."""
chunk_key(array::ZarrcArray, index...) =
    text_of(array, (p, out, err) -> zarrc_array_chunk_key(p, length(index), UInt64[i - 1 for i in reverse(index)], out, err))
"""Names CF's missing value in the attribute _FillValue."""
function set_missing_value!(array::ZarrcArray{T}, value) where {T}
    memory = T === String ? Vector{UInt8}(value) : T[value]
    GC.@preserve memory with(p -> check(err -> zarrc_array_set_missing_value(p, Ptr{Cvoid}(pointer(memory)), sizeof(memory), err)), array.handle)
    array
end
format(array::ZarrcArray) = with(p -> Format(zarrc_array_format(p)), array.handle)
Base.IndexStyle(::Type{<:ZarrcArray}) = IndexCartesian()
Base.show(io::IO, array::ZarrcArray{T}) where {T} = print(io, join(size(array), "×"), " Zarrc.ZarrcArray{", T, "}")
Base.show(io::IO, ::MIME"text/plain", array::ZarrcArray) = show(io, array)

"""The ranges of indices of each chunk (shard, if the array has shards): `for part in chunks(array) array[part...] end`."""
function chunks(array::ZarrcArray{T,N}) where {T,N}
    (begin
        start, count = zeros(UInt64, N), zeros(UInt64, N)
        index = collect(UInt64, reverse(Tuple(at)) .- 1)
        with(p -> check(err -> zarrc_array_chunk_bounds(p, N, index, start, count, err)), array.handle)
        ntuple(n -> Int(start[N+1-n]) .+ (1:Int(count[N+1-n])), N)
    end for at in CartesianIndices(chunk_counts(array)))
end

"""The value of elements that were never written."""
function fill_value(array::ZarrcArray{T}) where {T}
    T === String && return parse_json(text_of(array, zarrc_array_fill_value_json))
    stored = with(p -> DataType(zarrc_array_data_type(p)), array.handle)
    haskey(NUMBERS, T) && NUMBERS[T] != stored && return parse_json(text_of(array, zarrc_array_fill_value_json))
    value = Ref{T}()
    GC.@preserve value with(array.handle) do p
        check(err -> zarrc_array_fill_value(p, Base.unsafe_convert(Ptr{Cvoid}, Base.unsafe_convert(Ptr{T}, value)), sizeof(T), err))
    end
    value[]
end

const CREATE = Dict(
    :fail => zarrc_array_create, :open => zarrc_array_open_or_create, :require => zarrc_array_require, :overwrite => zarrc_array_overwrite,
)

"""Opens an array by one URL, without a store of its own."""
open_array(url::AbstractString, mode::AbstractString="r"; options...) =
    ZarrcArray(by_url(zarrc_array_open_url, url, mode, options))

"""An array like another one, perhaps of another size."""
function create_like(store::Store, path, other, dims=nothing)
    spec = with(p -> new_pointer((out, err) -> zarrc_array_spec_new_like(p, out, err)), other.handle)
    try
        dims === nothing || check(err -> zarrc_array_spec_set_shape(spec, length(dims), collect(UInt64, reverse(Tuple(dims))), err))
        return ZarrcArray(with(p -> new_pointer((out, err) -> zarrc_array_create(p, path, spec, out, err)), store.handle))
    finally
        zarrc_array_spec_free(spec)
    end
end

open_array(store::Store, path="") = ZarrcArray(with(p -> new_pointer((out, err) -> zarrc_array_open(p, path, out, err)), store.handle))

"""
    create_array(store, path, T, dims; chunks, shards, fill_value, codecs, order, separator, dimension_names, attributes,
                 format, data_type)

Creates an array of `T` (a number type, or `String`); `exists`, if there is one: `:fail`, `:open` it, `:require` it to have
this size and type, or `:overwrite` it. `missing_value` is CF's, of which the fill value then is the same. All that goes by
dimension is in Julia's order. `codecs` are names, or pairs of name and configuration (a Dict); `data_type` is for types with parameters ("<M8[ns]", "|S12").
"""
function create_array(store::Store, path, T::Type, dims=(); exists=:fail, settings...)
    create = get(() -> throw(ArgumentError("exists=$exists: expected fail, open, require or overwrite")), CREATE, exists)
    described(T, dims; settings...) do spec
        ZarrcArray(with(p -> new_pointer((out, err) -> create(p, path, spec, out, err)), store.handle))
    end
end

"""Calls `f` with the specification of an array."""
function described(
    f, T, dims; chunks=nothing, shards=nothing, fill_value=nothing, codecs=(), order=nothing, separator=nothing,
    dimension_names=nothing, attributes=nothing, format=nothing, data_type=nothing, missing_value=nothing,
)
    number = T === String ? ZARRC_STRING : get(() -> throw(ArgumentError("no data type of Zarr is like $T")), NUMBERS, T)
    list(values) = collect(UInt64, reverse(Tuple(values)))
    shape = list(dims)
    spec = new_pointer((out, err) -> zarrc_array_spec_new(Int32(number), length(shape), shape, out, err))
    set(f, arguments...) = check(err -> f(spec, arguments..., err))
    try
        data_type === nothing || set(zarrc_array_spec_set_data_type, data_type)
        format === nothing || set(zarrc_array_spec_set_format, format_number(format))
        if chunks !== nothing
            any(c -> c isa AbstractVector, chunks) || set(zarrc_array_spec_set_chunk_shape, length(chunks), list(chunks))
            for (n, edges) in enumerate(reverse(Tuple(chunks)))
                edges isa AbstractVector && set(zarrc_array_spec_set_chunk_edges, n - 1, length(edges), collect(UInt64, edges))
            end
        end
        shards === nothing || set(zarrc_array_spec_set_shard_shape, length(shards), list(shards))
        if fill_value !== nothing && T !== String
            value = Ref(T(fill_value))
            GC.@preserve value set(zarrc_array_spec_set_fill_value, Ptr{Cvoid}(Base.unsafe_convert(Ptr{T}, value)), sizeof(T))
        elseif fill_value !== nothing
            set(zarrc_array_spec_set_fill_value_json, write_json(fill_value))
        end
        if missing_value !== nothing
            memory = T[missing_value]
            GC.@preserve memory set(zarrc_array_spec_set_missing_value, Ptr{Cvoid}(pointer(memory)), sizeof(memory))
        end
        for codec in codecs
            name, configuration = codec isa Pair ? codec : (codec => nothing)
            text = configuration === nothing ? nothing : write_json(configuration)
            GC.@preserve text set(zarrc_array_spec_add_codec, name, text === nothing ? Cstring(C_NULL) : text)
        end
        order === nothing || set(zarrc_array_spec_set_order, Cchar(order))
        separator === nothing || set(zarrc_array_spec_set_separator, Cchar(separator))
        if dimension_names !== nothing
            names = [name === nothing ? nothing : String(name) for name in reverse(Tuple(dimension_names))]
            pointers = [name === nothing ? Cstring(C_NULL) : Base.unsafe_convert(Cstring, name) for name in names]
            GC.@preserve names set(zarrc_array_spec_set_dimension_names, length(pointers), pointers)
        end
        attributes === nothing || set(zarrc_array_spec_set_attributes_json, write_json(attributes))
        return f(spec)
    finally
        zarrc_array_spec_free(spec)
    end
end

"""Creates an array from its metadata document, as it would stand in the store."""
function create_array_json(store::Store, path, format, document)
    text = document isa AbstractString ? document : write_json(document)
    ZarrcArray(with(p -> new_pointer((out, err) -> zarrc_array_create_json(p, path, format_number(format), text, out, err)), store.handle))
end

"""Gives an array another size; what a smaller one leaves outside is deleted."""
resize_array!(array::ZarrcArray, dims...) =
    (with(p -> check(err -> zarrc_array_resize(p, length(dims), collect(UInt64, reverse(dims)), err)), array.handle); array)
"""Makes an array at least as large; nothing is ever cut."""
grow_array!(array::ZarrcArray, dims...) =
    (with(p -> check(err -> zarrc_array_grow(p, length(dims), collect(UInt64, reverse(dims)), err)), array.handle); array)
"""Reads the document again: the size that others gave the array, its attributes."""
refresh!(array::ZarrcArray) = (with(p -> check(err -> zarrc_array_refresh(p, err)), array.handle); array)
"""Appends a block along its last dimension (or `dims`): all of it arrives, or nothing, also beside other writers."""
function Base.append!(array::ZarrcArray{T,N}, block::AbstractArray{<:Any,N}; dims=N) where {T,N}
    count = collect(UInt64, reverse(size(block)))
    with(array.handle) do p
        if T === String
            offsets, bytes = encoded(block)
            check(err -> zarrc_array_append_vlen(p, N - dims, count, offsets, bytes, err))
        else
            values = haskey(NUMBERS, eltype(block)) ? Array(block) : Array{T}(block)
            GC.@preserve values check(err -> zarrc_array_append(p, N - dims, count, Int32(NUMBERS[eltype(values)]), pointer(values), sizeof(values), err))
        end
    end
    array
end
Base.flush(array::ZarrcArray) = with(p -> check(err -> zarrc_array_flush(p, err)), array.handle)

"""Opens an array that a document given here describes; that in the store is not read."""
open_array_json(store::Store, path, format, document) = ZarrcArray(with(store.handle) do p
    text = document isa AbstractString ? document : write_json(document)
    new_pointer((out, err) -> zarrc_array_open_json(p, path, format_number(format), text, out, err))
end)

# ---- indexing

function read_selected(array::ZarrcArray{T}, selection::Selection) where {T}
    out = Array{T}(undef, selection.shape)
    T === String ? read_strings!(out, array, selection) : read!(array, selection, out, array.memory_type)
    out
end

function Base.getindex(array::ZarrcArray{T,N}, indices::Vararg{Index,N}) where {T,N}
    out = read_selected(array, select(array, indices...))
    all(index -> index isa Integer, indices) ? out[] : out
end
Base.getindex(array::ZarrcArray{T,0}) where {T} = read_selected(array, select(array))[]
Base.getindex(array::ZarrcArray{T,1}, index::Integer) where {T} = read_selected(array, select(array, index))[]
Base.getindex(array::ZarrcArray{T,1}, mask::Flags) where {T} = read_selected(array, select(array, mask))
Base.getindex(array::ZarrcArray{T,N}, mask::AbstractArray{Bool,N}) where {T,N} = read_selected(array, select_mask(array, mask))
Base.getindex(array::ZarrcArray, points::AbstractVector{<:CartesianIndex}) = read_selected(array, select(array, points))
Base.Array(array::ZarrcArray{T,N}) where {T,N} = array[ntuple(_ -> Colon(), N)...]
Base.collect(array::ZarrcArray) = Array(array)

"""
    read_start(array, indices...)

Starts to read; `fetch` gives the elements. Other tasks go on meanwhile.
"""
function read_start(array::ZarrcArray{T}, indices...) where {T}
    T === String && throw(ArgumentError("elements of variable length are read without requests"))
    selection = select(array, indices...)
    start_read(array, selection, Array{T}(undef, selection.shape), array.memory_type)
end

"""
    write_start(array, values, indices...)

Starts to write; `wait` tells how it went. An `Array` must stay as it is until then.
"""
function write_start(array::ZarrcArray{T}, values::AbstractArray, indices...) where {T}
    T === String && throw(ArgumentError("elements of variable length are written without requests"))
    selection = select(array, indices...)
    start_write(array, selection, in_memory(array, values, selection)...)
end

"""Values as the library takes them, and their type in memory."""
function in_memory(array::ZarrcArray{T}, values, selection) where {T}
    length(values) == prod(selection.shape) || throw(DimensionMismatch("$(size(values)) values for $(selection.shape) elements"))
    if Missing <: eltype(values)
        values = T[coalesce(value, array.fill_value) for value in values]
    end
    dense = values isa Array ? values : collect(values)
    T === String && return dense, Int32(ZARRC_NATIVE)
    haskey(NUMBERS, eltype(dense)) && array.memory_type != Int32(ZARRC_NATIVE) && return dense, Int32(NUMBERS[eltype(dense)])
    convert(Array{T}, dense), array.memory_type
end

function write_selected(array::ZarrcArray{T}, selection::Selection, values::AbstractArray) where {T}
    dense, memory_type = in_memory(array, values, selection)
    if T === String
        offsets, bytes = encoded(dense)
        with(p -> check(err -> zarrc_array_write_selection_vlen(p, selection.pointer, offsets, bytes, err)), array.handle)
    else
        finish(start_write(array, selection, dense, memory_type))
    end
    array
end

"""One element for all that is selected."""
function write_selected(array::ZarrcArray{T}, selection::Selection, value) where {T}
    fill_selected(array, selection.pointer, value)
    GC.@preserve selection array
end

function fill_selected(array::ZarrcArray{T}, selection, value) where {T}
    if T === String
        text = String(value)
        GC.@preserve text with(p -> check(err -> zarrc_array_fill(p, selection, Int32(ZARRC_NATIVE), Ptr{Cvoid}(pointer(text)), sizeof(text), err)), array.handle)
    else
        memory = haskey(NUMBERS, typeof(value)) && array.memory_type != Int32(ZARRC_NATIVE) ? [value] : T[value]
        number = memory isa Vector{T} ? array.memory_type : Int32(NUMBERS[eltype(memory)])
        GC.@preserve memory with(p -> check(err -> zarrc_array_fill(p, selection, number, Ptr{Cvoid}(pointer(memory)), sizeof(memory), err)), array.handle)
    end
    array
end
Base.fill!(array::ZarrcArray, value) = fill_selected(array, C_NULL, value)

Base.setindex!(array::ZarrcArray{T,N}, values, indices::Vararg{Index,N}) where {T,N} = write_selected(array, select(array, indices...), values)
Base.setindex!(array::ZarrcArray{T,0}, value) where {T} = write_selected(array, select(array), value)
Base.setindex!(array::ZarrcArray{T,1}, value, index::Integer) where {T} = write_selected(array, select(array, index), value)
Base.setindex!(array::ZarrcArray{T,1}, values, mask::Flags) where {T} = write_selected(array, select(array, mask), values)
Base.setindex!(array::ZarrcArray{T,N}, values, mask::AbstractArray{Bool,N}) where {T,N} = write_selected(array, select_mask(array, mask), values)
Base.setindex!(array::ZarrcArray, values, points::AbstractVector{<:CartesianIndex}) = write_selected(array, select(array, points), values)

# Broadcasts are computed in memory and written at once: `array[:, 1] .= 5`, `array .+= 1`.
Base.copyto!(to::ZarrcArray, from::Base.Broadcast.Broadcasted{Nothing}) = write_broadcast(to, ntuple(_ -> Colon(), ndims(to)), from)
Base.copyto!(to::SubArray{<:Any,<:Any,<:ZarrcArray}, from::Base.Broadcast.Broadcasted{Nothing}) =
    (write_broadcast(parent(to), parentindices(to), from); to)
function write_broadcast(array, indices, from)
    ranges = map(i -> i isa Base.Slice ? (1:length(i)) : i, indices)
    size_ = length.(axes(from))
    values = Array{eltype(array)}(undef, size_...)
    for at in CartesianIndices(values)
        values[at] = from[at]
    end
    array[ranges...] = values
    array
end
Base.Broadcast.extrude(array::ZarrcArray) = Base.Broadcast.extrude(Array(array))
Base.Broadcast.extrude(view::SubArray{<:Any,<:Any,<:ZarrcArray}) =
    Base.Broadcast.extrude(parent(view)[map(i -> i isa Base.Slice ? Colon() : i, parentindices(view))...])

"""A part of an array, in which elements that hold the fill value are `missing`."""
function read_missing(array::ZarrcArray{T}, indices...) where {T}
    fill = array.fill_value
    values = array[indices...]
    map(value -> isequal(value, fill) ? missing : value, values)
end

# ---- elements of variable length

function read_strings!(out, array, selection)
    values = with(p -> new_pointer((v, err) -> zarrc_array_read_selection_vlen(p, selection.pointer, v, err)), array.handle)
    try
        n = Int(zarrc_vlen_count(values))
        offsets = unsafe_wrap(Array, zarrc_vlen_offsets(values), n + 1)
        bytes = zarrc_vlen_bytes(values)
        for i in 1:n
            out[i] = unsafe_string(bytes + offsets[i], offsets[i+1] - offsets[i])
        end
    finally
        zarrc_vlen_free(values)
    end
end

"""Strings one after the other, and where each begins."""
encoded(values) = (cumsum(UInt64[0; [ncodeunits(string(v)) for v in vec(values)]]), Vector{UInt8}(join(values)))
