#!/usr/bin/env python3
"""tools/install-home as an ordinary user on a bare Debian with a compiler, CMake, make, Python and an MPI
library, and tools/release-archive there.

usage: home_test.py SUITE
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "systems"))
from bare_test import bare_machine, kt

PACKAGES = ("g++", "cmake", "make", "python3", "binutils", "bzip2", "xz-utils", "mpich", "libmpich-dev")
INSTALL = "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends " \
          + " ".join(PACKAGES) + " > /dev/null 2>&1 && useradd --create-home someone && " \
          "cp -r /root/kith /home/someone/kith && chown -R someone /home/someone/kith"
# A trace, a mapping, a reordered run: with what was installed, moved to another folder.
USE = """set -e
cd ~/kith
tools/install-home ~/kith && exit 9  # sources are no place to install into
tools/install-home ~/first
mv ~/first ~/moved
export PATH="$HOME/moved/bin:$PATH"
cd ~
mpicc -o ring -x c - <<'C'
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size, in, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < 100; ++i)
    MPI_Sendrecv(&i, 1, MPI_INT, (rank + 2) % size, 0, &in, 1, MPI_INT, (rank + size - 2) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
C
kith --version
kith run --trace ring -- mpiexec -n 4 ./ring
kith map ring.kith --topology tree:2x2 --algorithm scotch -o ring.map
kith compare ring.kith --topology tree:2x2
kith run --reorder ring.kith --topology tree:2x2 -- mpiexec -n 4 ./ring
"""
ARCHIVE = """set -e
cd ~/kith
tools/release-archive
mkdir ~/unpacked
tar -xzf build/archive/kith-*.tar.gz -C ~/unpacked --strip-components=1
for program in bin/kith libexec/kith/kith-engine; do
  objdump -p ~/unpacked/$program | sed -n 's/^ *NEEDED */needs /p'
done
~/unpacked/bin/kith gen stencil2d --extents 4x4 -o grid.mtx
~/unpacked/bin/kith map grid.mtx --topology tree:4x4 -o grid.map
"""


def main(suite):
    with bare_machine(suite) as (folder, run):
        place = folder / "upper/root/kith"
        (place / "use.sh").write_text(USE)
        (place / "archive.sh").write_text(ARCHIVE)
        kt.check_equal(run(["sh", "-c", INSTALL]), 0, "status of the installation of packages")
        text = ""
        for script in ("use.sh", "archive.sh"):
            log = f"/root/{script}.log"
            status = run(["sh", "-c", f"su someone -c 'sh ~/kith/{script}' > {log} 2>&1"])
            text += (folder / f"upper{log}").read_text()
            kt.check_equal(status, 0, f"{suite}: status of {script}:\n{text[-3000:]}")
        print(text)
        needed = {line.split()[1] for line in text.splitlines() if line.startswith("needs ")}
        strange = {one for one in needed if not re.match(r"(libc|libm|libpthread|libdl|librt|ld-linux)\b", one)}
        kt.check(needed and not strange, f"the programs of the archive need {sorted(needed)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
