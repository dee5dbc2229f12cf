// The functions whose meaning a plain swap of the world would change.
#include <array>
#include <cstdarg>

#include "interpose/wrapper.hpp"
#include "record/record.hpp"
#include "session/session.hpp"

using namespace kith::interpose;

namespace {

// The library keeps these on its own MPI_COMM_WORLD, and on duplicates of it.
bool is_predefined_attribute(int keyval) {
  switch (keyval) {
    case MPI_TAG_UB:
    case MPI_HOST:
    case MPI_IO:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
    case MPI_UNIVERSE_SIZE:
    case MPI_LASTUSEDCODE:
      return true;
    default:
      return false;
  }
}

// The last one is not handed down to duplicates.
bool is_handed_down(int keyval) {
  return keyval != MPI_LASTUSEDCODE && is_predefined_attribute(keyval);
}

template <class Function>
int get_attribute(Function next, MPI_Comm comm, int keyval, void* value, int* flag) {
  if (comm == MPI_COMM_WORLD && is_predefined_attribute(keyval)) {
    return next(comm, keyval, value, flag);
  }
  const int code = next(seen_world(comm), keyval, value, flag);
  if (code != MPI_SUCCESS || *flag != 0 || !is_handed_down(keyval)) return code;
  return kith::mpi::is_world_or_duplicate(comm) ? next(MPI_COMM_WORLD, keyval, value, flag) : code;
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  static constinit NextFunction<decltype(&MPI_Comm_get_attr)> next{"MPI_Comm_get_attr"};
  const CallScope call(CallKind::none);
  return get_attribute(next.get(), comm, keyval, value, flag);
}

KITH_EXPORT int MPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  static constinit NextFunction<decltype(&MPI_Attr_get)> next{"MPI_Attr_get"};
  const CallScope call(CallKind::none);
  return get_attribute(next.get(), comm, keyval, value, flag);
}

// Errors of calls without a communicator are raised on the library's own world: it and the world
// that the program sees must answer alike.
KITH_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  static constinit NextFunction<decltype(&MPI_Comm_set_errhandler)> next{"MPI_Comm_set_errhandler"};
  const CallScope call(CallKind::none);
  const MPI_Comm seen = seen_world(comm);
  const int code = next.get()(seen, handler);
  return code == MPI_SUCCESS && seen != comm ? next.get()(comm, handler) : code;
}

KITH_EXPORT int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  static constinit NextFunction<decltype(&MPI_Errhandler_set)> next{"MPI_Errhandler_set"};
  const CallScope call(CallKind::none);
  const MPI_Comm seen = seen_world(comm);
  const int code = next.get()(seen, handler);
  return code == MPI_SUCCESS && seen != comm ? next.get()(comm, handler) : code;
}

// A freed handle may come back as another communicator or datatype: what was remembered about it is
// forgotten before the library can hand it out again.
KITH_EXPORT int MPI_Comm_free(MPI_Comm* comm) {
  static constinit NextFunction<decltype(&MPI_Comm_free)> next{"MPI_Comm_free"};
  const TimedCall call(CallKind::setup);
  if (comm != nullptr) kith::record::forget_communicator(*comm);
  return next.get()(comm);
}

KITH_EXPORT int MPI_Comm_disconnect(MPI_Comm* comm) {
  static constinit NextFunction<decltype(&MPI_Comm_disconnect)> next{"MPI_Comm_disconnect"};
  const TimedCall call(CallKind::setup);
  if (comm != nullptr) kith::record::forget_communicator(*comm);
  return next.get()(comm);
}

KITH_EXPORT int MPI_Win_free(MPI_Win* window) {
  static constinit NextFunction<decltype(&MPI_Win_free)> next{"MPI_Win_free"};
  const TimedCall call(CallKind::window);
  kith::record::forget_windows();
  if (window != nullptr) kith::record::window_vanished(*window);
  return next.get()(window);
}

KITH_EXPORT int MPI_Type_free(MPI_Datatype* datatype) {
  static constinit NextFunction<decltype(&MPI_Type_free)> next{"MPI_Type_free"};
  const CallScope call(CallKind::none);
  kith::record::forget_datatypes();
  return next.get()(datatype);
}

KITH_EXPORT int MPI_Request_free(MPI_Request* request) {
  static constinit NextFunction<decltype(&MPI_Request_free)> next{"MPI_Request_free"};
  const CallScope call(CallKind::none);
  if (call.outermost() && request != nullptr) kith::record::request_freed(*request);
  return next.get()(request);
}

// A phase ends here; tools behind us may have a meaning for it, too. What follows the level is
// theirs alone, in number and type: as many words are passed on as registers would hold. The MPI
// library itself looks at none of them, and neither do we where no other tool is behind us.
KITH_EXPORT int MPI_Pcontrol(const int level, ...) {
  static constinit NextFunction<decltype(&MPI_Pcontrol)> next{"MPI_Pcontrol"};
  const CallScope call(CallKind::none);
  if (call.outermost()) kith::preload::phase_opened(level);
  if (next.get() == &PMPI_Pcontrol) return next.get()(level);
  std::array<void*, 5> more{};
  va_list arguments;
  va_start(arguments, level);
  for (void*& argument : more) argument = va_arg(arguments, void*);
  va_end(arguments);
  return next.get()(level, more[0], more[1], more[2], more[3], more[4]);
}

// A persistent send moves data at every start.
KITH_EXPORT int MPI_Start(MPI_Request* request) {
  static constinit NextFunction<decltype(&MPI_Start)> next{"MPI_Start"};
  const TimedCall call(CallKind::p2p);
  const int code = next.get()(request);
  if (call.outermost() && code == MPI_SUCCESS) kith::record::started(*request);
  return code;
}

KITH_EXPORT int MPI_Startall(int count, MPI_Request requests[]) {
  static constinit NextFunction<decltype(&MPI_Startall)> next{"MPI_Startall"};
  const TimedCall call(CallKind::p2p);
  const int code = next.get()(count, requests);
  if (call.outermost() && code == MPI_SUCCESS) {
    for (int i = 0; i < count; ++i) kith::record::started(requests[i]);
  }
  return code;
}

}  // extern "C"
