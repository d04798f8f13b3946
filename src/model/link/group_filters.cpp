// SPDX-License-Identifier: Apache-2.0
#include "model/link/group_filters.hpp"

#include "filter/registry.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/pipeline.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

Buffer encode_group_filters(const File& file, const std::vector<FilterChoice>& filters) {
  if (filters.empty()) return {};
  format::PipelineMessage message;
  message.version = file.formats().pipeline();
  for (const FilterChoice& choice : filters) {
    format::PipelineFilter& made = message.filters.emplace_back();
    made.id = choice.id;
    made.flags = choice.optional ? 1 : 0;
    made.name = choice.name;
    made.parameters = choice.parameters;
    const auto kind = filter::shared_registry().find(choice.id);
    if (made.name.empty() && kind) made.name = kind->name();
  }
  return format::encode(message, file.store().widths());
}

Buffer stored_group_filters(File& file, Address header) {
  const auto body = find_message(file, header, format::MessageType::filter_pipeline);
  return body ? Buffer(body->begin(), body->end()) : Buffer();
}

std::vector<FilterChoice> decode_group_filters(const Buffer& body, Address header) {
  std::vector<FilterChoice> choices;
  if (body.empty()) return choices;
  for (const auto& stage : format::decode<format::PipelineMessage>(body, {}, header).filters)
    choices.push_back({stage.id, stage.parameters, stage.optional(), stage.name});
  return choices;
}

}  // namespace filigree::model
