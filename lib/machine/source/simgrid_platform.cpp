#include "machine/source/simgrid_platform.hpp"

#include <algorithm>
#include <array>

#include "core/line_reader.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view ends_of_name = " \t\r\n=/>\"'<";

std::string without_entities(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  while (!text.empty()) {
    const auto* const entity = std::ranges::find_if(
        entities, [&](const auto& known) { return text.starts_with(known.first); });
    out += entity == entities.end() ? text.front() : entity->second;
    text.remove_prefix(entity == entities.end() ? 1 : entity->first.size());
  }
  return out;
}

}  // namespace

std::string_view XmlTag::at(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return value;
  }
  return {};
}

XmlTags::XmlTags(std::string file)
    : file_(std::move(file)), text_(read_text_file(file_, max_xml_bytes, file_)) {}

bool XmlTags::skip(std::string_view begin, std::string_view end) {
  if (std::string_view(text_).substr(at_, begin.size()) != begin) return false;
  const std::size_t found = text_.find(end, at_ + begin.size());
  if (found == std::string::npos) throw error("\"" + std::string(end) + "\"", "the end");
  at_ = found + end.size();
  return true;
}

void XmlTags::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
}

std::string XmlTags::name() {
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_of(ends_of_name, at_), text_.size());
  if (at_ == begin) throw error("XML: a name", in_quotes(text_.substr(at_, 1)));
  return text_.substr(begin, at_ - begin);
}

std::pair<std::string, std::string> XmlTags::attribute() {
  std::string key = name();
  skip_blanks();
  const char sign = at_ < text_.size() ? text_[at_++] : '\0';
  skip_blanks();
  const char quote = at_ < text_.size() ? text_[at_++] : '\0';
  if (sign != '=' || (quote != '"' && quote != '\'')) {
    throw error("XML: a value in quotation marks for \"" + key + "\"", "something else");
  }
  const std::size_t end = text_.find(quote, at_);
  if (end == std::string::npos) throw error("XML: the end of the value of \"" + key + "\"", "none");
  std::string value = without_entities(std::string_view(text_).substr(at_, end - at_));
  at_ = end + 1;
  return {std::move(key), std::move(value)};
}

bool XmlTags::next(XmlTag& tag) {
  tag = {};
  while (true) {
    at_ = std::min(text_.find('<', at_), text_.size());
    if (at_ == text_.size()) return false;
    if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("<!", ">")) {
      continue;
    }
    break;
  }
  ++at_;
  tag.closes = at_ < text_.size() && text_[at_] == '/';
  tag.opens = !tag.closes;
  if (tag.closes) ++at_;
  tag.name = name();
  while (true) {
    skip_blanks();
    if (at_ == text_.size()) throw error("XML: the end of <" + tag.name + ">", "none");
    if (text_[at_] == '>') break;
    if (text_[at_] == '/') {
      tag.closes = true;
      ++at_;
      continue;
    }
    tag.attributes.push_back(attribute());
  }
  ++at_;
  return true;
}

Error XmlTags::error(std::string_view expected, std::string_view found) const {
  line_ +=
      static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                          text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  counted_ = at_;
  return bad_input_at(file_, line_, expected, found);
}

}  // namespace kith
