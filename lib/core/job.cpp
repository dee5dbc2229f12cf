#include "kith/detail/job.hpp"

#include <algorithm>

#include "core/digest.hpp"

namespace kith {

CpuSet::CpuSet(std::initializer_list<std::uint32_t> cpus) {
  for (const std::uint32_t cpu : cpus) add(cpu, cpu);
}

CpuSet::CpuSet(const std::vector<std::uint32_t>& cpus) {
  for (const std::uint32_t cpu : cpus) add(cpu, cpu);
}

void CpuSet::add(std::uint32_t first, std::uint32_t last) {
  if (!ranges_.empty() && std::uint64_t{ranges_.back().last} + 1 == first) {
    ranges_.back().last = last;
  } else {
    ranges_.push_back({first, last});
  }
}

std::uint64_t CpuSet::size() const {
  std::uint64_t size = 0;
  for (const Range& range : ranges_) size += std::uint64_t{range.last} - range.first + 1;
  return size;
}

bool CpuSet::contains(const CpuSet& other) const {
  auto own = ranges_.begin();
  for (const Range& range : other.ranges_) {
    while (own != ranges_.end() && own->last < range.first) ++own;
    if (own == ranges_.end() || range.first < own->first || own->last < range.last) return false;
  }
  return true;
}

CpuSet united(const CpuSet& a, const CpuSet& b) {
  std::vector<CpuSet::Range> all(a.ranges().begin(), a.ranges().end());
  all.insert(all.end(), b.ranges().begin(), b.ranges().end());
  std::ranges::sort(all);
  CpuSet sum;
  for (std::size_t i = 0; i < all.size();) {
    CpuSet::Range range = all[i];
    for (++i; i < all.size() && all[i].first <= range.last; ++i) {
      range.last = std::max(range.last, all[i].last);
    }
    sum.add(range.first, range.last);
  }
  return sum;
}

CpuSet intersected(const CpuSet& a, const CpuSet& b) {
  CpuSet common;
  auto other = b.ranges().begin();
  for (const CpuSet::Range& range : a.ranges()) {
    while (other != b.ranges().end() && other->last < range.first) ++other;
    for (auto met = other; met != b.ranges().end() && met->first <= range.last; ++met) {
      common.add(std::max(range.first, met->first), std::min(range.last, met->last));
    }
  }
  return common;
}

std::string JobDescription::hosts_digest() const {
  Digest digest;
  for (const JobProcess& process : processes) digest.add(hosts[process.host].name).add("\n");
  return digest.hex();
}

}  // namespace kith
