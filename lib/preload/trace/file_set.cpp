#include "trace/file_set.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/format/fd_writer.hpp"

namespace kith::runtime {

std::string FileSet::path(const std::string& name) const {
  return name.empty() ? directory_ : directory_ + "/" + name;
}

void FileSet::fail(const std::string& problem) {
  if (problem_.empty()) problem_ = problem;
}

void FileSet::cannot_write(const std::string& name, const std::string& why) {
  fail("cannot write " + path(name) + ": " + why);
}

void FileSet::make_directory(const std::string& name) {
  if (!ok()) return;
  if (mkdir(path(name).c_str(), 0777) != 0) {
    cannot_write(name, std::strerror(errno));
  } else {
    made_.push_back(path(name));
  }
}

void FileSet::text(const std::string& name, std::string_view content) {
  const int fd = new_file(name);
  if (fd < 0) return;
  FdWriter out(fd);
  out.text(content);
  out.flush();
  close_file(fd, name, out.error());
}

int FileSet::new_file(const std::string& name) {
  if (!ok()) return -1;
  const int fd = open(path(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    cannot_write(name, std::strerror(errno));
  } else {
    made_.push_back(path(name));
  }
  return fd;
}

void FileSet::close_file(int fd, const std::string& name, const std::string& why) {
  if (fd < 0) return;
  if (!why.empty()) cannot_write(name, why);
  if (flush_ == Flush::yes && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) {
    cannot_write(name, std::strerror(errno));
  }
  if (close(fd) != 0) cannot_write(name, std::strerror(errno));
}

void FileSet::remove_all() {
  for (; !made_.empty(); made_.pop_back()) (void)::remove(made_.back().c_str());
}

}  // namespace kith::runtime
