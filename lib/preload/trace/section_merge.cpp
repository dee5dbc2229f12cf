#include "trace/section_merge.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace kith::preload {
namespace {

constexpr std::uint32_t no_rank = UINT32_MAX;

// What ends in writer.fail() instead of leaving holders unserved.
template <class Work>
void guarded(SectionWriter& writer, Work&& work) {
  if (!writer.ok()) return;
  try {
    work();
  } catch (const std::bad_alloc&) {
    writer.fail("not enough memory for what the ranks sent");
  } catch (const std::exception& error) {
    writer.fail(error.what());
  }
}

/// What all holders announced of one section.
struct Overview {
  void make_room(std::uint32_t ranks) {
    holder_of.resize(ranks);
    bytes_of.resize(ranks);
  }

  void clear() {
    entries.fill(0);
    std::ranges::fill(holder_of, no_rank);
  }

  void add(std::uint32_t holder, const Announcement& announcement) {
    for (std::size_t m = 0; m < matrix_count; ++m) entries[m] += announcement.entries[m];
    for (const Announcement::Part& part : announcement.parts) {
      if (holder_of.at(part.rank) != no_rank) throw std::runtime_error("two rows for one rank");
      holder_of[part.rank] = holder;
      bytes_of[part.rank] = part.bytes;
    }
  }

  // Those who have ranks in the batch, ascending.
  std::vector<std::uint32_t> holders_in(RankRange ranks) const {
    std::vector<std::uint32_t> found(holder_of.begin() + ranks.first,
                                     holder_of.begin() + ranks.end);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  EntryCounts entries{};
  std::vector<std::uint32_t> holder_of;  ///< by rank
  std::vector<std::uint64_t> bytes_of;   ///< by rank
};

void take_announcements(RowHolders& holders, SectionWriter& writer, std::size_t section,
                        Overview& overview) {
  overview.clear();
  for (std::uint32_t holder = 0; holder < holders.count(); ++holder) {
    const std::string packed = holders.announcement(holder, section);
    guarded(writer, [&] {
      if (packed.empty()) throw std::bad_alloc();
      overview.add(holder, unpack_announcement(packed));
    });
  }
  if (std::ranges::count(overview.holder_of, no_rank) != 0) {
    writer.fail("the rows of some ranks are missing");
  }
}

void write_batch(SectionWriter& writer, std::size_t section, RankRange ranks,
                 const std::vector<std::string>& parts) {
  std::vector<std::string_view> rows(ranks.end - ranks.first);
  for (const std::string& part : parts) {
    for_each_row(
        part, [&](std::uint32_t rank, std::string_view row) { rows.at(rank - ranks.first) = row; });
  }
  for (std::uint32_t rank = ranks.first; rank < ranks.end; ++rank) {
    writer.row(rank, unpack_row(section, rows[rank - ranks.first]));
  }
}

}  // namespace

BatchPlan plan_batches(const std::vector<std::uint64_t>& bytes_by_rank, std::uint64_t limit) {
  BatchPlan plan;
  std::uint64_t bytes = 0;
  for (std::uint32_t rank = 0; rank < bytes_by_rank.size(); ++rank) {
    if (plan.empty() || bytes + bytes_by_rank[rank] > limit) {
      plan.push_back({rank, rank});
      bytes = 0;
    }
    bytes += bytes_by_rank[rank];
    plan.back().end = rank + 1;
  }
  return plan;
}

std::string pack_plan(const BatchPlan& plan) {
  Packer packer;
  for (const RankRange& ranks : plan) packer.put(ranks);
  return packer.take();
}

BatchPlan unpack_plan(std::string_view packed) {
  BatchPlan plan;
  Unpacker unpacker(packed);
  while (!unpacker.done()) plan.push_back(unpacker.get<RankRange>());
  return plan;
}

void merge_sections(RowHolders& holders, SectionWriter& writer, std::uint32_t ranks,
                    std::size_t sections, std::uint64_t limit) {
  Overview overview;
  guarded(writer, [&] { overview.make_room(ranks); });
  for (std::size_t section = 0; section < sections; ++section) {
    take_announcements(holders, writer, section, overview);
    BatchPlan plan;
    guarded(writer, [&] {
      plan = plan_batches(overview.bytes_of, limit);
      writer.begin_section(section, overview.entries);
    });
    if (!writer.ok()) plan.clear();
    holders.tell(section, plan);
    for (const RankRange& batch : plan) {
      std::vector<std::string> parts;
      for (const std::uint32_t holder : overview.holders_in(batch)) {
        parts.push_back(holders.batch(holder, section, batch));
      }
      guarded(writer, [&] { write_batch(writer, section, batch, parts); });
    }
    writer.end_section();
  }
  guarded(writer, [&] { writer.finish(); });
}

}  // namespace kith::preload
