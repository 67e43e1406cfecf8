# Errors, strings and handles.

"""What the library reports: a status (`Zarrc.ZARRC_NOT_FOUND`, ...), errno or an HTTP status, and a message."""
struct Error <: Exception
    status::Int32
    system_code::Int32
    message::String
end

Error(status::Status, message) = Error(Int32(status), 0, message)
Base.showerror(io::IO, e::Error) = print(io, unsafe_string(zarrc_status_name(e.status)), ": ", e.message)
Base.:(==)(status::Int32, other::Status) = status == Int32(other)

"""Calls `f` with the error to be filled, and throws what it reports."""
function check(f)
    error = CError()
    status = GC.@preserve error f(pointer_from_objref(error))
    status == 0 && return nothing
    text = collect(error.message)
    throw(Error(error.status, error.system_code, String(text[1:something(findfirst(iszero, text), 1017)-1])))
end

"""The pointer that a function gives through its argument."""
function new_pointer(f)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    check(err -> f(out, err))
    out[]
end

"""A string that a function gives and we free."""
function owned_string(f)
    out = Ref{Cstring}(Cstring(C_NULL))
    check(err -> f(out, err))
    try
        unsafe_string(out[])
    finally
        zarrc_string_free(out[])
    end
end

"""A handle of C: closed once, by `close` or by the garbage collector."""
mutable struct Handle
    pointer::Ptr{Cvoid}
    close::Function
    function Handle(pointer, close)
        handle = new(pointer, close)
        # No I/O error can be thrown from a finaliser: the error is not asked for.
        finalizer(h -> h.pointer == C_NULL || (h.close(h.pointer, C_NULL); h.pointer = C_NULL), handle)
    end
end

function Base.close(handle::Handle)
    pointer, handle.pointer = handle.pointer, C_NULL
    pointer == C_NULL || check(err -> handle.close(pointer, err))
    nothing
end

"""Calls `f` with the pointer of an open handle, which stays alive meanwhile."""
function with(f, handle::Handle)
    handle.pointer == C_NULL && throw(Error(ZARRC_INVALID_ARGUMENT, "the handle is closed"))
    GC.@preserve handle f(handle.pointer)
end

"""The version of the library that is running."""
version() = VersionNumber(unsafe_string(zarrc_version()))

"""What this build of the library can do."""
build_info() = parse_json(owned_string(zarrc_build_info))
