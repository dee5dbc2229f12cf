#!/usr/bin/env python3
"""CONTRIBUTING.md to the letter: its files and lines go into a copy of the source tree, then its
commands are run there.

The copy is configured and built as the document says. A compiler launcher (CMake's own hook) takes
the objects of sources that the document does not touch from the build folder of this test, so that
only what is new is compiled.
"""
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from documents import FOLDERS, blocks  # noqa: E402
from kithtest import check, fail, run, setting, work_folder  # noqa: E402

SOURCE = setting("KITH_SOURCE").resolve()
BINARY = setting("KITH_BINARY").resolve()
DOCUMENT = ".github/CONTRIBUTING.md"

# Headers that gain nothing but such lines make no other object stale.
DECLARATION = re.compile(r"(const Mapper& \w+\(\)|std::unique_ptr<Machine> read_\w+\(const "
                         r"SpecRequest& request\)|LaunchFileWriter \w+);")

# Finds the object's and the source's name in a compiler's command line.
LAUNCHER = r"""#!/bin/bash
for ((i = 1; i <= $#; i++)); do
  case ${!i} in
    -o) next=$((i + 1)) object=${!next} ;;
    -MF) next=$((i + 1)) dependencies=${!next} ;;
    *.cpp | *.cxx | *.c) source=${!i} ;;
  esac
done
ready=BINARY/$(realpath --relative-to=COPY/build "$object")
# Several sources at once: another batch than before, or one with a touched source.
is_other_batch() {
  [[ $source == */Unity/* ]] || return 1
  before=BINARY/$(realpath --relative-to=COPY/build "$source")
  ! cmp -s <(sed 's#COPY/#SOURCE/#' "$source") "$before" || grep -qFf COPY/../changed "$source"
}
if [ -z "$object" ] || [ ! -e "$ready" ] || grep -qFx "$source" COPY/../changed || is_other_batch
then
  echo "$source" >> COPY/../compiled
  exec "$@"
fi
parts=$([[ $source == */Unity/* ]] && sed -n 's/^#include "\(.*\)"$/\1/p' "$source" | tr '\n' ' ')
cp "$ready" "$object" && echo "$object: $source $parts" > "${dependencies:-/dev/null}"
"""


def copy_of_the_tree(copy):
    copy.mkdir()
    for name in FOLDERS:
        shutil.copytree(SOURCE / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("CMakeLists.txt", "README.md", "LICENSE"):
        shutil.copy(SOURCE / name, copy / name)


def put(copy, place, block):
    """Makes a new file, or puts lines below the one that the document names. Returns the path."""
    found = re.fullmatch(r"`([^`]+)`, (?:new|below `([^`]+)`):", block.lead)
    check(found, f"{place}: a block of code below neither \"`FILE`, new:\" nor \"`FILE`, below "
                 f"`LINE`:\", but {block.lead!r}")
    path = copy / found[1]
    if found[2] is None:
        check(not path.exists(), f"{place}: {found[1]} is new no more")
        path.write_text(block.text)
        return path
    lines = path.read_text().splitlines(keepends=True)
    below = [i for i, line in enumerate(lines) if line.strip() == found[2]]
    check(len(below) == 1, f"{place}: {found[1]} has {len(below)} lines {found[2]!r} instead of 1")
    if path.suffix == ".hpp":
        for line in block.text.splitlines():
            check(DECLARATION.fullmatch(line), f"{place}: {found[1]} gains {line!r}; this test "
                                               "rebuilds nobody who includes it")
    lines.insert(below[0] + 1, block.text)
    path.write_text("".join(lines))
    return path


def build_environment(copy):
    """Lets plain `cmake -S . -B build` use the generator, compiler and flags of our own build."""
    cache = dict(re.findall(r"(?m)^(\w+):\w+=(.*)$", (BINARY / "CMakeCache.txt").read_text()))
    launcher = copy.parent / "launcher"
    launcher.write_text(LAUNCHER.replace("SOURCE", str(SOURCE)).replace("BINARY", str(BINARY))
                        .replace("COPY", str(copy)))
    launcher.chmod(0o755)
    return {"CMAKE_GENERATOR": cache["CMAKE_GENERATOR"],
            "CMAKE_CXX_COMPILER_LAUNCHER": str(launcher), "CMAKE_C_COMPILER_LAUNCHER": str(launcher),
            "CC": cache["CMAKE_C_COMPILER"], "CXX": cache["CMAKE_CXX_COMPILER"],
            "CXXFLAGS": cache["CMAKE_CXX_FLAGS"], "CFLAGS": cache["CMAKE_C_FLAGS"]}


def follow(copy):
    """All that the document asks for, in its order. Returns the paths touched, the output of
    each block of commands, and how many files it made or changed."""
    environment = build_environment(copy)
    changed, outputs = [], []
    for block in blocks(SOURCE / DOCUMENT):
        place = f"{DOCUMENT}:{block.line}"
        if block.language in ("cpp", "cmake", "python"):
            changed.append(put(copy, place, block))
            (copy.parent / "changed").write_text("".join(f"{path}\n" for path in changed))
        elif block.language == "sh":
            # -o pipefail: what fails in the middle of a line fails.
            done = run(["bash", "-euo", "pipefail", "-c", f"cd {copy}\n{block.text}"], environment,
                       timeout=400)
            outputs.append(done.stdout + done.stderr)
        elif block.language:
            fail(f"{place}: nobody follows a block of {block.language!r}")
    return changed, outputs


with work_folder() as folder:
    copy = folder.resolve() / "kith"
    copy_of_the_tree(copy)
    changed, outputs = follow(copy)
    said = "".join(outputs)

    sources = {str(path) for path in changed if path.suffix == ".cpp"}
    compiled = set((folder / "compiled").read_text().split())
    for batch in [path for path in compiled if "/Unity/" in path]:
        compiled |= set(re.findall(r'#include "(.+)"', pathlib.Path(batch).read_text()))
    check(sources <= compiled, f"never compiled: {sorted(sources - compiled)}")

    kith = copy / "build" / "bin" / "kith"
    check("chain" in run([kith, "algorithms"]).stdout, "kith algorithms does not list chain")
    check("lsf" in run([kith, "map", "--help"]).stdout, "kith map --help does not list lsf")
    for words in ("[  PASSED  ] 5 tests", "[  PASSED  ] 2 tests", "Ran 1 test", "chain: 16 ranks on"):
        check(words in said, f"the commands did not say {words!r}:\n{said}")
print(f"{len(changed)} files and lines, {len(outputs)} blocks of commands")
