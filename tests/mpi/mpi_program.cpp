// SPDX-License-Identifier: Apache-2.0
//
// What programs_test.py runs under mpirun: mpi_program COMMAND FILE.
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <filigree/filigree.hpp>
#include <filigree/mpi.hpp>

namespace {

using namespace filigree;

constexpr std::uint64_t columns = 50;
int rank = 0, ranks = 1;

TransferOptions together() {
  TransferOptions options;
  options.collective = true;
  return options;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

std::vector<int> rows_of(std::uint64_t first, std::uint64_t count) {
  std::vector<int> values(count * columns);
  std::iota(values.begin(), values.end(), static_cast<int>(first * columns));
  return values;
}

std::uint64_t self() { return static_cast<std::uint64_t>(rank); }

/// Datasets of all kinds that can be written. Element i has the value i.
void write_file(const std::string& path) {
  File file = mpi::create(path, CreateMode::truncate);
  Group root = file.root();
  root.set_attribute("ranks", ranks);
  const std::uint64_t rows = 4 * static_cast<std::uint64_t>(ranks);
  DatasetOptions chunked;
  chunked.chunk = {3, 7};
  for (const char* kind : {"contiguous", "chunked", "extensible", "deflated"}) {
    const bool extends = std::strcmp(kind, "extensible") == 0;
    const bool plain = std::strcmp(kind, "contiguous") == 0;
    const bool deflated = std::strcmp(kind, "deflated") == 0;
    if (deflated) chunked.filters = {filters::shuffle(), filters::deflate(1)};
    Group group = root.create_group(kind);
    for (const char* how : {"collective", "independent", "scattered"}) {
      const auto space = extends ? Dataspace::simple({1, columns}, {unlimited, columns})
                                 : Dataspace::simple({rows, columns});
      Dataset data = group.create_dataset<int>(how, space, plain ? DatasetOptions{} : chunked);
      if (extends) data.resize({rows, columns});
      const auto mine = Selection::box({4 * self(), 0}, {4, columns});
      if (std::strcmp(how, "collective") == 0) data.write(rows_of(4 * self(), 4), mine, together());
      // Chunks with filters are written collectively only.
      if (std::strcmp(how, "independent") == 0)
        data.write(rows_of(4 * self(), 4), mine, deflated ? together() : TransferOptions{});
      if (std::strcmp(how, "scattered") != 0) continue;
      std::vector<double> values;
      std::vector<std::uint64_t> offsets;
      for (std::uint64_t i = self(); i < rows * columns; i += static_cast<std::uint64_t>(ranks)) {
        offsets.push_back(i);
        values.push_back(static_cast<double>(i));
      }
      data.write(values, Selection::of_offsets({rows, columns}, offsets), together());
    }
  }
  file.flush();
  require(root.open_dataset("chunked/scattered").read<std::vector<int>>({}, together()) == rows_of(0, rows),
          "the chunked dataset is not as it was written");
  file.close();
}

/// Reads what write() or another program wrote. Every dataset has element i = i.
void check_file(const std::string& path) {
  File file = mpi::open(path);
  std::size_t seen = 0;
  for (const char* kind : {"contiguous", "chunked", "extensible", "deflated"}) {
    if (!file.root().has_link(kind)) continue;
    const Group group = file.root().open_group(kind);
    for (const char* how : {"collective", "independent", "scattered"}) {
      const Dataset data = group.open_dataset(how);
      const std::uint64_t rows = data.space().dims()[0];
      const auto all = rows_of(0, rows);
      require(data.read<std::vector<int>>() == all, "an independent read is wrong");
      require(data.read<std::vector<int>>({}, together()) == all, "a collective read is wrong");
      const bool reads = self() < rows;
      const auto row = data.read<std::vector<int>>(
          reads ? Selection::box({self(), 0}, {1, columns}) : Selection::none(), together());
      require(row == (reads ? rows_of(self(), 1) : std::vector<int>()), "a collective row is wrong");
      ++seen;
    }
  }
  file.close();
  if (rank == 0) std::printf("%zu datasets\n", seen);
}

/// Adds to a file that another library wrote.
void extend_file(const std::string& path) {
  File file = mpi::open(path, OpenMode::read_write);
  auto data = file.root().create_group("added").create_dataset<int>("d", Dataspace::simple({40}));
  std::vector<int> values(10, rank);
  if (rank < 4) data.write(values, Selection::box({10 * self()}, {10}));
  file.root().set_attribute("added", 1);
  file.close();
}

void one_group(const std::string& path) {
  File file = mpi::create(path, CreateMode::truncate);
  if (rank == 1) file.root().create_group("alone");
  file.close();
}

void other_groups(const std::string& path) {
  File file = mpi::create(path, CreateMode::truncate);
  file.root().create_group("g" + std::to_string(rank));
  file.close();
}

void missing_write(const std::string& path) {
  File file = mpi::create(path, CreateMode::truncate);
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({16}));
  if (rank != 1) data.write(1, Selection::box({self()}, {1}), together());
  file.close();
}

void other_extents(const std::string& path) {
  File file = mpi::create(path, CreateMode::truncate);
  DatasetOptions options;
  options.chunk = {4};
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({1}, {unlimited}), options);
  data.resize({10 + self()});
  file.close();
}

/// Errors that this program makes MPI-IO return on rank 1: in the opening of a file, and in its first write.
bool fails_to_open = false, fails_to_write = false;
MPI_File half_open = MPI_FILE_NULL;  ///< a file of which the library was told that it cannot be opened

/// In several requests to MPI-IO, the first of which fails on rank 1. A retry succeeds.
void failing_round(const std::string& path) {
  mpi::MpiOptions options;
  MPI_Info_create(&options.info);
  MPI_Info_set(options.info, "filigree_request_bytes", "1000");
  File file = mpi::create(path, CreateMode::truncate, options);
  MPI_Info_free(&options.info);
  const std::uint64_t rows = 20 * static_cast<std::uint64_t>(ranks);
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({rows, columns}));
  file.flush();
  const auto write = [&] {
    data.write(rows_of(20 * self(), 20), Selection::box({20 * self(), 0}, {20, columns}), together());
  };
  fails_to_write = rank == 1;
  bool failed = false;
  try {
    write();
  } catch (const Error& error) {
    failed = true;
    std::printf("rank %d: %s\n", rank, error.what());
  }
  require(failed, "the failure of rank 1 was not thrown");
  write();
  require(data.read<std::vector<int>>({}, together()) == rows_of(0, rows), "the retry did not write");
  file.close();
}

/// A file that is left open until after MPI_Finalize. Closing it throws, and the destructor does nothing.
void left_open(const std::string& path) {
  static File file = mpi::create(path, CreateMode::truncate);
  file.root().create_group("g");
  file.flush();
}

void other_paths(const std::string& path) {
  mpi::create(path + std::to_string(rank % 2), CreateMode::truncate);
}

void unopened(const std::string& path) {
  fails_to_open = rank == 1;
  mpi::create(path, CreateMode::exclusive);
}

void absent(const std::string& path) { mpi::open(path + ".absent"); }

void existing(const std::string& path) { mpi::create(path, CreateMode::exclusive); }

}  // namespace

// These replace the functions of MPI, which the library calls, and so they are exported.
#define REPLACES_MPI __attribute__((visibility("default")))

REPLACES_MPI int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* bytes, int count,
                                       MPI_Datatype type, MPI_Status* status) {
  if (!std::exchange(fails_to_write, false))
    return PMPI_File_write_at_all(file, at, bytes, count, type, status);
  PMPI_File_write_at_all(file, at, bytes, 0, MPI_BYTE, status);
  return MPI_ERR_IO;
}
REPLACES_MPI int MPI_File_open(MPI_Comm members, const char* path, int mode, MPI_Info info, MPI_File* file) {
  const int code = PMPI_File_open(members, path, mode, info, file);
  if (!fails_to_open || code != MPI_SUCCESS) return code;
  half_open = std::exchange(*file, MPI_FILE_NULL);
  return MPI_ERR_IO;
}
/// Closing is collective: the rank that has no file takes part before it gives up the communicator.
REPLACES_MPI int MPI_Comm_free(MPI_Comm* members) {
  if (half_open != MPI_FILE_NULL) PMPI_File_close(&half_open);
  return PMPI_Comm_free(members);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::map<std::string, std::function<void(const std::string&)>> commands{
      {"write", write_file},
      {"check", check_file},
      {"extend", extend_file},
      {"one_group", one_group},
      {"other_groups", other_groups},
      {"missing_write", missing_write},
      {"other_extents", other_extents},
      {"failing_round", failing_round},
      {"left_open", left_open},
      {"other_paths", other_paths},
      {"unopened", unopened},
      {"absent", absent},
      {"existing", existing}};
  int code = 2;
  if (argc == 3 && commands.contains(argv[1])) {
    code = 0;
    try {
      commands.at(argv[1])(argv[2]);
    } catch (const Error& error) {
      std::printf("rank %d: %s: %s\n", rank, std::string(to_string(error.kind())).c_str(), error.what());
      code = 1;
    } catch (const std::exception& error) {
      std::printf("rank %d: %s\n", rank, error.what());
      code = 1;
    }
  }
  std::fflush(stdout);
  MPI_Finalize();
  return code;
}
