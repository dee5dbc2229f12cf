#include "comm/private_comm.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "record/pml/exact.hpp"

namespace kith::preload {
namespace {

constexpr int tag_head = 1;
constexpr int tag_rest = 2;
constexpr std::size_t chunk = std::size_t{1} << 28;  // counts in MPI are ints

// Waiting ranks sleep between their looks: what they wait for may be an engine that has to share
// their cores. One that looked all the time kept it from them for up to 0.6 s.

void wait_with_back_off(MPI_Request& request) {
  for (BackOff back_off;; back_off.pause()) {
    int done = 0;
    check_mpi(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
  }
}

/// How a message begins. Most are no longer: the receiver has them at once, and need not wait until
/// the sender, which sleeps, notices that the rest is wanted. Libraries send so much without
/// asking.
struct MessageHead {
  std::uint64_t size = 0;
  std::array<char, 3500> bytes;

  /// Of `size`, which the head alone has.
  std::size_t held() const { return std::min<std::size_t>(size, bytes.size()); }
};

// Waits with the head until the receiver is there: it takes one sender after the other.
void send_bytes(MPI_Comm comm, int to, const std::string& bytes) {
  MessageHead head;
  head.size = bytes.size();
  std::copy_n(bytes.data(), head.held(), head.bytes.data());
  const int first = static_cast<int>(sizeof head.size + head.held());
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Issend(&head, first, MPI_BYTE, to, tag_head, comm, &request), "MPI_Issend");
  wait_with_back_off(request);
  for (std::size_t at = head.held(); at < bytes.size(); at += chunk) {
    const int count = static_cast<int>(std::min(chunk, bytes.size() - at));
    check_mpi(PMPI_Isend(bytes.data() + at, count, MPI_BYTE, to, tag_rest, comm, &request),
              "MPI_Isend");
    wait_with_back_off(request);
  }
}

void receive_patiently(void* data, int count, int from, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Irecv(data, count, MPI_BYTE, from, tag, comm, &request), "MPI_Irecv");
  wait_with_back_off(request);
}

// Where memory is short the bytes are received all the same, and thrown away: the sender waits.
void receive_and_forget(MPI_Comm comm, int from, const MessageHead& head) {
  std::array<char, 65536> scrap;
  for (std::uint64_t at = head.held(); at < head.size; at += chunk) {
    const std::uint64_t whole = std::min<std::uint64_t>(chunk, head.size - at);
    const int room = static_cast<int>(std::min<std::uint64_t>(whole, scrap.size()));
    // A message longer than the buffer is cut: an error here, but the sender is done.
    PMPI_Recv(scrap.data(), room, MPI_BYTE, from, tag_rest, comm, MPI_STATUS_IGNORE);
  }
}

/// Nothing when there is no memory for what was sent.
std::optional<std::string> receive_bytes(MPI_Comm comm, int from) {
  MessageHead head;
  receive_patiently(&head, sizeof head, from, tag_head, comm);
  std::string bytes;
  try {
    bytes.resize(head.size);
  } catch (const std::bad_alloc&) {
    receive_and_forget(comm, from, head);
    return std::nullopt;
  }
  std::copy_n(head.bytes.data(), head.held(), bytes.data());
  for (std::size_t at = head.held(); at < bytes.size(); at += chunk) {
    const int count = static_cast<int>(std::min(chunk, bytes.size() - at));
    receive_patiently(bytes.data() + at, count, from, tag_rest, comm);
  }
  return bytes;
}

void broadcast_patiently(void* data, int count, int from, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Ibcast(data, count, MPI_BYTE, from, comm, &request), "MPI_Ibcast");
  wait_with_back_off(request);
}

bool all_agree_in(MPI_Comm comm, bool yes) {
  const int own = yes ? 1 : 0;
  int all = 0;
  check_mpi(PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return all != 0;
}

/// How a broadcast begins: most are short, and need no second one.
struct BroadcastHead {
  std::uint64_t size = 0;
  std::array<char, 504> bytes{};
};

std::string broadcast_bytes(std::string bytes, int from, MPI_Comm comm) {
  BroadcastHead head;
  head.size = bytes.size();
  if (bytes.size() <= head.bytes.size()) std::ranges::copy(bytes, head.bytes.begin());
  broadcast_patiently(&head, sizeof head, from, comm);
  const std::uint64_t size = head.size;
  if (size <= head.bytes.size()) return {head.bytes.data(), size};
  bool has_room = true;
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    has_room = false;
  }
  if (size > PrivateComm::little && !all_agree_in(comm, has_room)) has_room = false;
  if (!has_room) throw std::runtime_error("a rank has not enough memory");
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    const int count = static_cast<int>(std::min(chunk, bytes.size() - at));
    broadcast_patiently(bytes.data() + at, count, from, comm);
  }
  return bytes;
}

std::string labelled(int rank, const std::string& bytes) {
  Packer packer;
  packer.put<std::int32_t>(rank);
  packer.put_text(bytes);
  return packer.take();
}

/// Messages one behind the other; one for which there is no memory is left out.
struct Collection {
  std::string bytes;

  template <class Receive>
  void add(Receive&& receive) {
    try {
      if (const std::optional<std::string> more = receive()) bytes += *more;
    } catch (const std::bad_alloc&) {
      // The root will notice that a rank is missing.
    }
  }
};

}  // namespace

MpiFailure::MpiFailure(const char* call, int code)
    : std::runtime_error(std::string(call) + " failed with code " + std::to_string(code)) {}

void check_mpi(int code, const char* call) {
  if (code != MPI_SUCCESS) throw MpiFailure(call, code);
}

ErrorsReturned::ErrorsReturned(MPI_Comm comm) : comm_(comm), before_(MPI_ERRHANDLER_NULL) {
  PMPI_Comm_get_errhandler(comm_, &before_);
  PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

ErrorsReturned::~ErrorsReturned() {
  PMPI_Comm_set_errhandler(comm_, before_);
  PMPI_Errhandler_free(&before_);
}

PrivateComm::PrivateComm(MPI_Comm comm)
    : all_(MPI_COMM_NULL), host_(MPI_COMM_NULL), leaders_(MPI_COMM_NULL) {
  const ErrorsReturned guard(comm);
  // Not MPI_Comm_dup: that would call the program's own attribute copy functions.
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  check_mpi(PMPI_Comm_split(comm, 0, rank, &all_), "MPI_Comm_split");
  record::mark_as_ours(all_);
  PMPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(all_, &rank_);
  PMPI_Comm_size(all_, &size_);
}

PrivateComm::~PrivateComm() {
  free();
}

void PrivateComm::free() {
  if (leaders_ == MPI_COMM_SELF) leaders_ = MPI_COMM_NULL;
  if (host_ == all_) host_ = MPI_COMM_NULL;
  for (MPI_Comm* const comm : {&leaders_, &host_, &all_}) {
    if (*comm == MPI_COMM_NULL) continue;
    record::unmark(*comm);
    PMPI_Comm_free(comm);
  }
}

void PrivateComm::find_hosts() {
  if (hosts_known_) return;
  check_mpi(PMPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_),
            "MPI_Comm_split_type");
  record::mark_as_ours(host_);
  int host_rank = 0;
  PMPI_Comm_rank(host_, &host_rank);
  leader_ = host_rank == 0;
  int host_size = 0;
  PMPI_Comm_size(host_, &host_size);
  if (host_size == size_) {  // a leader alone needs no communicator that has to be made
    leaders_ = MPI_COMM_SELF;
    hosts_known_ = true;
    return;
  }
  // The others get one as well, which they do not use: where only some ranks hold a communicator,
  // Open MPI 4.1 needs several rounds to number the next ones, and hangs at times in concurrent
  // nonblocking duplications.
  check_mpi(PMPI_Comm_split(all_, leader_ ? 0 : 1, rank_, &leaders_), "MPI_Comm_split");
  if (leaders_ != MPI_COMM_NULL) record::mark_as_ours(leaders_);
  hosts_known_ = true;
}

void PrivateComm::are_on_one_host() {
  if (hosts_known_) return;
  host_ = all_;
  leader_ = is_root();
  leaders_ = MPI_COMM_SELF;
  hosts_known_ = true;
}

bool PrivateComm::leads_host() {
  find_hosts();
  return leader_;
}

namespace {

double steady_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

constexpr int clock_questions = 8;
constexpr int clock_tag = 1;

void tell_time(MPI_Comm leaders, int asker) {
  double question = 0;
  for (int i = 0; i < clock_questions; ++i) {
    check_mpi(PMPI_Recv(&question, 1, MPI_DOUBLE, asker, clock_tag, leaders, MPI_STATUS_IGNORE),
              "MPI_Recv");
    const double now = steady_seconds();
    check_mpi(PMPI_Send(&now, 1, MPI_DOUBLE, asker, clock_tag, leaders), "MPI_Send");
  }
}

double ask_time(MPI_Comm leaders) {
  double ahead = 0;
  double quickest = 1e9;
  for (int i = 0; i < clock_questions; ++i) {
    const double asked = steady_seconds();
    double told = 0;
    check_mpi(PMPI_Send(&asked, 1, MPI_DOUBLE, 0, clock_tag, leaders), "MPI_Send");
    check_mpi(PMPI_Recv(&told, 1, MPI_DOUBLE, 0, clock_tag, leaders, MPI_STATUS_IGNORE),
              "MPI_Recv");
    const double answered = steady_seconds();
    if (answered - asked >= quickest) continue;
    quickest = answered - asked;
    ahead = asked + quickest / 2 - told;
  }
  return ahead;
}

}  // namespace

double PrivateComm::clock_ahead() {
  find_hosts();
  if (host_ == MPI_COMM_NULL) return 0;
  int host_size = 0;
  PMPI_Comm_size(host_, &host_size);
  if (host_size == size_) return 0;
  double ahead = 0;
  if (is_root()) {
    for (int leader = 1; leader < hosts(); ++leader) tell_time(leaders_, leader);
  } else if (leader_) {
    ahead = ask_time(leaders_);
  }
  broadcast_patiently(&ahead, sizeof ahead, 0, host_);
  return ahead;
}

std::string PrivateComm::broadcast(std::string bytes) {
  return broadcast_bytes(std::move(bytes), 0, all_);
}

std::string PrivateComm::broadcast_from(int from, std::string bytes) {
  return broadcast_bytes(std::move(bytes), from, all_);
}

std::vector<std::optional<std::string>> PrivateComm::gather_on_host(std::string bytes) {
  if (!leader_) {
    send_bytes(host_, 0, bytes);
    return {};
  }
  int members = 0;
  PMPI_Comm_size(host_, &members);
  std::vector<std::optional<std::string>> all(static_cast<std::size_t>(members));
  all[0] = std::move(bytes);
  for (int member = 1; member < members; ++member) {
    all[static_cast<std::size_t>(member)] = receive_bytes(host_, member);
  }
  return all;
}

bool PrivateComm::is_on_one_host() const {
  return leaders_ == MPI_COMM_SELF;
}

int PrivateComm::hosts() const {
  int count = 0;
  PMPI_Comm_size(leaders_, &count);
  return count;
}

int PrivateComm::leader_number() const {
  int number = 0;
  PMPI_Comm_rank(leaders_, &number);
  return number;
}

void PrivateComm::send_to_root(const std::string& bytes) {
  send_bytes(leaders_, 0, bytes);
}

std::optional<std::string> PrivateComm::receive_from_leader(int leader) {
  return receive_bytes(leaders_, leader);
}

std::string PrivateComm::broadcast_to_leaders(std::string bytes) {
  return broadcast_bytes(std::move(bytes), 0, leaders_);
}

std::vector<std::string> PrivateComm::gather(std::string bytes) {
  find_hosts();
  if (!leader_) {
    send_bytes(host_, 0, labelled(rank_, bytes));
    return {};
  }
  // From here on nothing may end this member's part before everybody's message was taken.
  int host_size = 0;
  PMPI_Comm_size(host_, &host_size);
  Collection of_host;
  of_host.add([&] { return labelled(rank_, bytes); });
  for (int member = 1; member < host_size; ++member) {
    of_host.add([&] { return receive_bytes(host_, member); });
  }
  if (!is_root()) {
    send_bytes(leaders_, 0, of_host.bytes);
    return {};
  }
  for (int leader = 1; leader < hosts(); ++leader) {
    of_host.add([&] { return receive_bytes(leaders_, leader); });
  }

  std::vector<std::string> by_rank(static_cast<std::size_t>(size_));
  std::size_t present = 0;
  Unpacker unpacker(of_host.bytes);
  while (!unpacker.done()) {
    const auto rank = static_cast<std::size_t>(unpacker.get<std::int32_t>());
    by_rank.at(rank) = unpacker.get_text();
    ++present;
  }
  if (present != by_rank.size()) {
    throw std::runtime_error("not enough memory for what the ranks sent");
  }
  return by_rank;
}

bool PrivateComm::all_agree(bool yes) {
  return all_agree_in(all_, yes);
}

bool PrivateComm::all_agree_in_time(bool yes) {
  const int own = yes ? 1 : 0;
  int all = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Iallreduce(&own, &all, 1, MPI_INT, MPI_MIN, all_, &request), "MPI_Iallreduce");
  wait_with_back_off(request);
  return all != 0;
}

bool PrivateComm::all_manage_call(void (*call)(const void*), const void* step) {
  bool has_managed = true;
  try {
    call(step);
  } catch (const MpiFailure&) {
    throw;
  } catch (const std::exception&) {
    has_managed = false;
  }
  return all_agree(has_managed);
}

std::uint64_t PrivateComm::sum(std::uint64_t value) {
  std::uint64_t sum = 0;
  check_mpi(PMPI_Allreduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, all_), "MPI_Allreduce");
  return sum;
}

std::uint64_t PrivateComm::least(std::uint64_t value) {
  std::uint64_t least = value;
  check_mpi(PMPI_Allreduce(&value, &least, 1, MPI_UINT64_T, MPI_MIN, all_), "MPI_Allreduce");
  return least;
}

}  // namespace kith::preload
