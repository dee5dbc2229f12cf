#include "machine/probe_inference/probe_inference.hpp"

#include <algorithm>
#include <cstdio>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"

namespace kith::probe {
namespace {

constexpr std::string_view mark = "kith-probe: ";

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string values(const MeasuredPair& pair) {
  return number(pair.cost) + ' ' + number(pair.latency_us) + ' ' + number(pair.megabytes_per_s) +
         ' ' + number(pair.burst_bytes) + ' ' + number(pair.overhead_us) + ' ' +
         number(pair.shared_megabytes_per_s) + ' ' + number(pair.eager_bytes);
}

/// Counts its lines: the last one says how many there were.
class Lines {
 public:
  void add(std::string_view line) {
    text_.append(mark).append(line).append("\n");
    ++count_;
  }
  std::string finish() {
    const std::uint64_t before = count_;
    add("end " + std::to_string(before));
    return std::move(text_);
  }

 private:
  std::string text_;
  std::uint64_t count_ = 0;
};

/// The values of a line; no message of ours reaches the user but "damaged".
class Values {
 public:
  explicit Values(std::string_view rest) : words_(rest) {}

  std::string text() {
    const std::string_view word = words_.next();
    if (word.empty()) throw damaged();
    return std::string(word);
  }
  std::uint64_t count(std::uint64_t limit = UINT32_MAX) {
    const auto value = parse_unsigned(words_.next());
    if (!value || *value > limit) throw damaged();
    return *value;
  }
  std::uint32_t count32() { return static_cast<std::uint32_t>(count()); }
  double real() {
    const auto value = parse_real(words_.next());
    if (!value || *value < 0) throw damaged();
    return *value;
  }
  MeasuredPair pair(std::uint32_t a, std::uint32_t b) {
    const double cost = real();
    const double latency_us = real();
    const double megabytes_per_s = real();
    const double burst_bytes = real();
    const double overhead_us = real();
    const double shared_megabytes_per_s = real();
    return {a,
            b,
            cost,
            latency_us,
            megabytes_per_s,
            burst_bytes,
            overhead_us,
            shared_megabytes_per_s,
            real()};
  }

  static Error damaged() {
    return environment_error(
        "what the measuring program printed came back damaged: leave the output of rank 0 to "
        "kith");
  }

 private:
  Words words_;
};

}  // namespace

std::string progress_line(std::string_view doing) {
  return std::string(mark).append("progress ").append(doing).append("\n");
}

std::string begin_line(std::uint32_t ranks) {
  return std::string(mark).append("begin ").append(std::to_string(ranks)).append("\n");
}

std::string report_text(const Report& report) {
  Lines lines;
  lines.add("took " + number(report.seconds) + (report.out_of_time ? " 1" : " 0"));
  for (const auto& host : report.measured.hosts) {
    lines.add("host " + host.name + ' ' + std::to_string(host.slots));
  }
  for (const Report::Crowded& one : report.crowded) {
    lines.add("crowded " + std::to_string(one.host) + ' ' + std::to_string(one.ranks) + ' ' +
              std::to_string(one.processors));
  }
  for (const MeasuredPair& pair : report.measured.pairs) {
    lines.add("pair " + std::to_string(pair.a) + ' ' + std::to_string(pair.b) + ' ' + values(pair));
  }
  for (const auto& inside : report.measured.inside) {
    lines.add("inside " + inside.level + ' ' + std::to_string(inside.depth) + ' ' +
              values(inside.pair));
  }
  return lines.finish();
}

ReportReader::Line ReportReader::take(std::string_view line) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return Line::other;
  const std::string_view text = line.substr(at + mark.size());
  const auto blank = std::min(text.find(' '), text.size());
  const std::string_view kind = text.substr(0, blank);
  const std::string_view rest = text.substr(std::min(blank + 1, text.size()));
  if (kind == "progress") {
    doing_ = rest;
    return Line::progress;
  }
  if (kind == "begin") {
    report_.ranks = Values(rest).count32();
    ++begun_;
    return Line::begin;
  }
  if (begun_ < 2) take_part(kind, rest);  // else the parts of several reports
  return Line::part;
}

void ReportReader::take_part(std::string_view kind, std::string_view rest) {
  Values values(rest);
  NetworkMeasurements& measured = report_.measured;
  if (kind == "took") {
    report_.seconds = values.real();
    report_.out_of_time = values.count(1) == 1;
  } else if (kind == "host") {
    std::string name = values.text();
    measured.hosts.push_back({std::move(name), values.count32()});
  } else if (kind == "crowded") {
    const std::uint32_t host = values.count32();
    const std::uint32_t ranks = values.count32();
    if (host >= measured.hosts.size()) throw Values::damaged();
    report_.crowded.push_back({host, ranks, values.count32()});
  } else if (kind == "pair") {
    const std::uint32_t a = values.count32();
    const std::uint32_t b = values.count32();
    if (a == b || std::max(a, b) >= measured.hosts.size()) throw Values::damaged();
    measured.pairs.push_back(values.pair(a, b));
  } else if (kind == "inside") {
    std::string level = values.text();
    const std::uint32_t depth = values.count32();
    measured.inside.push_back({std::move(level), depth, values.pair(0, 0)});
  } else if (kind == "end") {
    if (values.count(UINT64_MAX) != lines_) throw Values::damaged();
    complete_ = true;
  } else {
    throw Values::damaged();
  }
  ++lines_;
}

}  // namespace kith::probe
