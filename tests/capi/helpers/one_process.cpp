// SPDX-License-Identifier: Apache-2.0
//
// Three libraries in one process: Filigree and the reference HDF5 are linked, Filigree's C API is loaded
// (argv[1]). Each writes a file, and each reads those of the others.
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

#include <hdf5.h>  // of the reference
#include <filigree/filigree.hpp>

namespace {

using Values = std::vector<int>;

void* library = nullptr;

template <class Function>
Function* find(const char* name) {
  auto* const found = reinterpret_cast<Function*>(dlsym(library, name));
  if (found == nullptr) std::printf("no %s\n", name);
  return found;
}

hid_t loaded_id(const char* name) { return *reinterpret_cast<hid_t*>(dlsym(library, name)); }

void write_with_filigree(const char* path, const Values& values) {
  filigree::File file = filigree::File::create(path);
  file.root()
      .create_dataset("x", filigree::Datatype::of<int>(), filigree::Dataspace::simple({values.size()}))
      .write(values);
  file.close();
}

Values read_with_filigree(const char* path) {
  return filigree::File::open(path).root().open_dataset("x").read<Values>();
}

void write_with_reference(const char* path, const Values& values) {
  const hsize_t count = values.size();
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
              space = H5Screate_simple(1, &count, nullptr);
  const hid_t set = H5Dcreate2(file, "x", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

Values read_with_reference(const char* path) {
  Values values(4);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "x", H5P_DEFAULT);
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Fclose(file);
  return values;
}

void write_with_loaded(const char* path, const Values& values) {
  const hsize_t count = values.size();
  const hid_t file = find<decltype(H5Fcreate)>("H5Fcreate")(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = find<decltype(H5Screate_simple)>("H5Screate_simple")(1, &count, nullptr);
  const hid_t set = find<decltype(H5Dcreate2)>("H5Dcreate2")(file, "x", loaded_id("H5T_STD_I32LE_g"), space,
                                                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  find<decltype(H5Dwrite)>("H5Dwrite")(set, loaded_id("H5T_NATIVE_INT_g"), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                       values.data());
  find<decltype(H5Dclose)>("H5Dclose")(set);
  find<decltype(H5Sclose)>("H5Sclose")(space);
  find<decltype(H5Fclose)>("H5Fclose")(file);
}

Values read_with_loaded(const char* path) {
  Values values(4);
  const hid_t file = find<decltype(H5Fopen)>("H5Fopen")(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = find<decltype(H5Dopen2)>("H5Dopen2")(file, "x", H5P_DEFAULT);
  find<decltype(H5Dread)>("H5Dread")(set, loaded_id("H5T_NATIVE_INT_g"), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                     values.data());
  find<decltype(H5Dclose)>("H5Dclose")(set);
  find<decltype(H5Fclose)>("H5Fclose")(file);
  return values;
}

void report(const char* writer, const char* reader, const Values& found, const Values& wanted) {
  std::printf("%s -> %s: %s\n", writer, reader, found == wanted ? "same" : "different");
}

}  // namespace

int main(int, char** arguments) {
  // The symbols of the reference are global, because it is linked. Ours must resolve its own symbols first.
  library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  find<decltype(H5open)>("H5open")();
  unsigned reference_minor = 0, our_minor = 0;
  H5get_libversion(nullptr, &reference_minor, nullptr);
  find<decltype(H5get_libversion)>("H5get_libversion")(nullptr, &our_minor, nullptr);
  std::printf("two libraries: %d\n", static_cast<int>(reference_minor != our_minor));
  const struct {
    const char* name;
    void (*write)(const char*, const Values&);
    Values (*read)(const char*);
  } sides[] = {{"filigree", write_with_filigree, read_with_filigree},
               {"reference", write_with_reference, read_with_reference},
               {"loaded", write_with_loaded, read_with_loaded}};
  for (const auto& writer : sides) {
    const Values values{static_cast<int>(writer.name[0]), 2, 3, 4};
    const std::string path = std::string(writer.name) + ".h5";
    writer.write(path.c_str(), values);
    for (const auto& reader : sides) report(writer.name, reader.name, reader.read(path.c_str()), values);
  }
}
