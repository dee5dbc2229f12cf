#include "timeline/packed_rank.hpp"

#include <algorithm>
#include <utility>

#include "protocol/packer.hpp"
#include "timeline/program_code.hpp"

namespace kith::timeline {
namespace {

constexpr std::string_view packed_magic = "KITHRANK";
constexpr std::uint64_t packed_version = 2;

PackedRank unpacked(ByteReader& in, std::uint64_t version) {
  PackedRank rank;
  rank.facts = get_facts(in, {});
  const std::size_t threads = in.count("threads");
  for (std::size_t i = 0; i < threads; ++i) {
    ThreadCode thread = get_thread(in, version);
    thread.program = in.text("a program");
    thread.times = get_times(in, {});
    rank.threads.push_back(std::move(thread));
  }
  in.expect_end("a rank's timeline");
  return rank;
}

}  // namespace

PackedRank open_packed_rank(ByteReader in) {
  if (in.bytes(packed_magic.size(), "a rank's timeline") != packed_magic) {
    in.refuse_at(0, "a rank's timeline", "something else");
  }
  const std::uint64_t place = in.place();
  const std::string_view body = checked(in, in.bytes(in.remaining(), "a rank"), "a rank's timeline");
  ByteReader inner(in.name(), body, place);
  const std::uint64_t version = inner.number("a version");
  if (version < 1 || version > packed_version) {
    inner.refuse_at(0, "a version up to " + std::to_string(packed_version),
                    std::to_string(version));
  }
  return unpacked(inner, version);
}

std::string pack_rank(const RankTimeline& timeline) {
  Packer body;
  body.put_number(packed_version);
  put_facts(body, facts_of(timeline), {});
  body.put_number(timeline.threads.size());
  for (const ThreadStream& stream : timeline.threads) {
    const std::string program = encode_program(stream.program);
    const ThreadCode thread = coded(stream, program);
    put_thread(body, thread);
    body.put_number(program.size());
    body.put_bytes(program);
    put_times(body, thread.times, {});
  }
  const std::string bytes = body.take();
  Packer packed;
  packed.put_bytes(packed_magic);
  packed.put_bytes(bytes);
  packed.put(checksum(bytes));
  return packed.take();
}

RankTimeline unpack_rank(std::string_view packed, std::string_view name) {
  const ByteReader in(name, packed);
  PackedRank rank = open_packed_rank(in);
  std::vector<ThreadStream> threads;
  for (const ThreadCode& thread : rank.threads) {
    const auto place = static_cast<std::size_t>(thread.program.data() - packed.data());
    Program program = decode_program(ByteReader(name, thread.program, place));
    threads.push_back(stream_of(thread, std::move(program), rank.facts, in));
  }
  RankTimeline timeline = timeline_of(std::move(rank.facts));
  timeline.threads = std::move(threads);
  return timeline;
}

}  // namespace kith::timeline
