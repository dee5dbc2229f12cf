#include "io/format/trace_name.hpp"

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <system_error>

#include "core/batch_job.hpp"
#include "io/format/trace_text.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view job_mark = "%j";
constexpr std::string_view count_mark = "%p";

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += by.size()) {
    text.replace(at, mark.size(), by);
  }
  return text;
}

std::string directory_of(const std::string& name) {
  std::error_code unknown;
  std::string path = fs::absolute(name, unknown).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (!path.ends_with(trace_names::directory_suffix)) path += trace_names::directory_suffix;
  return path;
}

bool is_there(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

}  // namespace

bool is_open_trace_name(std::string_view name) {
  return name.find(job_mark) != name.npos || name.find(count_mark) != name.npos;
}

std::string trace_directory_of(const std::string& name) {
  const std::string job = batch_job_number();
  const std::string path = replaced(directory_of(name), job_mark, job.empty() ? "local" : job);
  if (path.find(count_mark) == path.npos) return path;
  for (std::size_t count = 1;; ++count) {
    std::string numbered = replaced(path, count_mark, std::to_string(count));
    if (!is_there(numbered) && !is_there(numbered + trace_names::partial_suffix)) return numbered;
  }
}

std::string trace_directory_pattern(const std::string& name) {
  std::string pattern;
  for (const char letter : directory_of(name)) {
    if (std::string_view("*?[]\\").find(letter) != std::string_view::npos) pattern += '\\';
    pattern += letter;
  }
  return replaced(replaced(pattern, job_mark, "*"), count_mark, "[0-9]*");
}

}  // namespace kith
