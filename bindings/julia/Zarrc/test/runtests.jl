using Test, Zarrc

store = Zarrc.open("memory:", "a", threads=2)

@testset "indices are Julia's" begin
    values = reshape(collect(1.0:7*9*4), 7, 9, 4)
    array = create_array(store, "a", Float64, size(values), chunks=(3, 4, 4))
    array[:, :, :] = values
    @test size(array) == (7, 9, 4) && Zarrc.chunk_size(array) == (3, 4, 4) && eltype(array) == Float64
    for at in (
        (:, :, :), (1, 2, 3), (2:5, :, 1), (:, 3, 1:2:4), (7:-2:1, 9:-1:1, 2), (3:2, :, :), ([1, 5, 2], :, 4),
        (:, [9, 1], [true, false, true, false]), (2, :, 3:3),
    )
        @test array[at...] == values[at...]
        @test size(array[at...]) == size(values[at...])
    end
    for at in ((:, 3, 1:2:4), (7:-2:1, 9:-1:1, 2), (1, 2, 3), (2:5, :, 1:4))
        array[at...] = values[at...] .* -1
        values[at...] = values[at...] .* -1
        @test Array(array) == values
    end
    array[:, 1, 1] .= 5
    values[:, 1, 1] .= 5
    array[2:3, :, 1] .+= 1
    values[2:3, :, 1] .+= 1
    @test Array(array) == values
    array[1, :, 1] = 1:9
    @test array[1, :, 1] == 1:9
    @test_throws BoundsError array[8, 1, 1]
    @test_throws BoundsError array[0, 1, 1]
    @test_throws DimensionMismatch array[1:2, 1, 1] = [1, 2, 3]
    @test sum(array[part...] |> sum for part in chunks(array)) == sum(array[:, :, :])
    resize_array!(array, 8, 9, 4)
    @test size(array) == (8, 9, 4) && array[8, 1, 1] == 0
    other = open_array(store, "a")
    append!(array, ones(8, 9, 1))
    Zarrc.grow_array!(array, 8, 9, 6)
    Zarrc.refresh!(other)
    @test size(other) == (8, 9, 6) && other[1, 1, 5] == 1 && other[1, 1, 6] == 0
end

@testset "types" begin
    for T in (Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32, Float64, ComplexF32, ComplexF64)
        array = create_array(store, "t/$T", T, (2, 3), fill_value=one(T))
        @test array.fill_value === one(T) && all(array[:, :] .== one(T))
        values = T[0 1 0; 1 0 1]
        array[:, :] = values
        @test array[:, :] == values && eltype(array[:, :]) == T
    end
    scalar = create_array(store, "scalar", Int32)
    scalar[] = 7
    @test scalar[] === Int32(7)
    small = create_array(store, "small", UInt8, (2,))
    @test_throws Zarrc.Error small[:] = [1, 256]
    names = create_array(store, "names", String, (2, 2))
    names[:, :] = ["a" "größer"; "" "x"^1000]
    @test names[:, :] == ["a" "größer"; "" "x"^1000] && names[1, 2] == "größer"
    names[2, 1] = "b"
    @test names[:, 1] == ["a", "b"]
    times = create_array(store, "times", Int64, (2,), data_type="<M8[ns]")
    times[:] = [1, 2]
    @test times[:] == [1, 2]
end

@testset "missing" begin
    array = create_array(store, "missing", Float64, (4,), fill_value=-1)
    array[1:3] = [1.0, missing, 3.0]
    @test array[:] == [1, -1, 3, -1]
    @test isequal(read_missing(array, 1:4), [1, missing, 3, missing])
end

@testset "arrays and attributes" begin
    array = create_array(
        store, "g/x", Int32, (8, 4), chunks=(2, 2), shards=(4, 2), codecs=("gzip" => Dict("level" => 1),),
        dimension_names=("x", nothing), attributes=Dict("units" => "K"), separator='.', order='F',
    )
    @test Zarrc.shard_size(array) == (4, 2) && array.metadata["dimension_names"] == [nothing, "x"]
    @test first(chunks(array)) == (1:4, 1:2) && Zarrc.format(array) == Zarrc.ZARRC_FORMAT_V3
    a = array.attributes
    a["list"] = [1.5, 2]
    a["nested"] = Dict("text" => "a \"quoted\" \n größer", "no" => nothing, "flag" => true)
    @test a["units"] == "K" && a["list"] == [1.5, 2] && a["nested"]["text"] == "a \"quoted\" \n größer"
    @test a["nested"]["no"] === nothing && a["nested"]["flag"] && length(a) == 3 && haskey(a, "list")
    delete!(a, "list")
    @test !haskey(a, "list") && get(a, "list", 1) == 1
    @test_throws KeyError a["list"]
    Zarrc.replace_attributes!(a, Dict("x" => NaN))
    @test a["x"] == "NaN"
    rectilinear = create_array(store, "r", Int8, (10,), chunks=([1, 9],))
    @test collect(chunks(rectilinear)) == [(1:1,), (2:10,)]
    second = Zarrc.open("memory:", "a")
    Zarrc.create_array_json(second, "json", 2, Dict("zarr_format" => 2, "shape" => [3], "chunks" => [3], "dtype" => "<i4",
        "compressor" => nothing, "fill_value" => 0, "order" => "C", "filters" => nothing))
    @test size(open_array(second, "json")) == (3,)
    flush(array)
    close(array)
    close(array)
    @test_throws Zarrc.Error size(array)
end

@testset "hierarchy and keys" begin
    group = create_group(store, "h", attributes=Dict("n" => 1))
    create_group(store, "h/i")
    @test keys(group) == ["i"] && group.attributes["n"] == 1 && haskey(store, "h/i")
    @test Zarrc.list(open_group(store), recursive=true)[1] isa Pair
    @test store["h"] isa Zarrc.Group && store["names"] isa Zarrc.ZarrcArray
    delete!(store, "h/i")
    @test Zarrc.kind(store, "h/i") == Zarrc.ZARRC_NODE_NONE
    Zarrc.set_value!(store, "key", "value")
    @test String(Zarrc.get_value(store, "key")) == "value" && String(Zarrc.get_value(store, "key", offset=1, length=2)) == "al"
    Zarrc.erase!(store, "key")
    Zarrc.erase_prefix!(store, "none/")
    Zarrc.forget!(store)
    other = Zarrc.open("memory:", "a")
    @test haskey(Zarrc.convert_plan(store, "r", other, "", 3), "nodes") || true
    Zarrc.convert_node(store, "small", other, "", 2)
    @test size(open_array(other)) == (2,)
end

@testset "errors and lifetimes" begin
    e = try open_array(store, "nothing") catch e e end
    @test e isa Zarrc.Error && e.status == Zarrc.ZARRC_NOT_FOUND && occursin("nothing", sprint(showerror, e))
    @test_throws Zarrc.Error Zarrc.open("memory:", "a", thread=2)
    @test_throws ArgumentError Zarrc.open("memory:", "x")
    array = create_array(Zarrc.open("memory:", "a"), "a", Int, (3,))
    GC.gc()
    array[:] = [1, 2, 3]
    @test array[2] == 2
    for n in 1:100
        open_array(store, "names")
    end
    GC.gc()
    @test Zarrc.version() == Zarrc.HEADER_VERSION && haskey(Zarrc.build_info(), "codecs")
end
@testset "selections" begin
    values = reshape(collect(1.0:7*9*4), 7, 9, 4)
    array = create_array(store, "sel", Float64, size(values), chunks=(3, 4, 4))
    array[:, :, :] = values
    mask = [isodd(i + j + k) for i in 1:7, j in 1:9, k in 1:4]
    points = [CartesianIndex(1, 2, 3), CartesianIndex(7, 9, 4), CartesianIndex(1, 2, 3)]
    @test array[[1 2; 3 4], 2, :] == values[[1 2; 3 4], 2, :]
    for at in (([7, 1, 1], [9, 2], :), (mask,), (points,), (:, mask[1, :, 1], 4:-3:1), (BitArray(mask),), (Int[], :, 1))
        @test array[at...] == values[at...]
        values[at...] = values[at...] .* 2
        array[at...] = values[at...]
        @test Array(array) == values
    end
    array[[1, 3], :, 2] .= 5
    array[[7], 1, 1] = -1
    values[[1, 3], :, 2] .= 5
    values[7, 1, 1] = -1
    @test Array(array) == values
    @test Zarrc.read_selected(array, Zarrc.select_blocks(array, 1:1, 2:3, 1:1)) == values[1:3, 5:9, :]
    @test_throws BoundsError array[[8], 1, 1]
    @test_throws BoundsError array[mask[1:3, :, :]]
    @test all(fill!(array, 2)[:, :, :] .== 2)
    texts = create_array(store, "texts", String, (3,))
    fill!(texts, "none")
    texts[[3, 1]] = ["c", "a"]
    @test texts[3:-1:1] == ["c", "none", "a"] && texts[[true, false, true]] == ["a", "c"]
end

@testset "requests" begin
    array = create_array(store, "req", Int32, (100, 100), chunks=(10, 10))
    array[:, :] = reshape(1:10000, 100, 100)
    requests = [Zarrc.read_start(array, :, n) for n in 1:20]
    @test Zarrc.wait_any(requests) in requests
    @test fetch.(requests) == [collect(Int32, 100n-99:100n) for n in 1:20]
    @test isready(requests[1])
    wait(Zarrc.write_start(array, fill(Int32(3), 100), 1, :))
    @test all(array[1, :] .== 3)
    Zarrc.cancel(requests[1])
    parts = Vector{Any}(undef, 100)
    @sync for n in 1:100
        @async parts[n] = array[2:100, n]
    end
    @test parts == [collect(100n-98:100n) for n in 1:100]
end

@testset "operations and what is told" begin
    array = create_array(store, "op/a", Int16, (6, 4), chunks=(3, 2), dimension_names=("x", nothing), missing_value=-9)
    @test array[1, 1] == -9 && array.attributes["_FillValue"] == -9
    array[:, :] = reshape(1:24, 6, 4)
    @test Zarrc.dimension_names(array) == ("x", nothing) && Zarrc.data_type_text(array) == "int16" && Zarrc.order(array) == 'C'
    @test Zarrc.separator(array) == '/' && Zarrc.path(array) == "op/a" && Zarrc.chunk_key(array, 2, 1) == "op/a/c/0/1"
    @test length(Zarrc.digest(array)) == 64 && length(Zarrc.digest(array, "sha1", stored=true)) == 40 && !isempty(Zarrc.store_name(array))
    @test Zarrc.info(array)["chunks_stored"] == 4 && Zarrc.codecs(array)[1]["name"] == "bytes"
    seen = []
    Zarrc.visit_chunks((index, key, bytes) -> (push!(seen, index); length(seen) < 3), array)
    @test seen == [(1, 1), (2, 1), (1, 2)]
    @test_throws ErrorException Zarrc.visit_chunks((at...) -> error("mine"), array)
    group = open_group(store, "op")
    Zarrc.visit((path, kind) -> push!(seen, path), group)
    @test seen[end] == "a" && occursin("a (4, 6) int16", Zarrc.tree(group))
    merge!(group.attributes, Dict("list" => [1, nothing, true]), Dict("n" => 2))
    @test group.attributes["list"] == [1, nothing, true] && group.attributes["n"] == 2
    @test Zarrc.set_missing_value!(create_array(store, "op/m", Float32, (1,)), -1).attributes["_FillValue"] !== nothing
    @test size(create_array(store, "op/a", Int16, (6, 4), exists=:require)) == (6, 4)
    @test_throws Zarrc.Error create_array(store, "op/a", Int16, (6, 5), exists=:require)
    @test size(create_array(store, "op/a", Int16, (6, 5), exists=:open)) == (6, 4)
    @test size(Zarrc.create_like(store, "op/like", array, (2, 2))) == (2, 2)
    @test size(create_array(store, "op/like", Int16, (1,), exists=:overwrite)) == (1,)
    @test create_group(store, "op", exists=:open) isa Zarrc.Group
    other = Zarrc.open("memory:", "a")
    @test Zarrc.copy_node(store, "op", other, "copy", exclude=["m"]).keys > 4
    @test_throws Zarrc.Error Zarrc.copy_node(store, "op", other, "copy")
    @test Zarrc.copy_node(store, "op", other, "copy", if_exists="skip", dry_run=true).skipped > 4
    @test_throws Zarrc.Error Zarrc.copy_node(store, "op", other, "links", link=true)
    Zarrc.move_node(other, "copy", "moved")
    wide = Zarrc.rechunk(array, other, "wide", chunks=(6, 1))
    @test Array(wide) == Array(array) && Zarrc.chunk_size(wide) == (6, 1)
    Zarrc.consolidate(other)
    @test isempty(Zarrc.verify(other)["problems"])
    Zarrc.set_value!(other, "wide/c/9/9", "x")
    @test length(Zarrc.repair(other, "outside", dry_run=true)["repaired"]) == 1
    @test length(Zarrc.repair(other, "outside")["repaired"]) == 1
    mktempdir() do directory
        create_array(Zarrc.open(directory * "/s.zarr", "w"), "a", Int8, (2,))
        @test size(open_array(directory * "/s.zarr/a")) == (2,) && keys(open_group(directory * "/s.zarr")) == ["a"]
    end
end

@testset "the streaming writer" begin
    values = reshape(collect(Float32, 1:24), 6, 4)
    Zarrc.Writer(store, "run"; flush_seconds=0.5, buffer_bytes=1 << 20) do writer
        field = Zarrc.declare(writer, "field", Float32, (6, 4, 0), chunks=(6, 4, 2), fill_value=-1, dimension_names=("x", "y", "time"))
        time = Zarrc.declare(writer, "time", Int64, (0,), dimension_names=("time",), attributes=Dict("units" => "h"))
        @test Zarrc.steps(writer) == 0
        @test_throws Zarrc.Error Zarrc.declare(writer, "field", Float32, (6, 4, 0))
        for step in 1:4
            field[:, :, step] = values .* step
            time[step] = Int32(6step)
            Zarrc.commit!(writer, step)
        end
        field[6:6, 4, 5:6] = [7, 8]
        Zarrc.commit!(writer, 5)
        others = Ref(false)
        @async others[] = true
        flush(writer)
        @test others[] && Zarrc.steps(writer) == 5
        @test_throws DimensionMismatch field[:, :, 6] = values[1:3, :]
        @test_throws BoundsError field[0:5, :, 6] = values
        @test_throws Zarrc.Error field[2:7, :, 6] = values
        @test_throws Zarrc.Error field[:, :, 5] = values
        @test_throws ArgumentError field[:, :, :] = values
    end
    @test open_array(store, "run/field")[:, :, 3] == values .* 3 && open_array(store, "run/field")[5:6, 4, 5] == [-1, 7]
    @test open_array(store, "run/time")[:] == [6, 12, 18, 24, 0]
    writer = Zarrc.Writer(store, "run")
    field = Zarrc.declare(writer, "field", Float32, (6, 4, 0))
    @test Zarrc.steps(writer) == 5
    @sync for n in 1:4
        @async field[:, n, 6] = values[:, n]
    end
    Zarrc.commit!(writer, 6)
    others = Ref(false)
    @async others[] = true
    field[:, 1, 7] = values[:, 1]
    @test others[] # a block that waits for room in the queue stops no other task
    close(writer)
    @test_throws Zarrc.Error flush(writer)
    @test size(open_array(store, "run/field")) == (6, 4, 6) && open_array(store, "run/field")[:, :, 6] == values
end

@testset "appending what a function writes" begin
    array = create_array(store, "log", Float64, (3, 2, 0), chunks=(3, 2, 2))
    kept = []
    for n in 1:2
        append!(array, 2) do grown, document, first
            push!(kept, grown)
            @test first == 2n - 1 && size(grown) == (3, 2, 2n)
            grown[:, :, first] = fill(n, 3, 2)
            Zarrc.open_array_json(store, "log", 3, document)[:, :, first+1] = fill(-n, 3, 2)
        end
    end
    @test size(array) == (3, 2, 4) && array[1, 1, :] == [1, -1, 2, -2]
    @test_throws Zarrc.Error size(kept[1])
    @test_throws DivideError append!((_...) -> div(1, 0), array, 1)
    @test_throws Zarrc.Error append!((_...) -> false, array, 1)
    @test_throws ArgumentError append!((_...) -> true, array, 1, dims=4)
    @test size(array) == (3, 2, 4)
end

@testset "coordinates of selections" begin
    array = create_array(store, "where", Int8, (6, 4, 6))
    expected = [CartesianIndex(i, j, 6) for j in (4, 1) for i in (5, 2)]
    @test Zarrc.coordinates(array, [5, 2], 4:-3:1, 6) == expected
    @test Zarrc.coordinates(array, [5, 2], 4:-3:1, 6, first=2, count=1) == expected[2:2]
    @test Zarrc.coordinates(array, Zarrc.select(array, expected)) == expected
    @test_throws Zarrc.Error Zarrc.coordinates(array, 1:2, 1, 1, first=2, count=2)
end

@testset "transactions" begin
    array = create_array(store, "changed", Int32, (2,))
    array[:] = [1, 2]
    Zarrc.transaction(store, message="three and four") do inside
        Zarrc.open_array(inside, "changed")[:] = [3, 4]
        @test array[:] == [1, 2]
    end
    @test array[:] == [3, 4]
    @test_throws DivideError Zarrc.transaction(store) do inside
        Zarrc.open_array(inside, "changed")[:] = [5, 6]
        div(1, 0)
    end
    inside = Zarrc.begin_transaction(store)
    Zarrc.open_array(inside, "changed")[:] = [7, 8]
    Zarrc.rollback!(inside)
    close(inside)
    @test array[:] == [3, 4]
    @test_throws Zarrc.Error Zarrc.commit!(store)
    @test_throws Zarrc.Error Zarrc.snapshot(store)
end
close(store)
