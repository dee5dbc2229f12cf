// MPI_Init, MPI_Init_thread, MPI_Finalize: where Kith begins and ends.
#include "interpose/bypass.hpp"
#include "interpose/fortran/bindings.hpp"
#include "interpose/maps.hpp"
#include "interpose/step_aside.hpp"
#include "interpose/unseen.hpp"
#include "interpose/wrapper.hpp"
#include "runtime/session.hpp"

using namespace kith::interpose;

namespace {

void begin() {
  kith::runtime::after_init(bypass_reason);
  prepare_maps();
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Init(int* argc, char*** argv) {
  static NextFunction<decltype(&MPI_Init)> next{"MPI_Init"};
  const CallScope call(CallKind::setup);
  step_aside_if_foreign();
  note_init();
  redirect_bindings();
  if (call.outermost()) kith::runtime::before_init();
  const int code = next.get()(argc, argv);
  if (call.outermost() && code == MPI_SUCCESS) begin();
  return code;
}

KITH_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static NextFunction<decltype(&MPI_Init_thread)> next{"MPI_Init_thread"};
  const CallScope call(CallKind::setup);
  step_aside_if_foreign();
  note_init();
  redirect_bindings();
  if (call.outermost()) kith::runtime::before_init();
  const int code = next.get()(argc, argv, required, provided);
  if (call.outermost() && code == MPI_SUCCESS) begin();
  return code;
}

KITH_EXPORT int MPI_Finalize(void) {
  static NextFunction<decltype(&MPI_Finalize)> next{"MPI_Finalize"};
  const CallScope call(CallKind::setup);
  if (call.outermost()) kith::runtime::before_finalize();
  return next.get()();
}

}  // extern "C"
