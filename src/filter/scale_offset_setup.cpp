// SPDX-License-Identifier: Apache-2.0
#include "filter/scale_offset_setup.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/limits.hpp"

namespace filigree::filter {
namespace {

enum Param : std::size_t { kind, factor, elements, type_class, size, sign, order, fill_defined, fill };
constexpr std::size_t all_params = 20;

[[noreturn]] void fail(std::string_view why) {
  throw Error(ErrorKind::corrupt, fmt::format("scale-offset parameters: {}", why));
}

std::uint32_t flag(std::span<const std::uint32_t> params, Param which) {
  if (params[which] > 1) fail(fmt::format("value {} is {}, allowed 0 and 1", +which, params[which]));
  return params[which];
}

}  // namespace

ScalePlan parse_scale_offset(std::span<const std::uint32_t> params) {
  if (params.size() < fill) fail(fmt::format("{} values instead of {}", params.size(), all_params));
  ScalePlan plan;
  plan.floating = flag(params, type_class) == 1;
  const auto scale = static_cast<ScaleKind>(params[kind]);
  if (scale != (plan.floating ? ScaleKind::decimal : ScaleKind::integer)) {
    fail(fmt::format("scale kind {} does not fit {}", params[kind], plan.floating ? "floats" : "integers"));
  }
  plan.factor = static_cast<std::int32_t>(params[factor]);
  plan.elements = params[elements];
  plan.size = params[size];
  const bool good =
      plan.size == 4 || plan.size == 8 || (!plan.floating && (plan.size == 1 || plan.size == 2));
  if (!good) fail(fmt::format("elements of {} bytes", plan.size));
  plan.is_signed = !plan.floating && flag(params, sign) == 1;  // HDF5 leaves it unset for floats
  plan.big_endian = flag(params, order) == 1;
  plan.has_fill = flag(params, fill_defined) == 1;
  if (plan.has_fill) {
    if (params.size() < fill + (plan.size + 3) / 4) fail("the fill value is missing");
    plan.fill = params[fill];
    if (plan.size == 8) plan.fill |= std::uint64_t{params[fill + 1]} << 32;
    plan.fill &= widest_word(static_cast<unsigned>(plan.size));
  }
  return plan;
}

std::vector<std::uint32_t> scale_offset_params(std::span<const std::uint32_t> requested,
                                               const ChunkFacts& chunk) {
  const TypeFacts& type = chunk.type;
  if (requested.size() < 2 ||
      (type.kind != TypeFacts::Kind::integer && type.kind != TypeFacts::Kind::floating) ||
      type.order == TypeFacts::Order::none) {
    throw Error(ErrorKind::invalid_argument,
                "scale-offset accepts integers and floating-point numbers, and needs a kind and a factor");
  }
  const bool floating = type.kind == TypeFacts::Kind::floating;
  if (!floating && requested[factor] > 8 * type.bytes) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("scale-offset cannot store {} bits of {} bytes", requested[factor], type.bytes));
  }
  std::vector<std::uint32_t> params(all_params);
  std::copy_n(requested.begin(), 2, params.begin());
  params[elements] = static_cast<std::uint32_t>(chunk.elements());
  params[type_class] = floating ? 1 : 0;
  params[size] = type.bytes;
  params[sign] = !floating && type.is_signed ? 1 : 0;
  params[order] = type.order == TypeFacts::Order::big ? 1 : 0;
  if (chunk.fill) {
    Buffer bytes = *chunk.fill;
    if (params[order] == 1) std::reverse(bytes.begin(), bytes.end());
    bytes.resize(8);
    params[fill_defined] = 1;
    params[fill] = static_cast<std::uint32_t>(load_word(bytes.data(), 4));
    params[fill + 1] = static_cast<std::uint32_t>(load_word(bytes.data() + 4, 4));
  }
  // As in HDF5, a kind for other numbers is no error here. The filter then fails for every chunk.
  const auto fitting = floating ? ScaleKind::decimal : ScaleKind::integer;
  if (static_cast<ScaleKind>(params[kind]) == fitting) check_argument([&] { parse_scale_offset(params); });
  return params;
}

}  // namespace filigree::filter
