// SPDX-License-Identifier: Apache-2.0
#include "dump_context.hpp"

#include <fmt/format.h>

#include "../command.hpp"
#include "../details.hpp"

namespace filigree::tools {

DumpContext::DumpContext(const DumpOptions& chosen, const File& opened, TextStream& ddl, TextStream& data)
    : options(chosen),
      file(opened),
      out(ddl, data),
      paths(opened),
      elements{chosen.escape, chosen.number_format},
      lines{chosen.columns, chosen.without_indices, !chosen.number_format.empty()},
      files{opened} {}

DumpContext::DumpContext(const DumpContext& outer, const File& opened)
    : options(outer.options),
      file(opened),
      out(outer.out),
      paths(opened),
      elements(outer.elements),
      lines(outer.lines),
      files(outer.files),
      written(outer.written) {
  files.push_back(opened);
}

void DumpContext::attempt(const std::string& subject, const std::function<void()>& work) {
  const std::size_t level = out.level();
  try {
    work();
  } catch (const Error& error) {
    out.unwind(level);
    report(subject, error_text(error, file.name()));
  }
}

void DumpContext::report(const std::string& subject, const std::string& message) {
  failed = true;
  complain(fmt::format("{}{}", file.name(), subject), message);
}

}  // namespace filigree::tools
