#include "interpose/bypass_report.hpp"

#include <atomic>

#include "interpose/wrapper.hpp"

// Open MPI has sessions since 5.0, of MPI 3.1 otherwise.
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define KITH_SESSIONS
#include <strings.h>

#include <numeric>
#include <vector>

#include "comm/catching.hpp"
#include "record/call_context.hpp"
#include "session/session.hpp"
#endif

namespace kith::interpose {
namespace {

constinit std::atomic<bool> opened{false};

#ifdef KITH_SESSIONS

class Group {
 public:
  explicit Group(MPI_Comm comm) { PMPI_Comm_group(comm, &group_); }
  ~Group() {
    if (group_ != MPI_GROUP_NULL) PMPI_Group_free(&group_);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  MPI_Group get() const { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

bool is_world_set(const char* name) {
  return name != nullptr && strcasecmp(name, "mpi://WORLD") == 0;
}

// The world's set of processes in the order of the program's MPI_COMM_WORLD: what is made from it
// agrees with the world, as it does without Kith. Left as it is where memory is short.
void put_in_program_order(MPI_Group& group) {
  const record::OwnCalls own;
  const Group launched(MPI_COMM_WORLD);
  const Group seen(mpi::program_world());
  int size = 0;
  int world_size = 0;
  PMPI_Group_size(group, &size);
  PMPI_Group_size(launched.get(), &world_size);
  if (size != world_size) return;
  std::vector<int> ranks;
  std::vector<int> launcher_ranks;
  const bool has_room = preload::done_without_exception([&] {
    ranks.resize(static_cast<std::size_t>(size));
    launcher_ranks.resize(ranks.size());
  });
  if (!has_room) return;
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(seen.get(), size, ranks.data(), launched.get(), launcher_ranks.data());
  MPI_Group ordered = MPI_GROUP_NULL;
  if (PMPI_Group_incl(group, size, launcher_ranks.data(), &ordered) != MPI_SUCCESS) return;
  PMPI_Group_free(&group);
  group = ordered;
}

#endif

}  // namespace

bool session_opened() {
  return opened.load(std::memory_order_relaxed);
}

std::string session_obstacle() {
  if (!session_opened()) return {};
  return "the program opened an MPI session before MPI_Init; the groups of that session are in the launcher's "
         "order";
}

}  // namespace kith::interpose

#ifdef KITH_SESSIONS

using namespace kith::interpose;

extern "C" {

KITH_EXPORT int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  static constinit NextFunction<decltype(&MPI_Session_init)> next{"MPI_Session_init"};
  const CallScope call(CallKind::setup);
  if (call.outermost() && !opened.exchange(true, std::memory_order_relaxed)) {
    kith::preload::before_session(find_program_calls());
  }
  return next.get()(info, errhandler, session);
}

KITH_EXPORT int MPI_Group_from_session_pset(MPI_Session session, const char* pset_name,
                                            MPI_Group* newgroup) {
  static constinit NextFunction<decltype(&MPI_Group_from_session_pset)> next{
      "MPI_Group_from_session_pset"};
  const CallScope call(CallKind::none);
  const int code = next.get()(session, pset_name, newgroup);
  const bool is_replaced = kith::mpi::world_replacement.active.load(std::memory_order_acquire);
  if (call.outermost() && code == MPI_SUCCESS && is_replaced && is_world_set(pset_name)) {
    put_in_program_order(*newgroup);
  }
  return code;
}

}  // extern "C"

#endif
