# JSON, as far as attributes need it: Julia's standard library has none.

"""A JSON text as Dict, Vector, String, Bool, Int, Float64 or nothing."""
function parse_json(text::AbstractString)
    value, at = json_value(codeunits(text), skip_blanks(codeunits(text), 1))
    skip_blanks(codeunits(text), at) > ncodeunits(text) || error("JSON: text after the value")
    value
end

skip_blanks(s, at) = (while at <= length(s) && s[at] in b" \t\r\n"; at += 1; end; at)

function json_value(s, at)
    at <= length(s) || error("JSON: the text ends too early")
    letter = s[at]
    if letter == UInt8('{')
        return json_list(s, at, UInt8('}'), Dict{String,Any}()) do out, at
            key, at = json_string(s, at)
            at = skip_blanks(s, at)
            s[at] == UInt8(':') || error("JSON: expected a colon")
            out[key], at = json_value(s, skip_blanks(s, at + 1))
            at
        end
    elseif letter == UInt8('[')
        return json_list(s, at, UInt8(']'), Any[]) do out, at
            value, at = json_value(s, at)
            push!(out, value)
            at
        end
    elseif letter == UInt8('"')
        return json_string(s, at)
    end
    for (word, value) in (b"true" => true, b"false" => false, b"null" => nothing)
        s[at:min(end, at + length(word) - 1)] == word && return value, at + length(word)
    end
    last = at
    while last < length(s) && s[last+1] in b"+-.0123456789eE"
        last += 1
    end
    number = String(s[at:last])
    whole = tryparse(Int, number)
    something(whole, tryparse(Float64, number), Some(nothing)) === nothing && error("JSON: $number is no number")
    (whole === nothing ? Base.parse(Float64, number) : whole), last + 1
end

function json_list(element, s, at, closing, out)
    at = skip_blanks(s, at + 1)
    s[at] == closing && return out, at + 1
    while true
        at = skip_blanks(s, element(out, at))
        at <= length(s) || error("JSON: the text ends too early")
        s[at] == closing && return out, at + 1
        s[at] == UInt8(',') || error("JSON: expected a comma")
        at = skip_blanks(s, at + 1)
    end
end

function json_string(s, at)
    out = UInt8[]
    at += 1
    while s[at] != UInt8('"')
        if s[at] == UInt8('\\')
            at += 1
            if s[at] == UInt8('u')
                unit = Base.parse(UInt32, String(s[at+1:at+4]), base=16)
                at += 4
                if 0xd800 <= unit < 0xdc00 && at + 6 <= length(s) && s[at+1] == UInt8('\\')
                    low = Base.parse(UInt32, String(s[at+3:at+6]), base=16)
                    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
                    at += 6
                end
                append!(out, codeunits(string(Char(unit))))
            else
                escapes = Dict('n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f')
                letter = Char(s[at])
                push!(out, UInt8(get(escapes, letter, letter)))
            end
        else
            push!(out, s[at])
        end
        at += 1
    end
    String(out), at + 1
end

"""A value as JSON."""
write_json(value) = sprint(write_json, value)
write_json(io::IO, ::Union{Nothing,Missing}) = print(io, "null")
write_json(io::IO, value::Union{Bool,Integer}) = print(io, value)
write_json(io::IO, value::AbstractFloat) =
    print(io, isnan(value) ? "\"NaN\"" : isinf(value) ? (value > 0 ? "\"Infinity\"" : "\"-Infinity\"") : value isa Float64 ? value : Float64(value))
write_json(io::IO, value::Symbol) = write_json(io, String(value))
function write_json(io::IO, value::AbstractString)
    print(io, '"')
    for letter in value
        if letter in ('"', '\\')
            print(io, '\\', letter)
        elseif letter < ' '
            print(io, "\\u", string(UInt16(letter), base=16, pad=4))
        else
            print(io, letter)
        end
    end
    print(io, '"')
end
function write_json(io::IO, value::Union{AbstractVector,Tuple})
    print(io, '[')
    for (n, element) in enumerate(value)
        n > 1 && print(io, ',')
        write_json(io, element)
    end
    print(io, ']')
end
function write_json(io::IO, value::AbstractDict)
    print(io, '{')
    for (n, (key, element)) in enumerate(value)
        n > 1 && print(io, ',')
        write_json(io, string(key))
        print(io, ':')
        write_json(io, element)
    end
    print(io, '}')
end
