// Source 2: Open MPI's monitoring component calls a function of a library of its own for every
// message. Ours has the same name and stands in front of it.
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "mpi/library.hpp"
#include "record/pml/pml.hpp"

extern "C" __attribute__((visibility("default"))) void mca_common_monitoring_record_pml(
    int world_rank, std::size_t bytes, int tag);

namespace kith::record {
namespace {

using RecordMessage = void (*)(int, std::size_t, int);

constexpr char enabling_variable[] = "OMPI_MCA_pml_monitoring_enable";
constinit bool we_enabled = false;
constinit std::atomic<bool> installed{false};
constinit std::atomic<RecordMessage> their_function{nullptr};

// The component calls us: it is loaded, and the library behind it as well.
RecordMessage find_theirs() {
  for (const std::string& path : mpi::loaded_paths()) {
    if (path.find("libmca_common_monitoring") == std::string::npos) continue;
    void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    void* const found = dlsym(handle, "mca_common_monitoring_record_pml");
    dlclose(handle);
    return reinterpret_cast<RecordMessage>(found);
  }
  return nullptr;
}

void pass_to_none(int, std::size_t, int) {}

// The program's user may be watching with the component as well.
void pass_on(int world_rank, std::size_t bytes, int tag) {
  RecordMessage next = their_function.load(std::memory_order_acquire);
  if (next == nullptr) {
    next = find_theirs();
    if (next == nullptr || next == &mca_common_monitoring_record_pml) next = pass_to_none;
    their_function.store(next, std::memory_order_release);
  }
  next(world_rank, bytes, tag);
}

constinit std::atomic<bool> is_called{false};

}  // namespace

bool monitoring_fits() {
  if (mpi::family_built_for != mpi::Family::open_mpi) return false;
  const mpi::Identity library = mpi::library_identity();
  return library.family == mpi::Family::open_mpi && (library.major == 3 || library.major == 4);
}

void ask_for_monitoring() {
  we_enabled = std::getenv(enabling_variable) == nullptr && setenv(enabling_variable, "1", 0) == 0;
}

void stop_asking_for_monitoring() {
  if (we_enabled) unsetenv(enabling_variable);
}

// The component is silently absent where the user names the message layer (--mca pml ob1): a
// message to oneself shows whether it calls.
std::string install_monitoring_call() {
  int sent = 0;
  int received = 0;
  is_called = false;
  installed.store(true, std::memory_order_release);
  PMPI_Sendrecv(&sent, 1, MPI_INT, 0, 0, &received, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                MPI_STATUS_IGNORE);
  if (is_called) return {};
  installed.store(false, std::memory_order_release);
  return "Open MPI's monitoring component is not in use";
}

void remove_monitoring_call() {
  installed.store(false, std::memory_order_release);
}

namespace {

void look(int world_rank, std::size_t bytes, int tag) {
  if (!installed.load(std::memory_order_acquire)) return;
  is_called = true;
  if (!is_counted_elsewhere(tag)) classify_to_launcher_rank(world_rank, bytes, tag);
}

}  // namespace
}  // namespace kith::record

extern "C" void mca_common_monitoring_record_pml(int world_rank, std::size_t bytes, int tag) {
  kith::record::look(world_rank, bytes, tag);
  kith::record::pass_on(world_rank, bytes, tag);
}
