// SPDX-License-Identifier: Apache-2.0
#include "repack_plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "details.hpp"
#include "filter_text.hpp"
#include "repack_storage.hpp"
#include "target.hpp"
#include "text.hpp"

namespace filigree::tools {

namespace {

using Closeness = NamedObjects::Closeness;
using Section = SectionFilterChoice::Section;

/// Choices of one kind, with the objects that each is for.
template <class Choice>
class ChoiceList {
 public:
  ChoiceList(const File& input, const std::vector<Choice>& choices) {
    for (const Choice& choice : choices) items_.emplace_back(choice, NamedObjects(input, choice.objects));
  }
  /// Returns those that are closest to the dataset, in their order.
  std::vector<const Choice*> closest(const Dataset& data) const {
    std::vector<const Choice*> found;
    Closeness best = Closeness::all;
    for (const auto& [choice, objects] : items_) {
      const Closeness now = objects.closeness(data);
      if (now < best || now == Closeness::none) continue;
      if (now > best) found.clear();
      best = now;
      found.push_back(&choice);
    }
    return found;
  }
  bool names(const Dataset& data) const {
    return std::ranges::any_of(
        items_, [&](const auto& item) { return item.second.closeness(data) == Closeness::itself; });
  }

 private:
  std::vector<std::pair<Choice, NamedObjects>> items_;
};

/// Failures that say no more than that a dataset cannot be stored in that way.
bool is_refusal(const Error& error) {
  return error.kind() == ErrorKind::invalid_argument || error.kind() == ErrorKind::unsupported ||
         error.kind() == ErrorKind::limit || error.kind() == ErrorKind::wrong_type ||
         error.kind() == ErrorKind::conversion;
}

/// Whether elements are those of store_mask(): other datasets are no masks that may be removed.
bool is_mask_type(const Datatype& type) {
  return type.type_class() == TypeClass::integer && type.bits().precision == 1;
}

/// Finds the mask that a former repack has stored beside a dataset.
std::optional<Dataset> find_kept_mask(const File& input, const Dataset& data, const std::string& path) {
  const auto attribute = data.find_attribute(mask_attribute);
  if (!attribute || attribute->datatype().type_class() != TypeClass::string) return std::nullopt;
  const std::string name = attribute->read<std::string>();
  const auto object = input.root().find(path.substr(0, path.rfind('/') + 1) + name);
  if (!object || object->kind() != ObjectKind::dataset) return std::nullopt;
  Dataset mask(*object);
  return is_mask_type(mask.datatype()) ? std::optional(std::move(mask)) : std::nullopt;
}

/// Makes the plans.
class Planner {
 public:
  Planner(const File& input, const RepackChoices& choices, const AccessOptions& output)
      : input_(input),
        choices_(choices),
        layouts_(input, choices.layouts),
        filters_(input, choices.filters),
        defined_(input, choices.defined),
        scratch_(File::create_in_memory(input.creation_options(), output)) {}

  /// Returns nothing for a dataset that is copied as it is.
  std::optional<DatasetPlan> plan(const Dataset& data, const std::string& path) {
    StorageDraft draft(data);
    DatasetPlan plan;
    plan.path = path;
    plan.was_sparse = draft.source().sparse;
    plan.is_portable = draft.source().portable;
    const bool is_named = layouts_.names(data) || filters_.names(data);
    try {
      if (!wants_change(data, draft)) return std::nullopt;
      draft.require_possible();
      if (!draft.is_sparse() || plan.was_sparse || decide_defined(data, draft, plan))
        finish(data, draft, plan);
    } catch (const Error& error) {
      if (!is_refusal(error)) throw;
      if (!is_named && draft.is_unsuitable()) return std::nullopt;
      plan.is_refused = true;
      plan.reason = error.message();
    }
    if (plan.before.empty())
      plan.before =
          plan.was_sparse && choices_.form ? form_text(draft.source()) : storage_text(draft.source());
    return plan.changes || !plan.reason.empty() ? std::optional(std::move(plan)) : std::nullopt;
  }

 private:
  /// Adds what the user wants to the draft. Returns whether that is anything.
  bool wants_change(const Dataset& data, StorageDraft& draft) const {
    const auto layouts = layouts_.closest(data);
    if (!layouts.empty()) draft.set_layout(*layouts.back());
    const auto filters = draft.data_bytes() < choices_.minimum_bytes
                             ? std::vector<const SectionFilterChoice*>{}
                             : filters_.closest(data);
    if (layouts.empty() && choices_.sparse_auto && draft.may_become_sparse()) draft.become_sparse();
    // Elements that this file does not store, or that fit into a header, are filtered only if they are named.
    const bool may_filter = filters_.names(data) || draft.has_own_storage();
    const bool filtered = may_filter && !filters.empty() && draft.set_filters(filters);
    const bool other_form = choices_.form && draft.set_form(*choices_.form);
    return !layouts.empty() || filtered || other_form || draft.is_sparse() != draft.source().sparse;
  }

  /// Decides what a dense dataset defines when it becomes sparse. Returns false if it stays dense.
  bool decide_defined(const Dataset& data, StorageDraft& draft, DatasetPlan& plan) const {
    draft.require_decodable();
    const bool automatic = layouts_.closest(data).empty();
    const auto chosen = defined_.closest(data);
    const auto mask = find_kept_mask(input_, data, plan.path);
    if (mask) plan.used_mask = mask->path();
    if (!chosen.empty()) {
      choose_named(data, *chosen.back(), plan);
    } else if (mask && !choices_.excluded) {
      plan.policy = std::make_shared<WithinMask>(data, *mask);
    } else {
      const auto policy = std::make_shared<OtherThanValue>(data, choices_.excluded);
      plan.policy = policy;
      if ((automatic || draft.needs_density()) && !is_worth_it(data, *policy, draft, plan) && automatic)
        return false;
    }
    if (plan.reason.empty()) plan.reason = plan.policy->text() + " are defined";
    if (const auto fill = plan.policy->fill()) draft.set_fill(*fill);
    return true;
  }

  void choose_named(const Dataset& data, const DefinedChoice& choice, DatasetPlan& plan) const {
    if (choice.mask.empty())
      plan.policy = std::make_shared<WithinBoxes>(data, choice.boxes);
    else
      plan.policy = std::make_shared<WithinMask>(data, input_.root().open_dataset(choice.mask));
  }

  /// Measures the density and explains what follows from it.
  static bool is_worth_it(const Dataset& data, const OtherThanValue& policy, StorageDraft& draft,
                          DatasetPlan& plan) {
    const Density density = measure_density(data, policy);
    draft.set_density(density.share());
    const bool is_sparse = density.complete && density.share() <= most_sparse_share;
    const std::string share =
        density.complete
            ? fmt::format("{} of {} elements", grouped(density.chosen), grouped(density.elements))
            : fmt::format("more than {:.0f} % of the elements", 100 * most_sparse_share);
    plan.reason = fmt::format("{} differ from {}", share, policy.value_text());
    return is_sparse;
  }

  /// Creates the dataset in memory to see whether that is possible, and what becomes of it.
  void finish(const Dataset& data, StorageDraft& draft, DatasetPlan& plan) {
    if (data.datatype().has_variable_parts()) static_cast<void>(data.datatype().native());
    const DatasetInfo made =
        scratch_.create_unlinked_dataset(data.datatype(), draft.space(), draft.options_without_space())
            .dataset_info();
    if (!draft.differs(made)) return;
    const bool form_only = draft.differs_in_form_only(made);
    if (!form_only) {
      draft.require_decodable();
      static_cast<void>(data.space().elements());  // throws if there are too many
    }
    plan.changes = true;
    plan.options = draft.options();
    if (!made.chunk.empty()) plan.options.chunk = made.chunk;
    plan.space = draft.space();
    plan.becomes_sparse = made.sparse;
    plan.is_portable = made.portable;
    plan.keeps_mask = choices_.keep_defined && plan.was_sparse && !made.sparse;
    plan.before = form_only ? form_text(draft.source()) : storage_text(draft.source());
    plan.after = form_only ? form_text(made) : storage_text(made);
  }

  static const char* form_text(const DatasetInfo& info) { return info.portable ? "portable" : "structured"; }

  const File& input_;
  const RepackChoices& choices_;
  const ChoiceList<LayoutChoice> layouts_;
  const ChoiceList<SectionFilterChoice> filters_;
  const ChoiceList<DefinedChoice> defined_;
  File scratch_;
};

}  // namespace

RepackPlan::RepackPlan(const File& input, const RepackChoices& choices, const AccessOptions& output) {
  Planner planner(input, choices, output);
  std::vector<std::uint64_t> addresses;
  input.root().visit([&](const Visited& item) {
    if (!item.object || item.seen_before || item.object->kind() != ObjectKind::dataset) return true;
    auto plan = planner.plan(Dataset(*item.object), "/" + item.path);
    if (!plan) return true;
    if (plan->changes && !plan->used_mask.empty())
      used_masks_.insert(input.open_object(plan->used_mask).address());
    datasets_.push_back(std::move(*plan));
    addresses.push_back(item.object->address());
    return true;
  });
  // Masks are not copied, so they do not change.
  std::vector<DatasetPlan> kept;
  for (std::size_t i = 0; i < datasets_.size(); ++i) {
    if (used_masks_.contains(addresses[i])) continue;
    by_address_[addresses[i]] = kept.size();
    kept.push_back(std::move(datasets_[i]));
  }
  datasets_ = std::move(kept);
}

DatasetPlan* RepackPlan::find(const Object& object) {
  const auto found = by_address_.find(object.address());
  if (found == by_address_.end()) return nullptr;
  DatasetPlan& plan = datasets_[found->second];
  return plan.changes ? &plan : nullptr;
}

std::string storage_text(const DatasetInfo& info) {
  const std::string filters = filters_text(info.portable ? info.value_filters : info.filters);
  return layout_text(info) + (filters.empty() ? "" : ", ") + filters;
}

}  // namespace filigree::tools
