#include "timeline/request_trail.hpp"

#include <algorithm>

#include "timeline/list_code.hpp"

namespace kith::timeline {
namespace {

std::uint64_t farthest_look_back(const Program& program) {
  std::int64_t farthest = 0;
  for (const Event& event : program.events) {
    if (!is_completion(event.op) || event.list == 0) continue;
    for_each_stretch<completed_request_fields>(
        ByteReader("a list of completed requests", program.lists[event.list]),
        [&](const auto& stretch) {
          farthest = std::max({farthest, stretch.at(0, 0), stretch.at(stretch.entries - 1, 0)});
        });
  }
  return std::min(static_cast<std::uint64_t>(farthest) + 1, RequestTrail::most_looked_back);
}

}  // namespace

RequestTrail::RequestTrail(const Program& program) : ring_(farthest_look_back(program)) {}

void RequestTrail::add(const Event& event, std::uint64_t times) {
  const std::uint64_t kept = std::min<std::uint64_t>(times, ring_.size());
  made_ += times - kept;
  for (std::uint64_t i = 0; i < kept; ++i) push(&event);
}

void RequestTrail::repeat_since(std::uint64_t made, std::uint64_t times) {
  const std::uint64_t added = made_ - made;
  const std::uint64_t known = std::min<std::uint64_t>(added, ring_.size());
  if (known == 0 || times == 0) return;
  std::vector<const Event*> last(known);
  for (std::uint64_t i = 0; i < known; ++i) last[i] = ring_[(made_ - known + i) % ring_.size()];
  // Where one time fills the ring, it stays as it is but for its place.
  const std::uint64_t copies = std::min(times, (ring_.size() + added - 1) / added);
  made_ += (times - copies) * added;
  for (std::uint64_t copy = 0; copy < copies; ++copy) {
    made_ += added - known;
    for (const Event* event : last) push(event);
  }
}

const Event* RequestTrail::made_before(std::int64_t distance) const {
  if (distance < 0) return nullptr;
  const auto back = static_cast<std::uint64_t>(distance);
  if (back >= std::min<std::uint64_t>(made_, ring_.size())) return nullptr;
  return ring_[(made_ - 1 - back) % ring_.size()];
}

}  // namespace kith::timeline
