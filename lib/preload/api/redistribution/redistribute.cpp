#include "api/redistribution/redistribute.hpp"

#include <array>
#include <climits>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "api/redistribution/slices.hpp"
#include "comm/private_comm.hpp"

namespace kith::preload {
namespace {

constexpr std::uint64_t message_bytes = std::uint64_t{1} << 20;
constexpr std::size_t most_slices = 16384;  // in a message: what has to be remembered of it
constexpr int tag_state = 1;
/// MPI_BOTTOM is null, which MPI_Pack of MPICH 4.0 refuses: then places are told from here on.
constexpr std::uintptr_t other_bottom = 64;

/// The same data, in and out at once: what is in the buffer has been packed before anything is
/// unpacked to its place. A failure here is told at the end, as the others wait for the messages.
class Exchange {
 public:
  /// Room for messages of so many bytes. Throws std::bad_alloc.
  Exchange(MPI_Comm comm, Move move, void* buffer, std::uint64_t room)
      : comm_(comm),
        move_(move),
        buffer_(static_cast<char*>(buffer)),
        room_(room),
        out_(new char[room]),
        in_(new char[room]) {
    slices_.reserve(most_slices);
  }

  void add(Datatype& type, const Repeat& slice) {
    const std::uint64_t bytes = bytes_of(type.shapes(), slice);
    if (static_cast<std::uint64_t>(used_) + bytes > room_ || slices_.size() == most_slices) {
      flush();
    }
    const int before = used_;
    attempt([&] {
      const Datatype::Counted counted = type.counted(slice);
      slices_.push_back({slice.offset, counted});
      return PMPI_Pack(buffer_ + slice.offset, counted.count, counted.type, out_.get(),
                       static_cast<int>(room_), &used_, comm_);
    });
    used_ = before + static_cast<int>(bytes);  // what the other side counts with, whatever happened
  }

  void flush() {
    if (used_ == 0) return;
    attempt([&] {
      return PMPI_Sendrecv(out_.get(), used_, MPI_PACKED, move_.to, tag_state, in_.get(), used_,
                           MPI_PACKED, move_.from, tag_state, comm_, MPI_STATUS_IGNORE);
    });
    int at = 0;
    for (const PackedSlice& slice : slices_) {
      if (code_ != MPI_SUCCESS) break;
      attempt([&] {
        return PMPI_Unpack(in_.get(), used_, &at, buffer_ + slice.offset, slice.what.count,
                           slice.what.type, comm_);
      });
    }
    slices_.clear();
    used_ = 0;
  }

  /// The first failure, or MPI_SUCCESS.
  int code() const { return code_; }

 private:
  struct PackedSlice {
    std::int64_t offset;
    Datatype::Counted what;
  };

  template <class Call>
  void attempt(Call&& call) {
    int code = MPI_SUCCESS;
    try {
      code = call();
    } catch (const std::exception&) {
      code = MPI_ERR_OTHER;
    }
    if (code_ == MPI_SUCCESS) code_ = code;
  }

  MPI_Comm comm_;
  Move move_;
  char* buffer_;
  std::uint64_t room_;
  std::unique_ptr<char[]> out_;
  std::unique_ptr<char[]> in_;
  std::vector<PackedSlice> slices_;  // of the message being packed
  int used_ = 0;
  int code_ = MPI_SUCCESS;
};

/// By rank of `to`: its rank in `from`; negative where it has none.
std::vector<std::int32_t> places(MPI_Comm from, MPI_Comm to) {
  int size = 0;
  PMPI_Comm_size(to, &size);
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(size));
  for (int r = 0; r < size; ++r) ranks[static_cast<std::size_t>(r)] = r;
  std::vector<std::int32_t> place(ranks.size());
  MPI_Group group_from = MPI_GROUP_NULL;
  MPI_Group group_to = MPI_GROUP_NULL;
  PMPI_Comm_group(from, &group_from);
  PMPI_Comm_group(to, &group_to);
  PMPI_Group_translate_ranks(group_to, size, ranks.data(), group_from, place.data());
  PMPI_Group_free(&group_to);
  PMPI_Group_free(&group_from);
  return place;
}

/// One member's side of the call.
struct Request {
  void* buffer;
  MPI_Count count;
  MPI_Datatype type;
  std::vector<std::int32_t> place;  ///< as places(); empty where `to` is no such communicator
};

int class_of(int code) {
  int error_class = MPI_ERR_OTHER;
  PMPI_Error_class(code, &error_class);
  return error_class;
}

/// What is wrong with this member's arguments; MPI_SUCCESS: nothing. The library itself tells
/// whether the type may be communicated, when asked to send it to MPI_PROC_NULL.
int objection(const PrivateComm& private_comm, const Request& request) {
  if (request.place.size() != static_cast<std::size_t>(private_comm.size()) ||
      !is_permutation(request.place)) {
    return MPI_ERR_COMM;
  }
  if (request.count < 0) return MPI_ERR_COUNT;
  if (request.type == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  if (request.buffer == MPI_IN_PLACE) return MPI_ERR_BUFFER;
  const int some = request.count > 0 ? 1 : 0;
  const int code =
      PMPI_Send(request.buffer, some, request.type, MPI_PROC_NULL, tag_state, private_comm.comm());
  if (code != MPI_SUCCESS) return class_of(code);
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  PMPI_Type_get_true_extent_x(request.type, &lower, &extent);
  // MPI_BOTTOM is null too, but then the type holds addresses.
  const bool is_nowhere = request.buffer == nullptr && lower <= 0 && extent > 0;
  return some != 0 && is_nowhere ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

std::int64_t digest_of(const std::vector<std::int32_t>& numbers) {
  std::uint64_t digest = 0xcbf29ce484222325ULL;
  for (const std::int32_t number : numbers) {
    digest = (digest ^ static_cast<std::uint32_t>(number)) * 0x100000001b3ULL;
  }
  return static_cast<std::int64_t>(digest >> 1);
}

/// What all members have to agree in, apart from having no objection.
struct Terms {
  std::int64_t objection = MPI_SUCCESS;
  std::int64_t count = 0;
  std::int64_t bytes = 0;   ///< of an element
  std::int64_t order = 0;   ///< digest of the order
  std::int64_t slices = 0;  ///< digest of how an element is cut
};

struct Agreement {
  int code = MPI_SUCCESS;
  bool cut_alike = true;
};

// Each number's least and greatest value, both as a least one.
Agreement agree(const PrivateComm& private_comm, const Terms& terms) {
  const std::array<std::int64_t, 5> own{terms.objection, terms.count, terms.bytes, terms.order,
                                        terms.slices};
  std::array<std::int64_t, 10> mine{};
  std::array<std::int64_t, 10> least{};
  for (std::size_t i = 0; i < own.size(); ++i) {
    mine[2 * i] = own[i];
    mine[2 * i + 1] = -own[i];
  }
  check_mpi(PMPI_Allreduce(mine.data(), least.data(), static_cast<int>(mine.size()), MPI_INT64_T,
                           MPI_MIN, private_comm.comm()),
            "MPI_Allreduce");
  const auto differs = [&](std::size_t i) { return least[2 * i] != -least[2 * i + 1]; };
  Agreement agreement;
  agreement.cut_alike = !differs(4);
  if (least[1] != 0) {
    agreement.code = static_cast<int>(-least[1]);
  } else if (differs(3)) {
    agreement.code = MPI_ERR_COMM;
  } else if (differs(1)) {
    agreement.code = MPI_ERR_COUNT;
  } else if (differs(2)) {
    agreement.code = MPI_ERR_TYPE;
  }
  return agreement;
}

int worst_code(const PrivateComm& private_comm, int code) {
  return agree(private_comm, {class_of(code), 0, 0, 0, 0}).code;
}

/// This member's part in the agreed exchange; nothing where its data stays. Throws std::bad_alloc,
/// and MpiFailure for elements that do not fit a message.
std::optional<Exchange> prepare(const PrivateComm& private_comm, const Request& request,
                                const Datatype& type) {
  const Move move = move_of(request.place, private_comm.rank());
  if (move.to == private_comm.rank()) return std::nullopt;
  const std::uint64_t largest = account_of(type.shapes(), 0, message_bytes).largest;
  const std::uint64_t room = std::max(largest, message_bytes);
  if (room > INT_MAX) throw MpiFailure("MPI_Pack", MPI_ERR_TYPE);
  return std::optional<Exchange>(std::in_place, private_comm.comm(), move, request.buffer, room);
}

/// What went wrong, as MPI's classes call it.
template <class Step>
int class_of_failure(Step&& step) {
  try {
    return step();
  } catch (const MpiFailure&) {
    return MPI_ERR_TYPE;  // only datatypes are asked about
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}

}  // namespace

int redistribute(MPI_Comm from, MPI_Comm to, void* buffer, MPI_Count count, MPI_Datatype type) {
  PrivateComm private_comm(from);
  Request request{buffer, count, type, {}};
  Terms terms;
  std::optional<Datatype> datatype;
  terms.objection = class_of_failure([&] {
    if (is_intracommunicator(to)) request.place = places(from, to);
    if (const int code = objection(private_comm, request); code != MPI_SUCCESS) return code;
    if (buffer == MPI_BOTTOM) request.buffer = reinterpret_cast<void*>(other_bottom);
    datatype.emplace(type, message_bytes, buffer == MPI_BOTTOM ? MPI_Aint{other_bottom} : 0);
    const Shapes& shapes = datatype->shapes();
    terms.count = count;
    terms.bytes = static_cast<std::int64_t>(shapes[0].bytes);
    terms.order = digest_of(request.place);
    terms.slices = static_cast<std::int64_t>(account_of(shapes, 0, message_bytes).digest >> 1);
    return MPI_SUCCESS;
  });
  const Agreement agreement = agree(private_comm, terms);
  if (agreement.code != MPI_SUCCESS || count == 0 || terms.bytes == 0) return agreement.code;

  if (!agreement.cut_alike) datatype->keep_whole();
  std::optional<Exchange> exchange;
  const int obstacle = class_of_failure([&] {
    exchange = prepare(private_comm, request, *datatype);
    return MPI_SUCCESS;
  });
  if (const int code = worst_code(private_comm, obstacle); code != MPI_SUCCESS) return code;

  if (exchange) {
    const Repeat all{0, static_cast<std::uint64_t>(count), datatype->extent(), 0};
    for_each_slice(datatype->shapes(), all, message_bytes,
                   [&](const Repeat& slice) { exchange->add(*datatype, slice); });
    exchange->flush();
  }
  return worst_code(private_comm, exchange ? exchange->code() : MPI_SUCCESS);
}

}  // namespace kith::preload
