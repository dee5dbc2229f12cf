#include "session/check.hpp"

#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/log.hpp"
#include "io/format/places_text.hpp"

namespace kith::runtime {
namespace {

/// `kith run` ends the launcher as soon as it has read the report.
constexpr int patience_seconds = 60;

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

CheckReport report_of(const JobState& state) {
  CheckReport report;
  report.ranks = static_cast<std::uint32_t>(state.private_comm->size());
  if (state.job) report.places = placed_ranks(*state.job);
  if (state.world_order) {
    report.order_asked = true;
    report.order_applied = state.world_order->apply;
    report.order_failed = state.world_order->failed;
    report.order_reason = state.world_order->reason;
  }
  return report;
}

}  // namespace

void report_and_end(JobState& state) {
  if (state.private_comm->is_root()) write_out(check_report_text(report_of(state)));
  state.private_comm->all_agree(true);
  state.private_comm.reset();
  std::fflush(nullptr);  // what the program printed before MPI_Init
  PMPI_Finalize();
  _exit(0);
}

void report_missing_and_end(const Presence& presence) {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (speaks_for_the_present()) {
    CheckReport report;
    report.ranks = static_cast<std::uint32_t>(size);
    report.missing.assign(presence.missing.begin(), presence.missing.end());
    report.missing_reason = presence.reason;
    write_out(check_report_text(report));
  }
  const timespec pause{patience_seconds, 0};
  nanosleep(&pause, nullptr);
  PMPI_Abort(MPI_COMM_WORLD, 3);
  _exit(3);
}

void log_places(const JobState& state) {
  if (!state.private_comm || !state.private_comm->is_root() || state.settings.verbose < 2 ||
      !state.job)
    return;
  for (const std::string& line : places_table(placed_ranks(*state.job))) log_line(line);
}

}  // namespace kith::runtime
