// JSON text, built piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kith {

/// How a container is written: over lines, on one line, or on one line without blanks. What is
/// inside a container on one line is laid out as that.
enum class JsonLayout { lines, line, tight };

/// `text` with U+FFFD for each maximal part that is no well-formed UTF-8 (Unicode 15, table 3-7).
std::string with_valid_utf8(std::string_view text);

/// Builds one JSON document. The caller keeps the order key() value() inside objects.
class JsonText {
 public:
  JsonText& begin_object(JsonLayout layout = JsonLayout::lines) { return open('{', layout); }
  JsonText& end_object() { return close('}'); }
  JsonText& begin_array(JsonLayout layout = JsonLayout::lines) { return open('[', layout); }
  JsonText& end_array() { return close(']'); }

  JsonText& key(std::string_view name);

  /// Bytes that are no UTF-8 become U+FFFD, one for each maximal ill-formed part.
  JsonText& value(std::string_view text);
  JsonText& value(const char* text) { return value(std::string_view(text)); }
  JsonText& value(const std::string& text) { return value(std::string_view(text)); }
  JsonText& value(bool truth);
  JsonText& value(
      double number);  ///< shortest text that reads back the same; null where not finite
  JsonText& value(std::uint64_t number);
  JsonText& value(std::uint32_t number) { return value(std::uint64_t{number}); }
  JsonText& value(std::int64_t number);
  JsonText& value(int number) { return value(std::int64_t{number}); }
  JsonText& null();

  /// The document so far; ends with a newline when all containers are closed.
  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  struct Container {
    JsonLayout layout;
    bool empty;
  };

  JsonText& open(char bracket, JsonLayout layout);
  JsonText& close(char bracket);
  void separate();
  void after_value();
  void new_line();
  void quoted(std::string_view text);

  std::string out_;
  std::vector<Container> open_;
  bool after_key_ = false;
};

}  // namespace kith
