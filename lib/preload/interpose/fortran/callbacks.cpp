// Error handlers and attribute callbacks from Fortran are told of communicators by integer handle:
// the reordered world's is not one that the program knows. While the world is replaced, the library
// is given a function of ours for each of theirs; it names the world and calls on.

#include <array>
#include <cstddef>
#include <utility>

#include "interpose/callbacks.hpp"
#include "interpose/fortran/forward.hpp"
#include "interpose/wrapper.hpp"

// Attributes from Fortran: the bindings read and write them inside the library, past MPI_X, so the
// world is swapped here, in the integer handle.

using namespace kith::interpose;

namespace {

// Duplicates of the world have no MPI_LASTUSEDCODE.
bool is_asked_of_world(Word comm, Word key) {
  const MPI_Fint handle = *static_cast<const MPI_Fint*>(comm);
  if (handle == PMPI_Comm_c2f(MPI_COMM_WORLD)) return true;
  return *static_cast<const MPI_Fint*>(key) != MPI_LASTUSEDCODE &&
         kith::mpi::is_world_or_duplicate(PMPI_Comm_f2c(handle));
}

}  // namespace

extern "C" {

#define KITH_SET(symbol)                                                                \
  KITH_EXPORT std::intptr_t symbol(Word comm, Word b, Word c, Word d, Word e, Word f) { \
    static constinit NextFortran next{#symbol};                                         \
    if (!world_is_replaced()) return next(comm, b, c, d, e, f);                         \
    MPI_Fint seen = seen_handle(*static_cast<const MPI_Fint*>(comm));                   \
    return next(&seen, b, c, d, e, f);                                                  \
  }

// What the reordered world and its duplicates lack are the predefined attributes (MPI_TAG_UB and
// others, under keys that differ between libraries): the library keeps them on its own world.
#define KITH_GET(symbol)                                                                          \
  KITH_EXPORT std::intptr_t symbol(Word comm, Word key, Word value, Word flag, Word e, Word f) {  \
    static constinit NextFortran next{#symbol};                                                   \
    if (!world_is_replaced()) return next(comm, key, value, flag, e, f);                          \
    MPI_Fint seen = seen_handle(*static_cast<const MPI_Fint*>(comm));                             \
    const std::intptr_t result = next(&seen, key, value, flag, e, f);                             \
    if (*static_cast<const MPI_Fint*>(flag) != 0 || !is_asked_of_world(comm, key)) return result; \
    MPI_Fint world = PMPI_Comm_c2f(MPI_COMM_WORLD);                                               \
    return next(&world, key, value, flag, e, f);                                                  \
  }

KITH_FORTRAN_NAMES(KITH_SET, mpi_comm_set_attr, MPI_COMM_SET_ATTR)
KITH_FORTRAN_NAMES(KITH_SET, mpi_attr_put, MPI_ATTR_PUT)
KITH_FORTRAN_NAMES(KITH_GET, mpi_comm_get_attr, MPI_COMM_GET_ATTR)
KITH_FORTRAN_NAMES(KITH_GET, mpi_attr_get, MPI_ATTR_GET)

}  // extern "C"

using namespace kith::interpose;

namespace {

/// Callbacks whose first argument is a communicator. One function of ours belongs to each of
/// theirs.
template <class... Rest>
class Callbacks {
 public:
  using Function = void (*)(MPI_Fint* comm, Rest...);

  /// What the library is to call for `theirs`: `theirs` itself once a program has too many
  /// different ones.
  static Function ours_for(Function theirs) {
    const std::size_t number = known_.number_of(theirs);
    return number < room ? ours[number] : theirs;
  }

 private:
  static constexpr std::size_t room = 64;

  template <std::size_t I>
  static void call(MPI_Fint* comm, Rest... rest) {
    MPI_Fint named = named_handle(*comm);
    known_[I](&named, rest...);
  }

  template <std::size_t... I>
  static constexpr std::array<Function, room> all_calls(std::index_sequence<I...>) {
    return {&call<I>...};
  }

  static constinit KnownCallbacks<Function, room> known_;
  static constexpr std::array<Function, room> ours = all_calls(std::make_index_sequence<room>());
};

template <class... Rest>
constinit KnownCallbacks<typename Callbacks<Rest...>::Function, Callbacks<Rest...>::room>
    Callbacks<Rest...>::known_{};

using ErrorCallbacks = Callbacks<Word>;                     // code
using DeleteCallbacks = Callbacks<Word, Word, Word, Word>;  // key, value, extra state, ierror
using CopyCallbacks = Callbacks<Word, Word, Word, Word, Word, Word>;  // and new value, flag

template <class Kind>
Word passed_on(Word callback) {
  if (!world_is_replaced() || callback == nullptr) return callback;
  return reinterpret_cast<Word>(
      Kind::ours_for(reinterpret_cast<typename Kind::Function>(callback)));
}

/// Some bindings call the C function with what they were given.
class HandingOver {
 public:
  HandingOver() { fortran_hands_over = true; }
  ~HandingOver() { fortran_hands_over = false; }
  HandingOver(const HandingOver&) = delete;
  HandingOver& operator=(const HandingOver&) = delete;
};

}  // namespace

extern "C" {

#define KITH_CREATE_ERRHANDLER(symbol)                                                      \
  KITH_EXPORT std::intptr_t symbol(Word function, Word b, Word c, Word d, Word e, Word f) { \
    static constinit NextFortran next{#symbol};                                             \
    const HandingOver scope;                                                                \
    return next(passed_on<ErrorCallbacks>(function), b, c, d, e, f);                        \
  }

#define KITH_CREATE_KEYVAL(symbol)                                                                 \
  KITH_EXPORT std::intptr_t symbol(Word copy, Word deletion, Word c, Word d, Word e, Word f) {     \
    static constinit NextFortran next{#symbol};                                                    \
    const HandingOver scope;                                                                       \
    return next(passed_on<CopyCallbacks>(copy), passed_on<DeleteCallbacks>(deletion), c, d, e, f); \
  }

KITH_FORTRAN_NAMES(KITH_CREATE_ERRHANDLER, mpi_comm_create_errhandler, MPI_COMM_CREATE_ERRHANDLER)
KITH_FORTRAN_NAMES(KITH_CREATE_ERRHANDLER, mpi_errhandler_create, MPI_ERRHANDLER_CREATE)
KITH_FORTRAN_NAMES(KITH_CREATE_KEYVAL, mpi_comm_create_keyval, MPI_COMM_CREATE_KEYVAL)
KITH_FORTRAN_NAMES(KITH_CREATE_KEYVAL, mpi_keyval_create, MPI_KEYVAL_CREATE)

}  // extern "C"
