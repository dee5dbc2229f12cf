#include "api/redistribution/slices.hpp"

namespace kith::preload {
namespace {

constexpr std::uint64_t digest_start = 0xcbf29ce484222325ULL;
constexpr std::uint64_t digest_prime = 0x100000001b3ULL;  // FNV-1a, a number at a time

}  // namespace

SliceAccount account_of(const Shapes& shapes, std::size_t shape, std::uint64_t limit) {
  SliceAccount account{0, digest_start};
  for_each_slice(shapes, {0, 1, 0, shape}, limit, [&](const Repeat& slice) {
    const std::uint64_t bytes = bytes_of(shapes, slice);
    account.largest = std::max(account.largest, bytes);
    account.digest = (account.digest ^ bytes) * digest_prime;
  });
  return account;
}

Move move_of(const std::vector<std::int32_t>& place, std::int32_t me) {
  const auto now = std::find(place.begin(), place.end(), me) - place.begin();
  return {place[static_cast<std::size_t>(me)], static_cast<std::int32_t>(now)};
}

bool is_permutation(const std::vector<std::int32_t>& place) {
  std::vector<bool> seen(place.size(), false);
  for (const std::int32_t rank : place) {
    const auto at = static_cast<std::size_t>(rank);
    if (rank < 0 || at >= seen.size() || seen[at]) return false;
    seen[at] = true;
  }
  return true;
}

}  // namespace kith::preload
