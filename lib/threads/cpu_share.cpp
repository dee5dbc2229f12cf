#include "threads/cpu_share.hpp"

#include <algorithm>
#include <vector>

namespace kith::threads {
namespace {

/// The places, as far as `cpus` has them.
std::vector<CpuSet> within(const CpuSet& cpus, std::span<const CpuSet> places) {
  std::vector<CpuSet> found;
  for (const CpuSet& place : places) {
    CpuSet usable = intersected(place, cpus);
    if (!usable.empty()) found.push_back(std::move(usable));
  }
  return found;
}

}  // namespace

CpuSet share_of(const CpuSet& cpus, std::uint32_t position, std::uint32_t processes,
                std::span<const CpuSet> cores, std::span<const CpuSet> pus) {
  if (processes <= 1) return cpus;
  std::vector<CpuSet> places = within(cpus, cores);
  if (places.size() < processes) places = within(cpus, pus);
  if (places.empty()) return cpus;
  const std::uint64_t count = places.size();
  const std::uint64_t first = position * count / processes;
  const std::uint64_t last = std::max(first + 1, (position + std::uint64_t{1}) * count / processes);
  CpuSet share;
  for (std::uint64_t i = first; i < last; ++i) share = united(share, places[i]);
  return share;
}

}  // namespace kith::threads
