#include "timeline/rank_code.hpp"

#include <algorithm>
#include <utility>

#include "core/digest.hpp"
#include "protocol/packer.hpp"
#include "timeline/list_code.hpp"
#include "timeline/program_code.hpp"

namespace kith::timeline {
namespace {

/// What of a communicator follows its flags.
enum CommunicatorBits : unsigned {
  is_window_bit = 1,
  same_identity_bit = 2,  ///< as in the base
  same_sizes_bit = 4,
  has_members_bit = 8,
  own_rank_bit = 16,  ///< the rank in it is that in the world
  all_communicator_bits = 31
};

Communicator base_of(std::span<const Communicator> base, std::size_t index) {
  return index < base.size() ? base[index] : Communicator{};
}

void put_communicator(Packer& out, const Communicator& made, const Communicator& base,
                      std::uint32_t world_rank) {
  const bool same_identity = made.identity == base.identity;
  const bool same_sizes = made.size == base.size && made.remote_size == base.remote_size;
  const bool own_rank = made.rank == world_rank;
  out.put_number((made.is_window ? is_window_bit : 0U) | (same_identity ? same_identity_bit : 0U) |
                 (same_sizes ? same_sizes_bit : 0U) |
                 (made.members.empty() ? 0U : has_members_bit) | (own_rank ? own_rank_bit : 0U));
  if (!same_identity) out.put(made.identity);
  if (!same_sizes) {
    out.put_number(made.size);
    out.put_number(made.remote_size);
  }
  if (!own_rank) out.put_number(made.rank);
  if (made.members.empty()) return;
  out.put_number(made.members.size());
  out.put_bytes(made.members);
}

/// Refuses members that are not as many as the communicator is large.
void check_members(const ByteReader& in, const Communicator& made) {
  if (made.members.empty()) return;
  std::uint64_t members = 0;
  for_each_stretch<1>(ByteReader(in.name(), made.members, in.place() - made.members.size()),
                      [&](const auto& stretch) { members += stretch.entries; });
  if (members == made.size) return;
  in.refuse(std::to_string(made.size) + " members of a communicator", std::to_string(members));
}

Communicator get_communicator(ByteReader& in, const Communicator& base, std::uint32_t world_rank) {
  const std::uint64_t flags = in.number_to(all_communicator_bits, "what a communicator has");
  Communicator made;
  made.is_window = (flags & is_window_bit) != 0;
  made.identity = (flags & same_identity_bit) != 0 ? base.identity
                                                   : in.plain<std::uint64_t>("an identity");
  made.size = base.size;
  made.remote_size = base.remote_size;
  if ((flags & same_sizes_bit) == 0) {
    made.size = in.number32("the size of a communicator");
    made.remote_size = in.number32("the size of the other group");
  }
  made.rank = world_rank;
  if ((flags & own_rank_bit) == 0) made.rank = in.number32("the rank in a communicator");
  if (made.rank >= made.size) {
    in.refuse("a rank in a communicator of " + std::to_string(made.size),
              std::to_string(made.rank));
  }
  if ((flags & has_members_bit) != 0) made.members = in.text("members");
  check_members(in, made);
  return made;
}

bool has_root(Op op) {
  return op == Op::bcast || op == Op::gather || op == Op::gatherv || op == Op::reduce ||
         op == Op::scatter || op == Op::scatterv;
}

/// The communicators of all events have been found.
void check_roots(const Program& program, const std::vector<Communicator>& communicators,
                 const ByteReader& in) {
  for (const Event& event : program.events) {
    if (!has_root(event.op)) continue;
    const Communicator& made = communicators[event.comm];
    const std::int64_t least = made.remote_size > 0 ? root_in_own_group : 0;
    const std::int64_t most = std::int64_t{std::max(made.size, made.remote_size)} - 1;
    if (event.peer >= least && event.peer <= most) continue;
    in.refuse("a root from " + std::to_string(least) + " to " + std::to_string(most),
              std::to_string(event.peer) + " in " + name_of(event.op));
  }
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  return Digest().add(bytes).value();
}

std::string_view checked(const ByteReader& in, std::string_view bytes, std::string_view what) {
  constexpr std::size_t size = sizeof(std::uint64_t);
  if (bytes.size() < size) in.refuse(std::string(what) + " with a checksum", "the end");
  ByteReader tail(in.name(), bytes.substr(bytes.size() - size));
  bytes.remove_suffix(size);
  if (tail.plain<std::uint64_t>("a checksum") != checksum(bytes)) {
    in.refuse(std::string(what) + " with its checksum", "damaged bytes");
  }
  return bytes;
}

void put_facts(Packer& out, const RankFacts& facts, std::span<const Communicator> base) {
  out.put_number(facts.rank);
  out.put(facts.init_seconds);
  out.put(facts.run_seconds);
  out.put(facts.computing_seconds);
  out.put_number(facts.communicators.size());
  for (std::size_t i = 0; i < facts.communicators.size(); ++i) {
    put_communicator(out, facts.communicators[i], base_of(base, i), facts.rank);
  }
}

RankFacts facts_of(const RankTimeline& timeline) {
  return {timeline.rank, timeline.init_seconds, timeline.run_seconds, timeline.computing_seconds,
          timeline.communicators};
}

RankTimeline timeline_of(RankFacts facts) {
  RankTimeline timeline;
  timeline.rank = facts.rank;
  timeline.init_seconds = facts.init_seconds;
  timeline.run_seconds = facts.run_seconds;
  timeline.computing_seconds = facts.computing_seconds;
  timeline.communicators = std::move(facts.communicators);
  return timeline;
}

RankFacts get_facts(ByteReader& in, std::span<const Communicator> base) {
  RankFacts facts;
  facts.rank = in.number32("a rank");
  facts.init_seconds = in.seconds("the end of MPI_Init");
  facts.run_seconds = in.seconds("the run");
  facts.computing_seconds = in.seconds("the computation");
  const std::size_t communicators = in.count("communicators");
  if (communicators == 0) in.refuse("communicators", "none");
  for (std::size_t i = 0; i < communicators; ++i) {
    facts.communicators.push_back(get_communicator(in, base_of(base, i), facts.rank));
  }
  if (facts.communicators.front().rank != facts.rank) {
    in.refuse("the world first, in which the rank is " + std::to_string(facts.rank),
              std::to_string(facts.communicators.front().rank));
  }
  return facts;
}

ThreadCode coded(const ThreadStream& stream, std::string_view program) {
  ThreadCode thread;
  thread.program = program;
  thread.omissions = stream.omissions;
  thread.begin = stream.begin;
  thread.preempted = stream.preempted;
  thread.end = stream.end;
  thread.events = stream.events;
  thread.bytes = stream.bytes;
  thread.times.resize(1);
  for (std::size_t i = 1; i < stream.times.size(); ++i) {
    thread.times.push_back(rounded(stream.times[i]));
  }
  return thread;
}

void put_thread(Packer& out, const ThreadCode& thread) {
  out.put(thread.begin);
  out.put(thread.end);
  out.put_number(thread.preempted ? 1 : 0);
  if (thread.preempted) out.put(*thread.preempted);
  out.put_number(thread.events);
  out.put_number(thread.bytes);
  out.put_number(thread.omissions.size());
  for (const Omission& omission : thread.omissions) {
    out.put_number(omission.after_events);
    out.put_number(omission.events);
    out.put_number(omission.bytes);
    out.put(omission.seconds);
  }
}

ThreadCode get_thread(ByteReader& in, std::uint64_t version) {
  ThreadCode thread;
  thread.begin = in.seconds("the begin of a thread");
  thread.end = in.seconds("the end of a thread");
  if (version > 1 && in.number_to(1, "whether a thread was seen to wait for a processor") == 1) {
    thread.preempted = in.seconds("the time that a thread waited for a processor");
  }
  thread.events = in.number("events of a thread");
  thread.bytes = in.number("bytes of a thread");
  const std::size_t omissions = in.count("omissions");
  std::uint64_t omitted_events = 0;
  std::uint64_t omitted_bytes = 0;
  for (std::size_t i = 0; i < omissions; ++i) {
    Omission omission;
    omission.after_events = in.number("where an omission lies");
    omission.events = in.number("omitted events");
    omission.bytes = in.number("omitted bytes");
    omission.seconds = in.seconds("omitted time");
    if (omission.events > thread.events - omitted_events ||
        omission.bytes > thread.bytes - omitted_bytes) {
      in.refuse("no more omitted than the thread did",
                std::to_string(omission.events) + " operations, " + std::to_string(omission.bytes) +
                    " bytes");
    }
    omitted_events += omission.events;
    omitted_bytes += omission.bytes;
    if (i > 0 && omission.after_events < thread.omissions.back().after_events) {
      in.refuse("omissions in their order", "one before the last");
    }
    thread.omissions.push_back(omission);
  }
  return thread;
}

ThreadStream stream_of(const ThreadCode& thread, Program program, const RankFacts& facts,
                       const ByteReader& in) {
  const ProgramNeeds needs = needs_of(program);
  if (needs.communicators >= facts.communicators.size()) {
    in.refuse("communicators up to number " + std::to_string(needs.communicators),
              std::to_string(facts.communicators.size()) + " of them");
  }
  if (needs.times >= thread.times.size()) {
    in.refuse("times up to number " + std::to_string(needs.times),
              std::to_string(thread.times.size()) + " of them");
  }
  check_peers(program, facts.rank, facts.communicators.front().size, in);
  check_roots(program, facts.communicators, in);
  ThreadStream stream;
  stream.program = std::move(program);
  stream.times.reserve(thread.times.size());
  for (const PositionCode& code : thread.times) stream.times.push_back(times_of(code));
  stream.omissions = thread.omissions;
  stream.begin = thread.begin;
  stream.preempted = thread.preempted;
  stream.end = thread.end;
  stream.events = thread.events;
  stream.bytes = thread.bytes;
  return stream;
}

}  // namespace kith::timeline
