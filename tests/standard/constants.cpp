// Open MPI's values beside the standard's, by the names that they share.
#include <dlfcn.h>
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "translation.hpp"

#define TEXT_OF(text) #text
// A handle's object is named in its macro, "((MPI_Comm)((void *) &(ompi_mpi_comm_world)))"; it is
// looked for in the library that was opened, as nothing here may be linked with that library.
#define HANDLE(standard, native) {standard, TEXT_OF(native)},
#define NUMBER(kind, standard, native)

namespace translation {
namespace {

struct NamedHandle {
  std::uintptr_t standard;
  const char* native;
};
const NamedHandle named_handles[] = {
#include "native_constants.inc"
};

#undef HANDLE
#undef NUMBER
#define HANDLE(standard, native)
#define NUMBER(kind, standard, native) {Meaning::kind, standard, native},
struct NamedNumber {
  Meaning what;
  int standard, native;
};
const NamedNumber named_numbers[] = {
#include "native_constants.inc"
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "libmpi_abi: %s\n", why.c_str());
  std::exit(1);
}

void* native_library() {
  static void* const library = [] {
    // Deep binding: its components ask the library for its own functions, not for the ones here.
    void* const opened = dlopen(NATIVE_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (opened == nullptr) give_up(dlerror());
    return opened;
  }();
  return library;
}

struct Handles {
  std::unordered_map<void*, void*> in, out;
  Handles() {
    for (const auto& [standard, native] : named_handles) {
      const std::string text = native;
      const auto from = text.find("omp");
      if (from == std::string::npos) continue;
      const std::string name = text.substr(from, text.find_first_of(") ", from) - from);
      void* const object = dlsym(native_library(), name.c_str());
      if (object == nullptr) continue;
      in[reinterpret_cast<void*>(standard)] = object;
      out.emplace(object, reinterpret_cast<void*>(standard));
    }
  }
};

const Handles& handles() {
  static const Handles all;
  return all;
}

struct NumberMaps {
  std::map<std::pair<Meaning, int>, int> in, out;
  NumberMaps() {
    for (const auto& [what, standard, native] : named_numbers) {
      in.emplace(std::pair(what, standard), native);
      out.emplace(std::pair(what, native), standard);
    }
  }
};

const NumberMaps& numbers() {
  static const NumberMaps all;
  return all;
}

int bits(const std::map<std::pair<Meaning, int>, int>& table, int value) {
  int result = 0;
  for (int bit = 1; bit <= value; bit <<= 1) {
    if ((value & bit) == 0) continue;
    const auto found = table.find({Meaning::mode, bit});
    result |= found == table.end() ? bit : found->second;
  }
  return result;
}

int look_up(const std::map<std::pair<Meaning, int>, int>& table, Meaning what, int value) {
  if (what == Meaning::mode) return bits(table, value);
  const auto found = table.find({what, value});
  return found == table.end() ? value : found->second;
}

}  // namespace

void* native_symbol(const char* name) {
  void* const found = dlsym(native_library(), name);
  if (found == nullptr) give_up(std::string("no ") + name + " in " + NATIVE_LIBRARY);
  return found;
}

void* handle_in(void* standard) {
  const auto found = handles().in.find(standard);
  return found == handles().in.end() ? standard : found->second;
}

void* handle_out(void* native) {
  const auto found = handles().out.find(native);
  return found == handles().out.end() ? native : found->second;
}

int number_in(Meaning what, int standard) {
  return look_up(numbers().in, what, standard);
}

int number_out(Meaning what, int native) {
  return look_up(numbers().out, what, native);
}

NativeStatus status_in(const StandardStatus& standard) {
  NativeStatus native{number_in(Meaning::rank, standard.source),
                      number_in(Meaning::tag, standard.tag),
                      number_in(Meaning::error, standard.error), standard.cancelled, 0};
  std::memcpy(&native.count, &standard.count_low, sizeof(native.count));
  return native;
}

StandardStatus status_out(const NativeStatus& native, StandardStatus standard) {
  standard.source = number_out(Meaning::rank, native.source);
  standard.tag = number_out(Meaning::tag, native.tag);
  standard.error = number_out(Meaning::error, native.error);
  standard.cancelled = native.cancelled;
  std::memcpy(&standard.count_low, &native.count, sizeof(native.count));
  return standard;
}

int neighbours_of(void* comm, bool neighbours, bool sends) {
  void* const native = handle_in(comm);
  int number = 0;
  if (!neighbours) {
    int between = 0;
    native_function<int(void*, int*)>("PMPI_Comm_test_inter")(native, &between);
    const char* const size = between != 0 ? "PMPI_Comm_remote_size" : "PMPI_Comm_size";
    native_function<int(void*, int*)>(size)(native, &number);
    return number;
  }
  int topology = 0;
  native_function<int(void*, int*)>("PMPI_Topo_test")(native, &topology);
  if (topology == MPI_CART) {
    native_function<int(void*, int*)>("PMPI_Cartdim_get")(native, &number);
    return 2 * number;
  }
  if (topology == MPI_GRAPH) {
    int self = 0;
    native_function<int(void*, int*)>("PMPI_Comm_rank")(native, &self);
    native_function<int(void*, int, int*)>("PMPI_Graph_neighbors_count")(native, self, &number);
    return number;
  }
  int in = 0, out = 0, weighted = 0;
  native_function<int(void*, int*, int*, int*)>("PMPI_Dist_graph_neighbors_count")(native, &in,
                                                                                   &out, &weighted);
  return sends ? out : in;
}

}  // namespace translation
