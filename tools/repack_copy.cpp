// SPDX-License-Identifier: Apache-2.0
#include "repack_copy.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "repack_verify.hpp"

namespace filigree::tools {

namespace {

/// Copies the user block, which belongs to other programs.
void copy_first_bytes(const std::string& from, const std::string& to, std::uint64_t bytes) {
  std::ifstream input(from, std::ios::binary);
  std::fstream output(to, std::ios::binary | std::ios::in | std::ios::out);
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t done = 0; done < bytes;) {
    const auto step = static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), bytes - done));
    if (!input.read(block.data(), step) || !output.write(block.data(), step))
      throw Error(ErrorKind::io, fmt::format("the user block of '{}' cannot be copied", from));
    done += static_cast<std::uint64_t>(step);
  }
}

}  // namespace

void Repacking::run(const std::string& path) {
  File made = File::create(path, CreateMode::truncate, input_.creation_options(), access_);
  if (const std::uint64_t bytes = input_.info().user_block_bytes; bytes > 0)
    copy_first_bytes(input_.name(), path, bytes);
  input_.copy_contents_to(made, contents());
  finish_masks(made);
  made.close();
  verify_all(path);
  output_bytes_ = std::filesystem::file_size(path);
}

ContentsOptions Repacking::contents() {
  ContentsOptions contents;
  contents.change_storage = [this](const Dataset& source) { return change_of(source); };
  contents.leave_out = [this](const Object& object) { return plan_->leaves_out(object); };
  // A plan was tried in memory, so that this is a fault of its own.
  contents.on_dataset = [](const CopiedDataset& copied) {
    if (copied.refused != nullptr) throw Error(*copied.refused);
  };
  return contents;
}

std::optional<StorageChange> Repacking::change_of(const Dataset& source) {
  DatasetPlan* const plan = plan_->find(source);
  if (plan == nullptr) return std::nullopt;
  StorageChange change{plan->options, plan->space};
  if (!plan->policy) return change;
  change.choose_unwritten = [plan](const Selection& box) { return plan->policy->may_choose_unwritten(box); };
  change.choose_defined = [plan](const DenseBox& box) {
    std::vector<Selection::Run> runs = plan->policy->choose(box);
    for (const Selection::Run& run : runs) plan->chosen += run.length;
    return runs;
  };
  return change;
}

/// Stores the masks of datasets that are no longer sparse, and forgets those that were used.
void Repacking::finish_masks(const File& made) {
  for (DatasetPlan& plan : plan_->datasets()) {
    if (!plan.changes) continue;
    if (plan.keeps_mask) plan.made_mask = store_mask(plan, input_.root().open_dataset(plan.path), made);
    if (!plan.used_mask.empty()) made.open_object(plan.path).remove_attribute(mask_attribute);
  }
}

/// Compares what was changed with the input, from the file as it is now on disk.
void Repacking::verify_all(const std::string& path) {
  const File made = File::open(path);
  PathFinder paths_before(input_), paths_after(made);
  const ElementComparison elements(paths_before, paths_after, {}, Unlinked::null);
  for (DatasetPlan& plan : plan_->datasets()) {
    if (!plan.changes) continue;
    const Dataset before = input_.root().open_dataset(plan.path);
    const Dataset after = made.root().open_dataset(plan.path);
    if (verify_ || plan.was_sparse || plan.becomes_sparse) verify(plan, before, after, elements);
    plan.bytes_before = before.stored_bytes();
    plan.bytes_after = after.stored_bytes();
  }
}

}  // namespace filigree::tools
