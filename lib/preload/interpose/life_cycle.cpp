// MPI_Init, MPI_Init_thread, MPI_Finalize: where Kith begins and ends.
#include "interpose/bypass.hpp"
#include "interpose/bypass_report.hpp"
#include "interpose/fortran/bindings.hpp"
#include "interpose/other_mpi.hpp"
#include "interpose/private_calls.hpp"
#include "interpose/program_calls.hpp"
#include "interpose/wrapper.hpp"
#include "session/session.hpp"

using namespace kith::interpose;

namespace {

/// Before the MPI library's own.
void prepare() {
  step_aside_for_other_mpi();
  note_init();
  redirect_bindings();
}

void before(const CallScope& call) {
  if (!call.outermost()) return;
  kith::runtime::before_init(find_program_calls());
  if (kith::runtime::is_something_asked()) follow_private_calls();
}

void after(const CallScope& call, int code) {
  if (call.outermost() && code == MPI_SUCCESS) kith::runtime::after_init(bypass_reason);
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Init(int* argc, char*** argv) {
  static constinit NextFunction<decltype(&MPI_Init)> next{"MPI_Init"};
  const CallScope call(CallKind::setup);
  prepare();
  before(call);
  const int code = next.get()(argc, argv);
  after(call, code);
  return code;
}

KITH_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static constinit NextFunction<decltype(&MPI_Init_thread)> next{"MPI_Init_thread"};
  const CallScope call(CallKind::setup);
  prepare();
  before(call);
  const int code = next.get()(argc, argv, required, provided);
  after(call, code);
  return code;
}

KITH_EXPORT int MPI_Finalize(void) {
  static constinit NextFunction<decltype(&MPI_Finalize)> next{"MPI_Finalize"};
  const CallScope call(CallKind::setup);
  if (call.outermost()) kith::runtime::before_finalize();
  return next.get()();
}

}  // extern "C"
