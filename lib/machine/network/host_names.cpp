#include "machine/network/host_names.hpp"

namespace kith {
namespace {

/// The name before the first dot; empty for addresses.
std::string short_name(std::string_view name) {
  if (name.find_first_not_of("0123456789.") == std::string_view::npos) return {};
  return std::string(name.substr(0, name.find('.')));
}

}  // namespace

HostNames::HostNames(std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!whole_.try_emplace(names[i], i).second) continue;
    const auto [known, is_new] = short_.try_emplace(short_name(names[i]), i);
    if (!is_new) known->second = several;
  }
}

std::optional<std::size_t> HostNames::find(std::string_view name) const {
  if (const auto found = whole_.find(std::string(name)); found != whole_.end()) {
    return found->second;
  }
  const std::string part = short_name(name);
  const auto found = short_.find(part);
  if (part.empty() || found == short_.end() || found->second == several) return std::nullopt;
  // "n1.here" and "n1.there" are two hosts; one of the names has to be the short one.
  if (part != name && !whole_.contains(part)) return std::nullopt;
  return found->second;
}

}  // namespace kith
