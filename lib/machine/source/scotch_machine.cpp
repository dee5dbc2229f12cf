#include "machine/source/scotch_machine.hpp"

#include "core/parse_number.hpp"

namespace kith {

TargetWords TargetWords::of_text(const SpecRequest& request) {
  TargetWords words(request);
  words.words_ = Words(request.body);
  return words;
}

TargetWords TargetWords::of_file(const SpecRequest& request) {
  TargetWords words(request);
  words.file_ = std::make_unique<LineReader>(std::string(request.body));
  return words;
}

std::string_view TargetWords::next() {
  while (true) {
    const std::string_view word = words_.next();
    std::string_view line;
    if (!word.empty() || file_ == nullptr || !file_->next(line)) return word;
    words_ = Words(line);
  }
}

std::uint64_t TargetWords::number(std::string_view what, std::uint64_t least, std::uint64_t most) {
  const std::string_view word = next();
  const auto value = parse_unsigned(word.starts_with('+') ? word.substr(1) : word);
  if (value && *value >= least && *value <= most) return *value;
  throw error(std::string(what) + ", a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most),
              word.empty() ? "the end" : in_quotes(word));
}

void TargetWords::expect_end() {
  if (const std::string_view word = next(); !word.empty()) {
    throw error("the end of the target", in_quotes(word));
  }
}

Error TargetWords::error(std::string_view expected, std::string_view found) const {
  if (file_ != nullptr) return file_->error(expected, found);
  return bad_input(request_.option, expected,
                   std::string(found) + " in " + in_quotes(request_.spec));
}

}  // namespace kith
