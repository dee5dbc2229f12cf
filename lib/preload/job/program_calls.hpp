// What the program may ask of Kith without a setting.
#pragma once

namespace kith::runtime {

/// Functions that a part of the program refers to.
struct ProgramCalls {
  bool kith = false;        ///< kith.h
  bool python = false;      ///< a Python interpreter, which can load kith.h's functions later
  bool maps = false;        ///< MPI_Cart_map, MPI_Graph_map
  bool topologies = false;  ///< MPI's functions with an argument `reorder`
};

}  // namespace kith::runtime
