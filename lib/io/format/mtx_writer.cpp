#include "io/format/mtx_writer.hpp"

namespace kith {

MtxWriter::MtxWriter(int fd, std::uint32_t ranks, std::uint64_t entries, MtxSymmetry symmetry,
                     std::string_view comment)
    : out_(fd), ranks_(ranks), symmetric_(symmetry == MtxSymmetry::symmetric), promised_(entries) {
  out_.text("%%MatrixMarket matrix coordinate integer ");
  out_.text(symmetric_ ? "symmetric\n" : "general\n");
  while (!comment.empty()) {
    const std::size_t end = comment.find('\n');
    out_.text("% ");
    out_.text(comment.substr(0, end));
    out_.put('\n');
    comment = end == std::string_view::npos ? std::string_view() : comment.substr(end + 1);
  }
  out_.number(ranks);
  out_.put(' ');
  out_.number(ranks);
  out_.put(' ');
  out_.number(entries);
  out_.put('\n');
}

bool MtxWriter::finish() {
  return out_.flush() && written_ == promised_ && !misplaced_;
}

std::string MtxWriter::error() const {
  if (!out_.ok()) return out_.error();
  if (misplaced_) return "an entry lies outside the matrix that was announced";
  if (written_ != promised_) {
    return std::to_string(promised_) + " entries were announced and " + std::to_string(written_) +
           " written";
  }
  return {};
}

}  // namespace kith
