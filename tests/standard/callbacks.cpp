// The standard's functions that take functions, or whose meaning depends on another argument.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "translation.hpp"

using namespace translation;

// NAME's definition is PMPI_NAME, and MPI_NAME unless the program has one.
#define FUNCTION(name, ...)                                       \
  extern "C" int standard_##name(__VA_ARGS__) asm("PMPI_" #name); \
  extern "C" int weak_##name(__VA_ARGS__) asm("MPI_" #name)       \
      __attribute__((weak, alias("PMPI_" #name)));                \
  int standard_##name(__VA_ARGS__)

namespace {

int error_out(int native) {
  return number_out(Meaning::error, native);
}

// Open MPI hands nothing back to the functions of an operation or an error handler by which they
// could be told apart, so each has a function of its own.
constexpr std::size_t most_callbacks = 64;

template <class Kept, class Native, template <std::size_t> class At>
class Callbacks {
 public:
  /// The function that calls KEPT.
  static Native* add(Kept kept) {
    const std::size_t slot = used++;
    if (slot >= most_callbacks) {
      std::fprintf(stderr, "libmpi_abi: more than %zu callbacks\n", most_callbacks);
      std::abort();
    }
    functions[slot] = kept;
    return table(std::make_index_sequence<most_callbacks>())[slot];
  }
  static inline std::array<Kept, most_callbacks> functions{};

 private:
  static inline std::atomic<std::size_t> used = 0;
  template <std::size_t... slot>
  static std::array<Native*, most_callbacks> table(std::index_sequence<slot...>) {
    return {&At<slot>::call...};
  }
};

using Operation = void (*)(void*, void*, int*, void**);
template <std::size_t slot>
struct OperationAt {
  static void call(void* in, void* inout, int* count, MPI_Datatype* type);
};
using Operations = Callbacks<Operation, MPI_User_function, OperationAt>;
template <std::size_t slot>
void OperationAt<slot>::call(void* in, void* inout, int* count, MPI_Datatype* type) {
  void* standard = handle_out(*type);
  Operations::functions[slot](in, inout, count, &standard);
}

using Handler = void (*)(void**, int*, ...);
template <std::size_t slot>
struct HandlerAt {
  static void call(void** object, int* error, ...);
};
using Handlers = Callbacks<Handler, void(void**, int*, ...), HandlerAt>;
template <std::size_t slot>
void HandlerAt<slot>::call(void** object, int* error, ...) {
  void* standard = handle_out(*object);
  int code = error_out(*error);
  Handlers::functions[slot](&standard, &code);
  *error = number_in(Meaning::error, code);
}

int create_handler(const char* name, Handler handler, void** made) {
  const int code = native_function<int(void*, void**)>(name)(
      reinterpret_cast<void*>(Handlers::add(handler)), made);
  *made = handle_out(*made);
  return error_out(code);
}

// An attribute's functions are told their extra_state: there both and the program's own are kept.
using Copy = int (*)(void*, int, void*, void*, void*, int*);
using Delete = int (*)(void*, int, void*, void*);
struct Attribute {
  Copy copy;
  Delete remove;
  void* extra_state;
};

int copy_attribute(void* object, int keyval, void* extra_state, void* value, void* copied,
                   int* flag) {
  const auto& kept = *static_cast<const Attribute*>(extra_state);
  const auto choice = reinterpret_cast<std::uintptr_t>(kept.copy);
  *flag = choice != 0;
  if (choice == 1) *static_cast<void**>(copied) = value;  // MPI_COMM_DUP_FN
  if (choice <= 1) return MPI_SUCCESS;
  return number_in(Meaning::error,
                   kept.copy(handle_out(object), keyval, kept.extra_state, value, copied, flag));
}

int remove_attribute(void* object, int keyval, void* value, void* extra_state) {
  const auto& kept = *static_cast<const Attribute*>(extra_state);
  if (kept.remove == nullptr) return MPI_SUCCESS;
  return number_in(Meaning::error,
                   kept.remove(handle_out(object), keyval, value, kept.extra_state));
}

int create_keyval(const char* name, Copy copy, Delete remove, int* keyval, void* extra_state) {
  return error_out(native_function<int(Copy, Delete, int*, void*)>(name)(
      copy_attribute, remove_attribute, keyval, new Attribute{copy, remove, extra_state}));
}

struct Generalized {
  int (*query)(void*, StandardStatus*);
  int (*free)(void*);
  int (*cancel)(void*, int);
  void* extra_state;
};

int query(void* extra_state, NativeStatus* status) {
  const auto& kept = *static_cast<const Generalized*>(extra_state);
  StandardStatus standard = status_out(*status, StandardStatus{});
  const int code = kept.query(kept.extra_state, &standard);
  *status = status_in(standard);
  return number_in(Meaning::error, code);
}

int release(void* extra_state) {
  const auto* const kept = static_cast<const Generalized*>(extra_state);
  const int code = kept->free(kept->extra_state);
  delete kept;
  return number_in(Meaning::error, code);
}

int cancel(void* extra_state, int complete) {
  const auto& kept = *static_cast<const Generalized*>(extra_state);
  return number_in(Meaning::error, kept.cancel(kept.extra_state, complete));
}

/// The numbers in a datatype's contents that are constants: those of subarrays and distributed
/// arrays.
void translate_contents(void* type, int* integers) {
  int count = 0, addresses = 0, datatypes = 0, combiner = 0;
  native_function<int(void*, int*, int*, int*, int*)>("PMPI_Type_get_envelope")(
      handle_in(type), &count, &addresses, &datatypes, &combiner);
  if (combiner != MPI_COMBINER_SUBARRAY && combiner != MPI_COMBINER_DARRAY) return;
  integers[count - 1] = number_out(Meaning::order, integers[count - 1]);
  if (combiner == MPI_COMBINER_SUBARRAY) return;
  for (int i = 0; i < integers[2]; ++i) {
    int& kind = integers[3 + integers[2] + i];
    kind = number_out(Meaning::distribution, kind);
    int& size = integers[3 + 2 * integers[2] + i];
    size = number_out(Meaning::darg, size);
  }
}

}  // namespace

FUNCTION(Op_create, Operation user_fn, int commute, void** op) {
  static const auto native =
      native_function<int(MPI_User_function*, int, void**)>("PMPI_Op_create");
  return error_out(native(Operations::add(user_fn), commute, op));
}

FUNCTION(Comm_create_errhandler, Handler handler, void** made) {
  return create_handler("PMPI_Comm_create_errhandler", handler, made);
}

FUNCTION(Win_create_errhandler, Handler handler, void** made) {
  return create_handler("PMPI_Win_create_errhandler", handler, made);
}

FUNCTION(File_create_errhandler, Handler handler, void** made) {
  return create_handler("PMPI_File_create_errhandler", handler, made);
}

FUNCTION(Comm_create_keyval, Copy copy, Delete remove, int* keyval, void* extra_state) {
  return create_keyval("PMPI_Comm_create_keyval", copy, remove, keyval, extra_state);
}

FUNCTION(Keyval_create, Copy copy, Delete remove, int* keyval, void* extra_state) {
  return create_keyval("PMPI_Comm_create_keyval", copy, remove, keyval, extra_state);
}

FUNCTION(Type_create_keyval, Copy copy, Delete remove, int* keyval, void* extra_state) {
  return create_keyval("PMPI_Type_create_keyval", copy, remove, keyval, extra_state);
}

FUNCTION(Win_create_keyval, Copy copy, Delete remove, int* keyval, void* extra_state) {
  return create_keyval("PMPI_Win_create_keyval", copy, remove, keyval, extra_state);
}

FUNCTION(Win_get_attr, void* win, int keyval, void* value, int* flag) {
  static const auto native = native_function<int(void*, int, void*, int*)>("PMPI_Win_get_attr");
  const int code = native(handle_in(win), number_in(Meaning::keyval, keyval), value, flag);
  static int flavors[5], models[3];
  const auto constant = [&](Meaning what, int* kept) {
    const int found = **static_cast<int**>(value);
    kept[found] = number_out(what, found);
    *static_cast<int**>(value) = kept + found;
  };
  if (code == MPI_SUCCESS && *flag != 0 && keyval == 604) constant(Meaning::flavor, flavors);
  if (code == MPI_SUCCESS && *flag != 0 && keyval == 605) constant(Meaning::model, models);
  return error_out(code);
}

FUNCTION(Grequest_start, int (*query_fn)(void*, StandardStatus*), int (*free_fn)(void*),
         int (*cancel_fn)(void*, int), void* extra_state, void** request) {
  static const auto native =
      native_function<int(int (*)(void*, NativeStatus*), int (*)(void*), int (*)(void*, int), void*,
                          void**)>("PMPI_Grequest_start");
  return error_out(native(query, release, cancel,
                          new Generalized{query_fn, free_fn, cancel_fn, extra_state}, request));
}

FUNCTION(Type_get_contents, void* type, int max_integers, int max_addresses, int max_datatypes,
         int* integers, std::intptr_t* addresses, void** datatypes) {
  static const auto native =
      native_function<int(void*, int, int, int, int*, std::intptr_t*, void**)>(
          "PMPI_Type_get_contents");
  Handles datatypes_(datatypes, max_datatypes, false, false);
  const int code = native(handle_in(type), max_integers, max_addresses, max_datatypes, integers,
                          addresses, static_cast<void**>(datatypes_.native()));
  if (code == MPI_SUCCESS) translate_contents(type, integers);
  return error_out(code);
}

FUNCTION(Pcontrol, const int level, ...) {
  return error_out(native_function<int(int, ...)>("PMPI_Pcontrol")(level));
}

FUNCTION(Abi_get_version, int* major, int* minor) {
  *major = 1;
  *minor = 0;
  return MPI_SUCCESS;
}

// Only what its bits are tells which object a number stands for: the native functions' numbers.
#define AS_INTEGER(kind)                                                          \
  FUNCTION(kind##_toint, void* handle) {                                          \
    return native_function<int(void*)>("PMPI_" #kind "_c2f")(handle_in(handle));  \
  }                                                                               \
  extern "C" void* standard_##kind##_fromint(int) asm("PMPI_" #kind "_fromint");  \
  extern "C" void* weak_##kind##_fromint(int) asm("MPI_" #kind "_fromint")        \
      __attribute__((weak, alias("PMPI_" #kind "_fromint")));                     \
  void* standard_##kind##_fromint(int number) {                                   \
    return handle_out(native_function<void*(int)>("PMPI_" #kind "_f2c")(number)); \
  }
AS_INTEGER(Comm)
AS_INTEGER(Type)
AS_INTEGER(Win)
AS_INTEGER(File)
AS_INTEGER(Group)
AS_INTEGER(Info)
AS_INTEGER(Op)
AS_INTEGER(Request)
AS_INTEGER(Message)
AS_INTEGER(Errhandler)
