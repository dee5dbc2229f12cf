#!/usr/bin/env python3
"""Binds the MPI library late: makes PMPI_X and the objects behind handles run-time pointers.

Usage: generate.py PREPROCESSED_MPI_H OUTPUT_DIR

Written to OUTPUT_DIR:
  late_mpi.h       to be included instead of mpi.h
  mpi_symbols.inc  KITH_FUNCTION(name) for each PMPI function, KITH_OBJECT(name) for each object
"""

import sys
from pathlib import Path

from prototypes import fail, read_header, write


def main() -> None:
    if len(sys.argv) != 3:
        fail("expected PREPROCESSED_MPI_H OUTPUT_DIR")
    header = read_header(Path(sys.argv[1]))
    out = Path(sys.argv[2])
    functions = sorted(n for n in header.functions if n.startswith("PMPI_"))
    symbols = functions + header.objects

    write(out / "mpi_symbols.inc",
          "".join(f"KITH_FUNCTION({n})\n" for n in functions)
          + "".join(f"KITH_OBJECT({n})\n" for n in header.objects))
    lines = ["#pragma once", "#include <mpi.h>",
             "#if __has_include(<mpi-ext.h>)", "#include <mpi-ext.h>", "#endif", "",
             "namespace kith::mpi {",
             *(f"extern decltype(&::{n}) late_{n};" for n in symbols), "}", "",
             *(f"#define {n} (*::kith::mpi::late_{n})" for n in symbols)]
    write(out / "late_mpi.h", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
