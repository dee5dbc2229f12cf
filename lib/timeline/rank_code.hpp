// A rank's timeline, its times rounded and its programs as bytes: what is between RankTimeline and
// the two forms on the way to a file (what a rank sends to the leader of its host, and its section
// in the host's file).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/byte_reader.hpp"
#include "timeline/stream.hpp"
#include "timeline/times_code.hpp"

namespace kith {
class Packer;
}

namespace kith::timeline {

struct ThreadCode {
  std::string_view program;         ///< encode_program()
  std::vector<PositionCode> times;  ///< entry 0 is empty
  std::vector<Omission> omissions;
  double begin = 0;
  double end = 0;
  std::optional<double> preempted;
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
};

/// RankTimeline apart from its threads.
struct RankFacts {
  std::uint32_t rank = 0;
  double init_seconds = 0;
  double run_seconds = 0;
  double computing_seconds = 0;
  std::vector<Communicator> communicators;
};

RankFacts facts_of(const RankTimeline& timeline);
/// Without threads.
RankTimeline timeline_of(RankFacts facts);

/// Communicators are written as differences to `base`, those of another rank.
void put_facts(Packer& out, const RankFacts& facts, std::span<const Communicator> base);
RankFacts get_facts(ByteReader& in, std::span<const Communicator> base);

ThreadCode coded(const ThreadStream& stream, std::string_view program);
/// All of a thread but its program and times.
void put_thread(Packer& out, const ThreadCode& thread);
/// `version`: of the file; in the first one nobody knows how long a thread waited for a processor.
ThreadCode get_thread(ByteReader& in, std::uint64_t version);

/// The stream again. `in` refuses a program that does not go with the times or communicators.
ThreadStream stream_of(const ThreadCode& thread, Program program, const RankFacts& facts,
                       const ByteReader& in);

/// The last eight bytes of `bytes`, which say what comes before, compared and taken away.
std::string_view checked(const ByteReader& in, std::string_view bytes, std::string_view what);
std::uint64_t checksum(std::string_view bytes);

}  // namespace kith::timeline
