#include "io/format/json_text.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>

namespace kith {
namespace {

/// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7), or 0;
/// then `bad` is the length of the maximal part that has to be replaced by one U+FFFD.
std::size_t utf8_length(std::string_view text, std::size_t& bad) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  bad = 1;
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte is what excludes overlong forms, surrogates and values above U+10FFFF.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || byte(i) < low || byte(i) > high) return 0;
    bad = i + 1;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

/// std::to_chars for doubles would make libkith.so need libm.
std::string shortest_text(double number) {
  char digits[40];
  for (int precision = 15; precision <= 17; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*g", precision, number);
    if (std::strtod(digits, nullptr) == number) break;
  }
  // The application may have chosen a locale with another decimal point.
  const std::string_view text = digits;
  const std::string_view point = std::localeconv()->decimal_point;
  const std::size_t at = text.find(point);
  if (at == std::string_view::npos) return digits;
  std::string out(text.substr(0, at));
  out.append(1, '.').append(text.substr(at + point.size()));
  return out;
}

constexpr std::string_view replacement = "\xEF\xBF\xBD";

}  // namespace

std::string with_valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    std::size_t bad = 0;
    const std::size_t length = utf8_length(text, bad);
    valid += length != 0 ? text.substr(0, length) : replacement;
    text.remove_prefix(length != 0 ? length : bad);
  }
  return valid;
}

JsonText& JsonText::key(std::string_view name) {
  separate();
  quoted(name);
  const bool is_tight = !open_.empty() && open_.back().layout == JsonLayout::tight;
  out_ += is_tight ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonText& JsonText::value(std::string_view text) {
  separate();
  quoted(text);
  after_value();
  return *this;
}

JsonText& JsonText::value(bool truth) {
  separate();
  out_ += truth ? "true" : "false";
  after_value();
  return *this;
}

JsonText& JsonText::value(double number) {
  if (!(number - number == 0)) return null();
  separate();
  out_ += shortest_text(number);
  after_value();
  return *this;
}

JsonText& JsonText::value(std::uint64_t number) {
  separate();
  out_ += std::to_string(number);
  after_value();
  return *this;
}

JsonText& JsonText::value(std::int64_t number) {
  separate();
  out_ += std::to_string(number);
  after_value();
  return *this;
}

JsonText& JsonText::null() {
  separate();
  out_ += "null";
  after_value();
  return *this;
}

JsonText& JsonText::open(char bracket, JsonLayout layout) {
  separate();
  out_ += bracket;
  const bool inside_line = !open_.empty() && open_.back().layout != JsonLayout::lines;
  open_.push_back({inside_line ? open_.back().layout : layout, true});
  return *this;
}

JsonText& JsonText::close(char bracket) {
  const Container closed = open_.back();
  open_.pop_back();
  if (!closed.empty && closed.layout == JsonLayout::lines) new_line();
  out_ += bracket;
  after_value();
  return *this;
}

void JsonText::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  Container& inside = open_.back();
  if (!inside.empty) out_ += inside.layout == JsonLayout::line ? ", " : ",";
  inside.empty = false;
  if (inside.layout == JsonLayout::lines) new_line();
}

void JsonText::after_value() {
  if (open_.empty()) out_ += '\n';
}

void JsonText::new_line() {
  out_ += '\n';
  out_.append(2 * open_.size(), ' ');
}

void JsonText::quoted(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  out_ += '"';
  while (!text.empty()) {
    std::size_t taken = 1;
    const auto c = static_cast<unsigned char>(text[0]);
    std::size_t bad = 0;
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += text[0];
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (c < 0x20 || c == 0x7F) {
      out_ += "\\u00";
      out_ += hex[c >> 4];
      out_ += hex[c & 15];
    } else if (const std::size_t length = utf8_length(text, bad); length != 0) {
      out_ += text.substr(0, length);
      taken = length;
    } else {
      out_ += replacement;
      taken = bad;
    }
    text.remove_prefix(taken);
  }
  out_ += '"';
}

}  // namespace kith
