#include "timeline/convert/text_file.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "kith/error.hpp"

namespace kith::timeline {
namespace {

constexpr std::size_t buffered = std::size_t{1} << 16U;

[[noreturn]] void cannot_write(const std::filesystem::path& path) {
  throw environment_error("cannot write " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

TextFile::TextFile(const std::filesystem::path& path) : path_(path), temporary_(path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::not_found ||
      type == std::filesystem::file_type::regular) {
    temporary_ += ".part";
  }
  file_.reset(std::fopen(temporary_.c_str(), "w"));
  if (!file_) cannot_write(path_);
}

TextFile::~TextFile() {
  std::error_code error;
  if (file_ && temporary_ != path_) std::filesystem::remove(temporary_, error);
}

TextFile& TextFile::operator<<(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffered) flush();
  return *this;
}

TextFile& TextFile::operator<<(std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void TextFile::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
    cannot_write(path_);
  }
  buffer_.clear();
}

void TextFile::close() {
  flush();
  if (std::fclose(file_.release()) != 0) cannot_write(path_);
  if (temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    cannot_write(path_);
  }
}

}  // namespace kith::timeline
