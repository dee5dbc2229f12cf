// Variables of the tools interface that belong to a communicator: the world's are those of the
// reordered world, in the program's order.
#include "interpose/wrapper.hpp"

using namespace kith::interpose;

namespace {

// A place that stays: libraries may keep the address.
void* seen_object(int bind, void* object) {
  static MPI_Comm world;
  if (bind != MPI_T_BIND_MPI_COMM || object == nullptr) return object;
  if (*static_cast<MPI_Comm*>(object) != MPI_COMM_WORLD) return object;
  world = kith::mpi::program_world();
  return &world;
}

// With lengths, though nothing is to be written: MPICH 4.0 takes no null for them.
int bind_of_pvar(int index) {
  int verbosity = 0, kind = 0, bind = MPI_T_BIND_NO_OBJECT, fixed = 0, continuous = 0, atomic = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum values{};
  int no_name = 0;
  int no_text = 0;
  PMPI_T_pvar_get_info(index, nullptr, &no_name, &verbosity, &kind, &type, &values, nullptr,
                       &no_text, &bind, &fixed, &continuous, &atomic);
  return bind;
}

int bind_of_cvar(int index) {
  int verbosity = 0, bind = MPI_T_BIND_NO_OBJECT, scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum values{};
  int no_name = 0;
  int no_text = 0;
  PMPI_T_cvar_get_info(index, nullptr, &no_name, &verbosity, &type, &values, nullptr, &no_text,
                       &bind, &scope);
  return bind;
}

bool is_replaced() {
  return kith::mpi::world_replacement.active.load(std::memory_order_relaxed);
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void* object,
                                        MPI_T_pvar_handle* handle, int* count) {
  static constinit NextFunction<decltype(&MPI_T_pvar_handle_alloc)> next{"MPI_T_pvar_handle_alloc"};
  if (is_replaced()) object = seen_object(bind_of_pvar(index), object);
  return next.get()(session, index, object, handle, count);
}

KITH_EXPORT int MPI_T_cvar_handle_alloc(int index, void* object, MPI_T_cvar_handle* handle,
                                        int* count) {
  static constinit NextFunction<decltype(&MPI_T_cvar_handle_alloc)> next{"MPI_T_cvar_handle_alloc"};
  if (is_replaced()) object = seen_object(bind_of_cvar(index), object);
  return next.get()(index, object, handle, count);
}

}  // extern "C"
