/* A tool that leaves libkith.so without memory: in launcher rank POOR_RANK, from its allocation
 * number POOR_FROM on, its every malloc and calloc of POOR_OVER bytes (default 0) and more fails;
 * the program and MPI get all they want. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);

static ElfW(Addr) begin, end; /* of libkith.so */
static long from = -1;        /* no allocation fails */
static size_t over = 0;
static atomic_long calls;

static int find_kith(struct dl_phdr_info* library, size_t size, void* data) {
  (void)size, (void)data;
  if (strstr(library->dlpi_name, "libkith.so") == NULL) return 0;
  begin = library->dlpi_addr;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &library->dlpi_phdr[i];
    const ElfW(Addr) last = library->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && last > end) end = last;
  }
  return 1;
}

__attribute__((constructor)) static void set_up(void) {
  const char* const rank = getenv("OMPI_COMM_WORLD_RANK");
  const char* const poor = getenv("POOR_RANK");
  const char* const first = getenv("POOR_FROM");
  if (rank == NULL || poor == NULL || first == NULL || strcmp(rank, poor) != 0) return;
  dl_iterate_phdr(find_kith, NULL);
  from = atol(first);
  const char* const least = getenv("POOR_OVER");
  if (least != NULL) over = (size_t)atol(least);
}

/* For a program that knows when: as if POOR_FROM were reached. */
void poor_from_now(void);
void poor_from_now(void) {
  if (from >= 0) from = 0;
}

static int fails(const void* caller, size_t size) {
  const ElfW(Addr) place = (ElfW(Addr))caller;
  if (from < 0 || size < over || place < begin || place >= end) return 0;
  if (atomic_fetch_add(&calls, 1) < from) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return fails(__builtin_return_address(0), size) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return fails(__builtin_return_address(0), count * size) ? NULL : __libc_calloc(count, size);
}
