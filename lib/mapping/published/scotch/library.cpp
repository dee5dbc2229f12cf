#include "mapping/published/scotch/library.hpp"

#include <bit>
#include <cstdarg>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/child_process.hpp"
#include "kith/error.hpp"

namespace kith::scotch {
namespace {

// A message's first byte: an answer, or what kind of error the rest is the text of.
constexpr char answer_mark = 'a';
constexpr char error_mark = '0';
// An error's second byte: whether it names an argument.
constexpr char argument_mark = '-';

std::string packed(const Answer& answer) {
  std::string message(1 + answer.size() * sizeof(std::uint32_t), answer_mark);
  if (!answer.empty()) std::memcpy(message.data() + 1, answer.data(), message.size() - 1);
  return message;
}

std::string packed(const Error& error) {
  const char kind = static_cast<char>(error_mark + static_cast<int>(error.kind()));
  return std::string{kind, error.names_argument() ? argument_mark : ' '} + error.what();
}

/// Throws where the message is an error.
Answer unpacked(const std::string& message) {
  if (message.front() != answer_mark) {
    throw Error(static_cast<ErrorKind>(message.front() - error_mark), message.substr(2),
                message[1] == argument_mark);
  }
  Answer answer((message.size() - 1) / sizeof(std::uint32_t));
  if (!answer.empty()) std::memcpy(answer.data(), message.data() + 1, message.size() - 1);
  return answer;
}

void work_and_send(const std::function<void(const Report&)>& work, const SendToParent& send) {
  try {
    work([&send](const Answer& answer) { send(packed(answer)); });
  } catch (const Error& error) {
    send(packed(error));
  } catch (const std::bad_alloc&) {
    send(packed(environment_error("Scotch: not enough memory")));
  } catch (const std::exception& error) {
    send(packed(Error(ErrorKind::internal, error.what())));
  }
}

std::optional<Answer> in_this_process(const std::function<void(const Report&)>& work) {
  std::optional<Answer> last;
  work([&last](const Answer& answer) { last = answer; });
  return last;
}

}  // namespace

std::optional<Answer> in_child(Budget* budget, const std::function<void(const Report&)>& work) {
  const auto is_late = [budget] { return budget != nullptr && budget->is_out_of_time(); };
  if (is_late()) return std::nullopt;
  const ChildEnd end =
      run_in_child([&work](const SendToParent& send) { work_and_send(work, send); }, is_late);
  if (end.how == ChildEnd::How::not_started) return in_this_process(work);
  if (end.how == ChildEnd::How::crashed) {
    throw environment_error(
        "Scotch ended " + (end.signal != 0 ? "by signal " + std::to_string(end.signal) : "early") +
        ", perhaps for want of memory");
  }
  if (end.message.empty()) return std::nullopt;
  return unpacked(end.message);
}

}  // namespace kith::scotch

namespace {

thread_local std::string messages;  // one line

void keep_message(const char* format, va_list arguments) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  messages.append(messages.empty() ? "" : "; ").append(text);
}

}  // namespace

// Scotch calls these for its errors; its own versions print to stderr, which is not ours to use.
extern "C" {
__attribute__((visibility("default"))) void SCOTCH_errorProg(const char* const) {}
__attribute__((visibility("default"))) void SCOTCH_errorPrint(const char* const format, ...) {
  va_list arguments;
  va_start(arguments, format);
  keep_message(format, arguments);
  va_end(arguments);
}
__attribute__((visibility("default"))) void SCOTCH_errorPrintW(const char* const, ...) {}
}

namespace kith::scotch {
namespace {

class Graph {
 public:
  Graph() { check(SCOTCH_graphInit(&value_), "initialising a graph"); }
  ~Graph() { SCOTCH_graphExit(&value_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  SCOTCH_Graph* get() { return &value_; }

 private:
  SCOTCH_Graph value_;
};

/// One thread and a random sequence of its own: calls do not disturb each other.
class Context {
 public:
  explicit Context(std::uint64_t seed) {
    check(SCOTCH_contextInit(&value_), "initialising a context");
    check(SCOTCH_contextThreadSpawn(&value_, 1, nullptr), "setting one thread");
    check(SCOTCH_contextOptionSetNum(&value_, SCOTCH_OPTIONNUMDETERMINISTIC, 1),
          "asking for determinism");
    check(SCOTCH_contextRandomClone(&value_), "making a random sequence");
    SCOTCH_contextRandomSeed(&value_, static_cast<Number>(seed));
    SCOTCH_contextRandomReset(&value_);
  }
  ~Context() { SCOTCH_contextExit(&value_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  SCOTCH_Context* get() { return &value_; }

 private:
  SCOTCH_Context value_;
};

}  // namespace

std::string take_message() {
  return std::exchange(messages, {});
}

void check(int status, std::string_view what) {
  if (status == 0) return;
  std::string text("Scotch: ");
  text.append(what).append(" failed");
  const std::string message = take_message();
  if (!message.empty()) text.append(" (").append(message).append(")");
  throw Error(ErrorKind::environment, text);
}

Strategy::Strategy() {
  check(SCOTCH_stratInit(&value_), "initialising a strategy");
}

Architecture::Architecture() {
  check(SCOTCH_archInit(&value_), "initialising an architecture");
}

unsigned weight_shift(Weight total) {
  constexpr unsigned bits_for_sums = 40;
  const auto width = static_cast<unsigned>(std::bit_width(total));
  return width > bits_for_sums ? width - bits_for_sums : 0;
}

std::string bipartition_strategy(std::string_view tolerance) {
  const std::string bipartition =
      "m{vert=120,rat=0.8,low=h{pass=10}f{bal=BAL,move=120,pass=-1,type=b},"
      "asc=b{width=3,bnd=(d{pass=40,type=b}|)f{bal=BAL,move=120,pass=-1,type=b},"
      "org=f{bal=BAL,move=120,pass=-1,type=b}}}";
  std::string text = "r{job=t,map=t,poli=S,bal=BAL,sep=(" + bipartition + "|" + bipartition + ")}";
  constexpr std::string_view placeholder = "BAL";
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder)) {
    text.replace(at, placeholder.size(), tolerance);
  }
  return text;
}

std::vector<Number> map_graph(const GraphArrays& arrays, SCOTCH_Arch* architecture,
                              SCOTCH_Strat* strategy, std::uint64_t seed) {
  Context context(seed);
  Graph graph;
  check(SCOTCH_graphBuild(graph.get(), 0, arrays.vertices(), arrays.offsets.data(), nullptr,
                          nullptr, nullptr, static_cast<Number>(arrays.neighbours.size()),
                          arrays.neighbours.data(), arrays.weights.data()),
        "building the graph");
  Graph bound;
  check(SCOTCH_contextBindGraph(context.get(), graph.get(), bound.get()), "binding the graph");
  std::vector<Number> place(static_cast<std::size_t>(arrays.vertices()));
  check(SCOTCH_graphMap(bound.get(), architecture, strategy, place.data()), "mapping");
  return place;
}

}  // namespace kith::scotch
