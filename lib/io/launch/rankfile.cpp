// Rankfiles: a line per rank with its host and the logical numbers of its cores.
#include <fmt/format.h>

#include <algorithm>

#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

/// More hosts than these do not go on a command line.
constexpr std::size_t most_hosts_on_a_line = 64;

/// "0-3,8"
std::string list_of(const CpuSet& cores) {
  std::string text;
  for (const CpuSet::Range& range : cores.ranges()) {
    if (!text.empty()) text += ',';
    text += range.first == range.last ? fmt::format("{}", range.first)
                                      : fmt::format("{}-{}", range.first, range.last);
  }
  return text;
}

std::string lines_of(const Seating& seating, std::string_view option) {
  std::string text;
  for (std::size_t rank = 0; rank < seating.seats.size(); ++rank) {
    const Seat& seat = seating.seats[rank];
    const std::string& host = seating.hosts[seat.host].name;
    if (seat.cores.empty()) {
      throw bad_input(option, "hosts whose hardware is known, as a rankfile names cores",
                      "nothing about " + host);
    }
    text += fmt::format("rank {}={} slot={}\n", rank, host, list_of(seat.cores));
  }
  return text;
}

/// " --host a:4,b:4": where no scheduler or host file says so, the launcher needs to be told.
std::string hosts_option(const Seating& seating) {
  std::string list;
  std::size_t used = 0;
  for (const SeatingHost& host : seating.hosts) {
    if (host.ranks == 0) continue;
    if (++used > most_hosts_on_a_line) return "";
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", host.name,
                        std::max(host.places, host.ranks));
  }
  return " --host " + list;
}

/// Whether a core of some host stands in the sets of two ranks.
bool shares_cores(const Seating& seating) {
  struct Use {
    std::uint32_t host;
    CpuSet::Range cores;
    auto operator<=>(const Use&) const = default;
  };
  std::vector<Use> uses;
  for (const Seat& seat : seating.seats) {
    for (const CpuSet::Range& range : seat.cores.ranges()) uses.push_back({seat.host, range});
  }
  std::ranges::sort(uses);
  return std::ranges::adjacent_find(uses, [](const Use& a, const Use& b) {
           return a.host == b.host && b.cores.first <= a.cores.last;
         }) != uses.end();
}

LaunchFile rankfile_for(const Seating& seating, std::string_view option,
                        const std::string& launch_options) {
  LaunchFile file;
  file.text = lines_of(seating, option);
  file.command = fmt::format("mpirun -n {}{}{} ./app", seating.seats.size(), hosts_option(seating),
                             launch_options);
  file.notes.emplace_back(
      "the launcher must hold these hosts; leave --host out where a scheduler or a host file names "
      "them");
  return file;
}

}  // namespace

LaunchFile rankfile(const Seating& seating, const std::string& name, std::string_view option) {
  return rankfile_for(seating, option, " --rankfile " + shell_word(name));
}

LaunchFile prrte_rankfile(const Seating& seating, const std::string& name,
                          std::string_view option) {
  if (name.find_first_of(":,") != std::string::npos) {
    throw bad_input(option, "a file name without ':' and ',', at which PRRTE would split it",
                    "'" + name + "'");
  }
  // Unlike Open MPI 4 it refuses cores of two ranks, such as those of a job that was not bound.
  const std::string binding = shares_cores(seating) ? " --bind-to :overload-allowed" : "";
  return rankfile_for(seating, option,
                      " --map-by " + shell_word("rankfile:file=" + name) + binding);
}

}  // namespace kith
