"""`kith run` with launchers that print what they are given."""
import json
import os
import pathlib
import subprocess
import sys

from kithcli import KITH, KithTest

LIBRARY = os.environ.get("KITH_LIB", "")
OPEN_MPI = "mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/"

FAKE = """#!/bin/sh
if [ "$1" = --version ]; then
  cat <<'END'
{version}
END
  exit 0
fi
exec {python} -c 'import json, os, sys
print(json.dumps({{"words": sys.argv[1:], "environment": dict(os.environ),
                  "cpus": sorted(os.sched_getaffinity(0))}}))
sys.exit({status})' "$@"
"""


class Launching(KithTest):
    """A folder with fake launchers first in PATH and a mapping `reverse.map`."""

    def setUp(self):
        super().setUp()
        if not os.path.exists(LIBRARY):
            self.skipTest("libkith.so is not built")
        self.here = os.path.realpath(os.getcwd())
        pathlib.Path("bin").mkdir()
        self.path = f"{self.here}/bin:{os.environ['PATH']}"
        pathlib.Path("reverse.map").write_text("0 3\n1 2\n2 1\n3 0\n")
        self.library = os.path.join(os.path.realpath(os.path.dirname(LIBRARY)), "libkith.so")

    def fake(self, name, version, status=0):
        file = pathlib.Path("bin") / name
        file.write_text(FAKE.format(version=version, status=status, python=sys.executable))
        file.chmod(0o755)

    def launch(self, *words, env=None, status=0):
        """What the fake launcher was given; self.said: what Kith said."""
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("KITH_", "LD_PRELOAD", "OMPI_MCA", "SLURM_"))}
        done = subprocess.run([KITH, "run", *words], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL,
                              env={**clean, "PATH": self.path, **(env or {})})
        self.assertEqual(done.returncode, status, done.stderr)
        self.said = done.stderr
        return json.loads(done.stdout)

    def refused_launch(self, *words, says, status=2, env=None):
        self.refused("run", *words, says=says, status=status,
                     env={"PATH": self.path, **(env or {})})
