#!/usr/bin/env python3
"""Writes the sources of a libmpi_abi: the standard's functions over those of the Open MPI library here.

Usage: translate.py INTERFACES MPI_HEADER LIBMPI OUTPUT_FOLDER

INTERFACES is lib/preload/mpi/interfaces, MPI_HEADER and LIBMPI are Open MPI's. OUTPUT_FOLDER gets mpi_constants.h
and mpi_functions.h (for mpi.h), native_constants.inc and wrappers.inc. A function that LIBMPI lacks gets
no wrapper, nor do those of the tools' interface (MPI_T).
"""

import re
import subprocess
import sys
from pathlib import Path

HANDLES = ("Op", "Comm", "Group", "Win", "File", "Session", "Message", "Info", "Errhandler", "Request",
           "Datatype")
# With callbacks or attributes of their own meaning: written by hand in callbacks.cpp.
BY_HAND = {"Op_create", "Op_create_c", "Comm_create_keyval", "Type_create_keyval", "Win_create_keyval",
           "Keyval_create", "Comm_create_errhandler", "Win_create_errhandler", "File_create_errhandler",
           "Session_create_errhandler", "Errhandler_create", "Grequest_start", "Register_datarep",
           "Register_datarep_c", "Type_get_contents", "Type_get_contents_c", "Pcontrol",
           "Abi_get_version", "Type_create_struct_c", "Win_get_attr"}
RANK = {"dest", "source", "root", "target_rank", "rank_source", "rank_dest"}
MEANINGS = {"required": "level", "provided": "level", "order": "order", "combiner": "combiner",
            "split_type": "split", "lock_type": "lock", "assert": "mode", "amode": "mode", "whence": "whence",
            "typeclass": "typeclass", "result": "comparison", "errorcode": "error", "errorclass": "error",
            "array_of_distribs": "distribution",
            "array_of_dargs": "darg"}
WEIGHTS = {"weights", "sourceweights", "destweights"}
COUNTED = {"Waitsome": "incount", "Testsome": "incount", "Request_get_status_some": "incount"}


def constants(path: Path) -> dict[str, list[tuple[str, str]]]:
    kinds: dict[str, list[tuple[str, str]]] = {}
    kind = ""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            kind = line
            continue
        for word in line.split(","):
            name, value = word.split()
            kinds.setdefault(kind, []).append((name, value))
    return kinds


def program_constants(kinds: dict[str, list[tuple[str, str]]]) -> str:
    lines = []
    for kind, members in kinds.items():
        cast = f"(MPI_{kind})" if kind in HANDLES else ""
        lines += [f"#define MPI_{name} ({cast}{value})" for name, value in members]
    return "\n".join(lines) + "\n"


def native_constants(kinds: dict[str, list[tuple[str, str]]], header: str) -> str:
    lines = []
    for kind, members in kinds.items():
        if kind in ("length", "same"):
            continue
        for name, value in members:
            if not re.search(rf"\bMPI_{name}\b", header):
                continue  # newer than this library
            lines.append(f"HANDLE({value}, MPI_{name})" if kind in HANDLES else
                         f"NUMBER({kind}, {value}, MPI_{name})")
    return "\n".join(lines) + "\n"


class Parameter:
    def __init__(self, text: str) -> None:
        found = re.fullmatch(r"(.*?)(\w+)((?:\[\d*\])*)", text.strip())
        assert found, text
        self.type, self.name, self.array = found[1].strip(), found[2], found[3]
        self.is_const = self.type.startswith("const ")
        self.base = self.type.removeprefix("const ").rstrip("*").strip()
        self.stars = self.type.count("*")

    def is_handle(self) -> bool:
        return self.base.removeprefix("MPI_") in HANDLES

    def abi(self) -> str:
        """Its type in both interfaces, where all pointers are alike."""
        if self.stars or self.array or self.is_handle():
            return "void*"
        return self.base


def meaning(function: str, name: str) -> str:
    """What the number is, where its values differ between the interfaces."""
    if name in RANK or (name == "rank" and function.startswith("Win_")):
        return "rank"
    if name in ("tag", "sendtag", "recvtag"):
        return "tag"
    if name.endswith("keyval"):
        return "keyval"
    if name in ("errorcode",) and function in ("Abort",):
        return ""
    if function == "Topo_test" and name == "status":
        return "topology"
    if function in ("Status_get_error", "Status_set_error"):
        return "error" if name == "error" else ""
    return MEANINGS.get(name, "")


def length(function: str, parameter: Parameter, all_names: list[str]) -> str:
    """How many elements an array of handles or statuses has."""
    if parameter.name in ("sendtypes", "recvtypes"):
        return f"neighbours_of(comm, {str('eighbor' in function).lower()}, {str(parameter.name[0] == 's').lower()})"
    if function in COUNTED:
        return COUNTED[function]
    return next(name for name in ("count", "max_datatypes") if name in all_names)


def wrapper(result: str, function: str, parameters: list[Parameter], symbol: str) -> str:
    names = [parameter.name for parameter in parameters]
    before, arguments = [], []
    for parameter in parameters:
        name = parameter.name
        number = meaning(function, name)
        if parameter.base == "MPI_Status":
            many = parameter.array or name == "array_of_statuses"
            count = length(function, parameter, names) if many else "1"
            before.append(f"Statuses {name}_({name}, {count}, {str(parameter.is_const).lower()});")
            arguments.append(f"{name}_.native()")
        elif parameter.is_handle() and parameter.array:
            # What isn't finished when the call returns reads its arrays later.
            keep = "true" if parameter.is_const and name.endswith("types") else "false"
            before.append(f"Handles {name}_({name}, {length(function, parameter, names)}, "
                          f"{str(parameter.is_const).lower()}, {keep});")
            arguments.append(f"{name}_.native()")
        elif parameter.is_handle() and parameter.stars and not (function.startswith("Comm_idup") and name == "newcomm"):
            before.append(f"Handles {name}_({name}, 1, false, false);")
            arguments.append(f"{name}_.native()")
        elif parameter.is_handle() and not parameter.stars:
            arguments.append(f"handle_in({name})")
        elif name in WEIGHTS:
            arguments.append(f"weights_in({name})")
        elif number and (parameter.stars or parameter.array):
            count = "ndims" if parameter.array else "1"
            before.append(f"Numbers {name}_({name}, {count}, Meaning::{number}, {str(parameter.is_const).lower()});")
            arguments.append(f"{name}_.native()")
        elif number:
            arguments.append(f"number_in(Meaning::{number}, {name})")
        elif parameter.stars or parameter.array:
            arguments.append(f"untyped({name})")
        else:
            arguments.append(name)
    types = ", ".join(parameter.abi() for parameter in parameters)
    formal = ", ".join(f"{parameter.abi()} {parameter.name}" for parameter in parameters)
    abi_result = "void*" if result.removeprefix("MPI_") in HANDLES else result
    lines = [f'extern "C" {abi_result} standard_{function}({formal}) asm("PMPI_{function}");',
             f'extern "C" {abi_result} weak_{function}({formal}) asm("MPI_{function}") '
             f'__attribute__((weak, alias("PMPI_{function}")));',
             f"{abi_result} standard_{function}({formal}) {{",
             f'  static const auto native = native_function<{abi_result}({types})>("{symbol}");',
             *("  " + line for line in before)]
    call = f"native({', '.join(arguments)})"
    if result == "int" and not function.startswith("Comm_toint"):
        call = f"number_out(Meaning::error, {call})"
    elif abi_result == "void*":
        call = f"handle_out({call})"
    return "\n".join([*lines, f"  return {call};", "}"])


def native_names(library: Path) -> dict[str, str]:
    """The library's symbol of each function; some are called MPIX_ until the standard has them."""
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, text=True,
                             capture_output=True).stdout
    early = {name: f"PMPIX_{name}" for name in re.findall(r"\bPMPIX_(\w+)", symbols)}
    return {**early, **{name: f"PMPI_{name}" for name in re.findall(r"\bPMPI_(\w+)", symbols)}}


def wrappers(prototypes: list[str], native: dict[str, str]) -> str:
    texts = []
    for prototype in dict.fromkeys(prototypes):
        for line in prototype.splitlines():
            found = re.fullmatch(r"(\S+) MPI_(\w+)\((.*)\);", line)
            if not found or found[2].startswith("T_"):
                continue
            result, function, parameters = found[1], found[2], found[3]
            if function not in native or function in BY_HAND or re.search("_(to|from)int$", function):
                continue
            listed = [] if parameters == "void" else [Parameter(part) for part in parameters.split(",")]
            texts.append(wrapper(result, function, listed, native[function]))
    return "\n".join(texts) + "\n"


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit("translate.py: expected INTERFACES MPI_HEADER LIBMPI OUTPUT_FOLDER")
    interfaces, header, library, output = (Path(word) for word in sys.argv[1:])
    sys.path.insert(0, str(interfaces))
    import generate
    prototypes, _ = generate.read(interfaces / "functions.table")
    output.mkdir(parents=True, exist_ok=True)
    kinds = constants(Path(__file__).with_name("constants.table"))
    (output / "mpi_constants.h").write_text(program_constants(kinds))
    (output / "mpi_functions.h").write_text("\n".join(prototypes) + "\n")
    (output / "native_constants.inc").write_text(native_constants(kinds, header.read_text()))
    (output / "wrappers.inc").write_text(wrappers(prototypes, native_names(library)))


if __name__ == "__main__":
    main()
