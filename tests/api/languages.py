"""Running the examples of each language that was built or that is there."""
import subprocess

import kithtest as kt

PYTHON = "/usr/bin/python3"  # Debian's, to which Debian's mpi4py belongs


def python_settings(preload=False):
    """The package of this tree; libkith.so is loaded by the import, or preloaded."""
    settings = {"PYTHONPATH": kt.setting("KITH_SOURCE") / "lib/bindings/python",
                "PYTHONDONTWRITEBYTECODE": "1"}
    return settings if preload else {**settings, "KITH_LIBRARY": kt.setting("KITH_LIB")}


def has_python(*modules):
    done = subprocess.run([PYTHON, "-c", f"import {', '.join(modules)}"], capture_output=True)
    return done.returncode == 0


def built():
    """{language: run(example, settings) -> its output on four ranks}."""
    folder = kt.setting("KITH_BINARY") / "examples/api"
    scripts = kt.setting("KITH_SOURCE") / "examples/api/python"

    def compiled(language):
        return lambda example, settings: kt.mpirun(4, [folder / language / example],
                                                   settings=settings).stdout

    def python(preload):
        return lambda example, settings: kt.mpirun(
            4, [PYTHON, scripts / f"{example}.py"], preload=preload,
            settings={**python_settings(preload), **settings}).stdout

    found = {language: compiled(language) for language in ("c", "cpp", "fortran")
             if (folder / language / "reorder").exists()}
    if has_python("mpi4py"):
        found.update({"python": python(False), "python-preloaded": python(True)})
    return found
