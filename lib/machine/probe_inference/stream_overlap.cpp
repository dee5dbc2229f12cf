#include "machine/probe_inference/stream_overlap.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace kith {
namespace {

/// Parts that were there at that second, between two of them as a fraction.
double parts_at(const std::vector<double>& seconds, double now) {
  const auto next = std::ranges::upper_bound(seconds, now);
  if (next == seconds.begin()) return 0;
  const auto whole = static_cast<double>(std::distance(seconds.begin(), next) - 1);
  if (next == seconds.end()) return whole;
  const double before = *std::prev(next);
  return whole + (now - before) / (*next - before);
}

}  // namespace

double megabytes_together(std::span<const StreamArrivals> streams) {
  double begin = std::numeric_limits<double>::lowest();
  double first_end = std::numeric_limits<double>::max();
  double end = begin;
  for (const StreamArrivals& stream : streams) {
    if (stream.seconds.size() < 2) return 0;
    begin = std::max(begin, stream.seconds.front());
    first_end = std::min(first_end, stream.seconds.back());
    end = std::max(end, stream.seconds.back());
  }
  if (streams.empty() || begin >= first_end) return 0;
  double bytes = 0;
  for (const StreamArrivals& stream : streams) {
    bytes +=
        stream.bytes_a_part * (parts_at(stream.seconds, end) - parts_at(stream.seconds, begin));
  }
  return bytes / (end - begin) / 1e6;
}

}  // namespace kith
