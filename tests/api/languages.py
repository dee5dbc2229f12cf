"""Running the examples of each language that was built."""
import kithtest as kt


def built():
    """{language: run(example, settings) -> its output on four ranks}."""
    folder = kt.setting("KITH_BINARY") / "examples/api"

    def runner(language):
        def run(example, settings):
            return kt.mpirun(4, [folder / language / example], settings=settings).stdout
        return run

    languages = ["c", "cpp"]
    if (folder / "fortran/reorder").exists():
        languages.append("fortran")
    return {language: runner(language) for language in languages}
