// The program `kith`: exceptions become exit codes and one line on stderr.
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "command.hpp"
#include "io/atomic_file.hpp"
#include "kith/error.hpp"
#include "launch/own_cpus.hpp"
#include "output.hpp"

namespace {

int fail(kith::ErrorKind kind, std::string_view message) {
  kith::tools::tell(message);
  return static_cast<int>(kind);
}

}  // namespace

int main(int argc, char** argv) {
  using kith::ErrorKind;
  kith::tools::give_back_own_cpus();
  kith::tools::ignore_closed_pipes();
  kith::remove_temporaries_on_signals();
  try {
    kith::tools::run_command_line({argv + (argc > 0 ? 1 : 0), argv + argc});
    return 0;
  } catch (const kith::tools::ProgramFailed& failure) {
    kith::tools::tell(failure.message);
    return failure.status;
  } catch (const kith::Error& error) {
    const bool ours = error.kind() == ErrorKind::internal;
    return fail(error.kind(), (ours ? "a bug of ours: " : "") + kith::tools::message_of(error));
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::environment, "not enough memory for this input");
  } catch (const std::length_error&) {
    return fail(ErrorKind::environment, "more memory would be needed than there can be");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ErrorKind::environment, error.what());
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal, std::string("a bug of ours: ") + error.what());
  } catch (...) {
    return fail(ErrorKind::internal, "a bug of ours: an exception without a name");
  }
}
