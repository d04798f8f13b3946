// SPDX-License-Identifier: Apache-2.0
#include "repack_report.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "json.hpp"
#include "text.hpp"

namespace filigree::tools {

namespace {

std::string done_text(const DatasetPlan& plan) {
  std::string text = fmt::format("{} to {}, {} to {}", plan.before, plan.after, bytes_text(plan.bytes_before),
                                 bytes_text(plan.bytes_after));
  if (plan.compared)
    text += fmt::format(", {} {}elements equal", grouped(*plan.compared),
                        plan.was_sparse || plan.becomes_sparse ? "defined " : "");
  if (!plan.made_mask.empty()) text += fmt::format(", mask in '{}'", printable(plan.made_mask));
  return text;
}

std::string plan_text(const DatasetPlan& plan) {
  return fmt::format("would change from {} to {}{}", plan.before, plan.after,
                     plan.keeps_mask ? ", with a mask of what is defined" : "");
}

void print_plan(const RepackReport& report, const DatasetPlan& plan) {
  std::string text;
  if (!plan.changes)
    text = fmt::format("{} {}", report.is_done ? "stays" : "would stay", plan.before);
  else
    text = report.is_done ? done_text(plan) : plan_text(plan);
  if (!plan.reason.empty()) text += (plan.changes ? "; " : ": ") + plan.reason;
  if (plan.is_refused)
    complain(plan.path, text);
  else
    fmt::print("{}: {}\n", printable(plan.path), text);
}

void add_plan(JsonWriter& json, const RepackReport& report, const DatasetPlan& plan) {
  const bool is_sparse = plan.changes ? plan.becomes_sparse : plan.was_sparse;
  json.begin_object().name("path", plan.path).key("converted").boolean(plan.changes);
  if (is_sparse) json.key("form").text(plan.is_portable ? "portable" : "structured");
  json.key("before").text(plan.before);
  if (plan.changes) json.key("after").text(plan.after);
  if (plan.changes && report.is_done) {
    json.key("stored_bytes_before").number(plan.bytes_before).key("stored_bytes").number(plan.bytes_after);
    if (plan.compared) json.key(plan.was_sparse || is_sparse ? "defined" : "compared").number(*plan.compared);
    if (!plan.made_mask.empty()) json.name("mask", plan.made_mask);
  }
  if (!plan.reason.empty()) json.name("reason", plan.reason);
  json.end_object();
}

}  // namespace

void print_report(const RepackReport& report, const RepackPlan& plan) {
  for (const DatasetPlan& dataset : plan.datasets())
    if (!dataset.is_refused) print_plan(report, dataset);
  if (report.is_done)
    fmt::print("{}: {}, {} before\n", printable(report.output), bytes_text(report.bytes_after),
               bytes_text(report.bytes_before));
  for (const DatasetPlan& dataset : plan.datasets())
    if (dataset.is_refused) print_plan(report, dataset);
}

void print_json_report(const RepackReport& report, const RepackPlan& plan) {
  JsonWriter json;
  json.begin_object().name("input", report.input).name("output", report.output);
  json.key("input_bytes").number(report.bytes_before);
  if (report.is_done)
    json.key("output_bytes").number(report.bytes_after);
  else
    json.key("dry_run").boolean(true);
  json.key("datasets").begin_array();
  for (const DatasetPlan& dataset : plan.datasets()) add_plan(json, report, dataset);
  json.end_array().end_object().finish();
}

}  // namespace filigree::tools
