#include "trace/thread_matrices.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "io/format/trace_text.hpp"
#include "protocol/packer.hpp"
#include "sampling/access_sampling.hpp"

namespace kith::preload {
namespace {

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
  // Of libkith_accesses.so.
  auto* const take = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "kith_accesses_take"));
  const std::unique_ptr<char, decltype(&std::free)> text(take == nullptr ? nullptr : take(),
                                                         &std::free);
  try {
    if (text != nullptr) return text.get();
    end_sampling();
    return take == nullptr ? sampled_matrix() : std::string();
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
