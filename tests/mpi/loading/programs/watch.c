/* A preloaded library that ends the process where a callback of dl_iterate_phdr calls dlopen,
 * dlclose, dlsym or dladdr, or libkith.so calls dlopen while it holds a mutex: each of them waits
 * for a lock that a thread inside dlopen holds. That thread may need the lock of dl_iterate_phdr,
 * or, in a constructor that calls MPI, the mutex. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*Visit)(struct dl_phdr_info*, size_t, void*);
typedef void* (*LookUp)(void*, const char*);

static __thread int depth;
static __thread int held;
static char* kith_begins;
static char* kith_ends;

/* dlsym is ours: the library's own is found by its version, which differs between processors. */
static LookUp real_dlsym(void) {
  static const char* const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
  static LookUp found;
  for (size_t i = 0; found == NULL && i < sizeof versions / sizeof *versions; ++i) {
    found = (LookUp)(uintptr_t)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  }
  return found;
}

#define NEXT(function) ((__typeof__(&function))(uintptr_t)real_dlsym()(RTLD_NEXT, #function))

static void check(const char* function) {
  /* Who starts the engine looks functions of libc up meanwhile: no constructor comes there. */
  const int may_hold = strncmp(function, "dlopen", 6) != 0;
  if (depth == 0 && (held == 0 || may_hold)) return;
  fprintf(stderr, "watch: %s %s\n", function,
          depth > 0 ? "inside a callback of dl_iterate_phdr" : "while libkith.so holds a mutex");
  abort();
}

static int find_kith(struct dl_phdr_info* library, size_t size, void* data) {
  (void)size, (void)data;
  if (library->dlpi_name == NULL || strstr(library->dlpi_name, "libkith.so") == NULL) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const segment = &library->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) == 0) continue;
    kith_begins = (char*)(library->dlpi_addr + segment->p_vaddr);
    kith_ends = kith_begins + segment->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void look_for_kith(void) {
  NEXT(dl_iterate_phdr)(find_kith, NULL);
}

/* They are static. */
static int is_of_kith(const pthread_mutex_t* mutex) {
  return (const char*)mutex >= kith_begins && (const char*)mutex < kith_ends;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static int (*next)(pthread_mutex_t*);
  if (next == NULL) next = NEXT(pthread_mutex_lock);
  const int code = next(mutex);
  if (is_of_kith(mutex)) ++held;
  return code;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  static int (*next)(pthread_mutex_t*);
  if (next == NULL) next = NEXT(pthread_mutex_unlock);
  if (is_of_kith(mutex)) --held;
  return next(mutex);
}

static int visit_inside(struct dl_phdr_info* library, size_t size, void* data) {
  void** const call = data;
  ++depth;
  const int code = ((Visit)(uintptr_t)call[0])(library, size, call[1]);
  --depth;
  return code;
}

int dl_iterate_phdr(Visit visit, void* data) {
  void* call[2] = {(void*)(uintptr_t)visit, data};
  return NEXT(dl_iterate_phdr)(visit_inside, call);
}

void* dlopen(const char* path, int flags) {
  check("dlopen");
  return NEXT(dlopen)(path, flags);
}

int dlclose(void* handle) {
  check("dlclose");
  return NEXT(dlclose)(handle);
}

int dladdr(const void* address, Dl_info* info) {
  check("dladdr");
  return NEXT(dladdr)(address, info);
}

int dladdr1(const void* address, Dl_info* info, void** extra, int flags) {
  check("dladdr1");
  return NEXT(dladdr1)(address, info, extra, flags);
}

/* What RTLD_NEXT means depends on where the call returns to: this one has to be a jump. */
void* dlsym(void* restrict handle, const char* restrict name) {
  check("dlsym");
  return real_dlsym()(handle, name);
}
