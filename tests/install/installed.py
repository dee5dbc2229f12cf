"""What the tests of installed trees share: a project that uses the tree, and what has to work in it."""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"


def configure(folder, components, *options, status=0):
    """Configures the consumer; what CMake says."""
    return kt.run(["cmake", "-S", CONSUMER, "-B", folder, f"-DCOMPONENTS={components}",
                   "-DCMAKE_BUILD_TYPE=Debug", *options], status=status)


def build(components, *options):
    """Configures and builds the consumer; returns its folder of programs."""
    folder = pathlib.Path(f"build-{components.replace(';', '-')}").absolute()
    configure(folder, components, *options)
    kt.run(["cmake", "--build", folder])
    return folder


def check_engine(program):
    before, after = map(int, kt.run([program]).stdout.split())
    kt.check(0 < after < before, f"the engine's hop-bytes: {before} before, {after} after")
    print(f"kith::engine: hop-bytes {before} -> {after}")


def check_api(program, what):
    """A program linked with libkith: the API answers, and the run can be traced without preload."""
    output = kt.mpirun(4, [program], settings={"KITH_TRACE": "linked.kith"}).stdout
    kt.check(output.startswith("reordered 1:"), f"kith_reorder: {output}")
    kt.check_trace("linked.kith", 4)
    shutil.rmtree("linked.kith")
    print(f"{what}: {output.strip()}")


def check_pkg_config(environment=None):
    flags = kt.run(["pkg-config", "--cflags", "--libs", "kith"], environment).stdout.split()
    kt.run(["mpicc", CONSUMER / "with_api.c", "-o", "with_pc", *flags])  # it finds libkith.so, too
    check_api(pathlib.Path("with_pc").absolute(), "pkg-config")


def check_pkg_config_of_fortran(environment=None):
    flags = kt.run(["pkg-config", "--cflags", "--libs", "kith-fortran"], environment).stdout.split()
    kt.run(["mpifort", CONSUMER / "with_fortran.f90", "-o", "fortran_with_pc", *flags])
    said = kt.mpirun(4, [pathlib.Path("fortran_with_pc").absolute()]).stdout
    kt.check(said.startswith("reordered T: "), f"pkg-config kith-fortran: {said}")


def check_program(kith, whereami):
    """`kith` finds its libkith.so, and that library its engine."""
    version = kt.run([kith, "--version"]).stdout
    kt.check(re.fullmatch(r"kith \d+\.\d+\.\d+\nbuilt for .*\d.*\n", version), version)
    kt.run([kith, "run", "--trace", "t", "--", "mpirun", "-n", "2", whereami])
    kt.check_trace("t.kith", 2)
    done = kt.run([kith, "run", "--reorder", "t.kith", "--", "mpirun", "-n", "2", whereami])
    kt.check("was not found" not in done.stderr and "kith: " in done.stderr, done.stderr)


def check_manual(prefix):
    """A page for each subcommand, and what shells complete with, where man and shells look."""
    overview = kt.run([prefix / "bin/kith", "--help"]).stdout.split("Options:")[0]
    names = re.findall(r"(?m)^  ([a-z]+) +[A-Z]", overview)
    kt.check(len(names) > 10, overview)
    for file in (*(f"man/man1/kith-{name}.1" for name in names), "man/man1/kith.1",
                 "man/man7/kith-environment.7", "bash-completion/completions/kith",
                 "zsh/site-functions/_kith"):
        kt.check("kith" in (prefix / "share" / file).read_text(), f"share/{file}")


def check_library(libdir):
    """libkith.so -> libkith.so.0 -> libkith.so.VERSION, which says libkith.so.0."""
    library = libdir / "libkith.so"
    whole = library.resolve().name
    kt.check(re.fullmatch(r"libkith\.so\.0\.\d+\.\d+", whole), f"libkith.so is {whole}")
    kt.check_equal((libdir / "libkith.so.0").resolve().name, whole, "what libkith.so.0 is")
    said = kt.run(["readelf", "-d", library]).stdout
    kt.check("soname: [libkith.so.0]" in said, said)


def check_no_place_named(prefix, *places):
    """Nothing of the install names the place that it was made for or comes from."""
    for file in prefix.rglob("*"):
        if not file.is_file():
            continue
        if file.suffix in (".cmake", ".pc", ".h", ".hpp", ".py", ".f90"):
            found = [place for place in places if str(place) in file.read_text()]
            kt.check(not found, f"{file} names {found}")
        elif file.read_bytes()[:4] == b"\x7fELF":
            said = kt.run(["readelf", "-d", file]).stdout
            kt.check("PATH)" not in said, f"{file} has a path of its own: {said}")
