// kith.h for C++: a reordered communicator that frees itself, and errors as exceptions. Header
// only, C++17; link as kith.h says. The C++ engine, without MPI, is in the other headers.
//
//   kith::Reordered better(comm);
//   better.redistribute(field.data(), field.size(), MPI_DOUBLE);
//   MPI_Allreduce(..., better.comm());
#pragma once

// Without the C++ bindings that MPI 3 removed: they would need a library of their own.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kith/kith.h"

namespace kith {

/// What a function of kith.h returned instead of MPI_SUCCESS: on all ranks the same.
class MpiError : public std::runtime_error {
 public:
  MpiError(const char* call, int code)
      : std::runtime_error(std::string(call) + ": " + text_of(code)), code_(code) {}
  /// An error code of MPI.
  int code() const noexcept { return code_; }

 private:
  static std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
      return "MPI error " + std::to_string(code);
    }
    return {text, static_cast<std::size_t>(length)};
  }

  int code_;
};

/// KITH_OPTIONS_INIT, to change what matters.
inline kith_options default_options() {
  return KITH_OPTIONS_INIT;
}

/// A communicator of the processes of another one, in an order that suits what they send. It is
/// owned: freed by the destructor, which is collective as MPI_Comm_free is, unless MPI has been
/// finalised by then. Can be moved, not copied.
///
/// The constructors, redistribute() and the destructor are called by all ranks of the communicator,
/// at any thread level, by one thread at a time for a communicator. What throws does so on all
/// ranks. Trouble inside Kith is no error: the order is then the old one, and report() says why.
class Reordered {
 public:
  /// By what has been sent so far: kith_reorder(). `comm` is not owned and has to outlive this
  /// object as far as redistribute() is called. Throws MpiError.
  explicit Reordered(MPI_Comm comm, const kith_options& options = default_options())
      : original_(comm) {
    check("kith_reorder", kith_reorder(comm, &options, &reordered_));
  }

  /// By what each rank says that it is going to send, and to which ranks of `comm`:
  /// kith_reorder_graph(). Without `weights` each counts 1. Throws MpiError, MPI_ERR_ARG where a
  /// rank has not a weight for each peer.
  Reordered(MPI_Comm comm, const std::vector<int>& peers, const std::vector<double>& weights = {},
            const kith_options& options = default_options())
      : original_(comm) {
    const bool fits = (weights.empty() || weights.size() == peers.size()) &&
                      peers.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
    const int degree = fits ? static_cast<int>(peers.size()) : -1;  // refused on all ranks
    const double* const first_weight = weights.empty() ? nullptr : weights.data();
    check("kith_reorder_graph",
          kith_reorder_graph(comm, degree, peers.data(), first_weight, &options, &reordered_));
  }

  /// The same for peers in braces: {left, right}.
  Reordered(MPI_Comm comm, std::initializer_list<int> peers,
            const std::vector<double>& weights = {},
            const kith_options& options = default_options())
      : Reordered(comm, std::vector<int>(peers), weights, options) {}

  Reordered(Reordered&& other) noexcept
      : original_(other.original_), reordered_(std::exchange(other.reordered_, MPI_COMM_NULL)) {}
  Reordered& operator=(Reordered&& other) noexcept {
    if (this == &other) return *this;
    free();
    original_ = other.original_;
    reordered_ = std::exchange(other.reordered_, MPI_COMM_NULL);
    return *this;
  }
  Reordered(const Reordered&) = delete;
  Reordered& operator=(const Reordered&) = delete;
  ~Reordered() { free(); }

  /// The communicator in its new order, still owned by this object; MPI_COMM_NULL after a move.
  MPI_Comm comm() const noexcept { return reordered_; }
  /// Gives it away: the caller frees it.
  MPI_Comm release() noexcept { return std::exchange(reordered_, MPI_COMM_NULL); }

  /// What was decided, and why. Local. Throws MpiError where Kith had no memory to keep it.
  kith_report report() const {
    kith_report report = {};
    report.size = sizeof report;
    check("kith_decision", kith_decision(reordered_, &report));
    return report;
  }

  /// Moves `count` elements on each rank to where the ranks went: kith_redistribute(). Throws
  /// MpiError.
  void redistribute(void* buffer, MPI_Count count, MPI_Datatype type) const {
    check("kith_redistribute", kith_redistribute(original_, reordered_, buffer, count, type));
  }

 private:
  static void check(const char* call, int code) {
    if (code != MPI_SUCCESS) throw MpiError(call, code);
  }
  void free() noexcept {
    int is_over = 0;
    if (reordered_ == MPI_COMM_NULL) return;
    if (MPI_Finalized(&is_over) == MPI_SUCCESS && is_over == 0) MPI_Comm_free(&reordered_);
    reordered_ = MPI_COMM_NULL;
  }

  MPI_Comm original_;
  MPI_Comm reordered_ = MPI_COMM_NULL;
};

}  // namespace kith
