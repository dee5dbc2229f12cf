// From the rows that the host leaders hold to the files of the trace, in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/host_rows.hpp"
#include "trace/section_writer.hpp"

namespace kith::preload {

/// How a section travels: consecutive ranks that together have a bounded number of bytes (or one
/// rank that alone has more). Empty: the section is left out.
using BatchPlan = std::vector<RankRange>;
BatchPlan plan_batches(const std::vector<std::uint64_t>& bytes_by_rank, std::uint64_t limit);

std::string pack_plan(const BatchPlan& plan);
BatchPlan unpack_plan(std::string_view packed);

/// How the root reaches the holders of rows; holder 0 is the root itself. For every section all
/// announcements are taken, then the plan is told, then each batch is taken from those who have
/// ranks in it. Whatever is announced has to be taken: its sender waits.
class RowHolders {
 public:
  virtual ~RowHolders() = default;
  virtual std::size_t count() const = 0;
  /// pack_announcement(), or nothing from a holder that lacks a rank's rows.
  virtual std::string announcement(std::size_t holder, std::size_t section) = 0;
  virtual void tell(std::size_t section, const BatchPlan& plan) = 0;
  /// HostRows::batch() of the holder's next batch.
  virtual std::string batch(std::size_t holder, std::size_t section, RankRange ranks) = 0;
};

/// Packed bytes of a batch, all holders together.
inline constexpr std::uint64_t batch_bytes = std::uint64_t{16} << 20;

/// On the root. Memory: a batch and some 16 bytes per rank. Trouble ends in writer.fail(), and all
/// holders are served to the end; only the holders' own exceptions get out.
void merge_sections(RowHolders& holders, SectionWriter& writer, std::uint32_t ranks,
                    std::size_t sections, std::uint64_t limit = batch_bytes);

}  // namespace kith::preload
