/* Threads of pthread_create() that say where they may run: four at once, then, when the first two of them
 * have ended, two more, one after the other. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { at_once = 4, all = 6 };
static int cpus_of[all]; /* the only one of each; -1: several */
static pthread_barrier_t all_are_there;
static pthread_mutex_t stay = PTHREAD_MUTEX_INITIALIZER;

static void* look(void* number) {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  int cpu = 0;
  while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &cpus)) ++cpu;
  cpus_of[(long)number] = CPU_COUNT(&cpus) == 1 ? cpu : -1;
  return NULL;
}

static void* look_and_wait(void* number) {
  look(number);
  pthread_barrier_wait(&all_are_there);
  if ((long)number < 2) return NULL;
  pthread_mutex_lock(&stay);
  pthread_mutex_unlock(&stay);
  return NULL;
}

int main(void) {
  pthread_t threads[all];
  pthread_barrier_init(&all_are_there, NULL, at_once + 1);
  pthread_mutex_lock(&stay);
  for (long i = 0; i < at_once; ++i) pthread_create(&threads[i], NULL, look_and_wait, (void*)i);
  pthread_barrier_wait(&all_are_there);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  for (long i = at_once; i < all; ++i) {
    pthread_create(&threads[i], NULL, look, (void*)i);
    pthread_join(threads[i], NULL);
  }
  pthread_mutex_unlock(&stay);
  for (int i = 2; i < at_once; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < all; ++i) printf("%d%s", cpus_of[i], i + 1 < all ? " " : "\n");
  return 0;
}
