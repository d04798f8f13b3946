// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace bench {

namespace {

std::string optional_number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "null";
}

std::string optional_flag(const std::optional<bool>& value) {
  return !value ? "null" : *value ? "true" : "false";
}

std::string row_json(const Result& r) {
  return fmt::format(
      R"({{"scenario": {}, "variant": {}, "ours": {:.6g}, "other": {}, "against": {}, "unit": {}, "ratio": {}, )"
      R"("aim": {}, "limit": {}, "met": {}, "bytes": {}, "checked": {}}})",
      json_text(r.scenario), json_text(r.name), r.ours, optional_number(r.other),
      r.other ? json_text(r.against) : "null", json_text(r.unit), optional_number(r.ratio()),
      optional_number(r.aim), optional_number(r.limit), optional_flag(r.met()), r.bytes,
      r.checked ? "true" : "false");
}

std::string point_json(const Point& p) {
  return fmt::format(R"({{"curve": {}, "axis": {}, "at": {:.6g}, "value": {:.6g}, "unit": {}}})",
                     json_text(p.curve), json_text(p.axis), p.at, p.value, json_text(p.unit));
}

void write_list(std::ofstream& out, std::string_view name, const std::vector<std::string>& items) {
  out << "  " << json_text(name) << ": [";
  const char* separator = "\n    ";
  for (const std::string& item : items) {
    out << separator << item;
    separator = ",\n    ";
  }
  out << (items.empty() ? "]" : "\n  ]");
}

/// Appends the text of each item to `all`.
template <class Items, class Text>
std::vector<std::string> texts(std::vector<std::string> all, const Items& items, Text text) {
  for (const auto& item : items) all.push_back(text(item));
  return all;
}

std::string aim_text(const Result& r) {
  if (r.aim) return fmt::format("{:.3g} x", *r.aim);
  if (r.limit) return "<= " + amount(*r.limit, r.unit);
  return "";
}

}  // namespace

std::optional<bool> Result::met() const {
  if (aim && other) return *ratio() >= *aim;
  if (limit) return ours <= *limit;
  return std::nullopt;
}

std::string amount(double value, std::string_view unit) {
  if (unit == "bytes") {
    if (value >= 1e6) return fmt::format("{:.2f} MB", value / 1e6);
    return value >= 1e4 ? fmt::format("{:.1f} kB", value / 1e3) : fmt::format("{:.0f} B", value);
  }
  if (unit != "s")
    return value >= 100 ? fmt::format("{:.0f} {}", value, unit) : fmt::format("{:.3g} {}", value, unit);
  if (value >= 1) return fmt::format("{:.2f} s", value);
  return value >= 1e-3 ? fmt::format("{:.3g} ms", value * 1e3) : fmt::format("{:.3g} us", value * 1e6);
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

Results& results() {
  static Results all;
  return all;
}

void Results::begin(std::string_view scenario) {
  scenario_ = scenario;
  fmt::print("\n{:<58} {:>10} {:>10} {:>9} {:>9}\n", scenario_, "Filigree", "other", "faster", "aim");
}

void Results::add(Result result) {
  result.scenario = scenario_;
  const auto met = result.met();
  fmt::print("  {:<56} {:>10} {:>10} {:>9} {:>9} {}{}\n", result.name, amount(result.ours, result.unit),
             result.other ? amount(*result.other, result.unit) : "",
             result.other ? fmt::format("{:.2f} x", *result.ratio()) : "", aim_text(result),
             !met   ? ""
             : *met ? "met"
                    : "MISSED",
             result.other && result.against != "HDF5" ? fmt::format("  (against {})", result.against) : "");
  std::fflush(stdout);
  rows_.push_back(std::move(result));
}

void Results::add(Point point) {
  fmt::print("  {:<56} {:>12g} {:<10} {:>12}\n", point.curve, point.at, point.axis,
             amount(point.value, point.unit));
  std::fflush(stdout);
  points_.push_back(std::move(point));
}

void Results::fail(std::string_view why) {
  failures_.push_back(fmt::format("{}: {}", scenario_, why));
  for (Result& row : rows_) {
    if (row.scenario == scenario_) row.checked = false;
  }
}

void Results::start_anew() {
  rows_.clear();
  points_.clear();
  failures_.clear();
  other_rows_.clear();
  other_points_.clear();
}

std::string Results::sent() const {
  std::string text;
  const auto add = [&](char kind, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += fmt::format("{}{}\n", kind, line);
  };
  add('r', texts({}, rows_, row_json));
  add('p', texts({}, points_, point_json));
  add('f', failures_);
  return text;
}

void Results::receive(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with('r')) other_rows_.emplace_back(line.substr(1));
    if (line.starts_with('p')) other_points_.emplace_back(line.substr(1));
    if (line.starts_with('f')) failures_.emplace_back(line.substr(1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Results::write_json(const std::string& path, const std::string& command) const {
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder);
  std::ofstream out(path);
  out << "{\n" << circumstances(command);
  write_list(out, "failures", texts({}, failures_, json_text));
  out << ",\n";
  write_list(out, "results", texts(other_rows_, rows_, row_json));
  out << ",\n";
  write_list(out, "points", texts(other_points_, points_, point_json));
  out << "\n}\n";
  if (!out.flush()) throw std::runtime_error(fmt::format("cannot write '{}'", path));
}

void report(Result result) { results().add(std::move(result)); }

}  // namespace bench
