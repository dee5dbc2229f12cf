// The calls of pthread_create in the program and its libraries, and those that start other
// programs, led past Kith.
#pragma once

namespace kith::preload {

/// What Kith does when a thread is started. All may be called by several threads at once.
struct ThreadStarts {
  int (*reserve)();  ///< in the thread that starts one: its number; negative: leave it alone
  void (*begin)(int number);   ///< in the new thread, first of all
  void (*cancel)(int number);  ///< the thread could not be started
  void (*free_this)();  ///< in a thread that is not the program's, or before another program begins
  void (*bind_again)();  ///< where that program did not begin in this process after all
};

/// From now on: threads that the program, its OpenMP library or another library loaded now starts
/// by pthread_create() begin with begin(), unless their attributes say where they may run (OpenMP's
/// do not count); those of MPI and of its networks with free_this(). What is started by system(),
/// popen(), posix_spawn() and exec() is freed. Call it again for what was loaded since. Thread
/// safe.
void watch_thread_starts(const ThreadStarts& starts) noexcept;

}  // namespace kith::preload
