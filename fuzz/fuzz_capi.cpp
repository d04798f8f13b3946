// SPDX-License-Identifier: Apache-2.0
//
// A program of the C API: every few bytes of the input are a call, which uses the ids that earlier calls
// returned. Calls may fail, but nothing may crash, hang or stay open. The two files are in memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "capi_objects.hpp"
#include "capi_program.hpp"
#include "capi_values.hpp"

namespace {

using namespace filigree::fuzz;

constexpr std::size_t most_calls = 200;

void call(Input& in, Pool& pool, References& references) {
  switch (in.below(9)) {
    case 0:
      return spaces(in, pool);
    case 1:
      return types(in, pool);
    case 2:
      return lists(in, pool);
    case 3:
    case 4:
      return datasets(in, pool);
    case 5:
      return attributes(in, pool);
    case 6:
      return objects(in, pool);
    case 7:
      return references.run(in, pool);
    default:
      return ids(in, pool);
  }
}

/// Runs the calls of the input on a file of its own.
void run(Input& input, hid_t access) {
  Pool pool;
  if (input.coin()) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // The id is added twice, so that most calls choose the file.
  const hid_t file = H5Fcreate("fuzz.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  pool.put(file, input);
  pool.put(file, input);
  pool.put(H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), input);
  {
    References references;
    for (std::size_t calls = 0; calls < most_calls && !input.empty(); ++calls) call(input, pool, references);
  }
  pool.close_all();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  register_links();
  Input input(data, size);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 4096, 0);
  run(input, access);
  H5Pclose(access);
  if (H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL) > 0) {
    std::fprintf(stderr, "something is still open\n");
    std::abort();
  }
  return 0;
}
