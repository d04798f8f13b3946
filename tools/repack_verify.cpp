// SPDX-License-Identifier: Apache-2.0
#include "repack_verify.hpp"

#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "boxes.hpp"
#include "compare.hpp"
#include "dataset_diff.hpp"

namespace filigree::tools {

namespace {

constexpr std::uint64_t part_elements = std::uint64_t{1} << 20;

/// Finds a name of which there is no link yet: "x_defined", "x_defined_2", ...
std::string unused_name(const Group& group, const std::string& name) {
  const std::string wanted = name + "_defined";
  std::string found = wanted;
  for (unsigned i = 2; group.has_link(found); ++i) found = fmt::format("{}_{}", wanted, i);
  return found;
}

/// Numbers of one bit, of which N-bit stores no more than that.
Datatype bit_type() {
  BitLayout bits;
  bits.precision = 1;
  return Datatype::of<std::uint8_t>().with_bits(bits);
}

/// Visits the defined elements of a dataset, a part at a time.
template <class Visit>
void for_each_defined_selection(const Dataset& data, Visit visit) {
  for_each_defined_part(data, {}, part_elements, [&](const Selection& part) {
    const Selection defined = data.defined(part).within(data.space().dims());
    if (defined.elements() > 0) visit(defined);
    return true;
  });
}

/// Counts the selected elements that differ.
std::uint64_t count_different(const Dataset& a, const Dataset& b, const Selection& part,
                              const ElementComparison& elements) {
  const Elements in_a(a, part), in_b(b, part);
  if (in_a.size() == 0) return 0;
  const Datatype& type = in_a.type();
  if (ElementComparison::same_bytes_are_equal(type) &&
      std::memcmp(in_a.at(0), in_b.at(0), in_a.size() * type.size()) == 0)
    return 0;
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < in_a.size(); ++i)
    if (!elements.equal(type, in_a.at(i), in_b.at(i))) ++different;
  return different;
}

void require_same(const DatasetPlan& plan, std::uint64_t different) {
  if (different == 0) return;
  throw Error(ErrorKind::internal,
              fmt::format("'{}' differs after it was converted: {} elements", plan.path, different));
}

/// Compares all elements of datasets of the same kind.
void compare_values(const DatasetPlan& plan, const Dataset& before, const Dataset& after,
                    const ElementComparison& elements, bool with_defined) {
  const PairResult found = compare_datasets(before, after, elements, {with_defined, 0, nullptr});
  if (!found.not_comparable.empty())
    throw Error(ErrorKind::internal,
                fmt::format("'{}' differs after it was converted: {}", plan.path, found.not_comparable));
  require_same(plan, found.differences + found.only_in_a + found.only_in_b);
}

/// Compares a dense dataset with a sparse one where the dense one stores something. All defined elements have
/// to be there; the others are fill values in both.
void compare_stored(const DatasetPlan& plan, const Dataset& before, const Dataset& after,
                    const ElementComparison& elements) {
  const Dataset &dense = plan.was_sparse ? after : before, &sparse = plan.was_sparse ? before : after;
  std::uint64_t different = 0, defined = 0;
  for_each_box(dense, dense, [&](const Selection& box) {
    different += count_different(before, after, box, elements);
    defined += sparse.defined_count(box);
  });
  require_same(plan, different + (sparse.defined_count() - defined));
}

void verify_new_sparse(DatasetPlan& plan, const Dataset& before, const Dataset& after,
                       const ElementComparison& elements) {
  const std::uint64_t defined = after.defined_count();
  if (defined != plan.chosen)
    throw Error(ErrorKind::internal, fmt::format("'{}' defines {} elements after it was converted, not {}",
                                                 plan.path, defined, plan.chosen));
  if (!plan.policy->keeps_all_values()) {
    std::uint64_t different = 0;
    for_each_defined_selection(
        after, [&](const Selection& part) { different += count_different(before, after, part, elements); });
    require_same(plan, different);
  } else if (plan.policy->fill()) {
    compare_values(plan, before, after, elements, false);  // what was never written is defined, too
  } else {
    compare_stored(plan, before, after, elements);
  }
  plan.compared = defined;
}

}  // namespace

std::string store_mask(const DatasetPlan& plan, const Dataset& source, const File& made) {
  const std::size_t slash = plan.path.rfind('/');
  Group group = slash == 0 ? made.root() : made.root().open_group(plan.path.substr(0, slash));
  Dataset dense = made.root().open_dataset(plan.path);
  const std::string name = unused_name(group, plan.path.substr(slash + 1));
  DatasetOptions options;
  options.layout = Layout::chunked;
  options.chunk = dense.dataset_info().chunk;
  options.filters = {filters::nbit(), filters::deflate()};
  Dataset mask = group.create_dataset(name, bit_type(), dense.space(), options);
  for_each_defined_selection(source, [&](const Selection& defined) {
    const std::vector<std::uint8_t> ones(static_cast<std::size_t>(defined.elements()), 1);
    mask.write(ones, defined);
  });
  dense.set_attribute(mask_attribute, name);
  return name;
}

void verify(DatasetPlan& plan, const Dataset& before, const Dataset& after,
            const ElementComparison& elements) {
  if (plan.policy) return verify_new_sparse(plan, before, after, elements);
  if (plan.was_sparse && plan.becomes_sparse && !before.datatype().has_variable_parts()) {
    const DefinedComparison found = compare_defined(before, after, elements);
    require_same(plan, found.only_in_a + found.only_in_b + found.different);
    plan.compared = found.equal_elements;
    return;
  }
  if (plan.was_sparse && !plan.becomes_sparse)
    compare_stored(plan, before, after, elements);
  else
    compare_values(plan, before, after, elements, plan.was_sparse);
  plan.compared = before.defined_count();
}

}  // namespace filigree::tools
