// A rank's account as bytes, between the processes of a job.
#pragma once

#include "protocol/packer.hpp"
#include "record/load.hpp"
#include "record/row.hpp"
#include "record/size_histogram.hpp"

namespace kith::record {

/// Peers as differences, every number in as few bytes as it needs: some 10 bytes a cell of a
/// stencil, where the cell in memory has 40.
void pack_cells(Packer& packer, const Cells& cells);
void pack_load(Packer& packer, const Load& load);
void pack_size_histogram(Packer& packer, const SizeHistogram& sizes);

/// These throw std::runtime_error when the bytes are cut short or are not from pack functions of
/// this file, and std::bad_alloc.
Cells unpack_cells(Unpacker& unpacker);
Load unpack_load(Unpacker& unpacker);
SizeHistogram unpack_size_histogram(Unpacker& unpacker);

}  // namespace kith::record
