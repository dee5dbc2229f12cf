#include "mpi/control_variable.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "mpi/late_mpi.h"

namespace kith::mpi {
namespace {

/// The tool interface counts how often it was initialised: ours does not disturb the program's.
class ToolInterface {
 public:
  ToolInterface() {
    int provided = 0;
    open_ = &PMPI_T_init_thread != nullptr &&
            PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  }
  ~ToolInterface() {
    if (open_) PMPI_T_finalize();
  }
  ToolInterface(const ToolInterface&) = delete;
  ToolInterface& operator=(const ToolInterface&) = delete;
  bool open() const { return open_; }

 private:
  bool open_;
};

/// A handle on one variable that is bound to no object.
class Variable {
 public:
  explicit Variable(const char* name) {
    int index = -1;
    if (PMPI_T_cvar_get_index(name, &index) != MPI_SUCCESS || index < 0) return;
    int bind = 0;
    int length = 0;
    int description_length = 0;
    int verbosity = 0;
    int scope = 0;
    MPI_T_enum enumeration{};
    if (PMPI_T_cvar_get_info(index, nullptr, &length, &verbosity, &type_, &enumeration, nullptr,
                             &description_length, &bind, &scope) != MPI_SUCCESS) {
      return;
    }
    if (bind != MPI_T_BIND_NO_OBJECT) return;
    good_ = PMPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count_) == MPI_SUCCESS;
  }
  ~Variable() {
    if (good_) PMPI_T_cvar_handle_free(&handle_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  std::optional<long> number() const {
    if (!good_ || count_ != 1) return std::nullopt;
    if (type_ == MPI_INT || type_ == MPI_UNSIGNED) return read<int>();
    if (type_ == MPI_C_BOOL || type_ == MPI_CXX_BOOL) return read<bool>();
    if (type_ == MPI_UNSIGNED_LONG) return read<unsigned long>();
    if (type_ == MPI_UNSIGNED_LONG_LONG) return read<unsigned long long>();
    return std::nullopt;
  }

  std::optional<std::string> text() const {
    if (!good_ || type_ != MPI_CHAR || count_ < 1) return std::nullopt;
    std::vector<char> value(static_cast<std::size_t>(count_) + 1, '\0');
    if (PMPI_T_cvar_read(handle_, value.data()) != MPI_SUCCESS) return std::nullopt;
    return std::string(value.data());
  }

 private:
  template <class Number>
  std::optional<long> read() const {
    Number value{};
    if (PMPI_T_cvar_read(handle_, &value) != MPI_SUCCESS) return std::nullopt;
    return static_cast<long>(value);
  }

  bool good_ = false;
  int count_ = 0;
  MPI_Datatype type_{};
  MPI_T_cvar_handle handle_{};
};

}  // namespace

std::optional<long> control_variable(const char* name) {
  const ToolInterface tools;
  if (!tools.open()) return std::nullopt;
  return Variable(name).number();
}

std::optional<std::string> control_variable_text(const char* name) {
  const ToolInterface tools;
  if (!tools.open()) return std::nullopt;
  return Variable(name).text();
}

}  // namespace kith::mpi
