# Stores, groups and attributes.

const MODES = Dict(
    "r" => ZARRC_READ, "r+" => ZARRC_READ_WRITE, "a" => ZARRC_APPEND, "w-" => ZARRC_CREATE, "w" => ZARRC_OVERWRITE,
)

"""An open store. What was opened from it stays usable after its end."""
struct Store
    handle::Handle
    url::String
end

"""
    Zarrc.open(url, mode="r"; options...)

Opens a store: a path, or a URL of any scheme that zarrc knows. Modes are those of h5py: r, r+, a, w-, w. Options are
the library's, by name: `Zarrc.build_info()["options"]` lists them.
"""
function open(url::AbstractString, mode::AbstractString="r"; options...)
    Store(Handle(by_url(zarrc_store_open, url, mode, options), zarrc_store_close), url)
end

function by_url(f, url, mode, options)
    haskey(MODES, mode) || throw(ArgumentError("mode $(repr(mode)): expected r, r+, a, w- or w"))
    chosen = zarrc_options_new()
    try
        for (name, value) in options
            text = value isa Bool ? (value ? "yes" : "no") : string(value)
            check(err -> zarrc_options_set(chosen, string(name), text, err))
        end
        return new_pointer((out, err) -> f(url, Int32(MODES[mode]), chosen, out, err))
    finally
        zarrc_options_free(chosen)
    end
end

open(f::Function, arguments...; options...) = (store = open(arguments...; options...); try f(store) finally close(store) end)

Base.close(store::Store) = close(store.handle)
Base.show(io::IO, store::Store) = print(io, "Zarrc.Store(", repr(store.url), ")")

"""What is at a path: `Zarrc.ZARRC_NODE_NONE`, `ZARRC_NODE_GROUP` or `ZARRC_NODE_ARRAY`."""
function kind(store::Store, path="")
    out = Ref{Int32}(0)
    with(p -> check(err -> zarrc_node_kind_at(p, path, out, err)), store.handle)
    NodeKind(out[])
end

Base.haskey(store::Store, path) = kind(store, path) != ZARRC_NODE_NONE
Base.getindex(store::Store, path) = kind(store, path) == ZARRC_NODE_ARRAY ? open_array(store, path) : open_group(store, path)

"""Deletes a node and everything below it."""
Base.delete!(store::Store, path) = (with(p -> check(err -> zarrc_node_delete(p, path, err)), store.handle); store)

"""The value of a key, as it lies in the store; `length` bytes of it from `offset` (the first is 0) on."""
function get_value(store::Store, key; offset=nothing, length=nothing)
    value, size = Ref{Ptr{UInt8}}(C_NULL), Ref{Csize_t}(0)
    with(store.handle) do p
        if offset === length === nothing
            check(err -> zarrc_store_get(p, key, value, size, err))
        else
            count = something(length, typemax(UInt64))
            check(err -> zarrc_store_get_range(p, key, something(offset, 0), count, value, size, err))
        end
    end
    out = copy(unsafe_wrap(Array, value[], size[]))
    zarrc_value_free(value[], size[])
    out
end

set_value!(store::Store, key, value::Union{String,Vector{UInt8}}) =
    GC.@preserve value with(p -> check(err -> zarrc_store_set(p, key, pointer(value), sizeof(value), err)), store.handle)
erase!(store::Store, key) = with(p -> check(err -> zarrc_store_erase(p, key, err)), store.handle)
erase_prefix!(store::Store, prefix) = with(p -> check(err -> zarrc_store_erase_prefix(p, prefix, err)), store.handle)
"""Forgets what adapters keep of the values below a prefix, and the consolidated metadata."""
forget!(store::Store, prefix="") = with(p -> check(err -> zarrc_store_forget(p, prefix, err)), store.handle)

const FORMATS = Dict(
    "any" => ZARRC_FORMAT_ANY, "v1" => ZARRC_FORMAT_V1, "v2" => ZARRC_FORMAT_V2, "v3" => ZARRC_FORMAT_V3, "n5" => ZARRC_FORMAT_N5,
)
format_number(format::Format) = Int32(format)
format_number(format) = Int32(get(() -> throw(ArgumentError("format $format: expected 1, 2, 3 or \"n5\"")), FORMATS, format isa Integer ? "v$format" : format))

"""Writes a node and all below it in another format; in place where `to` is the same store."""
convert_node(store::Store, path, to::Store, to_path, format) =
    with(p -> with(q -> check(err -> zarrc_convert(p, path, q, to_path, format_number(format), C_NULL, err)), to.handle), store.handle)

"""What `convert_node` would do."""
convert_plan(store::Store, path, to::Store, to_path, format) = parse_json(with(store.handle) do p
    with(q -> owned_string((out, err) -> zarrc_convert_plan(p, path, q, to_path, format_number(format), C_NULL, out, err)), to.handle)
end)

"""Writes a node and all below it as a new HDF5 file. Returns what changed on the way."""
hdf5_export(store::Store, path, file) = parse_json(with(store.handle) do p
    owned_string((out, err) -> zarrc_hdf5_export(p, path, file, C_NULL, out, err))
end)

"""References to all below a node, as kerchunk's JSON text."""
references_json(store::Store, path="") = with(store.handle) do p
    owned_string((out, err) -> zarrc_references_json(p, path, C_NULL, C_NULL, C_NULL, out, err))
end

"""The attributes of an open node as a Dict, written through at once."""
struct Attributes <: AbstractDict{String,Any}
    handle::Handle
    of::Function
end

text_of(a::Attributes) = with(p -> owned_string((out, err) -> zarrc_attributes_json(a.of(p), out, err)), a.handle)
Base.Dict(a::Attributes) = parse_json(text_of(a))
Base.length(a::Attributes) = length(Dict(a))
Base.iterate(a::Attributes) = (all = collect(Dict(a)); isempty(all) ? nothing : (all[1], (all, 2)))
Base.iterate(::Attributes, (all, n)) = n > length(all) ? nothing : (all[n], (all, n + 1))
function Base.get(a::Attributes, key, default)
    try
        a[key]
    catch e
        e isa KeyError ? default : rethrow()
    end
end
function Base.getindex(a::Attributes, key)
    try
        parse_json(with(p -> owned_string((out, err) -> zarrc_attributes_get_json(a.of(p), string(key), out, err)), a.handle))
    catch e
        e isa Error && e.status == ZARRC_NOT_FOUND ? throw(KeyError(key)) : rethrow()
    end
end
Base.haskey(a::Attributes, key) = get(a, key, a) !== a
Base.setindex!(a::Attributes, value, key) =
    (with(p -> check(err -> zarrc_attributes_set_json(a.of(p), string(key), write_json(value), err)), a.handle); a)
Base.delete!(a::Attributes, key) = (with(p -> check(err -> zarrc_attributes_delete(a.of(p), string(key), err)), a.handle); a)
"""Sets several attributes by one write of the document."""
function Base.merge!(a::Attributes, values::AbstractDict...)
    others = new_pointer((out, err) -> zarrc_attributes_new(out, err))
    try
        for (key, value) in merge(values...)
            check(err -> zarrc_attributes_set_json(others, string(key), write_json(value), err))
        end
        with(p -> check(err -> zarrc_attributes_update(a.of(p), others, err)), a.handle)
    finally
        zarrc_attributes_free(others)
    end
    a
end
"""Replaces all attributes at once."""
replace_attributes!(a::Attributes, values::AbstractDict) =
    (with(p -> check(err -> zarrc_attributes_replace_json(a.of(p), write_json(values), err)), a.handle); a)

"""An open group: `group.attributes`, `keys(group)`."""
struct Group
    handle::Handle
    store::Union{Store,Nothing}
    path::String
end

Base.close(group::Group) = close(group.handle)
Base.show(io::IO, group::Group) = print(io, "Zarrc.Group(", repr("/" * getfield(group, :path)), ")")
attributes(group::Group) = Attributes(getfield(group, :handle), zarrc_group_attributes)
Base.getproperty(group::Group, name::Symbol) = name === :attributes ? attributes(group) : getfield(group, name)

open_group(store::Store, path="") =
    Group(Handle(with(p -> new_pointer((out, err) -> zarrc_group_open(p, path, out, err)), store.handle), zarrc_group_close), store, strip(path, '/'))

"""Opens a group by one URL, without a store of its own."""
open_group(url::AbstractString, mode::AbstractString="r"; options...) =
    Group(Handle(by_url(zarrc_group_open_url, url, mode, options), zarrc_group_close), nothing, "")

const CREATE_GROUP = Dict(:fail => zarrc_group_create, :open => zarrc_group_require, :overwrite => zarrc_group_overwrite)

"""Creates a group; `exists`, if there is one: `:fail`, `:open` it or `:overwrite` it."""
function create_group(store::Store, path=""; format="any", attributes=nothing, exists=:fail)
    create = get(() -> throw(ArgumentError("exists=$exists: expected fail, open or overwrite")), CREATE_GROUP, exists)
    pointer = with(p -> new_pointer((out, err) -> create(p, path, format_number(format), out, err)), store.handle)
    group = Group(Handle(pointer, zarrc_group_close), store, strip(path, '/'))
    attributes === nothing || replace_attributes!(group.attributes, attributes)
    group
end

"""Pairs of path, relative to the group, and kind: of its children, or of everything below it."""
function list(group::Group; recursive=false)
    listing = with(p -> new_pointer((out, err) -> zarrc_group_list(p, recursive, out, err)), group.handle)
    try
        map(0:Int(zarrc_listing_count(listing))-1) do n
            unsafe_string(zarrc_listing_path(listing, n)) => NodeKind(zarrc_listing_kind(listing, n))
        end
    finally
        zarrc_listing_free(listing)
    end
end

Base.keys(group::Group) = first.(list(group))
Base.getindex(group::Group, path) = group.store[isempty(group.path) ? path : group.path * "/" * path]
