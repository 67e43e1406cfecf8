"""
Arrays of Zarrc for packages that work on DiskArrays.jl (chunked reductions, lazy broadcasts, YAXArrays, Rasters):

    using Zarrc, ZarrcDiskArrays
    array = disk_array(open_array("data.zarr/t"))
    sum(array .* 2)          # chunk by chunk
"""
module ZarrcDiskArrays

using DiskArrays
using Zarrc

export disk_array

"""What [`disk_array`](@ref) returns; `parent` gives the array of Zarrc."""
struct ZarrcDiskArray{T,N} <: DiskArrays.AbstractDiskArray{T,N}
    array::Zarrc.ZarrcArray{T,N}
end

"""An open array as an `AbstractDiskArray`. Its chunks are those that can be read alone: inner chunks of shards."""
disk_array(array::Zarrc.ZarrcArray) = ZarrcDiskArray(array)

Base.parent(a::ZarrcDiskArray) = a.array
Base.size(a::ZarrcDiskArray) = size(a.array)
DiskArrays.haschunks(::ZarrcDiskArray) = DiskArrays.Chunked()
DiskArrays.eachchunk(a::ZarrcDiskArray) = DiskArrays.GridChunks(a, Zarrc.chunk_size(a.array))

function DiskArrays.readblock!(a::ZarrcDiskArray{T,N}, out, ranges::Vararg{OrdinalRange,N}) where {T,N}
    if out isa Array{T} && T !== String
        Zarrc.read!(a.array, Zarrc.select(a.array, ranges...), out, a.array.memory_type)  # without a copy
    else
        out .= a.array[ranges...]
    end
    nothing
end

function DiskArrays.writeblock!(a::ZarrcDiskArray{T,N}, values, ranges::Vararg{OrdinalRange,N}) where {T,N}
    a.array[ranges...] = values
    nothing
end

end
