// The tags of an XML file, one after the other: enough for formats that keep all in attributes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kith/error.hpp"

namespace kith {

struct XmlTag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  bool opens = false;   ///< <name ...>, and <name .../>, which closes as well
  bool closes = false;  ///< </name>

  /// Empty where there is no such attribute.
  std::string_view at(std::string_view attribute) const;
};

/// Text between tags, comments, declarations, document types and CDATA are passed over; of entities
/// the five that XML knows are read, so that nothing can grow.
class XmlTags {
 public:
  /// Throws Error (input) for a file that cannot be read or is larger than 256 MiB.
  explicit XmlTags(std::string file);

  /// False at the end. Throws Error (input).
  bool next(XmlTag& tag);
  /// "FILE:LINE: expected ..., found ..." at the last tag.
  Error error(std::string_view expected, std::string_view found) const;
  const std::string& file() const { return file_; }

 private:
  bool skip(std::string_view begin, std::string_view end);
  void skip_blanks();
  std::string name();
  std::pair<std::string, std::string> attribute();

  std::string file_;
  std::string text_;
  std::size_t at_ = 0;
  mutable std::size_t counted_ = 0;  // lines are counted up to here
  mutable std::size_t line_ = 1;
};

}  // namespace kith
