// A report as one HTML file that needs nothing beside it.
#pragma once

#include <string>
#include <string_view>

#include "report/report_data.hpp"

namespace kith {

/// The page: the files of page/ with title, summary and `json` (of report_json()) in their places.
/// Names from the trace appear as text, whatever they hold.
std::string report_page(const ReportData& data, std::string_view json);

/// Bytes of the page without its JSON.
std::size_t page_bytes_without_data(const ReportData& data);

/// `text` as HTML and XML show it: & < > " ' as entities, control characters as blanks, what is no
/// UTF-8, no character or a control of the direction of text as U+FFFD.
std::string as_html(std::string_view text);

// The files of page/ as they were when the program was built; see embed_page.cmake.

std::string_view page_template();
std::string_view page_style();
std::string_view page_script();

}  // namespace kith
