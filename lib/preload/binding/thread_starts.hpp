// The calls of pthread_create in the program and its libraries, led past Kith.
#pragma once

namespace kith::preload {

/// From now on each thread that the program, its OpenMP library or another library loaded now
/// starts by pthread_create() first calls begin(number) with what reserve() returned for it in the
/// thread that starts it. A negative number: it is left alone. Libraries of MPI and of its networks
/// are left alone: their threads are not the program's. Call it again for what was loaded since.
/// Thread safe.
struct ThreadStarts {
  int (*reserve)();
  void (*begin)(int number);
  void (*cancel)(int number);  ///< the thread could not be started
};
void watch_thread_starts(const ThreadStarts& starts) noexcept;

}  // namespace kith::preload
