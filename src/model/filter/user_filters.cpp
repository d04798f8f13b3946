// SPDX-License-Identifier: Apache-2.0
#include "model/filter/user_filters.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/registry.hpp"
#include "filter/table.hpp"

namespace filigree::model {
namespace {

class BoundUserFilter final : public filter::BoundFilter {
 public:
  BoundUserFilter(const UserFilter& filter, std::span<const std::uint32_t> parameters)
      : filter_(filter), parameters_(parameters.begin(), parameters.end()) {}

  Buffer encode(Bytes unfiltered) const override {
    if (!filter_.encode) throw Error(ErrorKind::unsupported, "the filter can only read");
    return filter_.encode(unfiltered, parameters_);
  }
  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    if (!filter_.decode) throw Error(ErrorKind::unsupported, "the filter can only write");
    return filter_.decode(stored, parameters_, max_bytes);
  }
  Bytes decode_unverified_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const override {
    if (!filter_.decode_unverified) return decode_in(workspace, stored, max_bytes);
    return workspace.keep(filter_.decode_unverified(stored, parameters_, max_bytes));
  }
  bool may_decode_more() const override { return filter_.may_decode_more; }

 private:
  const UserFilter& filter_;  // owned by the pipeline
  std::vector<std::uint32_t> parameters_;
};

class ForeignFilter final : public filter::Filter {
 public:
  explicit ForeignFilter(UserFilter filter) : filter_(std::move(filter)) {}
  std::uint16_t id() const override { return filter_.id; }
  std::string_view name() const override { return filter_.name; }
  std::unique_ptr<const filter::BoundFilter> bind(std::span<const std::uint32_t> parameters,
                                                  const filter::ElementLayout&) const override {
    return std::make_unique<BoundUserFilter>(filter_, parameters);
  }
  const UserFilter& filter() const { return filter_; }

 private:
  const UserFilter filter_;
};

}  // namespace

void add_filter(UserFilter filter) {
  if (!filter.encode && !filter.decode)
    throw Error(ErrorKind::invalid_argument, fmt::format("filter {} has no function", filter.id));
  filter::shared_registry().add(std::make_shared<const ForeignFilter>(std::move(filter)));
}

bool remove_filter(std::uint16_t id) {
  const auto all = filter::shared_registry().list();
  const auto found = std::ranges::find(all, id, [](const auto& known) { return known->id(); });
  if (found == all.end() || dynamic_cast<const ForeignFilter*>(found->get()) == nullptr) return false;
  for (const filter::Filter* ours : filter::builtin_filters()) {
    if (ours->id() != id) continue;
    filter::shared_registry().add({std::shared_ptr<void>(), ours});
    return true;
  }
  return filter::shared_registry().remove(id);
}

std::optional<FilterDescription> find_filter(std::uint16_t id) {
  const auto found = filter::shared_registry().find(id);
  if (found == nullptr) return std::nullopt;
  FilterDescription description{std::string(found->name())};
  if (const auto* foreign = dynamic_cast<const ForeignFilter*>(found.get())) {
    description.encodes = static_cast<bool>(foreign->filter().encode);
    description.decodes = static_cast<bool>(foreign->filter().decode);
  }
  return description;
}

void set_filter_finder(std::function<std::optional<UserFilter>(std::uint16_t)> finder) {
  if (!finder) return filter::shared_registry().set_finder(nullptr);
  filter::shared_registry().set_finder(
      [finder = std::move(finder)](std::uint16_t id) -> std::shared_ptr<const filter::Filter> {
        std::optional<UserFilter> found = finder(id);
        if (!found) return nullptr;
        return std::make_shared<const ForeignFilter>(std::move(*found));
      });
}

}  // namespace filigree::model
