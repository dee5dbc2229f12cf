#include "timeline/byte_reader.hpp"

#include <cmath>
#include <string>

#include "kith/error.hpp"

namespace kith::timeline {

void ByteReader::refuse_at(std::size_t at, std::string_view expected,
                           std::string_view found) const {
  throw bad_input(std::string(name_) + ": byte " + std::to_string(first_ + at), expected, found);
}

std::uint64_t ByteReader::number(std::string_view what) {
  const std::size_t begin = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (done()) refuse(what, "the end");
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  refuse_at(begin, what, "a number above 64 bits");
}

std::uint64_t ByteReader::number_to(std::uint64_t most, std::string_view what) {
  const std::size_t begin = at_;
  const std::uint64_t value = number(what);
  if (value <= most) return value;
  refuse_at(begin, std::string(what) + " from 0 to " + std::to_string(most), std::to_string(value));
}

std::int64_t ByteReader::signed_number(std::string_view what) {
  return unzigzag(number(what));
}

std::size_t ByteReader::count(std::string_view what, std::size_t least_bytes) {
  const std::size_t begin = at_;
  const std::uint64_t value = number(what);
  if (value <= remaining() / least_bytes) return static_cast<std::size_t>(value);
  refuse_at(begin, "at most as many " + std::string(what) + " as there are bytes for",
            std::to_string(value));
}

std::string_view ByteReader::bytes(std::uint64_t size, std::string_view what) {
  if (size > remaining()) {
    refuse(std::string(what) + " in " + std::to_string(size) + " bytes",
           std::to_string(remaining()) + " bytes");
  }
  const std::string_view piece = bytes_.substr(at_, static_cast<std::size_t>(size));
  at_ += piece.size();
  return piece;
}

double ByteReader::seconds(std::string_view what) {
  const std::size_t begin = at_;
  const auto value = plain<double>(what);
  if (std::isfinite(value) && value >= 0) return value;
  refuse_at(begin, std::string(what) + " in seconds", std::to_string(value));
}

void ByteReader::expect_end(std::string_view of) {
  if (!done()) {
    refuse("the end of " + std::string(of), std::to_string(remaining()) + " more bytes");
  }
}

}  // namespace kith::timeline
