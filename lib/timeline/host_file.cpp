#include "timeline/host_file.hpp"

#include <utility>

#include "protocol/packer.hpp"

namespace kith::timeline {

std::size_t HostFile::put_section(SectionKind kind, std::string_view payload) {
  Packer section;
  section.put(kind);
  section.put_number(payload.size());
  section.put_bytes(payload);
  const std::string made = section.take();
  bytes_ += made;
  const std::size_t end = bytes_.size();
  Packer sum;
  sum.put(checksum(made));
  bytes_ += sum.take();
  return end;
}

void HostFile::put_head(const RankFacts& base) {
  bytes_ = host_file_magic;
  Packer head;
  head.put_number(host_file_version);
  put_facts(head, base, {});
  put_section(SectionKind::head, head.take());
  base_ = base.communicators;
}

std::size_t HostFile::number_of_program(const ThreadCode& thread) {
  const std::uint64_t sum = checksum(thread.program);
  const auto [first, last] = numbers_.equal_range(sum);
  for (auto known = first; known != last; ++known) {
    const KnownProgram& program = programs_[known->second];
    if (std::string_view(bytes_).substr(program.begin, program.size) == thread.program) {
      return known->second;
    }
  }
  Packer payload;
  put_times(payload, thread.times, {});
  payload.put_bytes(thread.program);
  index_.programs.push_back(bytes_.size());
  const std::size_t end = put_section(SectionKind::program, payload.take());
  programs_.push_back({end - thread.program.size(), thread.program.size(), thread.times});
  numbers_.emplace(sum, programs_.size() - 1);
  return programs_.size() - 1;
}

void HostFile::add(std::string_view packed_rank) {
  const PackedRank rank = open_packed_rank(ByteReader("a rank's timeline", packed_rank));
  if (bytes_.empty()) put_head(rank.facts);
  Packer payload;
  put_facts(payload, rank.facts, base_);
  payload.put_number(rank.threads.size());
  for (const ThreadCode& thread : rank.threads) {
    const std::size_t number = number_of_program(thread);
    const std::vector<PositionCode>& reference = programs_[number].times;
    put_thread(payload, thread);
    payload.put_number(number);
    const bool same = thread.times == reference;
    payload.put_number(same ? 1 : 0);
    if (!same) put_times(payload, thread.times, reference);
  }
  index_.ranks.push_back({rank.facts.rank, bytes_.size()});
  put_section(SectionKind::rank, payload.take());
}

std::string HostFile::take() {
  if (bytes_.empty()) {
    RankFacts nobody;
    nobody.communicators.emplace_back().size = 1;
    put_head(nobody);
  }
  Packer index;
  index.put_number(index_.programs.size());
  std::uint64_t last = 0;
  for (const std::uint64_t place : index_.programs) {
    index.put_number(place - std::exchange(last, place));
  }
  index.put_number(index_.ranks.size());
  last = 0;
  std::uint32_t next = 0;
  for (const RankPlace& rank : index_.ranks) {
    index.put_number(zigzag(std::int64_t{rank.rank} - next));
    index.put_number(rank.place - std::exchange(last, rank.place));
    next = rank.rank + 1;
  }
  Packer end;
  end.put<std::uint64_t>(bytes_.size());
  put_section(SectionKind::index, index.take());
  bytes_ += end.take();
  Packer sum;
  sum.put(checksum(bytes_));
  std::string file = std::move(bytes_) + sum.take();
  *this = HostFile();
  return file;
}

}  // namespace kith::timeline
