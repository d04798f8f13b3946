// SPDX-License-Identifier: Apache-2.0
//
// Compares conversions between random structured types with those of the HDF5 library in the same process:
// `convert_structures_driver FIRST_SEED COUNT`. Prints the differences and their seeds.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <hdf5.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace {

using namespace filigree;
using format::CompoundMember;
using format::DatatypeMessage;
using format::TypeClass;
using format::VariableKind;

std::mt19937 chance;

unsigned below(unsigned end) { return std::uniform_int_distribution<unsigned>(0, end - 1)(chance); }
bool once_in(unsigned n) { return below(n) == 0; }

/// The memory of everything that the values of one case point to. HDF5 allocates from it, too.
struct Arena {
  std::vector<std::unique_ptr<std::byte[]>> blocks;
  void* allocate(std::size_t bytes) {
    blocks.push_back(std::make_unique<std::byte[]>(std::max<std::size_t>(bytes, 1)));
    return blocks.back().get();
  }
  static void* allocate(std::size_t bytes, void* arena) {
    return static_cast<Arena*>(arena)->allocate(bytes);
  }
  static void release(void*, void*) {}
};

// Types, made by HDF5. They are never closed, since the process is short.

hid_t random_number() {
  const hid_t numbers[] = {H5T_STD_I8LE,  H5T_STD_U8LE,  H5T_STD_I16LE,  H5T_STD_I16BE,
                           H5T_STD_U32LE, H5T_STD_I64BE, H5T_IEEE_F32LE, H5T_IEEE_F64BE};
  return numbers[below(std::size(numbers))];
}

hid_t random_string(H5T_cset_t set) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 1 + below(9));
  H5Tset_strpad(type, static_cast<H5T_str_t>(below(3)));
  H5Tset_cset(type, set);
  return type;
}

/// Always ASCII: HDF5 takes the character sets for equal when both strings are in memory, we do not.
hid_t variable_string() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}

std::vector<std::string> some_names(unsigned of) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < of; ++i) {
    if (!once_in(4)) names.push_back("name" + std::to_string(i));
  }
  if (names.empty()) names.push_back("name0");
  std::ranges::shuffle(names, chance);
  return names;
}

hid_t enumeration_of(const std::vector<std::string>& names) {
  const hid_t bases[] = {H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_U32BE};
  const hid_t base = bases[below(std::size(bases))];
  const hid_t type = H5Tenum_create(base);
  unsigned value = below(5);
  for (const std::string& name : names) {
    long long bytes = value;
    H5Tconvert(H5T_NATIVE_LLONG, base, 1, &bytes, nullptr, H5P_DEFAULT);
    H5Tenum_insert(type, name.c_str(), &bytes);
    value += 1 + below(3);
  }
  return type;
}

hid_t compound_of(const std::vector<std::pair<std::string, hid_t>>& members) {
  // Offsets need not grow with the members' numbers.
  std::vector<std::size_t> order(members.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (once_in(3)) std::ranges::shuffle(order, chance);
  std::vector<std::size_t> offsets(members.size());
  std::size_t at = 0;
  for (const std::size_t i : order) {
    if (once_in(3)) at += below(5);
    offsets[i] = at;
    at += H5Tget_size(members[i].second);
  }
  const hid_t type = H5Tcreate(H5T_COMPOUND, at + below(4));
  for (std::size_t i = 0; i < members.size(); ++i) {
    H5Tinsert(type, members[i].first.c_str(), offsets[i], members[i].second);
  }
  return type;
}

hid_t random_type(unsigned depth);

hid_t random_compound(unsigned depth) {
  std::vector<std::pair<std::string, hid_t>> members;
  for (const std::string& name : some_names(5)) members.emplace_back(name, random_type(depth - 1));
  return compound_of(members);
}

hid_t random_opaque() {
  const hid_t type = H5Tcreate(H5T_OPAQUE, 1 + below(5));
  H5Tset_tag(type, once_in(2) ? "one" : "other");
  return type;
}

hid_t random_array(unsigned depth) {
  const hsize_t dims[2] = {1 + below(3), 1 + below(3)};
  return H5Tarray_create2(random_type(depth - 1), 1 + below(2), dims);
}

hid_t random_type(unsigned depth) {
  const H5T_cset_t set = once_in(4) ? H5T_CSET_UTF8 : H5T_CSET_ASCII;
  switch (below(depth == 0 ? 7 : 13)) {
    case 0:
    case 1:
      return random_number();
    case 2:
      return random_string(set);
    case 3:
      return variable_string();
    case 4:
      return enumeration_of(some_names(6));
    case 5:
      return random_opaque();
    case 6:
      return once_in(2) ? H5T_STD_REF_OBJ : H5T_STD_REF_DSETREG;
    case 7:
    case 8:
      return random_array(depth);
    case 9:
    case 10:
      return H5Tvlen_create(random_type(depth - 1));
    default:
      return random_compound(depth);
  }
}

/// A type to which the other one is usually convertible.
hid_t changed(hid_t type, unsigned depth);

hid_t changed_compound(hid_t type, unsigned depth) {
  std::vector<std::pair<std::string, hid_t>> members;
  for (unsigned i = 0; i < static_cast<unsigned>(H5Tget_nmembers(type)); ++i) {
    if (once_in(5)) continue;
    char* name = H5Tget_member_name(type, i);
    members.emplace_back(name, changed(H5Tget_member_type(type, i), depth - 1));
    H5free_memory(name);
  }
  if (members.empty() || once_in(4)) members.emplace_back("added", random_type(0));
  if (once_in(2)) std::ranges::shuffle(members, chance);
  return compound_of(members);
}

/// Usually with all names of the other one.
hid_t changed_enumeration(hid_t type) {
  if (once_in(4)) return random_number();
  if (once_in(8)) return enumeration_of(some_names(6));
  std::vector<std::string> names{"added"};
  for (unsigned i = 0; i < static_cast<unsigned>(H5Tget_nmembers(type)); ++i) {
    char* name = H5Tget_member_name(type, i);
    names.emplace_back(name);
    H5free_memory(name);
  }
  std::ranges::shuffle(names, chance);
  return enumeration_of(names);
}

hid_t changed_text(hid_t type) {
  const H5T_cset_t set = once_in(12) ? H5T_CSET_UTF8 : H5Tget_cset(type);
  const bool variable = (H5Tis_variable_str(type) > 0) != once_in(12);
  return variable ? variable_string() : random_string(set);
}

hid_t changed(hid_t type, unsigned depth) {
  depth = std::min(depth, 3u);
  if (once_in(6)) return type;
  if (once_in(60)) return random_type(1);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_FLOAT:
      return random_number();
    case H5T_STRING:
      return changed_text(type);
    case H5T_ENUM:
      return changed_enumeration(type);
    case H5T_COMPOUND:
      return changed_compound(type, depth);
    case H5T_ARRAY: {
      hsize_t dims[2] = {};
      const int rank = H5Tget_array_dims2(type, dims);
      if (once_in(20)) dims[0] += 1;
      return H5Tarray_create2(changed(H5Tget_super(type), depth - 1), static_cast<unsigned>(rank), dims);
    }
    case H5T_VLEN:
      return H5Tvlen_create(changed(H5Tget_super(type), depth - 1));
    default:
      return type;
  }
}

// The same types as ours, in C form.

Buffer reference_message(hid_t type) {
  std::size_t bytes = 0;
  H5Tencode(type, nullptr, &bytes);
  Buffer encoded(bytes);
  H5Tencode(type, encoded.data(), &bytes);
  return {encoded.begin() + 2, encoded.end()};
}

DatatypeMessage ours(hid_t type);

DatatypeMessage our_compound(hid_t type) {
  DatatypeMessage compound;
  compound.type_class = TypeClass::compound;
  compound.size = static_cast<std::uint32_t>(H5Tget_size(type));
  for (unsigned i = 0; i < static_cast<unsigned>(H5Tget_nmembers(type)); ++i) {
    char* name = H5Tget_member_name(type, i);
    const auto offset = static_cast<std::uint32_t>(H5Tget_member_offset(type, i));
    compound.members.push_back({name, offset, {}, 0, ours(H5Tget_member_type(type, i))});
    H5free_memory(name);
  }
  return compound;
}

DatatypeMessage our_array(hid_t type) {
  DatatypeMessage array;
  array.type_class = TypeClass::array;
  array.size = static_cast<std::uint32_t>(H5Tget_size(type));
  hsize_t dims[2] = {};
  const int rank = H5Tget_array_dims2(type, dims);
  for (int i = 0; i < rank; ++i) array.dims.push_back(static_cast<std::uint32_t>(dims[i]));
  array.base.push_back(ours(H5Tget_super(type)));
  return array;
}

DatatypeMessage ours(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_COMPOUND:
      return our_compound(type);
    case H5T_ARRAY:
      return our_array(type);
    case H5T_VLEN: {
      DatatypeMessage sequence;
      sequence.type_class = TypeClass::variable_length;
      sequence.base.push_back(ours(H5Tget_super(type)));
      sequence.container = &type::c_sequence;
      sequence.size = sequence.container->bytes;
      return sequence;
    }
    default: {
      const format::Widths widths{8, 8};
      DatatypeMessage other = type::c_type(format::decode<DatatypeMessage>(reference_message(type), widths));
      other.version = 1;  // set_versions() must choose the right one
      return other;
    }
  }
}

// Values.

void fill(const DatatypeMessage& type, std::byte* to, Arena& arena);

void fill_variable(const DatatypeMessage& type, std::byte* to, Arena& arena) {
  const unsigned count = below(4);
  if (type.variable == VariableKind::string) {
    if (once_in(5)) return type::c_string.clear(to);
    char* text = static_cast<char*>(arena.allocate(count + 1));
    for (unsigned i = 0; i < count; ++i) text[i] = static_cast<char>('a' + below(3));
    std::memcpy(to, &text, sizeof text);
    return;
  }
  const std::size_t bytes = type.base[0].size;
  const hvl_t value{count, count == 0 ? nullptr : arena.allocate(count * bytes)};
  for (unsigned i = 0; i < count; ++i) {
    fill(type.base[0], static_cast<std::byte*>(value.p) + i * bytes, arena);
  }
  std::memcpy(to, &value, sizeof value);
}

/// A value that all of the types can represent.
void fill_number(const DatatypeMessage& type, std::byte* to) {
  const auto value = static_cast<double>(below(100));
  const auto conversion = type::prepare(format::ieee_float(8), type);
  conversion->apply({reinterpret_cast<const std::byte*>(&value), 8, to, type.size, 1}, {});
}

void fill(const DatatypeMessage& type, std::byte* to, Arena& arena) {
  switch (type.type_class) {
    case TypeClass::fixed_point:
    case TypeClass::floating_point:
      return fill_number(type, to);
    case TypeClass::compound:
      std::memset(to, 0xee, type.size);
      for (const CompoundMember& m : type.members) fill(m.type, to + m.byte_offset, arena);
      return;
    case TypeClass::array:
      for (std::uint32_t at = 0; at < type.size; at += type.base[0].size) fill(type.base[0], to + at, arena);
      return;
    case TypeClass::variable_length:
      return fill_variable(type, to, arena);
    case TypeClass::enumeration: {
      if (once_in(8)) return fill_number(type.base[0], to);
      const std::size_t which = below(static_cast<unsigned>(type.enum_names.size()));
      std::memcpy(to, type.enum_values.data() + which * type.size, type.size);
      return;
    }
    case TypeClass::string:
      for (std::uint32_t i = 0; i < type.size; ++i) to[i] = static_cast<std::byte>("abc \0"[below(5)]);
      return;
    default:
      for (std::uint32_t i = 0; i < type.size; ++i) to[i] = static_cast<std::byte>(below(256));
  }
}

// Comparing.

const DatatypeMessage* find_member(const DatatypeMessage& type, const std::string& name) {
  const auto found = std::ranges::find(type.members, name, &CompoundMember::name);
  return found == type.members.end() ? nullptr : &found->type;
}

/// Whether an enumeration in it has a name that its counterpart lacks. HDF5 refuses most such pairs, and
/// converts the others by an index that it has never set.
bool loses_names(const DatatypeMessage& from, const DatatypeMessage& to) {
  if (from.type_class != to.type_class || format::same_type(from, to)) return false;
  for (const std::string& name : from.enum_names) {
    if (std::ranges::find(to.enum_names, name) == to.enum_names.end()) return true;
  }
  for (const CompoundMember& m : to.members) {
    const DatatypeMessage* source = find_member(from, m.name);
    if (source != nullptr && loses_names(*source, m.type)) return true;
  }
  return !to.base.empty() && loses_names(from.base[0], to.base[0]);
}

struct Values {
  const std::byte* ours;
  const std::byte* theirs;
  Values at(std::size_t offset) const { return {ours + offset, theirs + offset}; }
};

bool same_value(const DatatypeMessage& from, const DatatypeMessage& to, const Values& values, bool inner);

bool same_sequence(const DatatypeMessage& from, const DatatypeMessage& to, const Values& values) {
  const Container::View a = to.container->view(values.ours);
  const Container::View b = to.container->view(values.theirs);
  if (a.missing != b.missing || a.count != b.count) return false;
  const Values elements{static_cast<const std::byte*>(a.elements), static_cast<const std::byte*>(b.elements)};
  for (std::size_t i = 0; i < a.count; ++i) {
    if (!same_value(from.base[0], to.base[0], elements.at(i * to.base[0].size), true)) return false;
  }
  return true;
}

/// Ignores padding. `inner`: within an array or sequence, where HDF5 1.10 does not keep the old values of
/// members that the source lacks.
bool same_value(const DatatypeMessage& from, const DatatypeMessage& to, const Values& values, bool inner) {
  switch (to.type_class) {
    case TypeClass::compound:
      return std::ranges::all_of(to.members, [&](const CompoundMember& m) {
        const DatatypeMessage* source = find_member(from, m.name);
        if (source == nullptr && inner) return true;
        return same_value(source == nullptr ? m.type : *source, m.type, values.at(m.byte_offset), inner);
      });
    case TypeClass::array:
      for (std::uint32_t at = 0; at < to.size; at += to.base[0].size) {
        if (!same_value(from.base[0], to.base[0], values.at(at), true)) return false;
      }
      return true;
    case TypeClass::variable_length:
      return same_sequence(from, to, values);
    default:
      return std::memcmp(values.ours, values.theirs, to.size) == 0;
  }
}

struct Case {
  hid_t reference_from;
  hid_t reference_to;
  DatatypeMessage from;
  DatatypeMessage to;
};

Buffer random_elements(const DatatypeMessage& type, std::size_t count, Arena& arena) {
  Buffer elements(count * type.size);
  for (std::size_t i = 0; i < count; ++i) fill(type, elements.data() + i * type.size, arena);
  return elements;
}

/// Returns an empty string on success.
std::string convert(const Case& c, Bytes source, Buffer& result, std::size_t count, Arena& arena) {
  try {
    const auto conversion = type::prepare(c.from, c.to);
    filigree::CMemory memory{Arena::allocate, Arena::release, &arena, &arena};
    conversion->apply({source.data(), c.from.size, result.data(), c.to.size, count}, {.memory = &memory});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::wrong_type) return error.what();
    throw;
  }
  return "";
}

bool convert_by_reference(const Case& c, Buffer& elements, Buffer& background, std::size_t count,
                          Arena& arena) {
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_vlen_mem_manager(transfer, Arena::allocate, &arena, Arena::release, &arena);
  const herr_t status =
      H5Tconvert(c.reference_from, c.reference_to, count, elements.data(), background.data(), transfer);
  H5Pclose(transfer);
  return status >= 0;
}

std::string compare_conversions(const Case& c) {
  Arena arena;
  const std::size_t count = 1 + below(20);
  const Buffer source = random_elements(c.from, count, arena);
  const Buffer background = random_elements(c.to, count, arena);
  Buffer result = background;
  const std::string fault = convert(c, source, result, count, arena);

  const std::size_t widest = std::max(source.size(), background.size());
  Buffer reference_result = source;
  reference_result.resize(widest);
  Buffer reference_background = background;
  reference_background.resize(widest);
  const bool converted = convert_by_reference(c, reference_result, reference_background, count, arena);
  if (converted != fault.empty()) return converted ? "only HDF5 converts: " + fault : "only we convert";
  if (!converted) return "";
  const Values values{result.data(), reference_result.data()};
  for (std::size_t i = 0; i < count; ++i) {
    if (!same_value(c.from, c.to, values.at(i * c.to.size), false)) {
      return "element " + std::to_string(i) + " differs";
    }
  }
  return "";
}

/// HDF5 encodes variable-length strings with their size in memory, which no file has. If
/// variable-length types are nested, it sorts members after it has chosen versions.
bool encodes_otherwise(const DatatypeMessage& type) {
  if (type.type_class == TypeClass::variable_length &&
      (type.variable == VariableKind::string || type::has_variable_parts(type.base[0]) ||
       type::has_references(type.base[0]))) {
    return true;
  }
  return std::ranges::any_of(type.base, encodes_otherwise) ||
         std::ranges::any_of(type.members, encodes_otherwise, &CompoundMember::type);
}

std::string compare_forms(const Case& c) {
  if (format::same_type(c.from, c.to) != (H5Tequal(c.reference_from, c.reference_to) > 0))
    return "equality differs";
  const hid_t native = H5Tget_native_type(c.reference_from, once_in(2) ? H5T_DIR_ASCEND : H5T_DIR_DESCEND);
  if (!format::same_type(type::native_type(c.from), ours(native))) return "native type differs";
  if (H5Tget_class(c.reference_from) == H5T_COMPOUND) {
    const hid_t packed = H5Tcopy(c.reference_from);
    H5Tpack(packed);
    if (!format::same_type(type::packed(c.from), ours(packed))) return "packed type differs";
  }
  type::check_type(c.from);
  if (encodes_otherwise(c.from)) return "";
  DatatypeMessage settled = c.from;
  type::set_versions(settled, 1);
  if (format::encode(settled, format::Widths{8, 8}) != reference_message(c.reference_from))
    return "message differs";
  return "";
}

std::string compare(const Case& c) {
  try {
    const std::string fault = compare_forms(c);
    return fault.empty() && !loses_names(c.from, c.to) ? compare_conversions(c) : fault;
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool is_convertible(const Case& c) {
  try {
    return type::prepare(c.from, c.to) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

int run(unsigned first, unsigned count) {
  unsigned faults = 0;
  unsigned convertible = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    chance.seed(seed);
    Case c{};
    c.reference_from = random_type(3);
    c.reference_to = changed(c.reference_from, 3);
    c.from = ours(c.reference_from);
    c.to = ours(c.reference_to);
    const std::string fault = compare(c);
    if (is_convertible(c)) ++convertible;
    if (fault.empty()) continue;
    ++faults;
    std::cout << "seed " << seed << ": " << fault << ": " << format::describe_type(c.from) << " to "
              << format::describe_type(c.to) << "\n";
  }
  std::cout << count << " pairs, " << convertible << " convertible, " << faults << " faults\n";
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return run(static_cast<unsigned>(std::atoi(argv[1])), static_cast<unsigned>(std::atoi(argv[2])));
}
