// SPDX-License-Identifier: Apache-2.0
//
// values_driver FILE: prints one line for every dataset: its path, a hash of its values, and the number of
// hashed bytes. Elements are hashed in their type in the file, variable-length strings as text. For a dataset
// that cannot be read, the line says "error" and the reason. Other variable-length types are left out.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;

class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ at[i]) * 0x100000001b3u;
    bytes_ += bytes;
  }
  std::string text() const { return std::to_string(value_) + "\t" + std::to_string(bytes_); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
  std::uint64_t bytes_ = 0;
};

std::string values(const Dataset& data) {
  Hash hash;
  const Datatype type = data.datatype();
  if (type.is_variable_string()) {
    for (const std::string& text : data.read<std::vector<std::string>>()) {
      hash.add(text.data(), text.size());
      hash.add("\0", 1);
    }
    return hash.text();
  }
  const std::uint64_t count = data.space().kind() == Dataspace::Kind::null ? 0 : data.space().elements();
  if (count > (std::uint64_t{1} << 28) / type.size()) return "large";
  std::vector<std::byte> bytes(count * type.size());
  data.read_elements(type, bytes.data(), count);
  hash.add(bytes.data(), bytes.size());
  return hash.text();
}

void show(const std::string& path, const Dataset& data) {
  std::string line;
  try {
    if (data.datatype().has_variable_parts() && !data.datatype().is_variable_string()) return;
    line = values(data);
  } catch (const Error& e) {
    line = std::string("error\t") + e.what();
  }
  std::printf("%s\t%s\n", path.c_str(), line.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const File file = File::open(argv[1]);
    VisitOptions options;
    options.keep_going = true;
    file.root().visit(
        [&](const Visited& v) {
          if (!v.object || v.seen_before) return true;
          try {
            if (v.object->kind() == ObjectKind::dataset) show("/" + v.path, Dataset(*v.object));
          } catch (const Error&) {
          }
          return true;
        },
        options);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
