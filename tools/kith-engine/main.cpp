// kith-engine: what libkith.so starts to ask for a job's hardware, network and order. Reads
// requests (protocol/messages.hpp) from standard input, one behind the other, and writes the
// answers to standard output; every trouble is part of an answer. Not for use by hand.
//
// Exit status: 0 at the end of the requests; 2 for what is no request; 1 where no process
// reads the answers.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "io/atomic_file.hpp"
#include "kith-engine/tasks.hpp"
#include "kith/detail/job.hpp"
#include "machine/binding/binding_judge.hpp"
#include "threads/binding_plan.hpp"

namespace kith::tools {
namespace {

/// Adds to `bytes` until there are `size`, or the input ends. False where it cannot be read.
bool read_up_to(std::uint64_t size, std::string& bytes) {
  std::array<char, 1 << 16> buffer;
  while (bytes.size() < size) {
    const auto most = std::min<std::uint64_t>(buffer.size(), size - bytes.size());
    const ssize_t n = read(STDIN_FILENO, buffer.data(), most);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return true;
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

protocol::HardwareAnswer find_hardware(const protocol::HardwareRequest& request) {
  ThisHost host = discover_this_host(request.cpus);
  return {std::move(host.hardware), std::move(host.cpus)};
}

protocol::BindingAnswer find_binding_faults(const protocol::BindingRequest& request) {
  protocol::BindingAnswer answer;
  for (const BindingFault& fault : judge_bindings(request.job)) {
    answer.faults.push_back(in_words(fault) + "; mend: " + fault.mend);
  }
  return answer;
}

protocol::ThreadBindingAnswer find_thread_binding(const protocol::ThreadBindingRequest& request) {
  threads::BindingOptions options;
  options.policy = request.policy;
  options.granularity = request.whole_cores ? Granularity::core : Granularity::pu;
  options.threads = request.threads;
  options.cpus = request.cpus;
  options.processes = request.processes;
  options.position = request.position;
  options.matrix = request.matrix;
  threads::BindingPlan plan =
      threads::plan_binding(options, discover_this_host(request.cpus).hardware);
  return {std::move(plan.cpus), std::move(plan.policy)};
}

template <class Request>
std::string answered(std::string bytes, typename Request::Answer (*task)(const Request&)) {
  const auto request = protocol::unpack<Request>(bytes);
  std::string().swap(bytes);  // a request may be long
  return protocol::pack(task(request));
}

std::string answer_to(protocol::Kind kind, std::string bytes) {
  switch (kind) {
    case protocol::Kind::hardware_request:
      return answered(std::move(bytes), find_hardware);
    case protocol::Kind::network_request:
      return answered(std::move(bytes), find_network);
    case protocol::Kind::reorder_request:
      return answered(std::move(bytes), find_order);
    case protocol::Kind::auto_begin_request:
      return answered(std::move(bytes), begin_run);
    case protocol::Kind::auto_end_request:
      return answered(std::move(bytes), end_run);
    case protocol::Kind::binding_request:
      return answered(std::move(bytes), find_binding_faults);
    case protocol::Kind::thread_binding_request:
      return answered(std::move(bytes), find_thread_binding);
    default:
      throw std::runtime_error("the engine does not know requests of kind " +
                               std::to_string(static_cast<unsigned>(kind)));
  }
}

std::string problem(std::string text) {
  return protocol::pack(protocol::Problem{std::move(text)});
}

std::string answer_or_problem(protocol::Kind kind, std::string bytes) {
  try {
    return answer_to(kind, std::move(bytes));
  } catch (const std::bad_alloc&) {
    return problem("the engine ran out of memory");
  } catch (const std::exception& error) {
    return problem(error.what());
  }
}

/// Answers until the requests end.
int run() {
  for (;;) {
    std::string bytes;
    if (!read_up_to(protocol::Header::size, bytes)) return 2;
    if (bytes.empty()) return 0;
    protocol::Header header;
    try {
      header = protocol::unpack_header(bytes);
    } catch (const std::runtime_error& error) {
      write_all(problem(error.what()));
      return 2;
    }
    // The job waits no longer then; if it has died meanwhile, nothing else would end this process.
    alarm(header.seconds);
    if (!read_up_to(protocol::Header::size + header.body, bytes)) return 2;
    if (!write_all(answer_or_problem(header.kind, std::move(bytes)))) return 1;
    alarm(0);
  }
}

}  // namespace
}  // namespace kith::tools

int main(int count, char**) {
  if (count > 1 || isatty(STDIN_FILENO) == 1) {
    std::fputs("kith-engine: started by libkith.so, not by hand; the program for users is kith\n",
               stderr);
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);  // whoever asked may have gone
  kith::remove_temporaries_on_signals();
  return kith::tools::run();
}
