/// What the standard's interface (MPI 5.0, chapter 20) and Open MPI's give different values:
/// handles below 0x1000 (all others are addresses, and the same in both), numbers, and MPI_Status.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace translation {

enum class Meaning {
  error,
  level,
  mode,
  rank,
  tag,
  order,
  distribution,
  darg,
  combiner,
  typeclass,
  comparison,
  topology,
  split,
  lock,
  flavor,
  model,
  whence,
  keyval
};

void* handle_in(void* standard);
void* handle_out(void* native);
int number_in(Meaning what, int standard);
int number_out(Meaning what, int native);

/// A function of the Open MPI library, which is opened privately; ends the program where there is
/// none.
void* native_symbol(const char* name);

template <class Function>
std::add_pointer_t<Function> native_function(const char* name) {
  return reinterpret_cast<std::add_pointer_t<Function>>(native_symbol(name));
}

struct StandardStatus {
  int source, tag, error;
  int cancelled;
  int count_low, count_high;
  int unused[2];
};
struct NativeStatus {
  int source, tag, error;
  int cancelled;
  std::size_t count;
};

inline void* weights_in(void* weights) {
  const auto value = reinterpret_cast<std::uintptr_t>(weights);
  return value == 10 || value == 11 ? reinterpret_cast<void*>(value - 8) : weights;
}

inline void* untyped(const void* pointer) {
  return const_cast<void*>(pointer);
}

/// An array, or one element, that is translated for the call, and back after it.
template <class Standard, class Native>
class Translated {
 public:
  Translated(const void* theirs, std::ptrdiff_t count, bool only_in, bool keep = false)
      : theirs_(const_cast<Standard*>(static_cast<const Standard*>(theirs))),
        only_in_(only_in),
        ours_(keep ? *new std::vector<Native>() : own_) {
    if (theirs_ != nullptr && count > 0) ours_.resize(static_cast<std::size_t>(count));
  }
  Translated(const Translated&) = delete;
  Translated& operator=(const Translated&) = delete;

  void* native() { return theirs_ == nullptr ? nullptr : static_cast<void*>(ours_.data()); }

 protected:
  ~Translated() = default;
  template <class In>
  void fill(In in) {
    for (std::size_t i = 0; i < ours_.size(); ++i) ours_[i] = in(theirs_[i]);
  }
  template <class Out>
  void give_back(Out out) {
    if (only_in_) return;
    for (std::size_t i = 0; i < ours_.size(); ++i) theirs_[i] = out(ours_[i], theirs_[i]);
  }

 private:
  Standard* theirs_;
  bool only_in_;
  std::vector<Native> own_;
  std::vector<Native>& ours_;
};

struct Handles : Translated<void*, void*> {
  Handles(void* theirs, std::ptrdiff_t count, bool only_in, bool keep)
      : Translated(theirs, reinterpret_cast<std::uintptr_t>(theirs) == 1 ? 0 : count, only_in,
                   keep) {
    fill(handle_in);
  }
  ~Handles() {
    give_back([](void* native, void*) { return handle_out(native); });
  }
};

struct Numbers : Translated<int, int> {
  Numbers(void* theirs, std::ptrdiff_t count, Meaning what, bool only_in)
      : Translated(theirs, count, only_in), what_(what) {
    fill([what](int standard) { return number_in(what, standard); });
  }
  ~Numbers() {
    give_back([this](int native, int) { return number_out(what_, native); });
  }

 private:
  Meaning what_;
};

NativeStatus status_in(const StandardStatus& standard);
StandardStatus status_out(const NativeStatus& native, StandardStatus standard);

struct Statuses : Translated<StandardStatus, NativeStatus> {
  Statuses(void* theirs, std::ptrdiff_t count, bool only_in) : Translated(theirs, count, only_in) {
    fill(status_in);
  }
  ~Statuses() { give_back(status_out); }
};

/// Ranks that COMM's MPI_Alltoallw sends to or receives from; with NEIGHBOURS
/// MPI_Neighbor_alltoallw.
int neighbours_of(void* comm, bool neighbours, bool sends);

}  // namespace translation
