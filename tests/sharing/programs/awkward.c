/* What programs do that a signal in each thread could break: each part prints a line that says how it went. Two
 * threads compute and share a counter meanwhile. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int is_over;
static volatile long shared[64];

static void* compute(void* which) {
  long own[512];
  memset(own, 0, sizeof own);
  for (long i = 0; !is_over; ++i) {
    own[i % 512] += i;
    if (i % 16 == 0) shared[(long)which] += own[(i * 7) % 512];
  }
  return NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Calls that a signal could end early. */
static void calls(void) {
  long failed = 0, times = 0;
  int ends[2], epoll = epoll_create1(0);
  struct epoll_event event;
  pipe(ends);
  for (const double end = seconds() + 0.7; seconds() < end; ++times) {
    const struct timespec brief = {0, 1000};
    for (int i = 0; i < 200; ++i) failed += poll(NULL, 0, 0) < 0;
    failed += nanosleep(&brief, NULL) != 0;
    failed += epoll_wait(epoll, &event, 1, 0) < 0;
    failed += write(ends[1], "x", 1) != 1;
    char byte;
    failed += read(ends[0], &byte, 1) != 1;
  }
  printf("calls: %ld failed of %s\n", failed, times > 100 ? "many" : "few");
}

static volatile sig_atomic_t faults;
static sigjmp_buf back;
static void on_fault(int number, siginfo_t* info, void* context) {
  (void)number, (void)info, (void)context;
  ++faults;
  siglongjmp(back, 1);
}

/* A handler of the program's own on its own stack, memory that comes and goes, code that is made. */
static void memory(void) {
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  long sum = 0;
  for (int i = 0; i < 300; ++i) {
    char* const pages = mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, i, 8 * 4096);
    mprotect(pages, 4096, PROT_NONE);
    if (sigsetjmp(back, 1) == 0) sum += pages[10];
    madvise(pages + 4096, 4096, MADV_DONTNEED);
    sum += pages[4096] + pages[8192];
    char* const moved = mremap(pages + 4096, 7 * 4096, 20 * 4096, MREMAP_MAYMOVE);
    sum += moved[4096];
    munmap(moved, 20 * 4096);
    munmap(pages, 4096);
    unsigned char* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static const unsigned char returns_7[] = {0xb8, 7, 0, 0, 0, 0xc3};
    memcpy(code, returns_7, sizeof returns_7);
    sum += ((int (*)(void))code)();
    munmap(code, 4096);
  }
  char* const shared_memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char* const huge = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(huge, 4 << 20, MADV_HUGEPAGE);
  memset(huge, 1, 4 << 20);
  shared_memory[0] = huge[12345];
  signal(SIGSEGV, SIG_DFL);
  printf("memory: %d faults, %ld, %d\n", (int)faults, sum, shared_memory[0]);
}

static void* brief(void* value) { return value; }

/* Many threads, with the smallest stacks. */
static void threads(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384);
  long joined = 0;
  for (int i = 0; i < 2000; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, brief, &joined) == 0) joined += pthread_join(thread, NULL) == 0;
  }
  printf("threads: %ld\n", joined);
}

/* Children, by fork and by exec; what they inherit. */
static void children(void) {
  int good = 0;
  for (int i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      volatile double x = 0;
      for (int k = 0; k < 3000000; ++k) x += k;
      _exit(x > 1 ? 7 : 8);
    }
    int status = 0;
    good += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
  }
  printf("children: %d, %d\n", good, system("i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done; exit 3") >> 8);
}

static void* wait_for_any(void* unused) {
  (void)unused;
  sigset_t all;
  sigfillset(&all);
  int number = 0;
  sigwait(&all, &number);
  return (void*)(long)number;
}

/* A thread that takes all signals: it sees only those that are sent. */
static void signals(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_any, NULL);
  volatile double x = 0;
  for (const double end = seconds() + 0.2; seconds() < end;) x += 1;
  pthread_kill(waiter, SIGUSR2);
  void* number = NULL;
  pthread_join(waiter, &number);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  printf("signals: %s\n", (long)number == SIGUSR2 ? "USR2" : "another one");
}

static volatile sig_atomic_t urgent;
static void on_urgent(int number) { urgent += number == SIGURG; }

/* The program's own use of the signal. */
static void own_signal(void) {
  struct sigaction before;
  sigaction(SIGURG, NULL, &before);
  struct sigaction action = {.sa_handler = on_urgent};
  sigaction(SIGURG, &action, NULL);
  volatile double x = 0;
  for (const double end = seconds() + 0.2; seconds() < end;) x += 1;
  const int by_itself = urgent;
  raise(SIGURG);
  printf("SIGURG: %s, %d, %d\n", before.sa_handler == SIG_DFL ? "default" : "taken", by_itself, (int)urgent);
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGURG, SIG_DFL);
  pthread_t helpers[2];
  for (long i = 0; i < 2; ++i) pthread_create(&helpers[i], NULL, compute, (void*)i);
  calls();
  memory();
  threads();
  children();
  signals();
  if (argc > 1 && strcmp(argv[1], "own") == 0) own_signal();
  is_over = 1;
  for (int i = 0; i < 2; ++i) pthread_join(helpers[i], NULL);
  return 0;
}
