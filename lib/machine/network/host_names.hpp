// Hosts by name, however fully qualified.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kith {

/// Finds a host in a list: under its very name, else by the part before the first dot where that
/// tells it from all others ("n1" and "n1.cluster.org" may be one host). Addresses such as 10.0.0.1
/// have no such part. Of equal names the first counts.
class HostNames {
 public:
  explicit HostNames(std::span<const std::string> names);
  std::optional<std::size_t> find(std::string_view name) const;

 private:
  static constexpr std::size_t several = SIZE_MAX;
  std::unordered_map<std::string, std::size_t> whole_;
  std::unordered_map<std::string, std::size_t> short_;
};

}  // namespace kith
