/* A launcher that takes no notes: what Kith puts into its key-value space becomes a question, so that the
 * answer is not the one to a note. Preloaded beside libkith.so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t write(int file, const void* bytes, size_t size) {
  static ssize_t (*really)(int, const void*, size_t);
  if (really == NULL) *(void**)&really = dlsym(RTLD_NEXT, "write");
  static const char asked[] = "cmd=get_maxes\n";
  const char* const only = getenv("NO_NOTES_OF"); /* a rank, or every one */
  const char* const rank = getenv("PMI_RANK");
  const int is_meant = only == NULL || (rank != NULL && strcmp(only, rank) == 0);
  if (is_meant && memmem(bytes, size, "key=kith-present-", 17) != NULL && memcmp(bytes, "cmd=put", 7) == 0)
    return really(file, asked, sizeof asked - 1) == sizeof asked - 1 ? (ssize_t)size : -1;
  return really(file, bytes, size);
}
