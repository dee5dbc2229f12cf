#include "timeline/host_file.hpp"

#include <cstring>
#include <utility>

#include "kith/error.hpp"
#include "timeline/program_code.hpp"

namespace kith::timeline {
namespace {

/// The programs of one rank take no more than this, encoded: many threads may share a large one.
constexpr std::uint64_t most_program_bytes = std::uint64_t{1} << 28U;

const char* name_of(char kind) {
  switch (static_cast<SectionKind>(kind)) {
    case SectionKind::head:
      return "the head of a timeline";
    case SectionKind::program:
      return "a program of a timeline";
    case SectionKind::rank:
      return "a rank of a timeline";
    case SectionKind::index:
      return "the index of a timeline";
  }
  return "a section of a timeline";
}

/// What the section at the front of `in` holds, its checksum compared; `in` goes behind it.
ByteReader open_section(ByteReader& in, std::string_view bytes, char kind) {
  const std::size_t begin = in.at();
  if (const char found = in.plain<char>(name_of(kind)); found != kind) {
    in.refuse_at(begin, name_of(kind), "something else");
  }
  const std::uint64_t size = in.number("the size of a section");
  const std::uint64_t place = in.place();
  const std::string_view payload = in.bytes(size, name_of(kind));
  const std::uint64_t sum = checksum(bytes.substr(begin, in.at() - begin));
  if (in.plain<std::uint64_t>("the checksum of a section") != sum) {
    in.refuse_at(begin, std::string(name_of(kind)) + " with its checksum", "damaged bytes");
  }
  return {in.name(), payload, place};
}

std::uint64_t last_number(std::string_view end) {
  std::uint64_t value = 0;
  std::memcpy(&value, end.data() + end.size() - sizeof value, sizeof value);
  return value;
}

}  // namespace

std::uint64_t place_of_index(std::string_view name, std::string_view end, std::uint64_t size) {
  ByteReader in(name, end, size - end.size());
  const auto place = in.plain<std::uint64_t>("the place of the index");
  if (place < host_file_magic.size() || place > size - host_file_end) {
    in.refuse_at(0, "the place of the index in a file of " + std::to_string(size) + " bytes",
                 std::to_string(place));
  }
  return place;
}

HostFileIndex read_index(std::string_view name, std::string_view bytes, std::uint64_t place) {
  ByteReader file(name, bytes, place);
  ByteReader in = open_section(file, bytes, static_cast<char>(SectionKind::index));
  if (file.remaining() != host_file_end) file.refuse("the end of the file", "something else");
  const auto next_place = [&](std::uint64_t& last) {
    last += in.number_to(place - last, "the place of a section");
    return last;
  };
  HostFileIndex index;
  index.programs.resize(in.count("programs"));
  std::uint64_t last = 0;
  for (std::uint64_t& program : index.programs) program = next_place(last);
  index.ranks.resize(in.count("ranks", 2));
  last = 0;
  std::int64_t next = 0;
  for (RankPlace& rank : index.ranks) {
    const std::size_t begin = in.at();
    const std::int64_t step = in.signed_number("a rank");
    if (step < -next || step >= UINT32_MAX - next) in.refuse_at(begin, "a rank", "no rank");
    next += step + 1;
    rank = {static_cast<std::uint32_t>(next - 1), next_place(last)};
  }
  in.expect_end("the index");
  return index;
}

HostFileReader::HostFileReader(std::string name, std::string bytes)
    : name_(std::move(name)), bytes_(std::move(bytes)) {
  const std::string_view all = bytes_;
  ByteReader in(name_, all);
  if (!all.starts_with(host_file_magic)) in.refuse("a timeline", "another kind of file");
  if (all.size() < host_file_magic.size() + host_file_end) in.refuse("a timeline", "its begin only");
  if (last_number(all) != checksum(all.substr(0, all.size() - sizeof(std::uint64_t)))) {
    find_damage();
  }
  const std::uint64_t place =
      place_of_index(name_, all.substr(all.size() - host_file_end), all.size());
  index_ = read_index(name_, all.substr(place), place);
  ByteReader head = section(host_file_magic.size(), static_cast<char>(SectionKind::head));
  version_ = head.number("a version");
  if (version_ < 1 || version_ > host_file_version) {
    head.refuse_at(0, "a version up to " + std::to_string(host_file_version),
                   std::to_string(version_));
  }
  base_ = get_facts(head, {}).communicators;
  head.expect_end("the head");
}

void HostFileReader::find_damage() const {
  ByteReader in(name_, bytes_);
  in.bytes(host_file_magic.size(), "a timeline");
  while (in.remaining() > host_file_end) {
    open_section(in, bytes_, bytes_[in.at()]);
  }
  in.refuse("a whole timeline", "one cut short or damaged");
}

ByteReader HostFileReader::section(std::uint64_t place, char kind) const {
  ByteReader in(name_, bytes_);
  in.bytes(place, "a section");
  return open_section(in, bytes_, kind);
}

RankTimeline HostFileReader::read(const RankPlace& rank) const {
  ByteReader in = section(rank.place, static_cast<char>(SectionKind::rank));
  RankFacts facts = get_facts(in, base_);
  if (facts.rank != rank.rank) {
    in.refuse_at(0, "rank " + std::to_string(rank.rank), "rank " + std::to_string(facts.rank));
  }
  std::vector<ThreadStream> threads;
  std::uint64_t program_bytes = 0;
  for (std::size_t left = in.count("threads"); left > 0; --left) {
    ThreadCode thread = get_thread(in, version_);
    if (index_.programs.empty()) in.refuse("threads of programs", "no programs");
    const std::uint64_t number = in.number_to(index_.programs.size() - 1, "a program");
    ByteReader shared =
        section(index_.programs[number], static_cast<char>(SectionKind::program));
    thread.times = get_times(shared, {});
    const std::uint64_t program_place = shared.place();
    thread.program = shared.bytes(shared.remaining(), "a program");
    const ByteReader program(name_, thread.program, program_place);
    program_bytes += thread.program.size() + thread.times.size();
    if (program_bytes > most_program_bytes) in.refuse("less than 2^28 bytes of programs", "more");
    const bool same = in.number_to(1, "whose times") == 1;
    if (!same) thread.times = get_times(in, thread.times);
    threads.push_back(stream_of(thread, decode_program(program), facts, in));
  }
  in.expect_end("a rank");
  RankTimeline timeline = timeline_of(std::move(facts));
  timeline.threads = std::move(threads);
  return timeline;
}

}  // namespace kith::timeline
