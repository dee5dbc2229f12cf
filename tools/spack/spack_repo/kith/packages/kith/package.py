# The Spack recipe of Kith (Spack 1.0 and later):
#
#   spack repo add CHECKOUT/tools/spack/spack_repo/kith
#   spack install kith ^openmpi
#
# It builds the branch `main` of the checkout that it lies in.
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Kith(CMakePackage):
    """Records who sends how much to whom in an MPI program, and starts the program with its ranks
    in an order that suits the machine."""

    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="libkith.so; without it only the program and the engine")
    variant("fortran", default=False, when="+mpi", description="The Fortran module `kith`")
    variant("yaml", default=True, description="Read Slurm's topology.yaml")
    variant("openmp", default=True, description="Map with several threads")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("fmt@9:")
    depends_on("hwloc@2:")
    depends_on("libpng@1.6:")
    depends_on("scotch@7: +int64 ~mpi")
    depends_on("yaml-cpp", when="+yaml")
    depends_on("mpi", when="+mpi")
    depends_on("googletest +gmock", type="test")

    conflicts("%gcc@:10", msg="Kith is written in C++20")
    conflicts("platform=darwin", msg="Kith needs Linux")
    conflicts("platform=windows", msg="Kith needs Linux")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("KITH_MPI", "mpi"),
            self.define("KITH_TESTS", self.run_tests),
            self.define("KITH_FETCH", "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_yaml-cpp", self.spec.satisfies("~yaml")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_OpenMP", self.spec.satisfies("~openmp")),
        ]
        if self.spec.satisfies("+mpi"):
            arguments += [
                self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
                self.define("KITH_OTHER_MPI", "OFF"),  # nothing that is not in the spec
                self.define("KITH_FORTRAN", "ON" if self.spec.satisfies("+fortran") else "OFF"),
            ]
        return arguments
