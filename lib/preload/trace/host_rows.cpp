#include "trace/host_rows.hpp"

#include <algorithm>
#include <map>

#include "record/row.hpp"

namespace kith::preload {
namespace {

// Counted where the row is made, so that no process has to unpack it before it is written.
EntryCounts count_entries(const record::Cells& cells) {
  EntryCounts entries{};
  for (const record::RowCell& cell : cells) {
    for (std::size_t m = 0; m < matrix_count; ++m) {
      entries[m] += value_in(static_cast<MatrixKind>(m), cell) != 0 ? 1 : 0;
    }
  }
  return entries;
}

std::size_t labelled_size(std::size_t row) {
  return sizeof(std::uint32_t) + sizeof(std::uint64_t) + row;
}

}  // namespace

std::uint64_t value_in(MatrixKind matrix, const record::RowCell& cell) {
  switch (matrix) {
    case MatrixKind::bytes:
      return cell.total_bytes();
    case MatrixKind::messages:
      return cell.messages;
    case MatrixKind::p2p:
      return cell[record::TrafficClass::p2p];
    case MatrixKind::coll:
      return cell[record::TrafficClass::coll];
    case MatrixKind::rma:
      return cell[record::TrafficClass::rma];
  }
  return 0;
}

RankSections divide(RankTraffic traffic, const std::vector<std::string>& phases) {
  RankSections out;
  out.sizes = traffic.sizes;
  out.sections.resize(1 + phases.size());
  std::map<std::string_view, std::size_t> section_of;
  for (std::size_t k = 0; k < phases.size(); ++k) section_of.emplace(phases[k], k + 1);
  if (traffic.phases.empty() && !phases.empty()) {
    const std::string name = section_of.contains(last_phase) ? last_phase : phases.back();
    traffic.phases.push_back({name, traffic.total, traffic.load});
  }
  std::vector<bool> begun(out.sections.size(), false);
  for (Phase& phase : traffic.phases) {
    const std::size_t section = section_of.at(phase.name);
    SectionRow& sum = out.sections[section];
    if (begun[section]) {
      record::add_to(sum.row, phase.row);
      record::add_to(sum.load, phase.load);
    } else {
      sum = {std::move(phase.row), phase.load};
      begun[section] = true;
    }
  }
  out.sections[0] = {std::move(traffic.total), traffic.load};
  return out;
}

std::string pack_rank(std::uint32_t rank, const RankSections& sections) {
  Packer packer;
  packer.put(rank);
  packer.put_number(sections.sections.size());
  bool first = true;
  for (const SectionRow& section : sections.sections) {
    Packer row;
    record::pack_cells(row, section.row.sent);
    record::pack_load(row, section.load);
    if (first) record::pack_size_histogram(row, sections.sizes);
    first = false;
    for (const std::uint64_t entries : count_entries(section.row.sent)) packer.put_number(entries);
    packer.put_text(row.take());
  }
  return packer.take();
}

UnpackedRow unpack_row(std::size_t section, std::string_view packed) {
  Unpacker unpacker(packed);
  UnpackedRow row;
  row.cells = record::unpack_cells(unpacker);
  row.load = record::unpack_load(unpacker);
  if (section == 0) row.sizes = record::unpack_size_histogram(unpacker);
  return row;
}

std::string pack_announcement(const Announcement& announcement) {
  Packer packer;
  for (const std::uint64_t entries : announcement.entries) packer.put_number(entries);
  packer.put_number(announcement.parts.size());
  for (const Announcement::Part& part : announcement.parts) {
    packer.put_number(part.rank);
    packer.put_number(part.bytes);
  }
  return packer.take();
}

Announcement unpack_announcement(std::string_view packed) {
  Unpacker unpacker(packed);
  Announcement announcement;
  for (std::uint64_t& entries : announcement.entries) entries = unpacker.get_number();
  const std::uint64_t count = unpacker.get_number();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto rank = static_cast<std::uint32_t>(unpacker.get_number());
    announcement.parts.push_back({rank, unpacker.get_number()});
  }
  return announcement;
}

void HostRows::add(std::string packed) {
  Holding holding;
  Unpacker unpacker(packed);
  holding.rank = unpacker.get<std::uint32_t>();
  const std::uint64_t sections = unpacker.get_number();
  for (std::uint64_t i = 0; i < sections; ++i) {
    EntryCounts& entries = holding.entries.emplace_back();
    for (std::uint64_t& count : entries) count = unpacker.get_number();
    const std::size_t size = unpacker.get_text().size();
    holding.sections.push_back({packed.size() - unpacker.remaining() - size, size});
  }
  holding.packed = std::move(packed);
  holdings_.insert(first_from(holding.rank), std::move(holding));
}

std::vector<HostRows::Holding>::const_iterator HostRows::first_from(std::uint32_t rank) const {
  return std::ranges::lower_bound(holdings_, rank, {}, &Holding::rank);
}

Announcement HostRows::announce(std::size_t section) const {
  Announcement announcement;
  for (const Holding& holding : holdings_) {
    const EntryCounts& entries = holding.entries.at(section);
    for (std::size_t m = 0; m < matrix_count; ++m) announcement.entries[m] += entries[m];
    announcement.parts.push_back({holding.rank, labelled_size(holding.sections.at(section).size)});
  }
  return announcement;
}

bool HostRows::has_any(RankRange ranks) const {
  const auto at = first_from(ranks.first);
  return at != holdings_.end() && at->rank < ranks.end;
}

std::string HostRows::batch(std::size_t section, RankRange ranks) const {
  Packer packer;
  for (auto at = first_from(ranks.first); at != holdings_.end() && at->rank < ranks.end; ++at) {
    const Span span = at->sections.at(section);
    packer.put(at->rank);
    packer.put_text(std::string_view(at->packed).substr(span.at, span.size));
  }
  return packer.take();
}

}  // namespace kith::preload
