// SPDX-License-Identifier: Apache-2.0
#include "capi/H5T/datatype.hpp"

#include "api/type_access.hpp"
#include "capi/H5T/type_tools.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {

using format::DatatypeMessage;

namespace {

// The usual size of offsets in files. The C++ API adapts types to files with other sizes.
constexpr std::uint8_t offset_bytes = 8;

}  // namespace

TypeHandle::TypeHandle(const std::shared_ptr<OpenFile>& open, const CommittedDatatype& reached)
    : InFileHandle(open),
      value(memory_form(api::TypeAccess::impl(reached.datatype()).message)),
      state(TypeState::named),
      committed(std::make_shared<const CommittedDatatype>(reached)) {
  take_name();
}

std::optional<std::uint64_t> TypeHandle::object_address() const {
  if (state != TypeState::named) return std::nullopt;
  return committed->address();
}

void TypeHandle::become_named(const std::shared_ptr<OpenFile>& open, const CommittedDatatype& made) {
  value.set(memory_form(api::TypeAccess::impl(made.datatype()).message));
  committed = std::make_shared<const CommittedDatatype>(made);
  attach(open);
  take_name();
  state = TypeState::named;
}

void TypeHandle::take_name() {
  if (committed->path().starts_with('/')) set_name(committed->path());
}

std::shared_ptr<TypeHandle> get_type(hid_t id) { return ids().get<TypeHandle>(id, "a datatype"); }

DatatypeMessage memory_form(const DatatypeMessage& type) { return type::c_type(type, &c_reference); }

template <class Make>
Datatype TypeHandle::made_by(Make&& make, ApiType& made) const {
  if (made.fixed.load(std::memory_order_acquire)) return *made.type;
  const MutexLock lock(mutex_);
  const auto now = value.get();
  if (made.source != now) {
    made.type = api::TypeAccess::make(make(*now));
    made.source = now;
  }
  if (state == TypeState::immutable) made.fixed.store(true, std::memory_order_release);
  return *made.type;
}

Datatype TypeHandle::in_memory() const {
  return made_by([](const DatatypeMessage& now) { return now; }, memory_);
}

Datatype TypeHandle::in_file() const {
  return made_by([](const DatatypeMessage& now) { return type::file_type(now, offset_bytes); }, file_);
}

Datatype memory_datatype(const TypeHandle& type) { return type.in_memory(); }

Datatype file_datatype(const TypeHandle& type) {
  if (type.state == TypeState::named) return type.committed->datatype();
  return type.in_file();
}

hid_t add_type(const Datatype& type, TypeState state) {
  return add_type(memory_form(api::TypeAccess::impl(type).message), state);
}

hid_t add_type(DatatypeMessage message, TypeState state) {
  return ids().add(std::make_shared<TypeHandle>(std::move(message), state));
}

hid_t add_type_of(const std::shared_ptr<OpenFile>& open, const Datatype& type) {
  const Address committed = api::TypeAccess::impl(type).committed;
  if (!is_valid(committed)) return add_type(type, TypeState::read_only);
  const Object object = open->file.open_object(ObjectReference{to_number(committed)});
  return ids().add(std::make_shared<TypeHandle>(open, CommittedDatatype(object)));
}

}  // namespace filigree::capi
