// SPDX-License-Identifier: Apache-2.0
//
// The nth collective call of each member is part of the nth round. A member leaves its bytes in the round and
// waits until all have. Rounds are shared objects, so that a fast member can be in the next one already.
#include "testing/thread_communicator.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::testing {
namespace {

using ByteString = std::vector<std::byte>;

struct Round {
  explicit Round(std::size_t members) : parts(members) {}
  std::vector<std::optional<std::vector<ByteString>>> parts;  ///< by member
  std::vector<std::string> functions = std::vector<std::string>(parts.size());
  std::size_t arrived = 0;
  std::string failure = {};  ///< of a member; all fail then
};

class Group {
 public:
  Group(std::size_t members, const ThreadGroupOptions& options)
      : options_(options), states_(members), next_(members) {}

  /// One step of a member: leaves its part and returns the complete round.
  std::shared_ptr<const Round> join(int rank, const std::string& function, std::vector<ByteString> part) {
    const auto self = static_cast<std::size_t>(rank);
    const std::uint64_t step = next_[self]++;
    follow_plan(rank, step, function);
    std::unique_lock lock(mutex_);
    const std::shared_ptr<Round> round = round_at(step);
    for (std::size_t r = 0; r < states_.size(); ++r) {
      if (!round->parts[r] || round->functions[r] == function || !round->failure.empty()) continue;
      round->failure = fmt::format("different functions: rank {} calls {}, rank {} calls {}", rank, function,
                                   r, round->functions[r]);
    }
    round->parts[self] = std::move(part);
    round->functions[self] = function;
    ++round->arrived;
    states_[self] = {State::waiting, step};
    changed_.notify_all();
    const auto ready = [&] {
      return round->arrived == states_.size() || !round->failure.empty() || !verdict_.empty() ||
             is_deadlock();
    };
    const bool in_time = changed_.wait_for(lock, options_.patience, ready);
    const bool complete = round->arrived == states_.size();
    if (complete) states_[self].what = State::running;
    if (!round->failure.empty()) throw Error(ErrorKind::io, round->failure);
    if (!complete && !verdict_.empty()) throw Error(ErrorKind::internal, verdict_);
    if (!complete) give_up(in_time ? "deadlock" : "too long");
    return round;
  }

  void end(int rank) {
    const std::lock_guard lock(mutex_);
    states_[static_cast<std::size_t>(rank)].what = State::ended;
    changed_.notify_all();
  }

  std::uint64_t steps(std::size_t rank) const { return next_[rank]; }
  std::size_t size() const { return states_.size(); }
  int on_this_node() const {
    return options_.on_this_node > 0 ? options_.on_this_node : static_cast<int>(states_.size());
  }

 private:
  struct State {
    enum What { running, waiting, ended } what = running;
    std::uint64_t step = 0;
  };

  std::shared_ptr<Round> round_at(std::uint64_t step) {
    while (first_ + rounds_.size() <= step) rounds_.push_back(std::make_shared<Round>(states_.size()));
    while (rounds_.size() > 1 && rounds_.front()->arrived == states_.size() && first_ + 1 < step) {
      rounds_.pop_front();
      ++first_;
    }
    return rounds_[step - first_];
  }

  void follow_plan(int rank, std::uint64_t step, const std::string& function) {
    for (const PlannedStep& planned : options_.plan) {
      if (planned.rank != rank || planned.step != step) continue;
      if (planned.what == PlannedStep::What::is_late) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        continue;
      }
      const std::string text =
          fmt::format("rank {} fails as planned in {}, its step {}", rank, function, step);
      const std::lock_guard lock(mutex_);
      round_at(step)->failure = text;
      changed_.notify_all();
      throw Error(ErrorKind::io, text);
    }
  }

  /// Whether nobody runs who could complete a round.
  bool is_deadlock() const {
    return std::ranges::none_of(states_, [&](const State& state) {
      if (state.what == State::running) return true;
      return state.what == State::waiting && is_complete(state.step);
    });
  }

  bool is_complete(std::uint64_t step) const {
    if (step < first_) return true;
    const Round& round = *rounds_[step - first_];
    return round.arrived == states_.size() || !round.failure.empty();
  }

  /// All who wait throw what the first one finds.
  [[noreturn]] void give_up(std::string_view why) {
    std::string text = fmt::format("{}:", why);
    for (std::size_t r = 0; r < states_.size(); ++r) {
      const State& state = states_[r];
      if (state.what == State::ended) {
        text += fmt::format(" rank {} has ended;", r);
      } else if (state.step < first_ || state.what == State::running) {
        text += fmt::format(" rank {} runs;", r);
      } else {
        text += fmt::format(" rank {} waits in {} (step {});", r, rounds_[state.step - first_]->functions[r],
                            state.step);
      }
    }
    verdict_ = text;
    changed_.notify_all();
    throw Error(ErrorKind::internal, text);
  }

  const ThreadGroupOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<State> states_;
  std::deque<std::shared_ptr<Round>> rounds_;
  std::string verdict_;              ///< why all members gave up
  std::uint64_t first_ = 0;          ///< the number of rounds_[0]
  std::vector<std::uint64_t> next_;  ///< each member changes its own
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<Group> group, int rank) : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(group_->size()); }
  int on_this_node() const override { return group_->on_this_node(); }

  void all_reduce(std::span<std::uint64_t> values, Reduction how) override {
    const auto bytes = std::as_bytes(values);
    const auto round = join("all_reduce", {ByteString(bytes.begin(), bytes.end())});
    std::vector<std::uint64_t> other(values.size());
    for (std::size_t r = 0; r < group_->size(); ++r) {
      const ByteString& part = (*round->parts[r])[0];
      if (part.size() != bytes.size()) throw Error(ErrorKind::internal, "all_reduce of different lengths");
      std::ranges::copy(part, std::as_writable_bytes(std::span(other)).begin());
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = r == 0 ? other[i] : combine(values[i], other[i], how);
    }
  }
  std::vector<ByteString> all_gather(std::span<const std::byte> bytes) override {
    const auto round = join("all_gather", {ByteString(bytes.begin(), bytes.end())});
    std::vector<ByteString> all;
    for (const auto& part : round->parts) all.push_back((*part)[0]);
    return all;
  }
  std::vector<ByteString> exchange(std::span<const ByteString> to) override {
    if (to.size() != group_->size()) throw Error(ErrorKind::internal, "exchange() needs a string per member");
    const auto round = join("exchange", {to.begin(), to.end()});
    std::vector<ByteString> received;
    for (const auto& part : round->parts) received.push_back((*part)[static_cast<std::size_t>(rank_)]);
    return received;
  }
  void broadcast(ByteString& bytes, int from) override {
    const auto round = join(fmt::format("broadcast from {}", from), {bytes});
    bytes = (*round->parts[static_cast<std::size_t>(from)])[0];
  }
  void barrier() override { join("barrier", {ByteString()}); }

 private:
  /// As an MPI that was initialised by MPI_Init, which one thread alone may call.
  std::shared_ptr<const Round> join(const std::string& function, std::vector<ByteString> part) {
    if (std::this_thread::get_id() != thread_)
      throw Error(ErrorKind::internal, fmt::format("a second thread of rank {} calls {}", rank_, function));
    return group_->join(rank_, function, std::move(part));
  }
  static std::uint64_t combine(std::uint64_t a, std::uint64_t b, Reduction how) {
    switch (how) {
      case Reduction::sum:
        return a + b;
      case Reduction::min:
        return std::min(a, b);
      case Reduction::max:
        return std::max(a, b);
      case Reduction::bitwise_or:
        break;
    }
    return a | b;
  }

  const std::shared_ptr<Group> group_;
  const int rank_;
  const std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace

std::string MemberResult::what() const {
  if (failure == nullptr) return {};
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown exception";
  }
}

std::vector<MemberResult> run_members(int members,
                                      const std::function<void(const std::shared_ptr<Communicator>&)>& work,
                                      const ThreadGroupOptions& options) {
  const auto group = std::make_shared<Group>(static_cast<std::size_t>(members), options);
  std::vector<MemberResult> results(static_cast<std::size_t>(members));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < members; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        work(std::make_shared<ThreadCommunicator>(group, rank));
      } catch (...) {
        results[static_cast<std::size_t>(rank)].failure = std::current_exception();
      }
      group->end(rank);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t r = 0; r < results.size(); ++r) results[r].steps = group->steps(r);
  return results;
}

void run_members_well(int members, const std::function<void(const std::shared_ptr<Communicator>&)>& work,
                      const ThreadGroupOptions& options) {
  const auto results = run_members(members, work, options);
  for (std::size_t r = 0; r < results.size(); ++r)
    if (results[r].failed())
      throw Error(ErrorKind::internal, fmt::format("rank {}: {}", r, results[r].what()));
}

}  // namespace filigree::testing
