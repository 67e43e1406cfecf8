# Copying, moving, rechunking, checking and visiting of nodes. Reports of progress come from threads that Julia does not
# know, so there are none.

const IF_EXISTS = Dict("fail" => ZARRC_IF_EXISTS_FAIL, "skip" => ZARRC_IF_EXISTS_SKIP, "replace" => ZARRC_IF_EXISTS_REPLACE)

"""Copies a node and everything below it, as it is stored: how many keys and bytes were copied, and how many keys stayed.
`link=true` makes hard links: both stores must be directories on one file system."""
function copy_node(from::Store, path, to::Store, to_path; if_exists="fail", exclude=String[], dry_run=false, link=false)
    names = String.(exclude)
    pointers = Cstring[Base.unsafe_convert(Cstring, name) for name in names]
    copied = Ref(CCopied(0, 0, 0))
    GC.@preserve names pointers begin
        options = Ref(CCopyOptions(sizeof(CCopyOptions), Int32(IF_EXISTS[if_exists]), dry_run, length(names), pointer(pointers), C_NULL, C_NULL, C_NULL, 0, link))
        GC.@preserve options copied begin
            how, done = Base.unsafe_convert(Ptr{CCopyOptions}, options), Base.unsafe_convert(Ptr{CCopied}, copied)
            with(p -> with(q -> check(err -> zarrc_node_copy_with(p, path, q, to_path, how, done, err)), to.handle), from.handle)
        end
    end
    (keys=Int(copied[].keys), skipped=Int(copied[].skipped), bytes=Int(copied[].bytes))
end

"""Gives a node, and everything below it, another path in the same store."""
move_node(store::Store, path, to_path) = with(p -> check(err -> zarrc_node_move(p, path, to_path, err)), store.handle)

"""Writes consolidated metadata for a group."""
consolidate(store::Store, path="") = with(p -> check(err -> zarrc_consolidate_metadata(p, path, err)), store.handle)

"""Rewrites an array with other chunks (in Julia's order), within bounded memory. Called again, it resumes."""
function rechunk(from::ZarrcArray, to::Store, path; chunks=nothing, shards=nothing, memory_limit=0)
    spec = with(p -> new_pointer((out, err) -> zarrc_array_spec_new_like(p, out, err)), from.handle)
    list(values) = collect(UInt64, reverse(Tuple(values)))
    try
        chunks === nothing || check(err -> zarrc_array_spec_set_chunk_shape(spec, length(chunks), list(chunks), err))
        shards === nothing || check(err -> zarrc_array_spec_set_shard_shape(spec, length(shards), list(shards), err))
        with(p -> with(q -> check(err -> zarrc_rechunk(p, q, path, spec, memory_limit, C_NULL, C_NULL, err)), to.handle), from.handle)
    finally
        zarrc_array_spec_free(spec)
    end
    open_array(to, path)
end

"""Checks everything below a node: `["problems"]` lists what is wrong."""
verify(store::Store, path="") =
    parse_json(with(p -> owned_string((out, err) -> zarrc_verify(p, path, C_NULL, C_NULL, out, err)), store.handle))

"""Puts right the problems of some kinds ("outside,consolidated"): `["repaired"]`, and what is `["left"]`."""
repair(store::Store, kinds, path=""; dry_run=false) =
    parse_json(with(p -> owned_string((out, err) -> zarrc_repair(p, path, kinds, dry_run, C_NULL, C_NULL, out, err)), store.handle))

# ---- visits, which come from the thread that calls

mutable struct Visit
    f::Any
    problem::Any
end

"""Calls what visits; false ends the visit, and so does what it throws, which is thrown on once C has returned."""
function told(visit::Visit, arguments...)
    try
        visit.f(arguments...) !== false
    catch problem
        visit.problem = problem
        false
    end
end

on_chunk(user::Ptr{Cvoid}, index::Ptr{UInt64}, key::Cstring, bytes::UInt64) =
    told(unsafe_pointer_to_objref(user)::Visit, index, unsafe_string(key), Int(bytes))::Bool
on_node(user::Ptr{Cvoid}, path::Cstring, kind::Int32) = told(unsafe_pointer_to_objref(user)::Visit, unsafe_string(path), NodeKind(kind))::Bool

function visiting(call, f)
    visit = Visit(f, nothing)
    try
        GC.@preserve visit call(pointer_from_objref(visit))
    finally
        visit.problem === nothing || throw(visit.problem)
    end
    nothing
end

"""Calls `f(index, key, bytes)` for each chunk (shard, if the array has shards) that is stored, until it returns false."""
function visit_chunks(f, array::ZarrcArray{T,N}) where {T,N}
    each(index, key, bytes) = f(ntuple(n -> Int(unsafe_load(index, N + 1 - n)) + 1, N), key, bytes)
    callback = @cfunction(on_chunk, Bool, (Ptr{Cvoid}, Ptr{UInt64}, Cstring, UInt64))
    visiting(user -> with(p -> check(err -> zarrc_array_visit_chunks(p, N, C_NULL, C_NULL, callback, user, err)), array.handle), each)
end

"""Calls `f(path, kind)` for everything below a group, until it returns false."""
function visit(f, group::Group)
    callback = @cfunction(on_node, Bool, (Ptr{Cvoid}, Cstring, Int32))
    visiting(user -> with(p -> check(err -> zarrc_group_visit(p, callback, user, err)), group.handle), f)
end

on_append(user::Ptr{Cvoid}, grown::Ptr{Cvoid}, document::Cstring, place::UInt64, ::Ptr{CError}) =
    told(unsafe_pointer_to_objref(user)::Visit, grown, unsafe_string(document), Int(place) + 1) ? Int32(0) : Int32(ZARRC_CANCELLED)

"""
    append!(f, array, extent; dims)

Appends `extent` elements along the last dimension (or `dims`), which `f(grown, document, first)` writes, in any number of
calls, tasks or processes: through `grown`, the array as it will be, which is closed afterwards, or through what
`Zarrc.open_array_json` opens with `document`. `first` is the block's first index. The array grows once `f` has returned;
it keeps its size if `f` throws, or returns false. `f` may be called again with another place if others append meanwhile.
"""
function Base.append!(f::Function, array::ZarrcArray{T,N}, extent::Integer; dims=N) where {T,N}
    1 <= dims <= N || throw(ArgumentError("dims=$dims: the array has $N dimensions"))
    function each(pointer, document, first)
        grown = Handle(pointer, (_...) -> Int32(0))  # the library's
        try
            f(ZarrcArray{T,N}(grown, array.memory_type), document, first)
        finally
            grown.pointer = C_NULL
        end
    end
    callback = @cfunction(on_append, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Cstring, UInt64, Ptr{CError}))
    visiting(user -> with(p -> check(err -> zarrc_array_append_with(p, N - dims, extent, callback, user, err)), array.handle), each)
    array
end

"""A group and everything below it as text, a line for each node."""
tree(group::Group) = with(p -> owned_string((out, err) -> zarrc_group_tree(p, out, err)), group.handle)
