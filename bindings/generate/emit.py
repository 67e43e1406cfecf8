"""Writes the low layers of the bindings: constants as enumerations, and how each C function is called."""

import re

import fortran

NOTE = "Written from include/zarrc.h by bindings/generate/generate.py: change that, not this."
PREFIXES = {
    "zarrc_format": "FORMAT_", "zarrc_node_kind": "NODE_", "zarrc_codec_kind": "CODEC_", "zarrc_attribute_kind": "ATTRIBUTE_",
    "zarrc_if_exists": "IF_EXISTS_",
}  # fmt: skip
NUMBERS = {
    # C: ctypes, Julia
    "bool": ("c_bool", "Bool"), "char": ("c_char", "Cchar"), "size_t": ("c_size_t", "Csize_t"),
    "int32_t": ("c_int32", "Int32"), "int64_t": ("c_int64", "Int64"), "uint8_t": ("c_uint8", "UInt8"),
    "uint64_t": ("c_uint64", "UInt64"), "double": ("c_double", "Cdouble"), "float": ("c_float", "Cfloat"),
    "void": (None, "Cvoid"),
}  # fmt: skip
KEYWORDS = {"bool", "struct", "float", "double", "int"}  # of C++, among the names of constants


def all(api, bindings):
    yield "python/zarrc/_api.py", python(api)
    yield "julia/Zarrc/src/api.jl", julia(api)
    yield "go/constants.go", go(api)
    yield "cpp/zarrc_enums.hpp", cpp(api)
    yield "fortran/zarrc_c.f90", fortran.low(api, NOTE)
    for name in ("fortran/zarrc_memory", "fortran/zarrc", "../mpi/zarrc_mpi"):
        note = f"Written from {name}.f90.in by bindings/generate/generate.py: change that, not this."
        yield f"{name}.f90", fortran.expand(bindings / f"{name}.f90.in", note, api)


def short(enum, constant):
    """ZARRC_FORMAT_V3 is V3 of zarrc_format."""
    name = constant["name"].removeprefix("ZARRC_")
    return name.removeprefix(PREFIXES.get(enum["name"], ""))


def camel(name):
    return "".join(word.capitalize() for word in name.removeprefix("zarrc_").split("_"))


def first_sentence(doc):
    text = re.sub(r"\s+", " ", doc.split("\n@")[0])
    return re.split(r"(?<=[.])\s", text, maxsplit=1)[0] if text else ""


def wrapped(text, before, width=100):
    line, lines = before, []
    for word in text.split():
        if len(line) + len(word) + 1 > width and line != before:
            lines.append(line)
            line = before
        line += " " + word
    return [*lines, line] if text else []


def base(type_):
    return type_.replace("const", "").replace("*", "").strip()


# ---- Python ----------------------------------------------------------------------------------------


def python(api):
    out = [
        f'"""The C functions, types and constants of libzarrc {api["version"]} for ctypes. {NOTE}"""', "",
        "# fmt: off", "# ruff: noqa", "from ctypes import (",
        "    CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t,",
        "    c_uint8, c_uint64, c_void_p,", ")", "from enum import IntEnum", "", f'VERSION = "{api["version"]}"', "",
    ]  # fmt: skip
    for enum in api["enums"]:
        out += ["", f"class {camel(enum['name'])}(IntEnum):"]
        out += [f'    """{first_sentence(enum["doc"])}"""', ""]
        out += [f"    {short(enum, constant)} = {constant['value']}" for constant in enum["constants"]]
        out.append("")
    enums = {enum["name"] for enum in api["enums"]}
    structs = {struct["name"] for struct in api["structs"]}
    callbacks = {callback["name"] for callback in api["callbacks"]}

    def scalar(name):
        return "c_int32" if name in enums else NUMBERS[name][0]

    def kind(argument):
        type_, stars = argument["type"], argument["type"].count("*")
        name = base(type_)
        if stars == 0:
            return f"{camel(name)}" if name in callbacks else scalar(name)
        if name in structs:
            return f"POINTER({camel(name)})"
        if name == "char" and stars == 1:
            # A string to be freed was never made into one of Python's.
            return "c_char_p" if "const" in type_ else "c_void_p"
        if name == "char" and stars == 2 and type_.startswith("const char *const"):
            return "POINTER(c_char_p)"
        if stars == 2:
            return "POINTER(c_void_p)"
        if name in ("size_t", "uint64_t", "int64_t", "double", "bool", "float") or name in enums:
            return f"POINTER({scalar(name)})"
        return "c_void_p"

    def result(type_):
        if type_ == "void":
            return "None"
        if "*" in type_:
            return "c_char_p" if base(type_) == "char" else "c_void_p"
        return scalar(type_)

    def prototype(item):
        return ", ".join([result(item["returns"]), *(kind(argument) for argument in item["arguments"])])

    out += ["", "class Error(Structure):", '    """zarrc_error: owned by the caller, nothing to free."""', ""]
    members = next(struct for struct in api["structs"] if struct["name"] == "zarrc_error")["members"]
    fields = [f'("{m["name"]}", {scalar(m["type"])}{" * " + str(m["count"]) if "count" in m else ""})' for m in members]
    out += [f"    _fields_ = [{', '.join(fields)}]", "", ""]
    out += [f"{camel(callback['name'])} = CFUNCTYPE({prototype(callback)})" for callback in api["callbacks"]]
    for struct in api["structs"]:
        if struct["name"] == "zarrc_error":
            continue
        out += ["", "", f"class {camel(struct['name'])}(Structure):", f'    """{struct["name"]}"""', "", "    _fields_ = ["]
        for member in struct["members"]:
            type_ = f"CFUNCTYPE({prototype(member)})" if member["type"] == "callback" else kind(member)
            out.append(f'        ("{member["name"]}", {type_}),')
        out.append("    ]")
    out += ["", "", "# name: (result, arguments...)", "FUNCTIONS = {"]
    out += [f'    "{function["name"]}": ({prototype(function)},),' for function in api["functions"]]
    return "\n".join([*out, "}"]) + "\n"


# ---- Julia -----------------------------------------------------------------------------------------


def julia(api):
    out = [f"# The C functions, types and constants of libzarrc {api['version']}.", f"# {NOTE}", ""]
    out += [f'const HEADER_VERSION = v"{api["version"]}"', ""]
    for enum in api["enums"]:
        out += [f"# {first_sentence(enum['doc'])}", f"@enum {camel(enum['name'])}::Int32 begin"]
        out += [f"    {constant['name']} = {constant['value']}" for constant in enum["constants"]]
        out += ["end", ""]
    enums = {enum["name"] for enum in api["enums"]}
    callbacks = {callback["name"] for callback in api["callbacks"]}
    scalar = lambda name: "Int32" if name in enums else "Ptr{Cvoid}" if name in callbacks else NUMBERS[name][1]

    def kind(type_):
        name, stars = base(type_), type_.count("*")
        if stars == 0:
            return scalar(name)
        inner = scalar(name) if name in NUMBERS or name in enums else "Cvoid"
        if name == "char" and stars == 1 and "const" in type_:
            return "Cstring"
        if name == "char":
            return "Ptr{Cstring}" if stars == 2 else "Cstring"
        if name == "zarrc_error":
            return "Ptr{CError}"
        return "Ptr{" * stars + inner + "}" * stars

    out += ["# zarrc_error: owned by the caller, nothing to free."]
    out += ["mutable struct CError", "    status::Int32", "    system_code::Int32", "    message::NTuple{1016,UInt8}"]
    out += ["    CError() = (error = new(); error.status = 0; error)", "end", ""]
    for struct in api["structs"]:
        if struct["name"] == "zarrc_error":
            continue
        out += [f"struct C{camel(struct['name'])}"]
        for member in struct["members"]:
            type_ = "Ptr{Cvoid}" if member["type"] == "callback" else kind(member["type"])
            out.append(f"    {member['name']}::{type_}")
        out += ["end", ""]
    names = [function["name"] for function in api["functions"]]
    out += ["# Addresses of the functions, found when the package is loaded.", "const FUNCTIONS = ("]
    out += [f"    :{name}," for name in names] + [")", f"const ADDRESSES = fill(C_NULL, {len(names)})", ""]
    for number, function in enumerate(api["functions"], 1):
        arguments = [a["name"] for a in function["arguments"]]
        types = "".join(kind(a["type"]) + ", " for a in function["arguments"])
        head = ", ".join(arguments)
        result = kind(function["returns"]) if function["returns"] != "void" else "Cvoid"
        out.append(f"{function['name']}({head}) =")
        out.append(f"    ccall(ADDRESSES[{number}], {result}, ({types}){', ' + head if head else ''})")
    return "\n".join(out) + "\n"


# ---- Go --------------------------------------------------------------------------------------------


def go(api):
    types = {"zarrc_status": "Status", "zarrc_data_type": "DataType", "zarrc_format": "Format", "zarrc_mode": "Mode"}
    out = [f"// Code generated from include/zarrc.h by bindings/generate/generate.py. DO NOT EDIT.", "", "package zarrc", ""]
    for enum in api["enums"]:
        name = types.get(enum["name"], camel(enum["name"]))
        out += wrapped(f"{name}: {first_sentence(enum['doc'])}".replace("one of the constants below", "one of these constants"), "//")
        out += [f"type {name} int32", "", "const ("]
        for constant in enum["constants"]:
            plain = camel(short(enum, constant).lower())
            prefix = {"Status": "Err", "Mode": "", "DataType": ""}.get(name, name)
            if name == "Status" and plain == "Ok":
                prefix, plain = "Status", "OK"
            if name == "Status":
                plain = {"Io": "IO"}.get(plain, plain)
            out += wrapped(constant["doc"], "\t//", 96)
            out.append(f"\t{prefix}{plain} {name} = {constant['value']}")
        out += [")", ""]
    return "\n".join(out)


# ---- C++ -------------------------------------------------------------------------------------------


def cpp(api):
    out = [f"// The constants of zarrc.h as enumerations. {NOTE}"]
    out += ["#ifndef ZARRC_ENUMS_HPP", "#define ZARRC_ENUMS_HPP", "", "#include <cstdint>", "", "namespace zarrc {", ""]
    for enum in api["enums"]:
        if enum["name"] == "zarrc_status":
            continue  # compared with the constants of C
        out += wrapped(first_sentence(enum["doc"]), "///")
        out.append(f"enum class {enum['name'].removeprefix('zarrc_')} : std::int32_t {{")
        for constant in enum["constants"]:
            name = short(enum, constant).lower()
            out += wrapped(constant["doc"], "  ///")
            out.append(f"  {name + '_' if name in KEYWORDS else name} = {constant['value']},")
        out += ["};", ""]
    return "\n".join([*out, "} // namespace zarrc", "", "#endif", ""])
