#!/usr/bin/env python3
"""The Spack recipe without Spack: it runs with stand-ins for what it takes from Spack, its checkout is
this one, and what it hands to CMake for every choice of variants are settings that this project has
(or packages that it looks for), with which it configures.
"""
import itertools
import pathlib
import re
import shutil
import sys
import types

import installed
from installed import kt

SOURCE = kt.setting("KITH_SOURCE")
RECIPE = SOURCE / "tools/spack/spack_repo/kith/packages/kith/package.py"


class Spec:
    """Of one choice of variants: {"mpi": True, ...}."""

    def __init__(self, chosen):
        self.chosen = chosen

    def satisfies(self, text):
        kt.check(text[0] in "+~" and text[1:] in self.chosen, f"a variant that is not there: {text}")
        return self.chosen[text[1:]] == (text[0] == "+")

    def __getitem__(self, name):
        return types.SimpleNamespace(mpicc=shutil.which("mpicc"))


class CMakePackage:
    run_tests = False

    def define(self, name, value):
        text = {True: "ON", False: "OFF"}.get(value, value)
        return f"-D{name}:{'BOOL' if isinstance(value, bool) else 'STRING'}={text}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.satisfies(f"+{variant}"))


def load_recipe():
    """(class, variants, what it depends on)"""
    variants, depends = [], []
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    cmake.CMakePackage = CMakePackage
    package = types.ModuleType("spack.package")
    for name in ("license", "version", "conflicts"):
        setattr(package, name, lambda *words, **options: None)
    package.variant = lambda name, **options: variants.append(name)
    package.depends_on = lambda spec, **options: depends.append(re.match(r"[\w-]+", spec)[0])
    parts = cmake.__name__.split(".")
    for end in range(1, len(parts)):
        sys.modules[".".join(parts[:end])] = types.ModuleType(".".join(parts[:end]))
    sys.modules.update({cmake.__name__: cmake, "spack": types.ModuleType("spack"),
                        "spack.package": package})
    names = {"__file__": str(RECIPE), "__name__": "recipe"}
    exec(compile(RECIPE.read_text(), str(RECIPE), "exec"), names)
    return names["Kith"], variants, depends


def arguments_of(recipe, chosen):
    package = recipe()
    package.spec = Spec(chosen)
    return package.cmake_args()


def check_settings(arguments):
    """Each is in the cache of a build, or names a package that the project looks for."""
    cache = (kt.setting("KITH_BINARY") / "CMakeCache.txt").read_text()
    lists = "".join(path.read_text() for pattern in ("lib/**/CMakeLists.txt", "tools/**/CMakeLists.txt",
                                                     "cmake/*.cmake") for path in SOURCE.glob(pattern))
    for argument in arguments:
        name = re.match("-D([^:]+):", argument)[1]
        looked_for = name.removeprefix("CMAKE_DISABLE_FIND_PACKAGE_")
        known = f"find_package({looked_for} " in lists if looked_for != name else f"\n{name}:" in cache
        kt.check(known, f"the recipe sets {name}, which the project does not know")


recipe, variants, depends = load_recipe()
kt.check_equal(recipe.git, SOURCE.resolve().as_uri(), "the recipe's checkout")
for package in ("scotch", "hwloc", "fmt", "cli11", "libpng", "nlohmann-json", "yaml-cpp",
                "mpi"):
    kt.check(package in depends, f"the recipe does not depend on {package}")
for choice in itertools.product((False, True), repeat=len(variants)):
    check_settings(arguments_of(recipe, dict(zip(variants, choice))))
print(f"{2 ** len(variants)} choices of {variants}: settings that the project has")

with kt.work_folder():
    least = arguments_of(recipe, dict.fromkeys(variants, False))
    said = kt.run(["cmake", "-S", SOURCE, "-B", "least", *least])
    kt.check("Manually-specified variables were not used" not in said.stderr, said.stderr)
print(f"configured with {' '.join(least)}")
