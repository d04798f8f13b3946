// SPDX-License-Identifier: Apache-2.0
//
// All rows of a run: as a table on the terminal, and as JSON for charts and pages.
#pragma once

#include <string>
#include <vector>

#include "bench.hpp"

namespace bench {

/// One point of a cost curve.
struct Point {
  std::string curve;  ///< the operation
  std::string axis;   ///< the quantity that grows: "elements", "chunks", ...
  double at = 0;
  double value = 0;
  std::string unit = "s";
};

class Results {
 public:
  void begin(std::string_view scenario);
  void add(Result result);
  void add(Point point);
  /// Records that the current scenario gave a wrong result: none of its rows counts as checked.
  void fail(std::string_view why);
  bool failed() const { return !failures_.empty(); }

  /// Removes all rows but keeps the scenario. A child process calls this, since its parent has the rows
  /// already.
  void start_anew();
  /// Serialises all rows, points and failures for another process.
  std::string sent() const;
  /// Adds what another process has serialised with sent().
  void receive(std::string_view text);

  void write_json(const std::string& path, const std::string& command) const;

 private:
  std::string scenario_;
  std::vector<Result> rows_;
  std::vector<Point> points_;
  std::vector<std::string> failures_;
  std::vector<std::string> other_rows_, other_points_;  ///< from other processes, as JSON
};
Results& results();

/// "135 ms", "1.23 MB", "4 trips".
std::string amount(double value, std::string_view unit);
/// The conditions of the run, as members of a JSON object: "machine", "versions", "command", "date".
std::string circumstances(const std::string& command);
std::string json_text(std::string_view text);

}  // namespace bench
