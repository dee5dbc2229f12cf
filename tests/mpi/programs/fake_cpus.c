/* Preloaded, lets a process believe that it may run on FAKE_CPUS processors (environment): where a thread
 * wants to run is noted, and told to it when it asks, but the system is left alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most = 512 };
static struct {
  pid_t thread;
  cpu_set_t cpus;
} noted[most];
static int lock;

static int processors(void) {
  const char* const text = getenv("FAKE_CPUS");
  return text == NULL ? 1 : atoi(text);
}

/* Of the thread, or a free one. */
static int place_of(pid_t thread) {
  for (int i = 0; i < most; ++i) {
    if (noted[i].thread == thread || noted[i].thread == 0) return i;
  }
  abort();
}

static void hold(void) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void let_go(void) {
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t* cpus) {
  hold();
  const int i = place_of(thread == 0 ? gettid() : thread);
  noted[i].thread = thread == 0 ? gettid() : thread;
  CPU_ZERO(&noted[i].cpus);
  memcpy(&noted[i].cpus, cpus, size < sizeof(cpu_set_t) ? size : sizeof(cpu_set_t));
  let_go();
  return 0;
}

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* cpus) {
  if (size < sizeof(cpu_set_t)) {
    errno = EINVAL;
    return -1;
  }
  memset(cpus, 0, size);
  hold();
  const int i = place_of(thread == 0 ? gettid() : thread);
  if (noted[i].thread != 0) {
    memcpy(cpus, &noted[i].cpus, sizeof(cpu_set_t));
  } else {
    for (int cpu = 0; cpu < processors(); ++cpu) CPU_SET(cpu, cpus);
  }
  let_go();
  return 0;
}
