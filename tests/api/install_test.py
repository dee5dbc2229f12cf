#!/usr/bin/env python3
"""The API from an installed tree: the examples as projects of their own, the Fortran module compiled
and from its source, the Python package where it was installed and by pip."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import languages
from languages import PYTHON

kt.need_programs("cmake", "mpirun")
source = kt.setting("KITH_SOURCE")
TWO_HOSTS = {"KITH_TOPOLOGY": "tree:2x2"}


def build(example, folder, prefix, *targets):
    """The example as a project of its own, outside this tree."""
    copy = pathlib.Path(f"{example}-source")
    if not copy.exists():
        shutil.copytree(source / "examples" / example, copy)
    kt.run(["cmake", "-S", copy, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}"])
    kt.run(["cmake", "--build", folder, *targets])
    return pathlib.Path(folder).absolute()


def check_reorder(program, settings, what):
    lines = kt.mpirun(4, program, settings={**TWO_HOSTS, **settings}).stdout.splitlines()
    kt.check(lines[0].startswith("reordered: "), f"{what}: {lines}")
    kt.check_equal(lines[2:], ["processes of ranks: 0 2 1 3", "sums 2004000 2004000"], what)


def compiled(prefix):
    built = build("api", "api-build", prefix)
    tried = [name for name in ("c", "cpp", "fortran") if (built / name / "reorder").exists()]
    for language in tried:
        check_reorder([built / language / "reorder"], {}, language)
    if (kt.setting("KITH_BINARY") / "examples/api/fortran/reorder").exists():
        kt.check("fortran" in tried, "kith::fortran was not found")
        module = prefix / "include/kith/fortran/kith.mod"
        module.rename("kith.mod")  # of another compiler, as it were
        targets = next(prefix.rglob("kithFortran.cmake"))
        targets.write_text(targets.read_text().replace('STREQUAL "GNU ', 'STREQUAL "Other '))
        built = build("api", "source-build", prefix, "--target", "api_fortran_reorder")
        check_reorder([built / "fortran/reorder"], {}, "Fortran from source")
    print("installed:", ", ".join(tried))


def engine(prefix):
    program = build("engine", "engine-build", prefix) / "map"
    pathlib.Path("pair.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n"
                                        "4 4 2\n1 3 10\n2 4 10\n")
    kt.check_equal(kt.run([program, "pair.mtx", "tree:2x2"]).stdout.splitlines()[0],
                   "hop-bytes 80 -> 40", "the engine's example")


def python(prefix):
    if not languages.has_python("mpi4py"):
        kt.not_tried("the Python package: no mpi4py")
        return
    example = source / "examples/api/python/reorder.py"
    package = next(prefix.rglob("kith/__init__.py")).parent
    settings = {"PYTHONPATH": package.parent, "PATH": "/usr/bin:/bin"}
    check_reorder([PYTHON, example], settings, "the installed Python package")
    version = kt.run([PYTHON, "-c", "import kith; print(kith.__version__, kith.__file__)"],
                     {"PYTHONPATH": str(package.parent)}).stdout.split()
    kt.check_equal(version, [kt.run([prefix / "bin/kith", "--version"]).stdout.split()[1],
                             str(package / "__init__.py")], "version and place of the package")
    if not languages.has_python("pip", "setuptools", "wheel"):
        kt.not_tried("installation by pip: no pip")
        return
    shutil.copytree(source / "lib/bindings/python", "python-source")
    kt.run([PYTHON, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
            "--no-build-isolation", "--target", "by-pip", "./python-source"])
    shutil.rmtree("python-source")
    settings = {"PYTHONPATH": pathlib.Path("by-pip").absolute()}
    check_reorder([PYTHON, example], {**settings, "PATH": f"{prefix}/bin:/usr/bin:/bin"}, "by pip")
    print("Python package: installed, by pip")


with kt.work_folder() as work:
    kt.run(["cmake", "--install", kt.setting("KITH_BINARY"), "--prefix", work / "first"])
    moved = (work / "first").rename(work / "moved")
    compiled(moved)
    engine(moved)
    python(moved)
kt.finish()
