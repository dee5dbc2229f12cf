#include "api/redistribution/redistribute.hpp"

#include <algorithm>

#include "comm/private_comm.hpp"
#include "mpi/late_binding.hpp"

namespace kith::preload {

/// What a datatype was made of: the arguments of the call that made it.
struct Datatype::Contents {
  std::vector<int> numbers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

namespace {

struct Envelope {
  MPI_Count numbers = 0;
  MPI_Count addresses = 0;
  MPI_Count large = 0;  ///< counts beyond an int
  MPI_Count types = 0;
  int combiner = MPI_COMBINER_NAMED;

  bool is_predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
  }
};

Envelope envelope_of(MPI_Datatype type) {
  Envelope made;
#if MPI_VERSION >= 4
  // What is built for MPI 4 runs under libraries of MPI 3 as well, such as MPICH 3.2.
  static const bool is_there = mpi::find_symbol("PMPI_Type_get_envelope_c") != nullptr;
  if (is_there) {
    check_mpi(PMPI_Type_get_envelope_c(type, &made.numbers, &made.addresses, &made.large,
                                       &made.types, &made.combiner),
              "MPI_Type_get_envelope_c");
    return made;
  }
#endif
  int numbers = 0;
  int addresses = 0;
  int types = 0;
  check_mpi(PMPI_Type_get_envelope(type, &numbers, &addresses, &types, &made.combiner),
            "MPI_Type_get_envelope");
  made.numbers = numbers;
  made.addresses = addresses;
  made.types = types;
  return made;
}

}  // namespace

Datatype::Datatype(MPI_Datatype type, std::uint64_t limit, MPI_Aint origin) : limit_(limit) {
  try {
    if (origin == 0) {
      add_shape(type);
    } else {
      const MPI_Aint back = -origin;
      own_.reserve(1);
      MPI_Datatype from_origin = MPI_DATATYPE_NULL;
      check_mpi(PMPI_Type_create_hindexed_block(1, 1, &back, type, &from_origin),
                "MPI_Type_create_hindexed_block");
      own_.push_back(from_origin);
      check_mpi(PMPI_Type_commit(&own_.back()), "MPI_Type_commit");  // keep_whole() needs it
      add_shape(from_origin);
    }
  } catch (...) {
    free();
    throw;
  }
}

Datatype::~Datatype() {
  free();
}

void Datatype::free() {
  for (auto& [key, type] : strided_) PMPI_Type_free(&type);
  for (MPI_Datatype& type : own_) PMPI_Type_free(&type);
}

std::size_t Datatype::add_shape(MPI_Datatype type) {
  MPI_Count bytes = 0;
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  check_mpi(PMPI_Type_size_x(type, &bytes), "MPI_Type_size_x");
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  if (bytes < 0) throw MpiFailure("MPI_Type_size_x", MPI_ERR_TYPE);  // too large to be told
  const std::size_t shape = shapes_.size();
  shapes_.push_back({static_cast<std::uint64_t>(bytes), {}});
  types_.push_back(type);
  extents_.push_back(extent);
  if (shapes_[shape].bytes > limit_) {
    std::vector<Repeat> parts = parts_of(type);
    if (hold(parts, shapes_[shape].bytes)) shapes_[shape].parts = std::move(parts);
  }
  // What is taken out of another type need not be committed.
  if (shapes_[shape].parts.empty()) check_mpi(PMPI_Type_commit(&type), "MPI_Type_commit");
  return shape;
}

bool Datatype::hold(const std::vector<Repeat>& parts, std::uint64_t bytes) const {
  std::uint64_t held = 0;
  for (const Repeat& part : parts) held += bytes_of(shapes_, part);
  return held == bytes;
}

std::size_t Datatype::add_own(MPI_Datatype type) {
  own_.push_back(type);
  return add_shape(type);
}

std::size_t Datatype::add_block(MPI_Datatype type, int length) {
  if (length == 1) return add_shape(type);
  own_.reserve(own_.size() + 1);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_contiguous(length, type, &block), "MPI_Type_contiguous");
  return add_own(block);
}

std::vector<Repeat> Datatype::parts_of(MPI_Datatype type) {
  const Envelope made = envelope_of(type);
  if (made.is_predefined() || made.large > 0 || made.combiner == MPI_COMBINER_DARRAY) return {};
  const auto room = [](MPI_Count n) { return static_cast<std::size_t>(n); };
  Contents contents{std::vector<int>(room(made.numbers)),
                    std::vector<MPI_Aint>(room(made.addresses)),
                    std::vector<MPI_Datatype>(room(made.types))};
  own_.reserve(own_.size() + room(made.types));
  check_mpi(
      PMPI_Type_get_contents(type, static_cast<int>(made.numbers), static_cast<int>(made.addresses),
                             static_cast<int>(made.types), contents.numbers.data(),
                             contents.addresses.data(), contents.types.data()),
      "MPI_Type_get_contents");
  for (const MPI_Datatype contained : contents.types) {
    if (!envelope_of(contained).is_predefined()) own_.push_back(contained);
  }
  return blocks_of(made.combiner, contents);
}

std::vector<Repeat> Datatype::blocks_of(int combiner, const Contents& contents) {
  std::vector<std::size_t> held;  // a shape for each type
  for (const MPI_Datatype type : contents.types) held.push_back(add_shape(type));
  const std::vector<int>& numbers = contents.numbers;
  const std::vector<MPI_Aint>& addresses = contents.addresses;
  std::vector<Repeat> blocks;
  const auto add = [&](std::int64_t offset, int length, std::size_t shape) {
    blocks.push_back({offset, static_cast<std::uint64_t>(length), extents_[shape], shape});
  };
  const auto count = numbers.empty() ? 0U : static_cast<std::size_t>(numbers[0]);
  switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      add(0, 1, held[0]);
      break;
    case MPI_COMBINER_CONTIGUOUS:
      add(0, numbers[0], held[0]);
      break;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
      const std::int64_t stride = combiner == MPI_COMBINER_HVECTOR ? std::int64_t{addresses[0]}
                                                                   : numbers[2] * extents_[held[0]];
      blocks.push_back({0, count, stride, add_block(types_[held[0]], numbers[1])});
      break;
    }
    case MPI_COMBINER_INDEXED:
      for (std::size_t i = 1; i <= count; ++i) {
        add(numbers[count + i] * extents_[held[0]], numbers[i], held[0]);
      }
      break;
    case MPI_COMBINER_HINDEXED:
      for (std::size_t i = 0; i < count; ++i) add(addresses[i], numbers[i + 1], held[0]);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      for (std::size_t i = 0; i < count; ++i) {
        add(numbers[i + 2] * extents_[held[0]], numbers[1], held[0]);
      }
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      for (std::size_t i = 0; i < count; ++i) add(addresses[i], numbers[1], held[0]);
      break;
    case MPI_COMBINER_STRUCT:
      for (std::size_t i = 0; i < count; ++i) add(addresses[i], numbers[i + 1], held[i]);
      break;
    case MPI_COMBINER_SUBARRAY:
      return subarray_of(contents);
    default:
      break;
  }
  return blocks;
}

// Rows of rows: each dimension but the slowest becomes a type of its own.
std::vector<Repeat> Datatype::subarray_of(const Contents& contents) {
  const std::vector<int>& numbers = contents.numbers;
  const auto dimensions = static_cast<std::size_t>(numbers[0]);
  const bool is_c = numbers[3 * dimensions + 1] == MPI_ORDER_C;
  const auto number = [&](std::size_t table, std::size_t d) {  // d counts from the slowest
    return numbers[1 + table * dimensions + (is_c ? d : dimensions - 1 - d)];
  };
  MPI_Datatype row = contents.types[0];
  MPI_Count lower = 0;
  MPI_Count stride = 0;
  check_mpi(PMPI_Type_get_extent_x(row, &lower, &stride), "MPI_Type_get_extent_x");
  std::int64_t offset = 0;
  for (std::size_t d = dimensions; d-- > 0;) {
    offset += number(2, d) * std::int64_t{stride};
    if (d == 0) break;
    own_.reserve(own_.size() + 1);
    MPI_Datatype rows = MPI_DATATYPE_NULL;
    check_mpi(PMPI_Type_create_hvector(number(1, d), 1, stride, row, &rows),
              "MPI_Type_create_hvector");
    own_.push_back(rows);
    row = rows;
    stride *= number(0, d);
  }
  return {{offset, static_cast<std::uint64_t>(number(1, 0)), stride, add_shape(row)}};
}

Datatype::Counted Datatype::counted(const Repeat& slice) {
  const int count = static_cast<int>(slice.count);
  const auto strided_type = [&] {
    const auto [at, is_new] =
        strided_.try_emplace({slice.shape, slice.count, slice.stride}, MPI_DATATYPE_NULL);
    if (is_new) {
      const int code =
          PMPI_Type_create_hvector(count, 1, slice.stride, types_[slice.shape], &at->second);
      if (code != MPI_SUCCESS) strided_.erase(at);
      check_mpi(code, "MPI_Type_create_hvector");
      check_mpi(PMPI_Type_commit(&at->second), "MPI_Type_commit");
    }
    return at->second;
  };
  if (count > 1 && slice.stride != extents_[slice.shape]) return {1, strided_type()};
  return {count, types_[slice.shape]};
}

}  // namespace kith::preload
