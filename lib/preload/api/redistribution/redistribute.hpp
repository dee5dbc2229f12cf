// kith_redistribute: data follows the ranks to their new processes.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "api/redistribution/slices.hpp"
#include "mpi/late_mpi.h"

namespace kith::preload {

/// What kith_redistribute() says; `from` is a communicator of one group. Throws MpiFailure where
/// members cannot talk to each other, and std::bad_alloc.
int redistribute(MPI_Comm from, MPI_Comm to, void* buffer, MPI_Count count, MPI_Datatype type);

/// Holds the handles of the parts; the program's own datatype must outlive it.
class Datatype {
 public:
  /// Shape 0 is `type`, which is fit for communication. Types of more than `limit` bytes are taken
  /// apart, except for MPI_Type_create_darray's and what a large count was needed for, which stay
  /// whole. Its places are told from address `origin` on: 0 as they are. Throws MpiFailure and
  /// std::bad_alloc.
  Datatype(MPI_Datatype type, std::uint64_t limit, MPI_Aint origin);
  ~Datatype();
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;

  const Shapes& shapes() const { return shapes_; }
  std::int64_t extent() const { return extents_[0]; }
  /// From now on an element travels in one piece.
  void keep_whole() { shapes_[0].parts.clear(); }

  /// A slice as MPI takes it. Throws MpiFailure and std::bad_alloc.
  struct Counted {
    int count = 0;
    MPI_Datatype type;
  };
  Counted counted(const Repeat& slice);

 private:
  struct Contents;

  std::size_t add_shape(MPI_Datatype type);
  /// The type is ours to free.
  std::size_t add_own(MPI_Datatype type);
  /// `length` of them in a row.
  std::size_t add_block(MPI_Datatype type, int length);
  bool hold(const std::vector<Repeat>& parts, std::uint64_t bytes) const;
  std::vector<Repeat> parts_of(MPI_Datatype type);
  std::vector<Repeat> blocks_of(int combiner, const Contents& contents);
  std::vector<Repeat> subarray_of(const Contents& contents);
  void free();

  std::uint64_t limit_;
  Shapes shapes_;
  std::vector<MPI_Datatype> types_;    ///< by shape
  std::vector<std::int64_t> extents_;  ///< by shape
  std::vector<MPI_Datatype> own_;
  /// Made for slices of pieces that do not lie one behind the other: by shape, count and stride.
  std::map<std::tuple<std::size_t, std::uint64_t, std::int64_t>, MPI_Datatype> strided_;
};

}  // namespace kith::preload
