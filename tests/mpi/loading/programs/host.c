/* A program without MPI: loads a library that uses it, privately, while another thread loads and
 * unloads a third one.
 *
 * host GUEST [BYSTANDER] */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int over;

static void* come_and_go(void* path) {
  while (!atomic_load(&over)) {
    void* const bystander = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (bystander == NULL) return "the bystander was not found";
    dlclose(bystander);
  }
  return NULL;
}

int main(int argc, char** argv) {
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  int (*const guest)(void) = (int (*)(void))(uintptr_t)dlsym(library, "guest");
  pthread_t thread;
  if (argc > 2) pthread_create(&thread, NULL, come_and_go, argv[2]);
  int code = guest();
  atomic_store(&over, 1);
  void* trouble = NULL;
  if (argc > 2) pthread_join(thread, &trouble);
  if (trouble != NULL) fprintf(stderr, "%s\n", (const char*)trouble);
  return trouble == NULL ? code : 2;
}
