#!/usr/bin/env python3
"""Makes a library that counts calls of PMPI_X, whoever makes them.

Usage: make_counter.py PREPROCESSED_MPI_H OUTPUT_C   (PYTHONPATH: lib/preload/mpi)

Preloaded behind Kith it sees what Kith itself asks of MPI: the program's calls go from MPI_X to
MPI_X. Each process writes "NAME COUNT" lines to the file PID of the folder PMPI_COUNTS when it ends,
and before that "late NAME" for each call after MPI_Finalize has returned. A program that calls
count_calls(1) and count_calls(0), which it finds by dlsym, has only what is between them counted.
"""
import sys
from pathlib import Path

from prototypes import fail, read_header

HEAD = """// Generated from mpi.h; do not edit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char* const names[] = {%s};
static atomic_long counts[sizeof names / sizeof *names];
static atomic_int is_finalized;
static atomic_int is_counting = 1;
static char path[4096];

__attribute__((constructor)) static void begin(void) {
  const char* const folder = getenv("PMPI_COUNTS");
  if (folder != NULL) snprintf(path, sizeof path, "%%s/%%d", folder, (int)getpid());
}

void count_calls(int on) {
  for (size_t i = 0; on && i < sizeof names / sizeof *names; ++i) atomic_store(&counts[i], 0);
  atomic_store(&is_counting, on);
}

static FILE* results(void) {
  return path[0] == 0 ? NULL : fopen(path, "a");
}

static void note_call(int number) {
  if (atomic_load(&is_counting)) atomic_fetch_add(&counts[number], 1);
  FILE* const file = atomic_load(&is_finalized) ? results() : NULL;
  if (file == NULL) return;
  fprintf(file, "late %%s\\n", names[number]);
  fclose(file);
}

__attribute__((destructor)) static void end(void) {
  FILE* file = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const long calls = atomic_load(&counts[i]);
    if (calls == 0) continue;
    if (file == NULL) file = results();
    if (file != NULL) fprintf(file, "%%s %%ld\\n", names[i], calls);
  }
  if (file != NULL) fclose(file);
}

int MPI_Finalize(void) {
  int (*const next)(void) = (int (*)(void))(uintptr_t)dlsym(RTLD_NEXT, "MPI_Finalize");
  const int code = next();
  atomic_store(&is_finalized, 1);
  return code;
}

int PMPI_Finalize(void) {
  int (*const next)(void) = (int (*)(void))(uintptr_t)dlsym(RTLD_NEXT, "PMPI_Finalize");
  const int code = next();
  atomic_store(&is_finalized, 1);
  return code;
}
"""

WRAPPER = """
%(result)s %(name)s(%(parameters)s) {
  static __typeof__(&%(name)s) behind;
  if (behind == NULL) behind = (__typeof__(behind))(uintptr_t)dlsym(RTLD_NEXT, "%(name)s");
  note_call(%(number)d);
  return behind(%(arguments)s);
}
"""


def main() -> None:
    if len(sys.argv) != 3:
        fail("expected PREPROCESSED_MPI_H OUTPUT_C")
    functions = [function for name, function in sorted(read_header(Path(sys.argv[1])).functions.items())
                 if name.startswith("PMPI_") and name != "PMPI_Finalize"
                 and all(p.declaration != "..." for p in function.parameters)]
    text = HEAD % ", ".join(f'"{f.name}"' for f in functions)
    for number, function in enumerate(functions):
        text += WRAPPER % {
            "result": function.result, "name": function.name, "number": number,
            "parameters": ", ".join(p.declaration for p in function.parameters) or "void",
            "arguments": ", ".join(p.name for p in function.parameters)}
    Path(sys.argv[2]).write_text(text)


if __name__ == "__main__":
    main()
