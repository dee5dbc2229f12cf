// Tables in columns of fixed width, which are Markdown, too; rows appear as they are measured.
#pragma once

#include <string>
#include <vector>

namespace kith::bench {

struct Column {
  std::string title;
  int width;  ///< negative: numbers, to the right
};

class TextTable {
 public:
  /// Prints the head.
  explicit TextTable(std::vector<Column> columns);
  /// As many cells as columns; missing ones are empty.
  void row(std::vector<std::string> cells) const;

 private:
  std::vector<Column> columns_;
};

/// "0.4680"; with `digits` behind the point.
std::string decimal(double value, int digits);
/// Integers without a point: "48640", "48640.5".
std::string exact(double value);
/// Three digits that matter: "0.00312", "4.81", "167".
std::string brief(double value);

}  // namespace kith::bench
