// SPDX-License-Identifier: Apache-2.0
//
// A tour of HDF5's own C++ library (H5Cpp.h), which Debian builds on the C library of 1.10.
#include <H5Cpp.h>

#include <iostream>
#include <string>
#include <vector>

using namespace H5;

namespace {

struct Record {
  int number;
  double value;
};

CompType record_type() {
  CompType type(sizeof(Record));
  type.insertMember("number", HOFFSET(Record, number), PredType::NATIVE_INT);
  type.insertMember("value", HOFFSET(Record, value), PredType::NATIVE_DOUBLE);
  return type;
}

void write_chunked(H5File& file) {
  const hsize_t dims[2] = {4, 6}, most[2] = {H5S_UNLIMITED, 6}, chunk[2] = {2, 3};
  DSetCreatPropList plist;
  plist.setChunk(2, chunk);
  plist.setDeflate(4);
  const int fill = -7;
  plist.setFillValue(PredType::NATIVE_INT, &fill);
  DataSet set = file.createDataSet("numbers", PredType::STD_I32BE, DataSpace(2, dims, most), plist);
  std::vector<int> values(24);
  for (int i = 0; i < 24; ++i) values[i] = i * i;
  set.write(values.data(), PredType::NATIVE_INT);
  const hsize_t larger[2] = {5, 6};
  set.extend(larger);
  Attribute text = set.createAttribute("unit", StrType(PredType::C_S1, 5), DataSpace(H5S_SCALAR));
  text.write(text.getStrType(), std::string("metre"));
}

void write_records(H5File& file) {
  Group group = file.createGroup("group");
  const hsize_t count = 3;
  DataSet set = group.createDataSet("records", record_type(), DataSpace(1, &count));
  const Record records[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}};
  set.write(records, record_type());
  EnumType colours(PredType::NATIVE_INT);
  int value = 0;
  for (const char* name : {"red", "green"}) {
    colours.insert(name, &value);
    ++value;
  }
  colours.commit(group, "colours");
  group.link(H5L_TYPE_SOFT, "/numbers", "soft");
  StrType variable(PredType::C_S1, H5T_VARIABLE);
  Attribute names = group.createAttribute("names", variable, DataSpace(H5S_SCALAR));
  names.write(variable, std::string("of variable length"));
}

herr_t see_link(hid_t, const char* name, const H5L_info_t*, void*) {
  std::cout << "link " << name << '\n';
  return 0;
}

void see_attribute(H5Object&, const std::string name, void*) { std::cout << "attribute " << name << '\n'; }

void read_numbers(H5File& file) {
  DataSet set = file.openDataSet("numbers");
  hsize_t dims[2], most[2];
  const DataSpace space = set.getSpace();
  std::cout << space.getSimpleExtentNdims() << " dimensions, " << space.getSimpleExtentDims(dims, most)
            << ": " << dims[0] << " x " << dims[1] << ", class " << set.getTypeClass() << ", order "
            << set.getIntType().getOrder() << '\n';
  DataSpace part = set.getSpace();
  const hsize_t start[2] = {2, 1}, count[2] = {3, 2};
  part.selectHyperslab(H5S_SELECT_SET, count, start);
  int values[6];
  const hsize_t six = 6;
  set.read(values, PredType::NATIVE_INT, DataSpace(1, &six), part);
  for (const int value : values) std::cout << value << ' ';
  std::cout << '\n';
  DSetCreatPropList plist = set.getCreatePlist();
  hsize_t chunk[2];
  std::cout << "layout " << plist.getLayout() << ", chunks of rank " << plist.getChunk(2, chunk) << ", "
            << chunk[1] << ", filters " << plist.getNfilters() << '\n';
  Attribute unit = set.openAttribute("unit");
  std::string text;
  unit.read(unit.getStrType(), text);
  std::cout << unit.getName() << " of " << unit.getFileName() << ": " << text << '\n';
  set.iterateAttrs(see_attribute, nullptr, nullptr);
}

void read_group(H5File& file) {
  Group group = file.openGroup("group");
  std::cout << group.getNumObjs() << " objects in " << group.getObjName() << '\n';
  for (hsize_t i = 0; i < group.getNumObjs(); ++i)
    std::cout << group.getObjnameByIdx(i) << ": " << group.childObjType(i) << '\n';
  H5Literate(group.getId(), H5_INDEX_NAME, H5_ITER_INC, nullptr, see_link, nullptr);
  Record records[3];
  group.openDataSet("records").read(records, record_type());
  std::cout << records[2].number << ' ' << records[2].value << '\n';
  const EnumType colours = group.openEnumType("colours");
  int green = 1;
  std::cout << colours.getNmembers() << ' ' << colours.nameOf(&green, 20) << ' ' << colours.committed()
            << '\n';
  std::string text;
  Attribute names = group.openAttribute("names");
  names.read(names.getStrType(), text);
  std::cout << text << '\n';
}

/// What the library of HDF5 itself asks of ids: it decides by their type what to close.
void show_ids(H5File& file) {
  std::cout << IdComponent::getHDFObjType(file.getId())
            << IdComponent::getHDFObjType(file.openGroup("group").getId())
            << IdComponent::getHDFObjType(file.openDataSet("numbers").openAttribute("unit").getId())
            << IdComponent::getHDFObjType(file.getAccessPlist().getId()) << '\n';
  std::cout << file.getObjCount(H5F_OBJ_ALL) << ' ' << file.getCounter() << '\n';
  FileAccPropList access = file.getAccessPlist();
  H5F_libver_t low, high;
  access.getLibverBounds(low, high);
  std::cout << low << ' ' << high << ' ' << file.getAccessPlist().getClassName() << '\n';
  std::cout << (FileAccPropList() == FileAccPropList::DEFAULT) << '\n';
}

template <class Work>
void show_failure(const char* what, Work&& work) {
  try {
    work();
    std::cout << what << " succeeds\n";
  } catch (const Exception& failure) {
    std::cout << what << ": " << failure.getFuncName() << ", " << failure.getDetailMsg() << '\n';
  }
}

}  // namespace

int main() {
  Exception::dontPrint();
  {
    H5File file("tour.h5", H5F_ACC_TRUNC);
    write_chunked(file);
    write_records(file);
  }
  H5File file("tour.h5", H5F_ACC_RDWR);
  read_numbers(file);
  read_group(file);
  show_ids(file);
  show_failure("opening nothing", [&] { file.openDataSet("nothing"); });
  show_failure("a group as dataset", [&] { file.openDataSet("group"); });
  show_failure("creating twice", [&] { file.createGroup("group"); });
  show_failure("no file", [&] { H5File("absent.h5", H5F_ACC_RDONLY); });
  show_failure("an attribute", [&] { file.openDataSet("numbers").openAttribute("none"); });
  file.unlink("group/soft");
  std::cout << file.openGroup("group").getNumObjs() << ' ' << file.nameExists("group") << '\n';
  unsigned major, minor, release;
  H5Library::getLibVersion(major, minor, release);
  std::cout << major << '.' << minor << '.' << release << '\n';
  return 0;
}
