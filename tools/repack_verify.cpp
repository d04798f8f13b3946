// SPDX-License-Identifier: Apache-2.0
#include "repack_verify.hpp"

#include <vector>

#include <fmt/format.h>

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

/// Counts the defined elements of the copy that are other ones in the source.
std::uint64_t count_different(const Dataset& before, const Dataset& after,
                              const ElementComparison& elements) {
  std::uint64_t different = 0;
  for_each_defined_selection(after, [&](const Selection& defined) {
    const Elements a(before, defined), b(after, defined);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!elements.equal(a.type(), a.at(i), b.at(i))) ++different;
  });
  return different;
}

void require_same(const DatasetPlan& plan, std::uint64_t different) {
  if (different == 0) return;
  throw Error(ErrorKind::internal,
              fmt::format("'{}' differs after it was converted: {} elements", plan.path, different));
}

/// Compares all elements; those that are not defined are the fill value.
void compare_values(const DatasetPlan& plan, const Dataset& before, const Dataset& after,
                    const ElementComparison& elements, bool with_defined) {
  const PairResult found = compare_datasets(before, after, elements, {with_defined, 0, nullptr});
  if (!found.not_comparable.empty())
    throw Error(ErrorKind::internal,
                fmt::format("'{}' differs after it was converted: {}", plan.path, found.not_comparable));
  require_same(plan, found.differences + found.only_in_a + found.only_in_b);
}

void verify_new_sparse(DatasetPlan& plan, const Dataset& before, const Dataset& after,
                       const ElementComparison& elements) {
  const std::uint64_t defined = after.defined_count();
  if (defined != plan.chosen)
    throw Error(ErrorKind::internal, fmt::format("'{}' defines {} elements after it was converted, not {}",
                                                 plan.path, defined, plan.chosen));
  if (plan.policy->keeps_all_values())
    compare_values(plan, before, after, elements, false);
  else
    require_same(plan, count_different(before, after, elements));
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
  compare_values(plan, before, after, elements, plan.was_sparse && plan.becomes_sparse);
  plan.compared = before.defined_count();
}

}  // namespace filigree::tools
