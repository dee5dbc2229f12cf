"""MPICH's own tests (test/mpi of its source), built with the compilers of one MPI library."""
import concurrent.futures
import pathlib
import re
import subprocess
from typing import NamedTuple

import ways

# What its configure would find out here.
CONFIGURATION = """
#define STDC_HEADERS 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_STRINGS_H 1
#define HAVE_UNISTD_H 1
#define HAVE_STDARG_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_MEMORY_H 1
#define HAVE_MEMSET 1
#define HAVE_PTHREAD_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_GETRUSAGE 1
#define HAVE_STRDUP 1
#define HAVE_USLEEP 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_LONG_LONG 1
#define HAVE_MPI_WIN_CREATE 1
#define HAVE_MPI_IO 1
#define HAVE_MPI_SPAWN 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_MPI_OFFSET 8
#define POINTERINT_t long
#define F77_NAME_LOWER_USCORE 1
#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX
#define USE_STRICT_MPI 1
"""
FORTRAN_KINDS = {"@F77_MPI_ADDRESS@": "integer (kind=MPI_ADDRESS_KIND)",
                 "@F77_MPI_OFFSET@": "integer (kind=MPI_OFFSET_KIND)"}
LANGUAGES = {".c": "c", ".f": "f77", ".f90": "f90"}
COMPILERS = {language: ways.compiler("mpicc" if language == "c" else "mpifort")
             for language in ("c", "f77", "f90", "f08")}
# Open MPI hides what MPI-3 removed; the tests call some of that.
FLAGS = {"c": ["-std=gnu11", "-O1", "-w", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0",
               "-DOMPI_REMOVED_USE_STATIC_ASSERT=0"],
         "f77": ["-O1", "-w", "-std=legacy", "-fallow-argument-mismatch"],
         "f90": ["-O1", "-w", "-fallow-argument-mismatch"], "f08": ["-O1", "-w"]}


SPECIAL = {"strict", "mem", "env", "mpiexecarg", "resultTest", "xfail"}


class Test(NamedTuple):
    root: pathlib.Path
    area: str  # its folder below the root, such as f77/attr
    name: str
    ranks: int
    arguments: tuple

    @property
    def folder(self):
        return self.root / self.area

    @property
    def program(self):
        return self.folder / self.name

    def __str__(self):
        words = " ".join((self.name, *self.arguments))
        return f"{self.area}/{words} ({self.ranks} ranks)"


def read_list(root, area):
    """The tests of one folder: lines `name ranks [arg=ARGUMENT] [other=...]`. Left out is what
    needs MPICH itself (its own functions, its launcher, its settings) or gigabytes."""
    tests = []
    folder = root / area
    for path in (folder / "testlist", folder / "testlist.in"):
        if not path.is_file():
            continue
        for line in path.read_text().splitlines():
            words = re.sub(r"^@\w+@", "", line.split("#")[0].strip()).split()
            if len(words) < 2 or not words[1].isdigit() or (folder / words[0]).is_dir():
                continue
            options = [word.split("=", 1) for word in words[2:] if "=" in word]
            if SPECIAL & {option[0] for option in options}:
                continue
            arguments = tuple(value for name, value in options if name == "arg")
            tests.append(Test(root, area, words[0], int(words[1]), arguments))
    return list(dict.fromkeys(tests))


def run_quietly(command, folder):
    done = subprocess.run(list(map(str, command)), cwd=folder, text=True, capture_output=True)
    return done.returncode == 0


class Suite:
    """The tests below `root` (test/mpi); programs are left beside their sources."""

    def __init__(self, root):
        self.root = root
        places = ("include", "util", "dtpools/include", "dtpools")
        self.include = [word for place in places for word in ("-I", root / place)]
        self.objects = {}

    def prepare(self):
        """The helpers that all tests link."""
        for name in ("include/mpitestconf.h", "dtpools/dtpoolsconf.h"):
            (self.root / name).write_text(CONFIGURATION)
        # Of MPICH's own functions only, made by its autogen.sh; newer sources include it.
        (self.root / "include/mtest_mpix.h").touch()
        for path in self.root.glob("f77/*/*.h.in"):
            text = path.read_text()
            for found, kind in FORTRAN_KINDS.items():
                text = text.replace(found, kind)
            path.with_suffix("").write_text(text)
        common = [f"util/{name}.c" for name in ("mtest", "mtest_common", "mtest_thread", "dtypes")]
        pools = sorted(path.relative_to(self.root) for path in self.root.glob("dtpools/src/*.c"))
        helpers = {"c": [*common, *pools],
                   "f77": ["util/mtest_f77.f"], "f90": ["util/mtest_f90.f90"],
                   "f08": ["util/mtest_f08.f90"]}
        for language, sources in helpers.items():
            built = [self.compile(language, source) for source in sources]
            self.objects[language] = [one for one in built if one is not None]
        self.objects["c"] += self.own_main()
        return self.objects

    def own_main(self):
        """In newer sources, the main() of tests that have none: in an archive, for those alone."""
        if not (self.root / "util/run_mpitests.c").is_file():
            return []
        made = self.compile("c", "util/run_mpitests.c")
        archive = self.root / "util/main.a"
        return [archive] if made and run_quietly(["ar", "rc", archive, made], self.root) else []

    def compile(self, language, source):
        made = self.root / f"util/{pathlib.Path(source).stem}-{language}.o"
        command = [COMPILERS[language], *FLAGS[language], *self.include, "-c",
                   self.root / source, "-o", made]
        return made if made.is_file() or run_quietly(command, self.root / "util") else None

    def recipe(self, test):
        """The sources of the test's program, as its Makefile.am names them or by its own name, and
        the definitions that go with them."""
        text = (test.folder / "Makefile.am").read_text().replace("\\\n", " ")
        said = {}
        for what in ("SOURCES", "CPPFLAGS", "CFLAGS"):
            found = re.search(rf"^{re.escape(test.name)}_{what}\s*=(.*)$", text, re.M)
            said[what] = found.group(1).split() if found else []
        names = [name for name in said["SOURCES"] if pathlib.Path(name).suffix in LANGUAGES]
        names = names or [f"{test.name}{suffix}" for suffix in LANGUAGES]
        sources = [test.folder / name for name in names if (test.folder / name).is_file()]
        defined = [word for word in said["CPPFLAGS"] + said["CFLAGS"] if word.startswith("-D")]
        return sources, defined

    def build(self, test):
        """Whether the test's program is there: some need what this library or compiler lacks."""
        if test.program.is_file():
            return True
        sources, defined = self.recipe(test)
        languages = [LANGUAGES[source.suffix] for source in sources]
        if not languages:
            return False
        language = next((one for one in languages if one != "c"), "c")
        if test.area.startswith("f08"):
            language = "f08"
        in_c = [source for source, one in zip(sources, languages) if one == "c" and language != "c"]
        for part in in_c:
            command = [COMPILERS["c"], *FLAGS["c"], *self.include, *defined, "-c", part, "-o", f"{part}.o"]
            if not run_quietly(command, test.folder):
                return False
        files = [f"{source}.o" if source in in_c else source for source in sources]
        also = test.root / test.area.replace("f90", "f77")  # its includes serve both
        return run_quietly([COMPILERS[language], *FLAGS[language], *self.include, "-I", also,
                            *defined, "-o", test.program, *files, *self.objects[language],
                            "-lpthread", "-lm"], test.folder)

    def build_all(self, tests, at_once):
        """The tests that could be built, and how many programs could not."""
        programs = {test.program: test for test in tests}
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            built = dict(zip(programs, pool.map(self.build, programs.values())))
        return [test for test in tests if built[test.program]], list(built.values()).count(False)
