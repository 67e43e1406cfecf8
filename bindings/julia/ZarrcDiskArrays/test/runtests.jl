using DiskArrays, Test, Zarrc, ZarrcDiskArrays

store = Zarrc.open("memory:", "a")
values = reshape(collect(1.0:7*9*4), 7, 9, 4)
plain = create_array(store, "a", Float64, size(values), chunks=(3, 4, 4))
plain[:, :, :] = values
array = disk_array(plain)

@testset "as a DiskArray" begin
    @test array isa DiskArrays.AbstractDiskArray{Float64,3} && parent(array) === plain
    @test size(array) == (7, 9, 4) && DiskArrays.haschunks(array) isa DiskArrays.Chunked
    @test size(DiskArrays.eachchunk(array)) == (3, 3, 1)
    for at in ((:, :, :), (1, 2, 3), (2:5, :, 1), (:, 3, 1:4), (:, 9:9, 2))
        @test array[at...] == values[at...]
    end
    @test sum(array) == sum(values) && maximum(array) == maximum(values)
    lazy = array .* 2 .+ 1
    @test lazy isa DiskArrays.AbstractDiskArray && lazy[:, :, :] == values .* 2 .+ 1
    @test Array(view(array, 2:3, :, 1:2)) == values[2:3, :, 1:2]
    @test Array(permutedims(array, (3, 1, 2))) == permutedims(values, (3, 1, 2))
    array[2:4, 1, :] = zeros(3, 4)
    values[2:4, 1, :] .= 0
    @test Array(array) == values && plain[:, :, :] == values
end

@testset "shards and strings" begin
    sharded = disk_array(create_array(store, "s", Int32, (8, 8), chunks=(2, 2), shards=(4, 8)))
    @test size(DiskArrays.eachchunk(sharded)) == (4, 4)
    sharded[:, :] = reshape(Int32.(1:64), 8, 8)
    @test sum(sharded) == sum(1:64)
    names = create_array(store, "n", String, (2, 2))
    names[:, :] = ["a" "größer"; "" "c"]
    @test disk_array(names)[:, :] == ["a" "größer"; "" "c"]
end
