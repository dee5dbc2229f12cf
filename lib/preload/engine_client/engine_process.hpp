// The engine: the program kith-engine in a process of its own, which answers one request after the
// other.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/process_handle.hpp"
#include "protocol/messages.hpp"

namespace kith::preload {

/// The answer, or why there is none.
template <class Answer>
struct Reply {
  std::optional<Answer> answer;
  std::string problem;     ///< one sentence, no newline; set where there is no answer
  bool is_silent = false;  ///< the engine could not start, was late or could not be understood
};

/// The engine as long as this lives: its process is started at the first request and ends with this
/// object, or with a request that fails; the next one starts another. The application notices
/// nothing: no SIGCHLD, no SIGPIPE, none of its handlers, descriptors or LD_PRELOAD in the child.
class Engine {
 public:
  Engine() = default;
  ~Engine() { end(); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Waits for the answer for as long as `budget`, then kills the process. Never throws.
  template <class Request>
  Reply<typename Request::Answer> ask(const Request& request,
                                      std::chrono::milliseconds budget) noexcept {
    Reply<typename Request::Answer> reply;
    try {
      const auto seconds = static_cast<std::uint32_t>(budget.count() / 1000 + 1);
      take(exchange(protocol::pack(request, seconds), budget), reply);
    } catch (...) {
      kill();
      reply = {std::nullopt, "out of memory", true};
    }
    return reply;
  }

  /// Sends a request, and lets the engine work on it while this process does something else:
  /// answer_ahead() has its answer, unless something else is asked before. Never throws; false
  /// where it could not be sent.
  template <class Request>
  bool ask_ahead(const Request& request, std::chrono::milliseconds budget) noexcept {
    try {
      const auto seconds = static_cast<std::uint32_t>(budget.count() / 1000 + 1);
      is_asked_ahead_ = send_ahead(protocol::pack(request, seconds), budget);
      return is_asked_ahead_;
    } catch (...) {
      kill();
      return false;
    }
  }

  bool is_asked_ahead() const { return is_asked_ahead_; }
  /// The answer to what was asked ahead: waits for it for as long as `budget`, as ask() does.
  template <class Request>
  Reply<typename Request::Answer> answer_ahead(std::chrono::milliseconds budget) noexcept {
    Reply<typename Request::Answer> reply;
    try {
      take(receive_ahead(budget), reply);
    } catch (...) {
      kill();
      reply = {std::nullopt, "out of memory", true};
    }
    return reply;
  }

  /// Lets the process go. Whoever asks again starts another one.
  void end() noexcept;

 private:
  /// An answer as bytes, or the reason why it did not come.
  struct Bytes {
    std::string answer;
    std::string problem;
  };

  template <class Answer>
  void take(Bytes bytes, Reply<Answer>& reply) {
    reply.problem = std::move(bytes.problem);
    reply.is_silent = !reply.problem.empty();
    if (reply.is_silent) return;
    try {
      if (protocol::unpack_header(bytes.answer).kind == protocol::Kind::problem) {
        reply.problem = protocol::unpack<protocol::Problem>(bytes.answer).text;
      } else {
        reply.answer = protocol::unpack<Answer>(bytes.answer);
      }
    } catch (const std::runtime_error& error) {
      kill();
      reply.problem = std::string("the engine's answer was not understood: ") + error.what();
      reply.is_silent = true;
    }
  }

  Bytes exchange(std::string request, std::chrono::milliseconds budget);
  bool send_ahead(std::string_view request, std::chrono::milliseconds budget);
  Bytes receive_ahead(std::chrono::milliseconds budget);
  /// Empty, or what is in the way.
  std::string start();
  void kill() noexcept;

  bool is_asked_ahead_ = false;
  int socket_ = -1;  ///< -1: there is no process
  ProcessHandle process_ = {};
  pid_t child_ = -1;  ///< where the process is our child
};

/// Path of the program kith-engine; empty when it is not where build and install put it.
std::string engine_path();

}  // namespace kith::preload
