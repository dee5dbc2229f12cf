// The words of a Scotch target, from a file or from the SPEC itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/line_reader.hpp"
#include "machine/sources.hpp"

namespace kith {

/// Words one after the other; the ends of lines mean nothing, as for Scotch.
class TargetWords {
 public:
  /// Text given inline: `request.body` itself, which must outlive this.
  static TargetWords of_text(const SpecRequest& request);
  /// The file that `request.body` names. Throws Error (input).
  static TargetWords of_file(const SpecRequest& request);

  /// Empty at the end; valid until the next call.
  std::string_view next();
  /// A whole number from `least` to `most`; `what` says which ("the size of a level"). Throws
  /// error().
  std::uint64_t number(std::string_view what, std::uint64_t least, std::uint64_t most);
  /// Throws error() unless nothing is left.
  void expect_end();
  /// "FILE:LINE: expected ..., found ...", or the option in the place of FILE:LINE.
  Error error(std::string_view expected, std::string_view found) const;

 private:
  explicit TargetWords(const SpecRequest& request) : request_(request), words_("") {}

  const SpecRequest& request_;
  std::unique_ptr<LineReader> file_;  // null: inline
  Words words_;
};

}  // namespace kith
