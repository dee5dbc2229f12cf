// Calls that complete requests: the handles are gone afterwards, so that they are looked at before,
// and statuses that the program ignores may be wanted.
#include "interpose/wrapper.hpp"
#include "record/record.hpp"

using namespace kith::interpose;
using kith::record::Completion;
using kith::record::Op;

namespace {

// A probed message is a handle, too.
template <class Next, class Count>
int receive_probed(Next& next, void* buf, Count count, MPI_Datatype type, MPI_Message* message,
                   MPI_Status* status) {
  const TimedCall call(CallKind::wait);
  const MPI_Message probed = message == nullptr ? MPI_MESSAGE_NULL : *message;
  const int code = next.get()(buf, count, type, message, status);
  if (call.outermost() && code == MPI_SUCCESS) kith::record::message_received(probed);
  return code;
}

template <class Next, class Count>
int post_probed(Next& next, void* buf, Count count, MPI_Datatype type, MPI_Message* message,
                MPI_Request* request) {
  const CallScope call(CallKind::post);
  const MPI_Message probed = message == nullptr ? MPI_MESSAGE_NULL : *message;
  const int code = next.get()(buf, count, type, message, request);
  if (call.outermost() && code == MPI_SUCCESS) {
    kith::record::message_receive_posted(probed, *request);
  }
  return code;
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  static constinit NextFunction<decltype(&MPI_Wait)> next{"MPI_Wait"};
  const TimedCall call(CallKind::wait);
  Completion completion(call.outermost() ? 1 : 0, request);
  status = completion.statuses(status, false);
  const int code = next.get()(request, status);
  if (code == MPI_SUCCESS) completion.one(Op::wait, 0, status);
  if (code != MPI_SUCCESS) completion.failed(Op::wait, request);
  return code;
}

KITH_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  static constinit NextFunction<decltype(&MPI_Waitall)> next{"MPI_Waitall"};
  const TimedCall call(CallKind::wait);
  Completion completion(call.outermost() ? count : 0, requests);
  statuses = completion.statuses(statuses, true);
  const int code = next.get()(count, requests, statuses);
  if (code == MPI_SUCCESS) completion.all(Op::waitall, statuses);
  if (code != MPI_SUCCESS) completion.failed(Op::waitall, requests, statuses);
  return code;
}

KITH_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  static constinit NextFunction<decltype(&MPI_Waitany)> next{"MPI_Waitany"};
  const TimedCall call(CallKind::wait);
  Completion completion(call.outermost() ? count : 0, requests);
  status = completion.statuses(status, false);
  const int code = next.get()(count, requests, index, status);
  if (code == MPI_SUCCESS) completion.one(Op::waitany, *index, status);
  if (code != MPI_SUCCESS) completion.failed(Op::waitany, requests);
  return code;
}

KITH_EXPORT int MPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                             MPI_Status statuses[]) {
  static constinit NextFunction<decltype(&MPI_Waitsome)> next{"MPI_Waitsome"};
  const TimedCall call(CallKind::wait);
  Completion completion(call.outermost() ? incount : 0, requests);
  statuses = completion.statuses(statuses, true);
  const int code = next.get()(incount, requests, outcount, indices, statuses);
  if (code == MPI_SUCCESS) completion.some(Op::waitsome, *outcount, indices, statuses);
  if (code != MPI_SUCCESS) completion.failed(Op::waitsome, requests);
  return code;
}

KITH_EXPORT int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  static constinit NextFunction<decltype(&MPI_Test)> next{"MPI_Test"};
  const TimedCall call(CallKind::poll);
  Completion completion(call.outermost() ? 1 : 0, request);
  status = completion.statuses(status, false);
  const int code = next.get()(request, flag, status);
  if (code == MPI_SUCCESS && *flag != 0) completion.one(Op::test, 0, status);
  if (code != MPI_SUCCESS) completion.failed(Op::test, request);
  return code;
}

KITH_EXPORT int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  static constinit NextFunction<decltype(&MPI_Testall)> next{"MPI_Testall"};
  const TimedCall call(CallKind::poll);
  Completion completion(call.outermost() ? count : 0, requests);
  statuses = completion.statuses(statuses, true);
  const int code = next.get()(count, requests, flag, statuses);
  if (code == MPI_SUCCESS && *flag != 0) completion.all(Op::testall, statuses);
  if (code != MPI_SUCCESS) completion.failed(Op::testall, requests, statuses);
  return code;
}

KITH_EXPORT int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                            MPI_Status* status) {
  static constinit NextFunction<decltype(&MPI_Testany)> next{"MPI_Testany"};
  const TimedCall call(CallKind::poll);
  Completion completion(call.outermost() ? count : 0, requests);
  status = completion.statuses(status, false);
  const int code = next.get()(count, requests, index, flag, status);
  if (code == MPI_SUCCESS && *flag != 0) completion.one(Op::testany, *index, status);
  if (code != MPI_SUCCESS) completion.failed(Op::testany, requests);
  return code;
}

KITH_EXPORT int MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                             MPI_Status statuses[]) {
  static constinit NextFunction<decltype(&MPI_Testsome)> next{"MPI_Testsome"};
  const TimedCall call(CallKind::poll);
  Completion completion(call.outermost() ? incount : 0, requests);
  statuses = completion.statuses(statuses, true);
  const int code = next.get()(incount, requests, outcount, indices, statuses);
  if (code == MPI_SUCCESS) completion.some(Op::testsome, *outcount, indices, statuses);
  if (code != MPI_SUCCESS) completion.failed(Op::testsome, requests);
  return code;
}

KITH_EXPORT int MPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
                          MPI_Status* status) {
  static constinit NextFunction<decltype(&MPI_Mrecv)> next{"MPI_Mrecv"};
  return receive_probed(next, buf, count, type, message, status);
}

KITH_EXPORT int MPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
                           MPI_Request* request) {
  static constinit NextFunction<decltype(&MPI_Imrecv)> next{"MPI_Imrecv"};
  return post_probed(next, buf, count, type, message, request);
}

#if MPI_VERSION >= 4
KITH_EXPORT int MPI_Mrecv_c(void* buf, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                            MPI_Status* status) {
  static constinit NextFunction<decltype(&MPI_Mrecv_c)> next{"MPI_Mrecv_c"};
  return receive_probed(next, buf, count, type, message, status);
}

KITH_EXPORT int MPI_Imrecv_c(void* buf, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                             MPI_Request* request) {
  static constinit NextFunction<decltype(&MPI_Imrecv_c)> next{"MPI_Imrecv_c"};
  return post_probed(next, buf, count, type, message, request);
}
#endif

}  // extern "C"
