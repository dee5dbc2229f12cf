#include "trace/thread_matrices.hpp"

#include <dlfcn.h>

#include <exception>
#include <optional>
#include <vector>

#include "io/format/trace_text.hpp"
#include "protocol/packer.hpp"

namespace kith::preload {
namespace {

// Of libkith_accesses.so.
using Threads = unsigned();
using Count = unsigned long long(unsigned before, unsigned after);
using Take = void();

template <class Function>
Function* found(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::string matrix_text(unsigned threads, Count* count) {
  std::string cells;
  std::uint64_t entries = 0;
  for (unsigned before = 0; before < threads; ++before) {
    for (unsigned after = 0; after < threads; ++after) {
      const unsigned long long times = count(before, after);
      if (times == 0) continue;
      ++entries;
      cells += std::to_string(before + 1) + ' ' + std::to_string(after + 1) + ' ' +
               std::to_string(times) + '\n';
    }
  }
  const std::string size = std::to_string(threads);
  return "%%MatrixMarket matrix coordinate integer general\n"
         "% how often thread j touched a line of 64 bytes that thread i had touched last\n" +
         size + ' ' + size + ' ' + std::to_string(entries) + '\n' + cells;
}

/// The matrices of a host, each with its rank; empty without memory.
std::string host_message(std::vector<std::optional<std::string>> parts) {
  try {
    Packer packer;
    for (const std::optional<std::string>& part : parts) {
      if (!part || part->empty()) continue;
      packer.put_text(*part);
    }
    return packer.take();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

std::string own_thread_matrix() noexcept {
  auto* const threads = found<Threads>("kith_accesses_threads");
  auto* const count = found<Count>("kith_accesses_count");
  auto* const take = found<Take>("kith_accesses_take");
  if (threads == nullptr || count == nullptr || take == nullptr) return {};
  take();
  try {
    const unsigned seen = threads();
    return seen > 1 ? matrix_text(seen, count) : std::string();
  } catch (const std::exception&) {
    return {};
  }
}

std::uint32_t gather_thread_matrices(PrivateComm& private_comm, std::uint32_t rank, std::string own,
                                     FileSet* files) {
  const bool leads = private_comm.leads_host();
  std::string packed;
  if (!own.empty()) {
    Packer packer;
    packer.put_number(rank);
    packer.put_bytes(own);
    packed = packer.take();
  }
  auto parts = private_comm.gather_on_host(std::move(packed));
  if (!leads) return 0;
  std::string of_host = host_message(std::move(parts));
  if (!private_comm.is_root()) {
    private_comm.send_to_root(of_host);
    return 0;
  }
  std::uint32_t written = 0;
  for (int leader = 0; leader < private_comm.hosts(); ++leader) {
    const std::string message =
        leader == 0 ? std::move(of_host) : private_comm.receive_from_leader(leader).value_or("");
    Unpacker unpacker(message);
    while (!unpacker.done() && files->ok()) {
      const std::string part(unpacker.get_text());
      Unpacker matrix(part);
      const auto of = static_cast<std::uint32_t>(matrix.get_number());
      if (written++ == 0) files->make_directory(trace_names::threads_directory);
      files->text(trace_names::thread_matrix(of), matrix.get_bytes(matrix.remaining()));
    }
  }
  return written;
}

}  // namespace kith::preload
