#include "io/format/places_text.hpp"

#include <algorithm>
#include <array>

#include "core/parse_number.hpp"
#include "io/format/trace_text.hpp"

namespace kith {
namespace {

constexpr std::string_view mark = "@kith-check ";
constexpr std::string_view unknown = "-";

/// The next word of `text`, taken off it.
std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

std::uint32_t next_number(std::string_view& text) {
  return static_cast<std::uint32_t>(parse_unsigned(next_word(text)).value_or(0));
}

std::string line(std::string_view kind, const std::string& rest) {
  std::string text(mark);
  text.append(kind).append(" ").append(rest);
  std::ranges::replace(text, '\n', ' ');
  return text + "\n";
}

}  // namespace

std::vector<PlacedRank> placed_ranks(const JobDescription& job) {
  std::vector<PlacedRank> places(job.processes.size());
  std::vector<std::uint32_t> on_host(job.hosts.size(), 0);
  for (std::uint32_t j = 0; j < job.processes.size(); ++j) {
    const JobProcess& process = job.processes[j];
    PlacedRank& place = places[process.rank];
    place.rank = process.rank;
    place.launcher_rank = j;
    place.host = job.hosts[process.host].name;
    place.place = on_host[process.host]++;
    place.cpus = cpu_list_text(process.cpus);
  }
  return places;
}

std::vector<std::string> places_table(const std::vector<PlacedRank>& places) {
  using Row = std::array<std::string, 5>;
  std::vector<Row> rows{{"rank", "launcher rank", "host", "place", "cpus"}};
  for (const PlacedRank& place : places) {
    rows.push_back({std::to_string(place.rank), std::to_string(place.launcher_rank), place.host,
                    std::to_string(place.place),
                    place.cpus.empty() ? std::string(unknown) : place.cpus});
  }
  std::array<std::size_t, 5> width{};
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  }
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    std::string text;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string gap(width[k] - row[k].size(), ' ');
      const bool is_number = k != 2 && k != 4;
      if (k > 0) text += "  ";
      text += is_number ? gap + row[k] : row[k] + gap;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    lines.push_back(std::move(text));
  }
  return lines;
}

std::string check_report_text(const CheckReport& report) {
  std::string text = line("begin", std::to_string(report.ranks));
  for (const PlacedRank& place : report.places) {
    text += line("place", std::to_string(place.rank) + " " + std::to_string(place.launcher_rank) +
                              " " + std::to_string(place.place) + " " +
                              (place.cpus.empty() ? std::string(unknown) : place.cpus) + " " +
                              place.host);
  }
  for (const std::uint32_t rank : report.missing) text += line("missing", std::to_string(rank));
  if (!report.missing.empty()) text += line("why-missing", report.missing_reason);
  if (report.worlds > 1) {
    text += line("worlds", std::to_string(report.worlds) + " " + report.worlds_reason);
  }
  if (report.order_asked) {
    text += line(report.order_applied  ? "applied"
                 : report.order_failed ? "failed"
                                       : "unchanged",
                 report.order_reason);
  }
  for (const std::string& fault : report.binding) text += line("binding", fault);
  return text + line("end", "");
}

bool CheckReportReader::take(std::string_view text) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at + mark.size());
  const std::string_view kind = next_word(text);
  if (kind == "begin") {
    if (begun_++ == 0) report_.ranks = next_number(text);
  } else if (begun_ != 1 || complete_) {
    // Of another report than the first.
  } else if (kind == "place") {
    PlacedRank place;
    place.rank = next_number(text);
    place.launcher_rank = next_number(text);
    place.place = next_number(text);
    const std::string_view cpus = next_word(text);
    if (cpus != unknown) place.cpus = cpus;
    place.host = text;
    report_.places.push_back(std::move(place));
  } else if (kind == "missing") {
    report_.missing.push_back(next_number(text));
  } else if (kind == "why-missing") {
    report_.missing_reason = text;
  } else if (kind == "worlds") {
    report_.worlds = next_number(text);
    report_.worlds_reason = text;
  } else if (kind == "binding") {
    report_.binding.emplace_back(text);
  } else if (kind == "end") {
    complete_ = true;
  } else {
    report_.order_asked = true;
    report_.order_applied = kind == "applied";
    report_.order_failed = kind == "failed";
    report_.order_reason = text;
  }
  return true;
}

}  // namespace kith
