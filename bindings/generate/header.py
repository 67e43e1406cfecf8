"""Reads include/zarrc.h into a description of the C API that other programs can use.

The description is what bindings/api.json holds: enumerations with their constants, opaque types with
the functions that end them, structs, callback types, and functions. Of every argument it says

    name, type      as in C
    role            handle, string, strings, enum, value, array, memory, callback, user, struct, error
    direction       in, out, inout
    nullable        whether NULL may be passed (for outputs: always false, except the error)
    length          how many elements (arrays) or bytes (memory) it points at: the name of another
                    argument, or "rank" for the number of dimensions of the array in question,
                    or an expression of both ("count * rank", "elements + 1")
    free            outputs that the caller owns: the function that releases them
    borrowed        outputs that live as long as the argument named here

An argument that fits no rule is an error: whoever adds a C function says here how it is to be called.
"""

import re
from pathlib import Path

SCALARS = {
    "bool", "char", "size_t", "int32_t", "int64_t", "uint8_t", "uint64_t", "double", "float", "void",
}  # fmt: skip

# Arrays whose length is another argument, where that is not called `rank`.
LENGTHS = {
    ("zarrc_array_spec_set_chunk_edges", "edges"): "count",
    ("zarrc_codec_register", "aliases"): "alias_count",
    ("zarrc_selection_set_points", "coordinates"): "count * rank",
}
# Arguments that may be NULL although their own line of documentation does not say so.
NULLABLE = {"start", "count", "step", "strides"}
# Of which handle an accessor's result is a part, where its first argument is not that.
PLAIN_NUMBERS = re.compile(r"^(u?int\d+_t|size_t|double|float|bool|char)$")


class Unclear(Exception):
    """The header says too little for a binding."""


def read(path):
    text = Path(path).read_text()
    version = re.search(r'#define ZARRC_VERSION "([^"]+)"', text).group(1)
    text = text[text.index('extern "C" {') :]
    text = text[text.index("#endif") + 6 : text.rindex("#ifdef __cplusplus")]
    api = {"version": version, "enums": [], "handles": [], "structs": [], "callbacks": [], "functions": []}
    pending = []
    for doc, code in _items(text):
        _item(api, doc, code, pending)
    names = {enum["name"] for enum in api["enums"]}
    structs = {struct["name"] for struct in api["structs"]}
    callbacks = {callback["name"] for callback in api["callbacks"]}
    handles = {handle["name"]: handle for handle in api["handles"]}
    functions = {name for _, name, _, _ in pending}
    for handle in handles.values():
        for verb in ("close", "free"):
            if f"{handle['name']}_{verb}" in functions:
                handle["free"] = f"{handle['name']}_{verb}"
    for result, name, arguments, doc in pending:
        api["functions"].append(_function(result, name, arguments, doc, names, structs, callbacks, handles))
    return api


def _items(text):
    """Pairs of comment and declaration."""
    text = re.sub(r"/\* -{10,} \*/|/\*\* @(?:\}|defgroup).*?\*/", "", text, flags=re.S)
    text = re.sub(r"\bZARRC_(API|NODISCARD)\b", "", text)
    position = 0
    pattern = re.compile(r"\s*(?:/\*\*(.*?)\*/)?\s*", re.S)
    while position < len(text.rstrip()):
        match = pattern.match(text, position)
        doc, position = _prose(match.group(1) or ""), match.end()
        depth, end = 0, position
        bare = re.sub(r"/\*.*?\*/", lambda found: " " * len(found.group()), text[position:], flags=re.S)
        for end, letter in enumerate(bare):
            depth += (letter == "{") - (letter == "}")
            if letter == ";" and depth == 0:
                break
        else:
            return
        yield doc, text[position : position + end]
        position += end + 1


def _prose(comment):
    lines = [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in comment.splitlines()]
    return "\n".join(lines).strip()


def _item(api, doc, code, pending):
    code = re.sub(r"\s+", " ", code) if "{" not in code else code
    if found := re.fullmatch(r"typedef int32_t (\w+)", code):
        api["enums"].append({"name": found.group(1), "doc": doc, "constants": []})
    elif found := re.fullmatch(r"enum (\w+?)_constants \{(.*)\}", code, re.S):
        enum = next(enum for enum in api["enums"] if enum["name"] == found.group(1))
        for name, value, words in re.findall(r"(\w+) = (-?\d+),?[ \t]*(?:/\*\*<(.*?)\*/)?", found.group(2), re.S):
            enum["constants"].append({"name": name, "value": int(value), "doc": _one_line(_prose(words))})
    elif found := re.fullmatch(r"typedef struct (\w+) \1", code):
        api["handles"].append({"name": found.group(1), "doc": doc, "free": None})
    elif found := re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", code, re.S):
        api["structs"].append({"name": found.group(1), "doc": doc, "members": list(_members(found.group(2)))})
    elif found := re.fullmatch(r"typedef ([\w ]+?) ?\(\*(\w+)\)\((.*)\)", code):
        arguments = [_declared(part) for part in _split(found.group(3))]
        api["callbacks"].append(
            {"name": found.group(2), "doc": doc, "returns": found.group(1), "arguments": arguments}
        )
    elif found := re.fullmatch(r"((?:const )?\w+ ?\**) ?(zarrc_\w+)\((.*)\)", code):
        pending.append((found.group(1).strip(), found.group(2), _split(found.group(3)), doc))
    else:
        raise Unclear(f"not a declaration that is known: {code}")


def _members(body):
    for doc, code in _items(body):
        code = re.sub(r"\s+", " ", code).strip()
        if found := re.fullmatch(r"([\w ]+?) ?\(\*(\w+)\)\((.*)\)", code):
            arguments = [_declared(part) for part in _split(found.group(3))]
            yield {"name": found.group(2), "type": "callback", "returns": found.group(1), "arguments": arguments, "doc": doc}
        elif found := re.fullmatch(r"(.*?)(\w+)\[(\d+)\]", code):
            yield {"name": found.group(2), "type": found.group(1).strip(), "count": int(found.group(3)), "doc": doc}
        else:
            yield {**_declared(code), "doc": doc}


def _split(arguments):
    return [] if arguments.strip() in ("", "void") else [part.strip() for part in arguments.split(",")]


def _declared(text):
    found = re.fullmatch(r"(.*?)(\w+)", text.strip(), re.S)
    return {"name": found.group(2), "type": re.sub(r"\s*\*", "*", found.group(1).strip()).replace("*", " *", 1)}


def _one_line(text):
    return re.sub(r"\s+", " ", text)


def _paragraphs(doc):
    """What the documentation says of each argument, and of the result."""
    said = {}
    name = None
    for line in doc.splitlines():
        if found := re.match(r"@param(?:\[\w+\])?\s+(\w+)\s+(.*)", line):
            name = found.group(1)
            said[name] = found.group(2)
        elif found := re.match(r"@return\s+(.*)", line):
            name = "return"
            said[name] = found.group(1)
        elif name and line.strip():
            said[name] += " " + line.strip()
        elif not line.strip():
            name = None
    return said


def _function(result, name, arguments, doc, enums, structs, callbacks, handles):
    said = _paragraphs(doc)
    out = {"name": name, "returns": result, "doc": doc}
    if result == "zarrc_status" and name != "zarrc_status":
        out["statuses"] = sorted(set(re.findall(r"ZARRC_[A-Z_]+", said.get("return", ""))) - {"ZARRC_OK"})
    declared = [_declared(argument) for argument in arguments]
    names = [argument["name"] for argument in declared]
    types = {argument["name"]: argument["type"] for argument in declared}
    out["arguments"] = [
        _argument(name, argument, types, said, doc, enums, structs, callbacks, handles) for argument in declared
    ]
    if result in ("const char *", "const uint64_t *", "const uint8_t *") or re.fullmatch(r"zarrc_attributes ?\*", result):
        out["borrowed"] = names[0] if names and declared[0]["type"].split()[0 if "const" not in declared[0]["type"] else 1] in handles else "static"
    elif result.endswith("*"):
        base = result.rstrip("* ").strip()
        out["free"] = handles[base]["free"] if base in handles else _unclear(name, "its result")
    return out


def _unclear(function, what):
    raise Unclear(f"{function}: {what}: bindings/generate/header.py has no rule for it")


def _argument(function, argument, types, said, doc, enums, structs, callbacks, handles):
    names = list(types)
    name, type_ = argument["name"], argument["type"]
    words = said.get(name, "")
    ends = function.endswith(("_free", "_close"))
    base = type_.replace("const ", "").replace(" *", "").replace("*", "").replace("const", "").strip()
    stars = type_.count("*")
    if "offsets" in types and name in ("offsets", "bytes"):  # elements of variable length
        lengths = {**LENGTHS, (function, "offsets"): "elements + 1", (function, "bytes"): "offsets[elements]"}
    else:
        lengths = LENGTHS
    out = {"name": name, "type": type_, "role": None, "direction": "in", "nullable": False}

    def be(role, **more):
        out.update(role=role, **more)
        return out

    if base == "zarrc_error":
        return be("error", direction="out", nullable=True)
    if stars == 0:
        if base in enums:
            return be("enum")
        if base in callbacks:
            return be("callback", nullable=True)
        return be("value") if base in SCALARS else _unclear(function, name)
    counted = next((size for size in ("capacity", "count") if size in names and "*" not in types[size]), None)
    nullable = bool(re.search(r"\bNULL\b", words)) or (ends and stars == 1)
    if base in handles:
        if stars == 2:
            return be("handle", direction="out", free=handles[base]["free"])
        return be("handle", nullable=nullable or base == "zarrc_options" and not function.startswith(base) or _null_is_result(doc, function) or (base == "zarrc_selection" and "fill" in function))
    if base in structs:
        return be("struct", nullable=nullable or name == "options")
    if base == "char":
        if stars == 2 and type_.startswith("const char *const"):
            return be("strings", length=lengths.get((function, name), counted or "rank"), nullable="NULL if" in words)
        if stars == 2:
            if type_.startswith("const"):
                return be("string", direction="out", borrowed=names[0])
            return be("string", direction="out", free="zarrc_string_free")
        owned = function == "zarrc_string_free"
        return be("string", nullable=nullable or owned)
    if base == "uint8_t" and stars == 2:
        return be("memory", direction="out", free="zarrc_value_free", length="size")
    const = type_.startswith("const")
    if base == "void" and name == "user":
        return be("user", nullable=True)
    if base in ("void", "uint8_t"):
        length = lengths.get((function, name))
        if length is None:
            length = next((size for size in (f"{name}_size", "size") if size in names), None)
        if length is None and "strides" in names:
            length = "strides"
        length = length or counted
        if length is None:
            return _unclear(function, name)
        return be("memory", direction="in" if const or ends else "out", length=length, nullable="NULL" in words or ends)
    if PLAIN_NUMBERS.match(base) or base in enums:
        if (function, name) in lengths or const or "rank" in names or "capacity" in names and name != "count":
            bounds = function.endswith("chunk_bounds")
            return be(
                "array", direction="in" if const else "out", length=lengths.get((function, name), counted or "rank"),
                nullable=const and not bounds and (nullable or (name in NULLABLE and "_set_" not in function and not function.endswith("append"))),
            )  # fmt: skip
        return be("value", direction="out")
    return _unclear(function, name)


def _null_is_result(doc, function):
    """`0 for NULL`, `NULL for NULL`: accessors that take any handle."""
    return bool(re.search(r"\b(for|of|and) NULL\b", doc))
