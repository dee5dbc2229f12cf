#include "writable_format.hpp"

#include "io/matrix_formats.hpp"
#include "kith/error.hpp"

namespace kith::tools {

MatrixFormat writable_format(const std::string& path, const std::optional<std::string>& name,
                             std::string_view option) {
  std::optional<MatrixFormat> format;
  if (name) {
    format = parse_matrix_format(*name, option);
  } else {
    format = format_of_name(path);
  }
  if (!format) {
    throw bad_input(option,
                    "a format, as the name ends in none of .mtx .csv .txt .graph .grf: mtx, csv, "
                    "dense, metis or scotch",
                    "'" + path + "'");
  }
  if (format == MatrixFormat::prof) {
    throw bad_input(name ? option : std::string_view(path),
                    "a format that can be written: mtx, csv, dense, metis or scotch", "prof");
  }
  return *format;
}

}  // namespace kith::tools
