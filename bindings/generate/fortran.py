"""Writes the Fortran sources: interfaces of the C functions, and the module from its template."""

import re

VALUES = {
    "bool": "logical(c_bool)", "char": "integer(c_signed_char)", "size_t": "integer(c_size_t)",
    "int32_t": "integer(c_int32_t)", "int64_t": "integer(c_int64_t)", "uint64_t": "integer(c_int64_t)",
    "double": "real(c_double)", "float": "real(c_float)", "uint8_t": "integer(c_int8_t)",
}  # fmt: skip


def low(api, note):
    """Module zarrc_c: constants and interfaces, one for each function of the header."""
    enums = {enum["name"] for enum in api["enums"]}
    handles = {handle["name"] for handle in api["handles"]}
    callbacks = {callback["name"] for callback in api["callbacks"]}
    out = [*(f"! {line}" for line in ["The C functions and constants of zarrc.", note])]
    out += ["module zarrc_c", "  use, intrinsic :: iso_c_binding", "  implicit none", "  public", ""]
    for enum in api["enums"]:
        for constant in enum["constants"]:
            out.append(f"  integer(c_int32_t), parameter :: {constant['name'].lower()} = {constant['value']}")
        out.append("")
    out += ["  type, bind(c) :: zarrc_error_c", "    integer(c_int32_t) :: status = 0", "    integer(c_int32_t) :: system_code = 0"]
    out += ["    character(kind=c_char) :: message(1016) = c_null_char", "  end type zarrc_error_c", "", "  interface"]

    def declared(argument):
        type_, stars = argument["type"], argument["type"].count("*")
        name = type_.replace("const", "").replace("*", "").strip()
        role, absent = argument["role"], ", optional" if argument["nullable"] else ""
        if role == "error":
            return "type(zarrc_error_c), intent(inout), optional"
        if name in callbacks:
            return "type(c_funptr), value"
        if stars == 0:
            return f"{'integer(c_int32_t)' if name in enums else VALUES[name]}, value"
        if role == "string" and argument["direction"] == "in" and "const" in type_:
            return f"character(kind=c_char), intent(in){absent}", "(*)"
        if stars == 2:
            return ("type(c_ptr), intent(in)", "(*)") if "*const" in type_ else "type(c_ptr), intent(inout)"
        if name in handles or name in ("void", "uint8_t", "char") or role == "struct":
            return "type(c_ptr), value"
        value = "integer(c_int32_t)" if name in enums else VALUES[name]
        if role == "array":
            return f"{value}, intent({'in' if 'const' in type_ else 'inout'}){absent}", "(*)"
        return f"{value}, intent(inout)"

    for function in api["functions"]:
        names = [argument["name"] for argument in function["arguments"]]
        result = function["returns"]
        kind = "subroutine" if result == "void" else "function"
        head = f"    {kind} {function['name']}({', '.join(names)}) bind(c)"
        head += " result(answer)" if kind == "function" else ""
        out += folded(head)
        out.append("      import")
        for argument in function["arguments"]:
            what = declared(argument)
            what, shape = what if isinstance(what, tuple) else (what, "")
            out.append(f"      {what} :: {argument['name']}{shape}")
        if kind == "function":
            value = "type(c_ptr)" if "*" in result else "integer(c_int32_t)" if result in enums else VALUES[result]
            out.append(f"      {value} :: answer")
        out += [f"    end {kind} {function['name']}", ""]
    return "\n".join([*out, "  end interface", "end module zarrc_c", ""])


def folded(line, width=100):
    """One long statement on several lines."""
    out, indent = [], "      "
    while len(line) > width:
        cut = line.rindex(", ", 0, width - 2) + 2
        out.append(line[:cut].rstrip() + " &")
        line = indent + "  " + line[cut:]
    return [*out, line]


def expand(path, note, api):
    """Repeats what stands between `!@for a=1|2 b=x|y` and `!@end`, once for each pair of values, with @a@, @b@
    replaced; nested ones multiply. `!@dimensions 3 TEXT` repeats one line for each of 3 dimensions, with @d@ the
    dimension, @first@ the first element's indices, from those in `l`, and @second@ those of its neighbour along it;
    `!@first 3 TEXT` is one such line. `!@include FILE` is that file, `!@constants` makes those of C public."""
    constants = [f"  public :: {c['name'].lower()}" for enum in api["enums"] for c in enum["constants"]]
    text = path.read_text().replace("!@constants", "\n".join(constants).lstrip())
    text = re.sub(r"!@include (\S+)\n", lambda found: (path.parent / found.group(1)).read_text(), text)
    lines = _expanded(text.split("\n"))
    return f"! {note}\n" + "\n".join(
        part for line in lines for made in _dimensions(line) for part in folded(made, 130)
    )


def _dimensions(line):
    found = re.match(r"(\s*)!@(dimensions|first) (\d+) (.*)", line)
    if not found:
        yield line
        return
    rank = int(found.group(3))
    for dimension in range(1, rank + 1 if found.group(2) == "dimensions" else 2):
        first = ", ".join(f"l({other})" for other in range(1, rank + 1))
        second = ", ".join(f"l({other})+1" if other == dimension else f"l({other})" for other in range(1, rank + 1))
        text = found.group(4).replace("@d@", str(dimension)).replace("@first@", first).replace("@second@", second)
        yield found.group(1) + text


def _expanded(lines):
    out, position = [], 0
    while position < len(lines):
        line = lines[position]
        if not line.strip().startswith("!@for "):
            out.append(line)
            position += 1
            continue
        depth, end = 1, position
        while depth:
            end += 1
            depth += lines[end].strip().startswith("!@for ") - (lines[end].strip() == "!@end")
        names, lists = zip(*((name, _values(values)) for name, values in re.findall(r"(\w+)=(\S+)", line)))
        for values in zip(*lists):
            body = lines[position + 1 : end]
            for name, value in zip(names, values):
                body = [text.replace(f"@{name}@", value) for text in body]
            out += _expanded(body)
        position = end + 1
    return out


def _values(text):
    """`0..15` and `a|b|c`."""
    if found := re.fullmatch(r"(\d+)\.\.(\d+)", text):
        return [str(number) for number in range(int(found.group(1)), int(found.group(2)) + 1)]
    return text.split("|")
