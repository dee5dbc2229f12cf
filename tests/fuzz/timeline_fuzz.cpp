// The timelines of a host, or a rank's. Most damage is caught by checksums: so the sections' are put
// right first, where the input asks for it by its first byte.
#include <cstring>

#include "fuzz.hpp"
#include "timeline/host_file.hpp"
#include "timeline/packed_rank.hpp"
#include "timeline/traffic.hpp"
#include "timeline/unroll.hpp"

using namespace kith::timeline;

namespace {

constexpr std::uint64_t most_steps = 10'000;

void use(const RankTimeline& timeline) {
  std::uint64_t cells = 0;
  for (const TrafficCell& cell : traffic_of(timeline)) cells += cell.messages > 0 ? 1 : 0;
  kith::fuzz::require(cells <= UINT32_MAX, "cells are counted");
  for (const ThreadStream& stream : timeline.threads) {
    std::uint64_t steps = 0;
    Unroller(stream).for_each([&](const Step& step) {
      kith::fuzz::require(step.event != nullptr, "a step has an event");
      return ++steps < most_steps;
    });
    if (stream.omissions.empty()) continue;
    const ThreadStream beginning = beginning_of(stream);
    kith::fuzz::require(lengths(beginning.program).front() <= stream.omissions.front().after_events,
                        "the beginning ends at the first omission");
  }
}

void put_sum(std::string& bytes, std::size_t begin, std::size_t end) {
  const std::uint64_t sum = checksum(std::string_view(bytes).substr(begin, end - begin));
  if (end + sizeof sum <= bytes.size()) std::memcpy(bytes.data() + end, &sum, sizeof sum);
}

/// A host's file with the checksums that its sections and its end should have.
void mend_host_file(std::string& bytes) {
  std::size_t at = host_file_magic.size();
  while (at + 1 < bytes.size()) {
    std::size_t size = 0;
    std::size_t head = at + 1;
    for (unsigned shift = 0; head < bytes.size() && shift < 28; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[head++]);
      size |= std::size_t{byte & 0x7FU} << shift;
      if (byte < 0x80) break;
    }
    const std::size_t end = head + size;
    if (end + sizeof(std::uint64_t) > bytes.size()) break;
    put_sum(bytes, at, end);
    at = end + sizeof(std::uint64_t);
  }
  if (bytes.size() > sizeof(std::uint64_t)) put_sum(bytes, 0, bytes.size() - sizeof(std::uint64_t));
}

void read_host_file(std::string bytes) {
  const HostFileReader reader("input", std::move(bytes));
  for (const RankPlace& rank : reader.ranks()) use(reader.read(rank));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  constexpr std::size_t magic = 8;
  constexpr std::size_t sum = sizeof(std::uint64_t);
  if ((data[0] & 1U) != 0) {
    if (bytes.starts_with(host_file_magic)) {
      mend_host_file(bytes);
    } else if (bytes.size() >= magic + sum) {
      put_sum(bytes, magic, bytes.size() - sum);
    }
  }
  kith::fuzz::may_refuse([&] { use(unpack_rank(bytes, "input")); });
  kith::fuzz::may_refuse([&] { read_host_file(bytes); });
  return 0;
}
