#include "timeline/times_code.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "protocol/packer.hpp"

namespace kith::timeline {
namespace {

constexpr unsigned has_first_bit = 1;
constexpr unsigned as_often_bit = 2;  // as the reference
constexpr unsigned asleep_bit = 4;
constexpr int coarse = 3;             // bits
constexpr int largest_coarse = 0xFFFF >> coarse;

int coarse_code(double value) {
  return std::min((short_float(value) + (1 << (coarse - 1))) >> coarse, largest_coarse);
}

double value_of_coarse(int code) {
  return value_of_short_float(
      static_cast<std::uint16_t>(std::clamp(code, 0, largest_coarse) << coarse));
}

SummaryCode rounded(const TimeSummary& times, std::uint64_t timed) {
  if (timed == 0) return {};
  const auto count = static_cast<double>(timed);
  const double mean = times.sum / count;
  SummaryCode code;
  code.mean = short_float(mean);
  if (timed == 1) return code;
  const int middle = code.mean >> coarse;
  const double variance = std::max(0.0, times.sum_of_squares / count - mean * mean);
  code.below = static_cast<std::int16_t>(middle - coarse_code(times.least));
  code.above = static_cast<std::int16_t>(coarse_code(times.most) - middle);
  code.spread = static_cast<std::int16_t>(middle - coarse_code(std::sqrt(variance)));
  return code;
}

TimeSummary times_of(const SummaryCode& code, std::uint64_t timed) {
  if (timed == 0) return {};
  const auto count = static_cast<double>(timed);
  const double mean = value_of_short_float(code.mean);
  if (timed == 1) return {mean, mean * mean, mean, mean};
  const int middle = code.mean >> coarse;
  const double spread = value_of_coarse(middle - code.spread);
  return {mean * count, count * (mean * mean + spread * spread),
          std::min(mean, value_of_coarse(middle - code.below)),
          std::max(mean, value_of_coarse(middle + code.above))};
}

void put_difference(Packer& out, std::int64_t value, std::int64_t reference) {
  out.put_number(zigzag(value - reference));
}

void put_summary(Packer& out, const SummaryCode& code, const SummaryCode& reference, bool once) {
  put_difference(out, code.mean, reference.mean);
  if (once) return;
  put_difference(out, code.below, reference.below);
  put_difference(out, code.above, reference.above);
  put_difference(out, code.spread, reference.spread);
}

void put_position(Packer& out, const PositionCode& code, const PositionCode& reference) {
  const bool as_often = code.timed == reference.timed;
  const bool has_sleep = code.asleep > 0 || code.first_asleep > 0;
  out.put_number((code.has_first ? has_first_bit : 0U) | (as_often ? as_often_bit : 0U) |
                 (has_sleep ? asleep_bit : 0U));
  // Wraps around: the number comes back whatever it is.
  if (!as_often) out.put_number(zigzag(static_cast<std::int64_t>(code.timed - reference.timed)));
  if (code.timed > 0) {
    put_summary(out, code.before, reference.before, code.timed == 1);
    put_summary(out, code.inside, reference.inside, code.timed == 1);
  }
  if (code.has_first) {
    put_difference(out, code.first_before, reference.first_before);
    put_difference(out, code.first_inside, reference.first_inside);
  }
  if (!has_sleep) return;
  put_difference(out, code.asleep, reference.asleep);
  put_difference(out, code.first_asleep, reference.first_asleep);
}

/// A small number that differs little from `reference`.
template <class T>
T get_near(ByteReader& in, T reference, std::int64_t least, std::int64_t most) {
  const std::size_t begin = in.at();
  const std::int64_t difference = in.signed_number("a time");
  if (difference < least - reference || difference > most - reference) {
    in.refuse_at(begin, "a time", "one out of range");
  }
  return static_cast<T>(reference + difference);
}

std::uint16_t get_code(ByteReader& in, std::uint16_t reference) {
  return get_near(in, reference, 0, 0xFFFF);
}

SummaryCode get_summary(ByteReader& in, const SummaryCode& reference, bool once) {
  const auto steps = [&](std::int16_t from) {
    return get_near(in, from, -largest_coarse, largest_coarse);
  };
  SummaryCode code;
  code.mean = get_code(in, reference.mean);
  if (once) return code;
  code.below = steps(reference.below);
  code.above = steps(reference.above);
  code.spread = steps(reference.spread);
  return code;
}

PositionCode get_position(ByteReader& in, const PositionCode& reference) {
  PositionCode code;
  const std::uint64_t flags =
      in.number_to(has_first_bit | as_often_bit | asleep_bit, "what a position has");
  code.has_first = (flags & has_first_bit) != 0;
  code.timed = reference.timed;
  if ((flags & as_often_bit) == 0) {
    code.timed += static_cast<std::uint64_t>(in.signed_number("how often a position was timed"));
  }
  if (code.timed > 0) {
    code.before = get_summary(in, reference.before, code.timed == 1);
    code.inside = get_summary(in, reference.inside, code.timed == 1);
  }
  if (code.has_first) {
    code.first_before = get_code(in, reference.first_before);
    code.first_inside = get_code(in, reference.first_inside);
  }
  if ((flags & asleep_bit) != 0) {
    code.asleep = get_code(in, reference.asleep);
    code.first_asleep = get_code(in, reference.first_asleep);
  }
  return code;
}

const PositionCode& reference_of(std::span<const PositionCode> reference,
                                 std::span<const PositionCode> times, std::size_t position) {
  return position < reference.size() ? reference[position] : times[position - 1];
}

}  // namespace

PositionCode rounded(const PositionTimes& times) {
  PositionCode code;
  code.timed = times.timed;
  code.before = rounded(times.before, times.timed);
  code.inside = rounded(times.inside, times.timed);
  if (times.timed > 0) code.asleep = short_float(times.asleep / static_cast<double>(times.timed));
  code.has_first = times.has_first;
  if (!times.has_first) return code;
  code.first_before = short_float(times.first_before);
  code.first_inside = short_float(times.first_inside);
  code.first_asleep = short_float(times.first_asleep);
  return code;
}

PositionTimes times_of(const PositionCode& code) {
  PositionTimes times;
  times.timed = code.timed;
  times.before = times_of(code.before, code.timed);
  times.inside = times_of(code.inside, code.timed);
  times.asleep = value_of_short_float(code.asleep) * static_cast<double>(code.timed);
  times.has_first = code.has_first;
  times.first_before = value_of_short_float(code.first_before);
  times.first_inside = value_of_short_float(code.first_inside);
  times.first_asleep = value_of_short_float(code.first_asleep);
  return times;
}

void put_times(Packer& out, std::span<const PositionCode> times,
               std::span<const PositionCode> reference) {
  out.put_number(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) {
    put_position(out, times[i], reference_of(reference, times, i));
  }
}

std::vector<PositionCode> get_times(ByteReader& in, std::span<const PositionCode> reference) {
  const std::size_t begin = in.at();
  const std::uint64_t size = in.number("positions");
  if (size == 0 || size - 1 > in.remaining()) {
    in.refuse_at(begin, "a number of positions that there are bytes for", std::to_string(size));
  }
  std::vector<PositionCode> times(1);
  times.reserve(static_cast<std::size_t>(size));
  while (times.size() < size) {
    times.push_back(get_position(in, reference_of(reference, times, times.size())));
  }
  return times;
}

}  // namespace kith::timeline
