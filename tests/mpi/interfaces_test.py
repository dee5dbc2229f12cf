#!/usr/bin/env python3
"""The headers in lib/preload/mpi/interfaces say of each kind of MPI libraries what the installed ones say:
constants, sizes, the objects behind handles, and the prototypes of all functions."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

folder = kt.setting("KITH_SOURCE") / "lib/preload/mpi/interfaces"
WRAPPERS = {"openmpi": "mpicc.openmpi", "mpich": "mpicc.mpich"}
# What MPI 5 has and a library's header may lack.
LATER = """
typedef void* Opaque;
#ifndef MPI_SESSION_NULL
#define MPI_Session Opaque
#define MPI_Session_errhandler_function MPI_Comm_errhandler_function
#endif
#if !defined(MPI_SESSION_NULL) || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 6)
#define MPI_User_function_c MPI_User_function
#define MPI_Datarep_conversion_function_c MPI_Datarep_conversion_function
#define MPI_T_event_registration Opaque
#define MPI_T_event_instance Opaque
#define MPI_T_cb_safety int
#define MPI_T_source_order int
#define MPI_T_event_cb_function MPI_Delete_function
#define MPI_T_event_free_cb_function MPI_Delete_function
#define MPI_T_event_dropped_cb_function MPI_Delete_function
#endif
#define MPI_Partition_count MPI_Count
#undef MPI_Aint_add
#undef PMPI_Aint_add
#undef MPI_Aint_diff
#undef PMPI_Aint_diff
"""
# Some libraries have these with fewer "const" than the standard.
LATER += "".join(f"#define {prefix}{name} {prefix}{name}_with_const\n" for prefix in ("MPI_", "PMPI_") for name in
                 ("Pready_list", "Request_get_status_all", "Request_get_status_any", "Request_get_status_some", "Status_get_error",
                  "Status_get_source", "Status_get_tag"))


def constants(kind):
    """Name and value of each `#define MPI_X value`."""
    text = (folder / kind / "mpi.h").read_text()
    found = re.findall(r"^#define (MPI_(?!VERSION|SUBVERSION|MAX_)\w+) (.+)$", text, re.M)
    kt.check(len(found) > 60, f"{kind}: only {len(found)} constants")
    return [(name, value.split("/*")[0].strip()) for name, value in found]


def compiled(wrapper, text, *options):
    pathlib.Path("probe.c").write_text(text)
    return subprocess.run([wrapper, "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "-DOMPI_REMOVED_USE_STATIC_ASSERT=0",
                           "-I", ".", *options, "probe.c"], text=True, capture_output=True)


def check_prototypes(kind, wrapper):
    """Declared once more: a C compiler refuses other types."""
    later = LATER + "#define KITH_WITH_REMOVED_FUNCTIONS\n#include \"mpi_functions.h\"\n"
    done = compiled(wrapper, "#include <mpi.h>\n" + later, "-w", "-fsyntax-only")
    kt.check_equal(done.stderr, "", f"{kind}: prototypes")
    spoilt = compiled(wrapper, "#include <mpi.h>\nint MPI_Send(int);\n", "-w", "-fsyntax-only")
    kt.check("conflicting types" in spoilt.stderr, spoilt.stderr)


def check_constants(kind, wrapper):
    values = [(name, value) for name, value in constants(kind) if "KITH_PREDEFINED" not in value]
    lines = [f'  if ((size_t)({name}) != (size_t)({value})) puts("{name}");' for name, value in values]
    fields = ("MPI_SOURCE", "MPI_TAG", "MPI_ERROR")
    own = re.search(r"typedef struct\s*\w*\s*\{.*?\} MPI_Status;", (folder / kind / "mpi.h").read_text(), re.S)
    lines += [f'  if (offsetof(MPI_Status, {field}) != offsetof(Own, {field})) puts("{field}");' for field in fields]
    lines.append('  if (sizeof(MPI_Status) != sizeof(Own)) puts("MPI_Status");')
    status = own[0].replace("MPI_Status", "Own")
    done = compiled(wrapper, "#include <mpi.h>\n#include <stddef.h>\n#include <stdio.h>\n" + status
                    + "\nint main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n", "-w", "-o", "probe")
    kt.check_equal(done.stderr, "", f"{kind}: constants")
    kt.check_equal(kt.run(["./probe"]).stdout, "", f"{kind}: constants that differ")
    return len(values)


def check_objects(kind, wrapper):
    """MPI_X KITH_PREDEFINED(type, object): the installed header names the same object."""
    pairs = [(name, re.search(r"PREDEFINED\((\w+), (\w+)\)", value)) for name, value in constants(kind)]
    pairs = [(name, match[2]) for name, match in pairs if match]
    text = "#include <mpi.h>\n" + "\n".join(f"kith_line {name}" for name, _ in pairs) + "\n"
    expanded = re.findall(r"kith_line (.*)", compiled(wrapper, text, "-E").stdout)
    for (name, symbol), line in zip(pairs, expanded, strict=True):
        kt.check(re.search(rf"\b{symbol}\b", line), f"{name}: {symbol}, in mpi.h {line}")
    return len(pairs)


with kt.work_folder():
    kt.run([sys.executable, "-B", folder / "generate.py", folder / "functions.table", "mpi_functions.h"])
    for kind, wrapper in WRAPPERS.items():
        kt.need_programs(wrapper)
        check_prototypes(kind, wrapper)
        print(f"{kind}: {check_constants(kind, wrapper)} constants and {check_objects(kind, wrapper)} objects "
              "as in the installed header, and the prototypes of all functions")
    pathlib.Path("bad.table").write_text("Send c: int a\nSend c x: int b\n")
    done = subprocess.run([sys.executable, "-B", folder / "generate.py", "bad.table", "no.h"], text=True, capture_output=True)
    kt.check("bad.table:2: expected 'NAME FORMS: PARAMETERS'" in done.stderr, done.stderr)
kt.finish()
