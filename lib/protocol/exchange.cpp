#include "protocol/exchange.hpp"

#include <algorithm>

#include "core/parse_number.hpp"

namespace kith {
namespace {

constexpr std::string_view first_line = "kith-exchange 1\n";
constexpr std::string_view last_line = "end\n";

// Cuts the next line, without its newline, off the front.
std::optional<std::string_view> take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return line;
}

}  // namespace

void Exchange::set(std::string name, std::string bytes) {
  const auto found = std::ranges::find(items_, name, &std::pair<std::string, std::string>::first);
  if (found != items_.end()) {
    found->second = std::move(bytes);
  } else {
    items_.emplace_back(std::move(name), std::move(bytes));
  }
}

std::optional<std::string_view> Exchange::get(std::string_view name) const {
  const auto found = std::ranges::find(items_, name, &std::pair<std::string, std::string>::first);
  if (found == items_.end()) return std::nullopt;
  return found->second;
}

std::string Exchange::encode() const {
  std::string out(first_line);
  for (const auto& [name, bytes] : items_) {
    out.append(name).append(" ").append(std::to_string(bytes.size())).append("\n");
    out.append(bytes).append("\n");
  }
  return out.append(last_line);
}

std::optional<Exchange> Exchange::decode(std::string_view bytes) {
  if (!bytes.starts_with(first_line) || !bytes.ends_with(last_line)) return std::nullopt;
  std::string_view rest = bytes.substr(first_line.size());
  Exchange out;
  while (rest != last_line) {
    const auto line = take_line(rest);
    if (!line) return std::nullopt;
    const std::size_t blank = line->find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    const auto size = parse_unsigned(line->substr(blank + 1));
    if (!size || *size >= rest.size() || rest[*size] != '\n') return std::nullopt;
    out.set(std::string(line->substr(0, blank)), std::string(rest.substr(0, *size)));
    rest.remove_prefix(*size + 1);
  }
  return out;
}

}  // namespace kith
