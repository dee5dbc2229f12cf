/* Threads of OpenMP that say where they may run.
 *
 * open_mp_places [STEP...]: does one after the other, and says so before what each thread says:
 *   team N         a parallel region of N threads
 *   nested N       two threads, each with a team of N
 *   bind POLICY G  kith_bind(); G: fine or core
 *   mpi            MPI_Init, which MPI_Finalize ends
 *   rest           1 s, in which threads that are not needed any more end
 *   system         how many processors another program finds
 *   child          what a child process may run on */
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int kith_bind(const char* policy, int granularity) __attribute__((weak));

enum { most_threads = 256, longest = 200 };
static char said[most_threads][longest];

/* "0-3,8" */
static void list_cpus(char* text) {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  *text = '\0';
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &cpus)) continue;
    int last = cpu;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &cpus)) ++last;
    char* const end = text + strlen(text);
    const char* const between = end == text ? "" : ",";
    if (last > cpu) snprintf(end, 20, "%s%d-%d", between, cpu, last);
    else snprintf(end, 20, "%s%d", between, cpu);
    cpu = last;
  }
}

static void print(int count) {
  for (int i = 0; i < count; ++i) printf(" %s", said[i]);
  printf("\n");
  fflush(stdout);
}

static void team(int threads) {
#pragma omp parallel num_threads(threads)
  list_cpus(said[omp_get_thread_num()]);
  printf("team %d:", threads);
  print(threads);
}

static void nested(int threads) {
  int there = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(threads)
    {
      list_cpus(said[outer * threads + omp_get_thread_num()]);
      /* Both inner teams are there at once. */
      __atomic_add_fetch(&there, 1, __ATOMIC_RELEASE);
      while (__atomic_load_n(&there, __ATOMIC_ACQUIRE) < 2 * threads) sched_yield();
    }
  }
  printf("nested %d:", threads);
  print(2 * threads);
}

static void child(void) {
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    list_cpus(said[0]);
    printf("child:");
    print(1);
    _exit(0);
  }
  waitpid(pid, NULL, 0);
}

int main(int argc, char** argv) {
  int uses_mpi = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "team") == 0) {
      team(atoi(argv[++i]));
    } else if (strcmp(argv[i], "nested") == 0) {
      nested(atoi(argv[++i]));
    } else if (strcmp(argv[i], "child") == 0) {
      child();
    } else if (strcmp(argv[i], "system") == 0) {
      printf("system: ");
      fflush(stdout);
      if (system("nproc") != 0) return 1;
    } else if (strcmp(argv[i], "rest") == 0) {
      usleep(1000000);
    } else if (strcmp(argv[i], "mpi") == 0) {
      MPI_Init(&argc, &argv);
      uses_mpi = 1;
    } else if (strcmp(argv[i], "bind") == 0 && kith_bind != NULL) {
      const int whole = strcmp(argv[i + 2], "core") == 0;
      printf("bind %s: %d\n", argv[i + 1], kith_bind(argv[i + 1], whole));
      i += 2;
    } else {
      return 2;
    }
  }
  if (uses_mpi) MPI_Finalize();
  return 0;
}
