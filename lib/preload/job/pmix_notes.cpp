#include "job/presence.hpp"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/parse_number.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/library.hpp"
#include "mpi/slots.hpp"

namespace kith::preload {
namespace {

// What we use of PMIx, whose layout has been the same since version 2. Its header may not be there
// where Kith is built.
struct Proc {
  std::array<char, 256> job;
  std::uint32_t rank;
};
struct Value {
  std::uint16_t type;
  union {
    bool flag;
    std::uint8_t byte;
    int number;
    char* text;
    std::array<std::uint64_t, 3> room;
  } data;
};
struct Info {
  std::array<char, 512> key;
  std::uint32_t flags;
  Value value;
};
using Answered = void(int status, Value* value, void* asker);
constexpr std::uint16_t type_bool = 1;
constexpr std::uint16_t type_byte = 2;
constexpr std::uint16_t type_string = 3;
constexpr std::uint16_t type_int = 6;
constexpr std::uint8_t scope_global = 3;
constexpr std::uint32_t any_rank = UINT32_MAX - 1;
constexpr int success = 0;

constexpr char note_key[] = "kith.present";
/// For notes that have to be asked for; that of a rank without one never comes. Once that is known
/// of one rank, no rank waits for Kith any more, and it is only about who else is to be named.
constexpr int patience_seconds = 5;
constexpr int later_patience_seconds = 1;
/// All ranks of a host ask the same daemon at once, and a late answer would divide the ranks: one
/// second more for so many ranks, 4096 questions (5400 a second were answered on two busy cores).
constexpr int ranks_per_second_of_patience = 16;
/// How many are asked for at once.
constexpr std::size_t most_questions = 256;

struct Pmix {
  bool is_linked;  ///< the MPI library itself calls it
  int (*init)(Proc*, Info*, std::size_t);
  int (*put)(std::uint8_t, const char*, Value*);
  int (*get)(const Proc*, const char*, const Info*, std::size_t, Value**);
  int (*ask)(const Proc*, const char*, const Info*, std::size_t, Answered*, void*);
  int (*commit)();
  int (*finalize)(const Info*, std::size_t);
};

std::optional<Pmix> pmix;  // set while we use it
bool has_failed = false;   // the note could not be left, but others look for it
Proc self;

/// The note that goes with what the MPI library says of this process.
struct Companion {
  Pmix library{};
  Value note{};
  bool is_left = false;
};
Companion companion;

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Whether the MPI library beside `folder` talks to the launcher through the system's PMIx, and not
/// through one of its own.
bool uses_external_pmix(const std::filesystem::path& folder) {
  // The last two: Debian's.
  for (const char* const plugins :
       {"openmpi", "openmpi3", "openmpi/lib/openmpi", "openmpi/lib/openmpi3"}) {
    for (const char* const plugin : {"mca_pmix_ext3x.so", "mca_pmix_ext4x.so"}) {
      if (access((folder / plugins / plugin).c_str(), F_OK) == 0) return true;
    }
  }
  return false;
}

/// The PMIx that the MPI library depends on (Open MPI 5.0), or that a plugin of Open MPI 4.1 uses.
/// Never another one, that the program or a tool has loaded: no rank would read the note there.
struct Library {
  void* handle = nullptr;
  bool is_linked = false;
};
Library pmix_of(const char* mpi_library) {
  void* const own = dlopen(mpi_library, RTLD_LAZY | RTLD_NOLOAD);
  if (own != nullptr && dlsym(own, "PMIx_Init") != nullptr) return {own, true};
  std::error_code error;
  const auto folder = std::filesystem::canonical(mpi_library, error).parent_path();
  if (error || !uses_external_pmix(folder)) return {};
  return {dlopen("libpmix.so.2", RTLD_LAZY | RTLD_LOCAL), false};
}

Library pmix_library() {
  Dl_info library{};
  void* const init = mpi::find_symbol("PMPI_Init");
  if (init == nullptr || dladdr(init, &library) == 0 || library.dli_fname == nullptr) return {};
  const Library found = pmix_of(library.dli_fname);
  if (found.handle != nullptr || mpi::family_built_for != mpi::Family::standard) return found;
  // One that translates the standard's interface opens Open MPI's library privately, when it is
  // asked.
  if (!mpi::library_identity().text.starts_with("Open MPI")) return {};
  for (const std::string& path : mpi::loaded_paths()) {
    if (path.find("/libmpi.so.40") != std::string::npos) return pmix_of(path.c_str());
  }
  return {};
}

std::optional<Pmix> find_pmix() {
  if (std::getenv("PMIX_NAMESPACE") == nullptr || std::getenv("PMIX_RANK") == nullptr) return {};
  const auto [library, is_linked] = pmix_library();
  Pmix found{};
  found.is_linked = is_linked;
  if (library != nullptr && find(library, "PMIx_Init", found.init) &&
      find(library, "PMIx_Put", found.put) && find(library, "PMIx_Get", found.get) &&
      find(library, "PMIx_Get_nb", found.ask) && find(library, "PMIx_Commit", found.commit) &&
      find(library, "PMIx_Finalize", found.finalize)) {
    return found;
  }
  return {};
}

/// An attribute that says how to look.
Info attribute(const char* name, const Value& setting) {
  Info info{};
  std::strncpy(info.key.data(), name, info.key.size() - 1);
  info.value = setting;
  return info;
}

/// What `rank` has under a key, to be freed; null: nothing.
Value* look_up(std::uint32_t rank, const char* key, const Info& how) {
  Proc proc = self;
  proc.rank = rank;
  Value* found = nullptr;
  return pmix->get(&proc, key, &how, 1, &found) == success ? found : nullptr;
}

/// Whether a note is there that says what `wanted` says.
bool says(const Value* found, std::uint8_t wanted) {
  return found != nullptr && found->type == type_byte && (found->data.byte & wanted) == wanted;
}

bool has_note(int rank, std::uint8_t wanted, const Info& how) {
  Value* const found = look_up(static_cast<std::uint32_t>(rank), note_key, how);
  const bool has = says(found, wanted);
  std::free(found);
  return has;
}

/// Only what is in this process or its host's memory.
Info here() {
  Value yes{type_bool, {}};
  yes.data.flag = true;
  return attribute("pmix.optional", yes);
}

/// By rank: is it on this host? PMIx says "0,1,6".
std::vector<bool> local_ranks(int size) {
  std::vector<bool> local(static_cast<std::size_t>(size), false);
  Value* const peers = look_up(any_rank, "pmix.lpeers", here());
  if (peers == nullptr) return local;
  if (peers->type == type_string && peers->data.text != nullptr) {
    for (const std::string_view word : split(peers->data.text, ',')) {
      const auto rank = parse_unsigned(word);
      if (rank && *rank < local.size()) local[*rank] = true;
    }
    std::free(peers->data.text);
  }
  std::free(peers);
  return local;
}

/// Questions that are on their way. Answers may come after we gave up waiting.
struct Questions {
  Questions(std::size_t count, std::uint8_t note, int seconds)
      : wanted(note), how(attribute("pmix.timeout", {type_int, {}})), found(count), open(count) {
    how.value.data.number = seconds;
  }
  std::uint8_t wanted;
  Info how;
  std::vector<std::atomic<bool>> found;
  std::atomic<std::size_t> open;
};

struct Question {
  std::shared_ptr<Questions> all;
  std::size_t number;
  Proc proc;
};

/// On a thread of PMIx, which keeps the value.
void take_answer(int status, Value* value, void* asker) {
  const std::unique_ptr<Question> question(static_cast<Question*>(asker));
  const bool has = status == success && says(value, question->all->wanted);
  question->all->found[question->number].store(has);
  question->all->open.fetch_sub(1);
}

/// Which of `ranks` have left no such note that comes within so many seconds. All are asked for at
/// once.
std::vector<int> silent_among(std::span<const int> ranks, std::uint8_t wanted, int seconds) {
  const auto questions = std::make_shared<Questions>(ranks.size(), wanted, seconds);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto question = std::make_unique<Question>(Question{questions, i, self});
    question->proc.rank = static_cast<std::uint32_t>(ranks[i]);
    if (pmix->ask(&question->proc, note_key, &questions->how, 1, take_answer, question.get()) ==
        success) {
      question.release();  // take_answer has it
    } else {
      questions->open.fetch_sub(1);
    }
  }
  // PMIx itself ends each question in time; a second more is for its answers to come.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds + 1);
  while (questions->open.load() > 0 && std::chrono::steady_clock::now() < deadline) {
    const timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
  }
  std::vector<int> silent;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!questions->found[i].load()) silent.push_back(ranks[i]);
  }
  return silent;
}

/// Whether PMPI_Init has brought the notes of all hosts into this host's memory. Open MPI 4.1 may
/// have been told not to; 5.0 leaves them with the launcher's daemon and brings those that it needs
/// itself, which differ from rank to rank.
bool are_notes_spread() {
  return !pmix->is_linked && mpi::library_flag("pmix_base_collect_data").value_or(true);
}

/// For the notes of other hosts that are not in this host's memory.
void ask_other_hosts(std::vector<int>& missing, int size, std::uint8_t wanted) {
  if (missing.empty()) return;
  const std::vector<bool> local = local_ranks(size);
  const auto is_local = [&](int rank) { return local[static_cast<std::size_t>(rank)]; };
  std::vector<int> far;
  std::ranges::remove_copy_if(missing, std::back_inserter(far), is_local);
  const auto here_count = static_cast<int>(std::ranges::count(local, true));
  const bool is_none_here = std::cmp_equal(far.size(), size - here_count);
  if (are_notes_spread() && !is_none_here) return;  // what is missing was never left
  std::vector<int> silent;
  for (std::size_t first = 0; first < far.size(); first += most_questions) {
    const std::size_t count = std::min(most_questions, far.size() - first);
    const int seconds = silent.empty()
                            ? patience_seconds + here_count / ranks_per_second_of_patience
                            : later_patience_seconds;
    std::ranges::copy(silent_among(std::span(far).subspan(first, count), wanted, seconds),
                      std::back_inserter(silent));
  }
  std::erase_if(missing, [&](int rank) {
    return !is_local(rank) && !std::ranges::binary_search(silent, rank);
  });
}

/// Open MPI was told to fetch what processes say of themselves when it is needed: then answers come
/// late at times, differently on each rank, and one that leaves would make the others wait.
bool are_notes_late() {
  return mpi::library_flag("pmix_base_async_modex").value_or(false);
}

/// Not before PMPI_Init, which then could not begin to use it. The MPI library's own use remains.
void end_pmix() {
  if (pmix) pmix->finalize(nullptr, 0);
  pmix.reset();
}

bool put_note(const Pmix& library, Value& note) {
  return library.put(scope_global, note_key, &note) == success;
}

/// In the place of the MPI library's PMIx_Commit.
int commit_with_note() {
  if (!companion.is_left) companion.is_left = put_note(companion.library, companion.note);
  return companion.library.commit();
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int redirect_commit(dl_phdr_info* library, std::size_t, void*) {
  mpi::redirect_slots(*library, [](const mpi::Slot& slot) -> void* {
    const bool commits = std::strcmp(slot.symbol, "PMIx_Commit") == 0;
    return commits ? reinterpret_cast<void*>(&commit_with_note) : nullptr;
  });
  return 0;
}

/// Open MPI 5.0 fails in MPI_Init where PMIx was begun before it ("local rank: Not found"): so the
/// note is put when the MPI library hands over what it says of itself.
void accompany(const Pmix& library, const Value& note) {
  companion.library = library;
  companion.note = note;
  dl_iterate_phdr(redirect_commit, nullptr);
}

/// Before PMPI_Init, for MPI libraries that load PMIx in it: nothing of theirs has begun yet.
void put_ahead(const Pmix& library, Value note) {
  if (library.init(&self, nullptr, 0) != success) return;
  pmix = library;
  has_failed = !put_note(library, note);
}

/// After PMPI_Init: whether the note went along.
void join_pmix() {
  if (pmix || companion.library.init == nullptr) return;
  has_failed = !companion.is_left || companion.library.init(&self, nullptr, 0) != success;
  if (!has_failed) pmix = companion.library;
}

}  // namespace

void leave_pmix_note(const PresenceNote& content) noexcept {
  try {
    const std::optional<Pmix> found = find_pmix();
    if (!found) return;
    Value note{type_byte, {}};
    note.data.byte = content.bits();
    if (found->is_linked) {
      accompany(*found, note);
      return;
    }
    has_failed = true;
    put_ahead(*found, note);
  } catch (const std::exception&) {
    has_failed = true;
  }
}

bool could_not_leave_pmix_note() noexcept {
  join_pmix();
  if (has_failed) end_pmix();
  return has_failed;
}

std::optional<std::vector<int>> ranks_without_note(int size, const PresenceNote& note) {
  if (!pmix) return std::nullopt;
  if (are_notes_late()) {
    end_pmix();
    return std::nullopt;
  }
  const std::uint8_t wanted = note.bits();
  std::vector<int> missing;
  for (int rank = 0; rank < size; ++rank) {
    if (!has_note(rank, wanted, here())) missing.push_back(rank);
  }
  ask_other_hosts(missing, size, wanted);
  end_pmix();
  return missing;
}

std::optional<bool> first_rank_asks() noexcept {
  if (could_not_leave_pmix_note() || !pmix) return std::nullopt;
  if (!has_note(0, PresenceNote{}.bits(), here())) return std::nullopt;
  PresenceNote asking;
  asking.asks = true;
  return has_note(0, asking.bits(), here());
}

bool pmix_serves_this_job() noexcept {
  try {
    return find_pmix().has_value();
  } catch (const std::exception&) {
    return true;
  }
}

void end_pmix_notes() noexcept {
  end_pmix();
}

}  // namespace kith::preload
