#include "report/page.hpp"

#include <array>
#include <span>

#include "core/plain_text.hpp"
#include "io/format/json_text.hpp"
#include "objective/metric_table.hpp"
#include "report/report_json.hpp"

namespace kith {
namespace {

/// What stands in template.html for something else.
struct Placeholder {
  std::string_view mark;
  std::string text;
};

/// Each mark where it stands in `page`, first to last; what is put in is not searched.
std::string filled(std::string_view page, std::span<const Placeholder> placeholders) {
  std::string out;
  while (!page.empty()) {
    std::size_t at = page.size();
    const Placeholder* next = nullptr;
    for (const Placeholder& one : placeholders) {
      const std::size_t found = page.find(one.mark);
      if (found >= at) continue;
      at = found;
      next = &one;
    }
    out += page.substr(0, at);
    if (next == nullptr) break;
    out += next->text;
    page.remove_prefix(at + next->mark.size());
  }
  return out;
}

std::string summary_html(const ReportSummary& summary) {
  std::string html = "<p class=\"headline\">" + as_html(summary.headline) + "</p>\n";
  for (const std::string& sentence : summary.sentences) {
    html += "<p>" + as_html(sentence) + "</p>\n";
  }
  return html;
}

/// The metrics of the page, as its scripts read them: [name, label, meaning, unit] each.
std::string metrics_script() {
  JsonText json;
  json.begin_array();
  for (const Metric& metric : metric_table()) {
    if (metric.label.empty()) continue;
    json.begin_array(JsonLayout::line);
    json.value(metric.name).value(metric.label).value(metric.meaning).value(metric.unit);
    json.end_array();
  }
  json.end_array();
  return "const METRICS = " + json.take() + ";\n";
}

std::string fill_template(const ReportData& data, std::string_view json) {
  const std::array<Placeholder, 5> placeholders{{
      {"{{title}}", as_html(clipped(data.title, 300))},
      {"{{style}}", std::string(page_style())},
      {"{{summary}}", summary_html(data.summary)},
      {"{{data}}", std::string(json)},
      {"{{script}}", metrics_script() + std::string(page_script())},
  }};
  return filled(page_template(), placeholders);
}

}  // namespace

std::string as_html(std::string_view text) {
  // The JSON writer knows what is UTF-8.
  std::string valid = JsonText().value(text).take();
  std::string out;
  for (std::size_t i = 1; i + 2 < valid.size(); ++i) {  // without quotes and newline
    if (const std::size_t bytes = direction_control_bytes(std::string_view(valid).substr(i))) {
      out += "\xEF\xBF\xBD";
      i += bytes - 1;
      continue;
    }
    switch (valid[i]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\xEF':  // U+FFFE and U+FFFF, which XML does not know, as U+FFFD
        out += valid.substr(i, 2);
        i += 2;
        out += valid.compare(i - 2, 2, "\xEF\xBF") == 0 && valid[i] > '\xBD' ? '\xBD' : valid[i];
        break;
      case '\xC2':  // of U+0080 to U+009F too
        out += static_cast<unsigned char>(valid[i + 1]) < 0xA0 ? " " : valid.substr(i, 2);
        ++i;
        break;
      case '\\': {
        const char escaped = valid[++i];
        if (escaped == 'u') i += 4;
        out += escaped == '"' ? "&quot;" : escaped == '\\' ? "\\" : " ";
        break;
      }
      default:
        out += valid[i];
    }
  }
  return out;
}

std::string report_page(const ReportData& data, std::string_view json) {
  return fill_template(data, json);
}

std::size_t page_bytes_without_data(const ReportData& data) {
  return fill_template(data, {}).size();
}

}  // namespace kith
