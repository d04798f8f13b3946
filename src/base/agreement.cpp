// SPDX-License-Identifier: Apache-2.0
//
// A meeting in the usual case is one reduction of 12 words. Each word that must be equal is sent with its
// complement, so that one maximum tells the largest and the smallest. Only if the members differ, or if one
// has failed, they exchange texts, from which all of them build the same message.
#include "base/agreement.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"

namespace filigree {

Communicator::~Communicator() = default;

namespace {

constexpr std::size_t most_noted = 256;

/// Strings and numbers as one byte string, and back.
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  void put(std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::byte>(number >> (8 * i)));
  }
  void put(std::string_view text) {
    put(text.size());
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
  }
  std::uint64_t number() {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < 8 && at_ < bytes_.size(); ++i)
      result |= std::to_integer<std::uint64_t>(bytes_[at_++]) << (8 * i);
    return result;
  }
  std::string text() {
    const std::size_t count = std::min<std::uint64_t>(number(), bytes_.size() - at_);
    std::string result(count, '\0');
    for (char& c : result) c = static_cast<char>(bytes_[at_++]);
    return result;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

Packed pack_failure(const std::exception_ptr& failure) {
  Packed packed;
  if (failure == nullptr) return packed;
  const auto put = [&](ErrorKind kind, const std::string& message, std::span<const std::string> frames) {
    packed.put(static_cast<std::uint64_t>(kind));
    packed.put(message);
    packed.put(frames.size());
    for (const std::string& frame : frames) packed.put(frame);
  };
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    put(error.kind(), error.message(), error.frames());
  } catch (const std::bad_alloc&) {
    put(ErrorKind::limit, "there is not enough memory", {});
  } catch (const std::exception& error) {
    put(ErrorKind::internal, error.what(), {});
  } catch (...) {
    put(ErrorKind::internal, "an unknown exception was thrown", {});
  }
  return packed;
}

/// The failure of the lowest rank that has one, on all members.
[[noreturn]] void throw_first_failure(Communicator& members, const std::exception_ptr& mine) {
  const auto all = members.all_gather(pack_failure(mine).bytes());
  const auto first = std::ranges::find_if(all, [](const auto& bytes) { return !bytes.empty(); });
  if (first == all.end()) throw Error(ErrorKind::internal, "a member failed without a reason");
  const auto rank = static_cast<int>(first - all.begin());
  if (members.size() == 1) std::rethrow_exception(mine);
  Packed failure(*first);
  const auto kind = static_cast<ErrorKind>(failure.number());
  Error error(kind, fmt::format("rank {}: {}", rank, failure.text()));
  const std::uint64_t frames = failure.number();
  for (std::uint64_t i = 0; i < frames; ++i) error.add_frame(failure.text());
  throw error;
}

std::string ranks_text(const std::vector<int>& ranks) {
  constexpr std::size_t most = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < std::min(most, ranks.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
  if (ranks.size() > most) text += fmt::format(" and {} others", ranks.size() - most);
  return text;
}

/// Ranks by what they say, the smallest group first.
std::vector<std::pair<std::string, std::vector<int>>> grouped(const std::vector<std::string>& said) {
  std::map<std::string, std::vector<int>> groups;
  for (std::size_t r = 0; r < said.size(); ++r) groups[said[r]].push_back(static_cast<int>(r));
  std::vector<std::pair<std::string, std::vector<int>>> sorted(groups.begin(), groups.end());
  std::ranges::stable_sort(sorted, {}, [](const auto& group) { return group.second.size(); });
  return sorted;
}

/// "rank 2 is in A, ranks 0, 1 in B", or with another verb.
std::string groups_text(const std::vector<std::string>& said, std::string_view one, std::string_view several,
                        std::string_view next) {
  std::string text;
  for (const auto& [what, ranks] : grouped(said)) {
    const std::string_view verb = !text.empty() ? next : ranks.size() == 1 ? one : several;
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", ranks_text(ranks), verb, what);
  }
  return text;
}

}  // namespace

void agree_on_failure(Communicator& members, const std::exception_ptr& failure) {
  std::uint64_t failed = failure != nullptr;
  members.all_reduce(std::span(&failed, 1), Reduction::max);
  if (failed != 0) throw_first_failure(members, failure);
}

/// What a member tells the others when they differ.
struct Agreement::Report {
  std::string step;
  std::string call;
  std::uint64_t detail = 0, noted = 0;
  std::vector<Noted> last;

  Packed pack() const {
    Packed packed;
    packed.put(step);
    packed.put(call);
    packed.put(detail);
    packed.put(noted);
    packed.put(last.size());
    for (const Noted& one : last) {
      packed.put(one.number);
      packed.put(one.hash);
      packed.put(one.text);
    }
    return packed;
  }
  static Report unpack(const std::vector<std::byte>& bytes) {
    Packed packed(bytes);
    Report report;
    report.step = packed.text();
    report.call = packed.text();
    report.detail = packed.number();
    report.noted = packed.number();
    const std::uint64_t count = std::min<std::uint64_t>(packed.number(), most_noted);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t number = packed.number();
      const std::uint64_t hash = packed.number();
      report.last.push_back({number, hash, packed.text()});
    }
    return report;
  }
  const Noted* find(std::uint64_t number) const {
    const auto found = std::ranges::find(last, number, &Noted::number);
    return found == last.end() ? nullptr : &*found;
  }
  /// A change, and the next ones: a call may note what it does before it notes the name.
  std::string changes_from(std::uint64_t number) const {
    if (number > noted) return "nothing";
    std::string text;
    for (std::uint64_t next = number; next < number + 3 && next <= noted; ++next) {
      const Noted* const found = find(next);
      text += (text.empty() ? "" : " then ") + (found == nullptr ? "a change long ago" : found->text);
    }
    return text;
  }

  /// Who is in which call.
  static std::string calls_text(const std::vector<Report>& reports);
  /// The first change that differs, with a separator before it; empty if nobody remembers one.
  static std::string changes_text(const std::vector<Report>& reports);
  static bool differ(const std::vector<Report>& reports, std::uint64_t number);
};

std::string Agreement::Report::calls_text(const std::vector<Report>& reports) {
  const auto some_differ = [&](auto member) {
    return std::ranges::any_of(reports, [&](const Report& r) { return r.*member != reports[0].*member; });
  };
  const std::string& call = reports[0].call;
  if (some_differ(&Report::call)) {
    std::vector<std::string> calls;
    for (const Report& report : reports) calls.push_back(report.call);
    return groups_text(calls, "is in", "are in", "in");
  }
  if (some_differ(&Report::step)) return fmt::format("they are in different steps of {}", call);
  if (some_differ(&Report::detail)) {
    std::vector<std::string> details;
    for (const Report& report : reports) details.push_back(std::to_string(report.detail));
    const auto odd = grouped(details).front().second;
    return fmt::format("they are in {} with different arguments or contents; {} {} from the others", call,
                       ranks_text(odd), odd.size() == 1 ? "differs" : "differ");
  }
  return fmt::format("all are in {}, but have made different changes", call);
}

/// Whether members that remember the change differ, or some have made fewer changes.
bool Agreement::Report::differ(const std::vector<Report>& reports, std::uint64_t number) {
  std::optional<std::uint64_t> hash;
  for (const Report& report : reports) {
    if (number > report.noted) return true;
    const Noted* const found = report.find(number);
    if (found == nullptr) continue;
    if (hash && *hash != found->hash) return true;
    hash = found->hash;
  }
  return false;
}

std::string Agreement::Report::changes_text(const std::vector<Report>& reports) {
  std::uint64_t newest = 0;
  for (const Report& report : reports) newest = std::max(newest, report.noted);
  for (std::uint64_t number = newest - std::min<std::uint64_t>(newest, most_noted) + 1; number <= newest;
       ++number) {
    if (!differ(reports, number)) continue;
    std::vector<std::string> changes;
    for (const Report& report : reports) changes.push_back(report.changes_from(number));
    return fmt::format("; change {} differs: {}", number, groups_text(changes, "did", "did", "did"));
  }
  return {};
}

Agreement::Agreement(std::shared_ptr<Communicator> members, std::string name)
    : members_(std::move(members)), name_(std::move(name)) {}

void Agreement::note(std::string_view operation, std::string_view object, std::uint64_t detail) {
  history_.add(operation);
  history_.add(object);
  history_.add(detail);
  last_.push_back({++noted_, history_.folded(),
                   object.empty() ? std::string(operation) : fmt::format("{} '{}'", operation, object)});
  if (last_.size() > most_noted) last_.pop_front();
}

void Agreement::require_agreement() const {
  if (diverged()) throw Error(ErrorKind::diverged, divergence_);
}

bool Agreement::meet(const CollectiveStep& step, const std::exception_ptr& failure, bool more) {
  failure_is_known_ = true;  // whatever is thrown from here is thrown by all
  require_agreement();
  Hash128 place;
  place.add(step.call);
  place.add(step.number);
  const auto history = history_.value();
  const std::array<std::uint64_t, 4> equal{place.folded(), step.detail, history[0], history[1]};
  std::array<std::uint64_t, 11> words{};
  for (std::size_t i = 0; i < equal.size(); ++i) {
    words[2 * i] = equal[i];
    words[2 * i + 1] = ~equal[i];
  }
  words[8] = failure != nullptr;
  words[9] = more;
  words[10] = static_cast<std::uint64_t>(std::time(nullptr));
  members_->all_reduce(words, Reduction::max);
  ++meetings_;
  seconds_ = static_cast<std::int64_t>(words[10]);
  if (words[8] != 0) throw_first_failure(*members_, failure);
  for (std::size_t i = 0; i < equal.size(); ++i)
    if (words[2 * i] != ~words[2 * i + 1]) report_divergence(step);
  failure_is_known_ = false;
  return words[9] != 0;
}

void Agreement::fail(const CollectiveStep& step) {
  if (std::exchange(failure_is_known_, false)) throw;
  meet(step, std::current_exception());
  throw Error(ErrorKind::internal, "a failure was not agreed on");
}

Agreement::Report Agreement::my_report(const CollectiveStep& step) const {
  Report report;
  report.call =
      step.object.empty() ? std::string(step.call) : fmt::format("{} of '{}'", step.call, step.object);
  report.step = fmt::format("{} {}", step.call, step.number);
  report.detail = step.detail;
  report.noted = noted_;
  report.last.assign(last_.begin(), last_.end());
  return report;
}

void Agreement::report_divergence(const CollectiveStep& step) {
  std::vector<Report> reports;
  for (const auto& bytes : members_->all_gather(my_report(step).pack().bytes()))
    reports.push_back(Report::unpack(bytes));
  divergence_ = fmt::format("the processes that use '{}' have diverged: {}{}", name_,
                            Report::calls_text(reports), Report::changes_text(reports));
  throw Error(ErrorKind::diverged, divergence_);
}

}  // namespace filigree
