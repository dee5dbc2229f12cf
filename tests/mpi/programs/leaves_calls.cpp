/* Callbacks of the program that do not return to MPI. Usage: leaves_calls throw|copy|jump|exit
 * throw: an error handler throws   copy: an attribute copy function throws
 * jump: an error handler jumps away   exit: an error handler ends its thread
 * Afterwards each rank sends ROUNDS messages to the next one. */
#include <mpi.h>
#include <pthread.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

constexpr int rounds = 10;
std::jmp_buf before_call;
int ranks = 0;

void throw_error(MPI_Comm*, int*, ...) {
  throw std::runtime_error("an MPI error");
}
void jump_away(MPI_Comm*, int*, ...) {
  std::longjmp(before_call, 1);
}
void end_thread(MPI_Comm*, int*, ...) {
  pthread_exit(&ranks);
}
int throw_copying(MPI_Comm, int, void*, void*, void*, int*) {
  throw std::runtime_error("no copy");
}

void handle_errors(MPI_Comm comm, MPI_Comm_errhandler_function* handle) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
}

/// How many of three failing calls were left by an exception.
int leave_by_exception() {
  handle_errors(MPI_COMM_WORLD, throw_error);
  int caught = 0;
  int number = 0;
  MPI_Comm copy;
  try {
    MPI_Send(&number, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
  } catch (const std::exception&) {
    ++caught;
  }
  try {
    MPI_Bcast(&number, 1, MPI_INT, ranks + 5, MPI_COMM_WORLD);
  } catch (const std::exception&) {
    ++caught;
  }
  try {
    MPI_Comm_dup(MPI_COMM_NULL, &copy);
  } catch (const std::exception&) {
    ++caught;
  }
  return caught;
}

int leave_by_copying() {
  int key = MPI_KEYVAL_INVALID;
  int caught = 0;
  MPI_Comm copy;
  MPI_Comm_create_keyval(throw_copying, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  try {
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
  } catch (const std::exception&) {
    ++caught;
  }
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  MPI_Comm_free_keyval(&key);
  return caught;
}

int leave_by_jump() {
  handle_errors(MPI_COMM_WORLD, jump_away);
  int number = 0;
  if (setjmp(before_call) != 0) return 1;
  MPI_Send(&number, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
  return 0;
}

void* send_nowhere(void*) {
  int number = 0;
  MPI_Send(&number, 1, MPI_INT, 10000, 0, MPI_COMM_SELF);
  return nullptr;
}

int leave_by_thread() {
  handle_errors(MPI_COMM_SELF, end_thread);
  pthread_t thread;
  void* result = nullptr;
  pthread_create(&thread, nullptr, send_nowhere, nullptr);
  pthread_join(thread, &result);
  return result == &ranks ? 1 : 0;
}

int leave(const char* how) {
  if (std::strcmp(how, "throw") == 0) return leave_by_exception();
  if (std::strcmp(how, "copy") == 0) return leave_by_copying();
  if (std::strcmp(how, "jump") == 0) return leave_by_jump();
  return leave_by_thread();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  int rank = 0;
  int right = 1;
  if (argc != 2) return 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int left = leave(argv[1]);
  for (int i = 0; i < rounds; ++i) {
    int came = -1;
    const int to = (rank + 1) % ranks;
    const int from = (rank + ranks - 1) % ranks;
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &came, 1, MPI_INT, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (came != from) right = 0;
  }
  int all_right = 0;
  MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%s: left %d calls, %s\n", argv[1], left, all_right ? "right" : "WRONG");
  MPI_Finalize();
  return 0;
}
