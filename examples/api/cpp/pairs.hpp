// What the examples do beside calling Kith: MPI's start and end and its handles as objects; ranks r
// and r + n/2 exchange numbers, and rank 0 shows who runs where.
#pragma once

#include <kith/kith.h>

#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

/// Throws where a call of MPI or Kith has not succeeded.
inline void check(int code) {
  if (code != MPI_SUCCESS) throw std::runtime_error("MPI error " + std::to_string(code));
}

/// MPI from here to the end of the scope.
class Session {
 public:
  Session(int& argc, char**& argv) { check(MPI_Init(&argc, &argv)); }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

/// Owns what kith_reorder() made.
class Communicator {
 public:
  explicit Communicator(MPI_Comm comm) : comm_(comm) {}
  ~Communicator() { MPI_Comm_free(&comm_); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_;
};

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank));
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size));
  return size;
}

/// The sum of `mine` over all ranks.
inline double sum_over(MPI_Comm comm, double mine) {
  double sum = 0;
  check(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm));
  return sum;
}

inline int partner_in(MPI_Comm comm) {
  return (rank_in(comm) + size_of(comm) / 2) % size_of(comm);
}

/// An exchange with the partner in `comm`; the sum of all that was received anywhere.
inline double exchange(MPI_Comm comm) {
  std::vector<double> mine(1000), theirs(mine.size());
  std::iota(mine.begin(), mine.end(), rank_in(comm));
  const int count = static_cast<int>(mine.size());
  check(MPI_Sendrecv(mine.data(), count, MPI_DOUBLE, partner_in(comm), 0, theirs.data(), count,
                     MPI_DOUBLE, partner_in(comm), 0, comm, MPI_STATUS_IGNORE));
  return sum_over(comm, std::accumulate(theirs.begin(), theirs.end(), 0.0));
}

/// Rank 0 of `better` says what was decided about it, and which process each of its ranks is.
inline void show(MPI_Comm better) {
  const int process = rank_in(MPI_COMM_WORLD);
  std::vector<int> processes(static_cast<std::size_t>(size_of(better)));
  check(MPI_Gather(&process, 1, MPI_INT, processes.data(), 1, MPI_INT, 0, better));
  if (rank_in(better) != 0) return;
  kith_report report{};
  report.size = sizeof report;
  check(kith_decision(better, &report));
  std::cout << (report.reordered ? "reordered: " : "not reordered: ") << report.reason << "\ncost "
            << report.cost_before << " -> " << report.cost_after << ", " << report.moved_ranks
            << " ranks move\nprocesses of ranks:";
  for (const int owner : processes) std::cout << ' ' << owner;
  std::cout << '\n';
}
