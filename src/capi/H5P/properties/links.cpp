// SPDX-License-Identifier: Apache-2.0
//
// Properties of string creation, link creation and link access.
#include "capi/H5P/encoded_plist.hpp"
#include "capi/H5P/properties/tables.hpp"

namespace filigree::capi {
namespace {

using Strcpl = StringCreationSettings;
using Lcpl = LinkCreationSettings;
using Lapl = LinkAccessSettings;

constexpr LibraryProperty string_create[] = {
    choice<int, FILIGREE_FIELD(Strcpl, charset), H5T_CSET_UTF8>("character_encoding"),
};

constexpr LibraryProperty link_create[] = {
    scalar<unsigned, FILIGREE_FIELD(Lcpl, create_parents), Encoding::word>("intermediate_group"),
};

bool same_external_access(const Settings& a, const Settings& b) {
  const auto& x = dynamic_cast<const Lapl&>(a).external_access;
  const auto& y = dynamic_cast<const Lapl&>(b).external_access;
  return x == nullptr || y == nullptr ? x == y : x->same(*y);
}

void copy_external_access(Settings& settings) {
  auto& access = dynamic_cast<Lapl&>(settings).external_access;
  if (access == nullptr) return;
  auto copy = std::make_shared<FileAccessSettings>(*access);
  copy->make_own_copies();
  access = std::move(copy);
}

/// A byte that says whether there is a file access list, and that list in encoded form.
void encode_external_access(PlistCoder& coder, Settings& settings) {
  auto& access = dynamic_cast<Lapl&>(settings).external_access;
  std::uint8_t given = access == nullptr ? 0 : 1;
  coder.byte(given);
  if (given == 0) return;
  if (coder.writing()) {
    PropertyListHandle plist(library_class(PlistType::file_access));
    plist.set_settings(access->clone());
    std::vector<std::byte> bytes = encode_plist(plist);
    std::size_t count = bytes.size();
    coder.number(count);
    return coder.copy(bytes.data(), count);
  }
  std::size_t count = 0, used = 0;
  coder.count(count, std::size_t{1} << 20);
  const hid_t decoded = decode_plist(coder.at(), &used);
  const auto plist = ids().find_as<PropertyListHandle>(decoded);
  ids().release(decoded);
  access = std::dynamic_pointer_cast<const FileAccessSettings>(plist->settings());
  if (access == nullptr || used != count) PlistCoder::refuse("a file access list that is none");
  std::vector<std::byte> skipped(count);
  coder.copy(skipped.data(), count);
}

constexpr LibraryProperty link_access[] = {
    opaque("external link callback", 16)
        .compared<FILIGREE_FIELD(Lapl, external_callback), FILIGREE_FIELD(Lapl, external_callback_data)>(),
    scalar<std::size_t, FILIGREE_FIELD(Lapl, max_links), Encoding::number>("max soft links"),
    opaque("external link prefix", 8)
        .compared<FILIGREE_FIELD(Lapl, external_prefix)>()
        .encoded(encode_field<FILIGREE_FIELD(Lapl, external_prefix), Encoding::string>)
        .kept_on_copy(),
    scalar<unsigned, FILIGREE_FIELD(Lapl, external_flags), Encoding::word>("external link flags"),
    opaque("external link fapl", 8)
        .compared(same_external_access)
        .encoded(encode_external_access)
        .kept_on_copy(copy_external_access),
    unnamed<FILIGREE_FIELD(Lapl, collective_metadata)>(),
};

}  // namespace

std::span<const LibraryProperty> string_create_properties() { return string_create; }
std::span<const LibraryProperty> link_create_properties() { return link_create; }
std::span<const LibraryProperty> link_access_properties() { return link_access; }

}  // namespace filigree::capi
