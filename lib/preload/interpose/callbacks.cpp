// Attribute and error callbacks are told of communicators: of the reordered world as
// MPI_COMM_WORLD, the handle that the program knows. While the world is replaced, the library is
// given a function of ours for each of theirs.
#include <array>
#include <cstdarg>
#include <cstdint>
#include <new>
#include <utility>

#include "interpose/callbacks.hpp"
#include "interpose/wrapper.hpp"

using namespace kith::interpose;

namespace {

bool is_to_be_named() {
  return kith::mpi::world_replacement.active.load(std::memory_order_relaxed) && !fortran_hands_over;
}

/// What a program gave with a key. Never freed: attributes outlive their keys.
struct AttributeCallbacks {
  MPI_Comm_copy_attr_function* copy;
  MPI_Comm_delete_attr_function* deletion;
  void* extra_state;
};

int copy_attribute(MPI_Comm old, int keyval, void* extra_state, void* value, void* new_value,
                   int* flag) {
  const auto& theirs = *static_cast<const AttributeCallbacks*>(extra_state);
  return theirs.copy(kith::mpi::named(old), keyval, theirs.extra_state, value, new_value, flag);
}

int delete_attribute(MPI_Comm comm, int keyval, void* value, void* extra_state) {
  const auto& theirs = *static_cast<const AttributeCallbacks*>(extra_state);
  return theirs.deletion(kith::mpi::named(comm), keyval, value, theirs.extra_state);
}

/// Whether it can be called: null and 1 stand for a library's own MPI_COMM_NULL_COPY_FN and
/// MPI_COMM_DUP_FN, the latter in the standard's interface.
template <class Function>
bool is_function(Function* given) {
  return reinterpret_cast<std::uintptr_t>(given) > 1;
}

template <class Function>
int create_keyval(Function next, MPI_Comm_copy_attr_function* copy,
                  MPI_Comm_delete_attr_function* deletion, int* keyval, void* extra_state) {
  if (!is_to_be_named()) return next(copy, deletion, keyval, extra_state);
  auto* const theirs = new (std::nothrow) AttributeCallbacks{copy, deletion, extra_state};
  if (theirs == nullptr) return next(copy, deletion, keyval, extra_state);
  return next(is_function(copy) ? copy_attribute : copy,
              is_function(deletion) ? delete_attribute : deletion, keyval, theirs);
}

constinit KnownCallbacks<MPI_Comm_errhandler_function*, 64> error_callbacks;

// What follows the code is the library's. Open MPI gives the name of the call, and a null to end
// with; MPICH promises nothing, and nothing is read.
template <std::size_t I>
void handle_error(MPI_Comm* comm, int* code, ...) {
  const char* call = nullptr;
#ifdef OPEN_MPI
  va_list arguments;
  va_start(arguments, code);
  call = va_arg(arguments, const char*);
  va_end(arguments);
#endif
  MPI_Comm named = kith::mpi::named(*comm);
  error_callbacks[I](&named, code, call, nullptr);
}

template <std::size_t... I>
constexpr std::array<MPI_Comm_errhandler_function*, sizeof...(I)> all_handlers(
    std::index_sequence<I...>) {
  return {&handle_error<I>...};
}

template <class Function>
int create_errhandler(Function next, MPI_Comm_errhandler_function* theirs,
                      MPI_Errhandler* errhandler) {
  static constexpr auto ours = all_handlers(std::make_index_sequence<error_callbacks.room>());
  if (!is_to_be_named() || theirs == nullptr) return next(theirs, errhandler);
  const std::size_t number = error_callbacks.number_of(theirs);
  return next(number < ours.size() ? ours[number] : theirs, errhandler);
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy,
                                       MPI_Comm_delete_attr_function* deletion, int* keyval,
                                       void* extra_state) {
  static constinit NextFunction<decltype(&MPI_Comm_create_keyval)> next{"MPI_Comm_create_keyval"};
  const CallScope call(CallKind::none);
  return create_keyval(next.get(), copy, deletion, keyval, extra_state);
}

KITH_EXPORT int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* deletion,
                                  int* keyval, void* extra_state) {
  static constinit NextFunction<decltype(&MPI_Keyval_create)> next{"MPI_Keyval_create"};
  const CallScope call(CallKind::none);
  return create_keyval(next.get(), copy, deletion, keyval, extra_state);
}

KITH_EXPORT int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function,
                                           MPI_Errhandler* errhandler) {
  static constinit NextFunction<decltype(&MPI_Comm_create_errhandler)> next{
      "MPI_Comm_create_errhandler"};
  const CallScope call(CallKind::none);
  return create_errhandler(next.get(), function, errhandler);
}

KITH_EXPORT int MPI_Errhandler_create(MPI_Comm_errhandler_function* function,
                                      MPI_Errhandler* errhandler) {
  static constinit NextFunction<decltype(&MPI_Errhandler_create)> next{"MPI_Errhandler_create"};
  const CallScope call(CallKind::none);
  return create_errhandler(next.get(), function, errhandler);
}

}  // extern "C"
