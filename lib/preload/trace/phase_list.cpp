#include "trace/phase_list.hpp"

#include <set>

namespace kith::runtime {
namespace {

std::string pack_names(const std::vector<std::string>& names) {
  Packer packer;
  for (const std::string& name : names) packer.put_text(name);
  return packer.take();
}

std::vector<std::string> unpack_names(std::string_view packed) {
  std::vector<std::string> names;
  Unpacker unpacker(packed);
  while (!unpacker.done()) names.emplace_back(unpacker.get_text());
  return names;
}

bool has_news(const std::vector<std::string>& names, const std::vector<std::string>& own) {
  std::vector<std::string> both = names;
  append_new(both, own);
  return both.size() > names.size();
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Phase>& phases) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const Phase& phase : phases) {
    if (known.insert(phase.name).second) names.push_back(phase.name);
  }
  return names;
}

void append_new(std::vector<std::string>& names, const std::vector<std::string>& more) {
  std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : more) {
    if (known.insert(name).second) names.push_back(name);
  }
}

std::vector<std::string> agree_on_phases(PrivateComm& private_comm, std::uint32_t rank,
                                         const std::vector<Phase>& own) {
  const std::vector<std::string> own_names = names_of(own);
  std::vector<std::string> agreed;
  for (;;) {
    // In one number: who has news with the lowest rank, and which member that is.
    const std::uint64_t bid =
        has_news(agreed, own_names)
            ? std::uint64_t{rank} << 32 | static_cast<std::uint32_t>(private_comm.rank())
            : UINT64_MAX;
    const std::uint64_t least = private_comm.least(bid);
    if (least == UINT64_MAX) return agreed;
    const std::string packed = least == bid ? pack_names(own_names) : std::string();
    append_new(agreed, unpack_names(private_comm.broadcast_from(
                           static_cast<int>(least & UINT32_MAX), packed)));
  }
}

}  // namespace kith::runtime
