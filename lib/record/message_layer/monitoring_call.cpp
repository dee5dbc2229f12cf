// Source 2: Open MPI's monitoring component calls a function of a library of its own for every
// message. Ours has the same name and stands in front of it.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "record/message_layer/classify.hpp"
#include "record/message_layer/sources.hpp"

extern "C" __attribute__((visibility("default"))) void mca_common_monitoring_record_pml(
    int world_rank, std::size_t bytes, int tag);

namespace kith::record {
namespace {

using RecordMessage = void (*)(int, std::size_t, int);

constexpr char enabling_variable[] = "OMPI_MCA_pml_monitoring_enable";
constinit bool we_enabled = false;
constinit std::atomic<bool> installed{false};
constinit std::atomic<RecordMessage> theirs{nullptr};

int find_theirs(dl_phdr_info* info, std::size_t, void*) {
  if (info->dlpi_name == nullptr) return 0;
  if (std::strstr(info->dlpi_name, "libmca_common_monitoring") == nullptr) return 0;
  void* const handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  theirs.store(reinterpret_cast<RecordMessage>(dlsym(handle, "mca_common_monitoring_record_pml")),
               std::memory_order_release);
  dlclose(handle);
  return 1;
}

// The program's user may be watching with the component as well.
void pass_on(int world_rank, std::size_t bytes, int tag) {
  RecordMessage next = theirs.load(std::memory_order_acquire);
  if (next == nullptr) {
    dl_iterate_phdr(find_theirs, nullptr);
    next = theirs.load(std::memory_order_acquire);
  }
  if (next != nullptr && next != &mca_common_monitoring_record_pml) next(world_rank, bytes, tag);
}

constinit std::atomic<bool> is_called{false};

}  // namespace

bool monitoring_fits() {
  const std::string version = library_version();
  return version.starts_with("Open MPI v3.") || version.starts_with("Open MPI v4.");
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
