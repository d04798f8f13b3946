// SPDX-License-Identifier: Apache-2.0
//
// later_types_driver FILE: creates objects and attributes whose datatype HDF5 1.10 does not know, between
// others that it knows.
#include <filigree/filigree.hpp>

using namespace filigree;

int main(int, char** arguments) {
  File file = File::create(arguments[1], CreateMode::truncate);
  Group root = file.root();
  const Dataspace three = Dataspace::simple({3});
  const Datatype number = Datatype::of<int>();
  const Datatype complex = Datatype::complex(Datatype::of<double>());
  const Datatype reference = Datatype::reference(ReferenceKind::any);
  const Datatype record = Datatype::packed_compound({Member{"a", number}, Member{"z", complex}});
  root.create_dataset("a_known", number, three).write(std::vector<int>{1, 2, 3});
  root.create_dataset("complex", complex, three);
  root.create_dataset("complex_array", Datatype::array(complex, {2}), three);
  root.create_dataset("complex_member", record, three);
  root.create_dataset("reference", reference, three);
  root.create_dataset("reference_sequence", Datatype::sequence(reference), three);
  root.commit("type", complex);
  Group group = root.create_group("group");
  group.create_attribute("first", number, Dataspace::scalar());
  group.create_attribute("second", reference, Dataspace::scalar());
  Dataset marked = root.create_dataset("marked", number, three);
  marked.create_attribute("complex", complex, Dataspace::scalar());
  Dataset last = root.create_dataset("z_known", number, three);
  last.create_attribute("known", number, Dataspace::scalar());
  file.close();
  return 0;
}
