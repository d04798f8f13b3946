// SPDX-License-Identifier: Apache-2.0
//
// Packet tables of HDF5's C++ library (H5PacketTable.h), which Debian builds on the C library of 1.10.
#include <H5PacketTable.h>

#include <cstdio>

namespace {

void show(PacketTable& table) {
  int error = 0;
  const int index = static_cast<int>(table.GetIndex(error));
  std::printf("valid %d, variable %d, packets %d, next %d, %d\n", table.IsValid(), table.IsVariableLength(),
              static_cast<int>(table.GetPacketCount(error)), index, error);
}

void fixed(hid_t file) {
  const int values[6] = {3, 1, 4, 1, 5, 9};
  int found[6] = {};
  FL_PacketTable table(file, "fixed", H5T_NATIVE_INT, 4);
  std::printf("%d", table.AppendPackets(5, const_cast<int*>(values)));
  std::printf(" %d\n", table.AppendPacket(const_cast<int*>(values + 5)));
  show(table);
  std::printf("%d", table.GetNextPackets(2, found));
  std::printf(" %d", table.GetPacket(5, found + 2));
  std::printf(" %d", table.SetIndex(6));
  std::printf(" %d", table.SetIndex(3));
  std::printf(" %d", table.GetNextPacket(found + 3));
  std::printf(": %d %d %d %d\n", found[0], found[1], found[2], found[3]);
  table.ResetIndex();
  show(table);
}

void variable(hid_t file) {
  const hid_t type = H5Tvlen_create(H5T_NATIVE_INT);
  int values[4] = {2, 7, 1, 8};
  hvl_t packet{4, values}, found{0, nullptr};
  FL_PacketTable table(file, H5P_DEFAULT, "variable", type, 3);
  std::printf("%d", table.AppendPacket(&packet));
  std::printf(" %d", table.GetPacket(0, &found));
  std::printf(" %d %d", static_cast<int>(found.len), static_cast<int*>(found.p)[3]);
  std::printf(" %d\n", table.FreeBuff(1, &found));
  show(table);
  H5Tclose(type);
}

}  // namespace

int main() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fcreate("packets.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  fixed(file);
  variable(file);
  PacketTable again(file, "fixed");
  show(again);
  PacketTable absent(file, "absent");
  std::printf("%d\n", absent.IsValid());
  H5Fclose(file);
  return 0;
}
