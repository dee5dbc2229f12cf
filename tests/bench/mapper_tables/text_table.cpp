#include "mapper_tables/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace kith::bench {
namespace {

std::string formatted(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    rules.emplace_back(static_cast<std::size_t>(std::abs(column.width)), '-');
    if (column.width < 0) rules.back().back() = ':';
  }
  row(std::move(titles));
  row(std::move(rules));
}

void TextTable::row(std::vector<std::string> cells) const {
  cells.resize(columns_.size());
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto width = static_cast<std::size_t>(std::abs(columns_[i].width));
    const std::string space(width - std::min(width, cells[i].size()), ' ');
    const bool is_number = columns_[i].width < 0;
    line.append(" ").append(is_number ? space + cells[i] : cells[i] + space).append(" |");
  }
  std::puts(line.c_str());
  std::fflush(stdout);
}

std::string decimal(double value, int digits) {
  return formatted("%.*f", digits, value);
}

std::string exact(double value) {
  return decimal(value, std::floor(value) == value ? 0 : 1);
}

std::string brief(double value) {
  if (value == 0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  return decimal(value, std::clamp(3 - before, 0, 4));
}

}  // namespace kith::bench
