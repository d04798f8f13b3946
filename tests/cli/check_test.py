# SPDX-License-Identifier: Apache-2.0
"""`filigree check` and `filigree debug` on sound and on damaged files."""

import json
import resource
import shutil
import struct
import subprocess
import unittest

from samples import add_frames
from support import FILIGREE, FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy

VERSIONS = ("earliest", "v108", "v110", "latest")


def lookup3_of_all_prefixes(data):
    """The checksum of data[:n] for each n."""
    mask = numpy.uint64(0xFFFFFFFF)
    lengths = numpy.arange(len(data) + 1, dtype=numpy.uint64)
    a = (numpy.uint64(0xDEADBEEF) + lengths) & mask
    b, c = a.copy(), a.copy()

    def rot(x, k):
        return ((x << numpy.uint64(k)) | (x >> numpy.uint64(32 - k))) & mask

    padded = numpy.zeros((len(data) // 12 + 2) * 12, "u1")
    padded[: len(data)] = numpy.frombuffer(data, "u1")
    for block in range(len(data) // 12 + 1):
        start = 12 * block
        # Bytes beyond the length are zero.
        inside = numpy.minimum(numpy.maximum(lengths.astype("i8") - start, 0), 12)
        active = inside > 0
        byte = [numpy.where(inside > i, padded[start + i], 0).astype("u8") for i in range(12)]
        word = [byte[i] | byte[i + 1] << numpy.uint64(8) | byte[i + 2] << numpy.uint64(16) | byte[i + 3] << numpy.uint64(24) for i in (0, 4, 8)]
        na, nb, nc = (a + word[0]) & mask, (b + word[1]) & mask, (c + word[2]) & mask
        last = inside.astype("i8") + start >= lengths.astype("i8")
        ma, mb, mc = na, nb, nc
        for x, k in (("a", 4), ("b", 6), ("c", 8), ("a", 16), ("b", 19), ("c", 4)):
            if x == "a":
                ma = ((ma - mc) & mask) ^ rot(mc, k)
                mc = (mc + mb) & mask
            elif x == "b":
                mb = ((mb - ma) & mask) ^ rot(ma, k)
                ma = (ma + mc) & mask
            else:
                mc = ((mc - mb) & mask) ^ rot(mb, k)
                mb = (mb + ma) & mask
        fa, fb, fc = na, nb, nc
        fc = ((fc ^ fb) - rot(fb, 14)) & mask
        fa = ((fa ^ fc) - rot(fc, 11)) & mask
        fb = ((fb ^ fa) - rot(fa, 25)) & mask
        fc = ((fc ^ fb) - rot(fb, 16)) & mask
        fa = ((fa ^ fc) - rot(fc, 4)) & mask
        fb = ((fb ^ fa) - rot(fa, 14)) & mask
        fc = ((fc ^ fb) - rot(fb, 24)) & mask
        a = numpy.where(active, numpy.where(last, fa, ma), a)
        b = numpy.where(active, numpy.where(last, fb, mb), b)
        c = numpy.where(active, numpy.where(last, fc, mc), c)
    return c


SIGNATURES = (b"OHDR", b"OCHK", b"BTHD", b"BTIN", b"BTLF", b"FRHP", b"FHIB", b"FSHD", b"FSSE", b"FAHD", b"FADB", b"EAHD", b"EAIB", b"EASB", b"EADB", b"SMTB", b"SMLI")
LONGEST = 3000


def checksummed_ranges(data):
    """{signature: [(start, end)]}: structures whose end is known by their checksum, which is the last of the bytes."""
    found = {}
    if data[8] >= 2:
        found[b"\x89HDF"] = [(0, 48)]
    for signature in SIGNATURES:
        at = data.find(signature)
        while at >= 0:
            part = data[at : at + LONGEST]
            sums = lookup3_of_all_prefixes(part)
            stored = numpy.array([struct.unpack_from("<I", part + b"\0\0\0\0", n)[0] for n in range(len(part))], "u8")
            ends = numpy.flatnonzero(sums[: len(part)] == stored)
            ends = ends[ends >= 8]
            if len(ends):
                found.setdefault(signature, []).append((at, at + int(ends[0]) + 4))
            at = data.find(signature, at + 1)
    at = data.find(b"FHDB")
    while at >= 0:
        # The checksum is among the bytes, after signature, version, header address and heap offset.
        for size in (512, 1024, 2048, 4096):
            block = bytearray(data[at : at + size])
            if len(block) < size:
                break
            for place in (17, 18):
                stored = struct.unpack_from("<I", block, place)[0]
                block[place : place + 4] = bytes(4)
                if lookup3_of_all_prefixes(bytes(block))[-1] == stored:
                    found.setdefault(b"FHDB", []).append((at, at + size))
                struct.pack_into("<I", block, place, stored)
        at = data.find(b"FHDB", at + 1)
    return found


def add_contents(file):
    """Objects of all kinds that h5py makes."""
    file["plain"] = numpy.arange(100.0)
    file["again"] = file["plain"]
    file.create_dataset("deflated", (100, 30), "f4", chunks=(10, 10), compression="gzip", shuffle=True)[:60] = 1.5
    file.create_dataset("growing", (50,), "i4", chunks=(3,), maxshape=(None,))[:] = range(50)
    file.create_dataset("wide", (20, 20), "i2", chunks=(5, 5), maxshape=(None, None), fletcher32=True)[:10, :12] = 3
    file.create_dataset("single", (6,), "i8", chunks=(6,), compression="gzip")[:] = 7
    file.create_dataset("texts", data=["one", "two" * 40, ""], dtype=h5py.string_dtype())
    file.create_dataset("lists", (3,), h5py.vlen_dtype("i4"))[0] = numpy.arange(20)
    file["compact/deep/deeper/x"] = 1
    many = file.create_group("many", track_order=True)
    for i in range(40):
        many.attrs[f"attribute {i}"] = f"value {i}"
        many.create_group(f"member {i:03}")
    file["type"] = numpy.dtype([("a", "i4"), ("b", "f8")])
    typed = file.create_dataset("typed", (4,), file["type"])
    typed.attrs.create("typed", numpy.zeros(2, file["type"].dtype), dtype=file["type"])
    file["soft"], file["nowhere"] = h5py.SoftLink("/plain"), h5py.SoftLink("/no/such")
    file["outside"] = h5py.ExternalLink("other.h5", "/x")
    file["references"] = numpy.array([file["plain"].ref, file["many"].ref, None], h5py.ref_dtype)
    file["regions"] = numpy.array([file["plain"].regionref[3:7]], h5py.regionref_dtype)
    file.attrs["reference"] = file["wide"].ref


class CheckCase(FolderCase):
    def check(self, *arguments, status=0):
        done = self.run_here("check", "--json", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def assert_sound(self, name):
        found = self.check("--data", name)
        faults = [f for f in found["findings"] if f["severity"] in ("damage", "leak")]
        self.assertEqual((found["sound"], faults), (True, []))
        self.check(name)
        size = (self.folder / name).stat().st_size
        if found["unused"] < 1000:
            self.assertLessEqual(found["used_bytes"] + found["free_bytes"] + found["unused_bytes"], size)
        return found

    def write(self, name, data):
        (self.folder / name).write_bytes(data)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def damages(self, name, *arguments):
        return [f for f in self.check(*arguments, name, status=1)["findings"] if f["severity"] == "damage"]


class Sound(CheckCase):
    def test_files_of_each_version(self):
        for low in VERSIONS:
            with self.subTest(low):
                with h5py.File(self.folder / "f.h5", "w", libver=(low, "latest")) as file:
                    add_contents(file)
                found = self.assert_sound("f.h5")
                self.assertGreater(found["objects"], 50)
                self.assertGreater(found["chunks_read"], 30)

    def test_stock_goes_on_with_a_file(self):
        for low in VERSIONS:
            with self.subTest(low), h5py.File(self.folder / "f.h5", "w", libver=(low, "latest")) as file:
                add_contents(file)
            for step in range(3):
                with h5py.File(self.folder / "f.h5", "r+", libver=(low, "latest")) as file:
                    file[f"more {step}"] = numpy.arange(1000)
                    file["growing"].resize((100 + 50 * step,))
                    file["growing"][60:] = step
                    del file[f"many/member {step:03}"]
                    del file["many"].attrs[f"attribute {step}"]
                    if step == 1:
                        del file["deflated"]
                with self.subTest((low, step)):
                    self.assert_sound("f.h5")

    def test_free_space_that_is_stored(self):
        for strategy in ("fsm", "page"):
            for threshold in (1, 64):
                with self.subTest((strategy, threshold)):
                    options = dict(libver="latest", fs_strategy=strategy, fs_persist=True, fs_threshold=threshold)
                    with h5py.File(self.folder / "f.h5", "w", **options) as file:
                        add_contents(file)
                    self.assert_sound("f.h5")
                    with h5py.File(self.folder / "f.h5", "r+", libver="latest") as file:
                        del file["deflated"], file["typed"]
                    self.assertGreater(self.assert_sound("f.h5")["free_bytes"], 0)

    def test_repacked_files(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            add_contents(file)
        for options in ([], ["--latest"], ["-f", "GZIP=1"], ["--latest", "--ssize=20"], ["-S", "PAGE", "-P", "1"], ["-l", "CONTI"]):
            with self.subTest(options):
                subprocess.run(["h5repack", *options, "f.h5", "r.h5"], cwd=self.folder, check=True, capture_output=True)
                self.assert_sound("r.h5")

    def test_swmr(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            data = file.create_dataset("x", (0,), "i4", chunks=(4,), maxshape=(None,))
            file.swmr_mode = True
            for step in range(20):
                data.resize((4 * step + 4,))
                data[4 * step :] = step
                data.flush()
            shutil.copy(self.folder / "f.h5", self.folder / "open.h5")
        self.assert_sound("f.h5")
        self.assertTrue(self.check("open.h5", status=1)["not_closed"])

    def test_user_blocks_and_narrow_offsets(self):
        with h5py.File(self.folder / "f.h5", "w", userblock_size=1024) as file:
            add_contents(file)
        self.assert_sound("f.h5")
        properties = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        properties.set_sizes(4, 4)
        h5py.File(h5py.h5f.create(bytes(self.folder / "n.h5"), fcpl=properties)).close()
        with h5py.File(self.folder / "n.h5", "r+") as file:
            add_contents(file)
        self.assert_sound("n.h5")

    def test_portable_and_structured_datasets(self):
        add_frames(self.folder / "p.h5")
        found = self.assert_sound("p.h5")
        [stored] = [f for f in found["findings"] if f["severity"] == "information"]
        self.assertRegex(stored["message"], r"^\d+ chunks were stored by HDF5")
        self.assertEqual(stored["path"], "/run1/frames")
        self.lines("repack", "--structured", "p.h5", "s.h5")
        self.assert_sound("s.h5")
        self.lines("repack", "--portable", "s.h5", "q.h5")
        self.assertEqual(self.assert_sound("q.h5")["informations"], 0)
        with h5py.File(self.folder / "q.h5", "r+") as file:
            file["run1/frames"][2, 3, 4] = 5
            file["more"] = numpy.arange(1000)
        self.assertEqual(self.assert_sound("q.h5")["informations"], 1)

    def test_external_and_virtual_storage(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            file.create_dataset("e", (8,), "i4", external=[("e.raw", 0, 32)])[:] = 1
            layout = h5py.VirtualLayout((4, 10), "i4")
            for i in range(4):
                layout[i] = h5py.VirtualSource(f"source{i}.h5", "d", (10,))
            file.create_virtual_dataset("v", layout)
        self.assert_sound("f.h5")


class Damage(CheckCase):
    def assert_every_byte_counts(self, name, *kinds):
        """Changes each byte of each structure with a checksum: every change must be found."""
        data = self.read(name)
        self.assert_sound(name)
        ranges = checksummed_ranges(data)
        self.assertEqual(set(kinds) - set(ranges), set())
        places = sorted({at for found in ranges.values() for start, end in found for at in range(start, end)})
        missed = []
        for first in range(0, len(places), 200):
            batch = places[first : first + 200]
            for at in batch:
                changed = bytearray(data)
                changed[at] ^= 1 << (at % 8)
                self.write(f"d{at}.h5", changed)
            done = subprocess.run([FILIGREE, "check", "--json", *(f"d{at}.h5" for at in batch)], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800)
            sound = {json.loads(line)["file"] for line in done.stdout.splitlines() if json.loads(line)["sound"]}
            missed += [at for at in batch if f"d{at}.h5" in sound]
            for at in batch:
                (self.folder / f"d{at}.h5").unlink()
        self.assertEqual(missed, [], f"of {len(places)}")
        return len(places)

    def create(self, **options):
        return h5py.File(self.folder / "f.h5", "w", libver="latest", **options)

    def test_groups_and_attributes(self):
        with self.create() as file:
            group = file.create_group("g", track_order=True)
            for i in range(12):
                group.create_group(f"{i}")
                group.attrs[f"a{i}"] = i
        self.assert_every_byte_counts("f.h5", b"\x89HDF", b"OHDR", b"BTHD", b"BTLF", b"FRHP", b"FHDB")

    def test_large_groups(self):
        with self.create() as file:
            for i in range(90):
                file[f"link {i:02} with a long name"] = h5py.SoftLink("/" + "x" * 20)
        self.assert_every_byte_counts("f.h5", b"BTIN", b"FHIB", b"FHDB")

    def test_chunk_indexes(self):
        with self.create() as file:
            file.create_dataset("f", (6,), "i1", chunks=(2,))[:] = 1
            file.create_dataset("t", (8, 8), "i1", chunks=(2, 2), maxshape=(None, None), compression="gzip")[:] = 1
        self.assert_every_byte_counts("f.h5", b"FAHD", b"FADB", b"BTHD", b"BTLF")

    def test_extensible_arrays(self):
        with self.create() as file:
            file.create_dataset("e", (250,), "i1", chunks=(1,), maxshape=(None,))[:] = 1
        self.assert_every_byte_counts("f.h5", b"EAHD", b"EAIB", b"EADB", b"EASB")

    def test_free_space(self):
        with self.create(fs_strategy="fsm", fs_persist=True) as file:
            file["a"], file["b"], file["c"] = numpy.zeros(50), numpy.zeros(50), 1
            del file["a"]
        self.assert_every_byte_counts("f.h5", b"FSHD", b"FSSE", b"OHDR")

    def test_shared_messages(self):
        with h5py.File(self.folder / "s.h5", "w") as file:
            for i in range(4):
                file.create_dataset(f"d{i}", (4,), numpy.dtype([("name", "S20"), ("value", "f8")]))
        subprocess.run(["h5repack", "--latest", "--ssize=10", "s.h5", "f.h5"], cwd=self.folder, check=True)
        self.assert_every_byte_counts("f.h5", b"SMTB", b"SMLI", b"FRHP")

    def test_pages_of_arrays(self):
        with self.create() as file:
            file.create_dataset("f", (3000,), "i1", chunks=(1,))[:] = 1
        data = self.read("f.h5")
        at = data.index(b"FADB")
        # Signature, version, client, address of the header, bitmap, checksum; then pages of 1024 elements.
        start = at + 4 + 1 + 1 + 8 + 1 + 4
        for place in (start, start + 8191, start + 8192, start + 8196 + 4000, start + 2 * 8196 + 952 * 8 + 3):
            changed = bytearray(data)
            changed[place] ^= 1
            self.write("d.h5", changed)
            [found] = self.damages("d.h5")
            self.assertEqual((found["structure"], found["path"]), ("page of a chunk array", "/f"))

    def test_chunks_are_decoded_on_request(self):
        with self.create() as file:
            data = file.create_dataset("g/x", (10,), "i4", chunks=(5,), fletcher32=True)
            data[:] = 1
            at = data.id.get_chunk_info(1).byte_offset
        changed = bytearray(self.read("f.h5"))
        changed[at + 2] ^= 4
        self.write("f.h5", changed)
        self.check("f.h5")
        [found] = self.damages("f.h5", "--data")
        self.assertEqual((found["structure"], found["address"], found["path"]), ("chunk", at, "/g/x"))


class Planted(CheckCase):
    def test_overlaps(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["a"], file["b"] = numpy.arange(100.0), numpy.arange(100.0)
            a, b = file["a"].id.get_offset(), file["b"].id.get_offset()
        for target in (a, a + 8, a - 8):
            self.write("d.h5", self.read("f.h5").replace(struct.pack("<Q", b), struct.pack("<Q", target)))
            found = [f for f in self.damages("d.h5") if "overlap" in f["message"]]
            self.assertTrue(found, target)
            self.assertTrue({f["path"] for f in found} & {"/a", "/b"})

    def test_leaks(self):
        for persist in (False, True):
            with h5py.File(self.folder / "f.h5", "w", fs_strategy="fsm", fs_persist=persist) as file:
                for name in "abc":
                    file[name] = numpy.arange(100.0)
                at = file["b"].id.get_offset()
            data = self.read("f.h5")
            place = data.index(struct.pack("<QQ", at, 800))
            changed = bytearray(data)
            # The dataset says that it was never written.
            changed[place : place + 8] = b"\xff" * 8
            self.write("d.h5", changed)
            found = self.check("-u", "d.h5", status=1 if persist else 0)
            severity = "leak" if persist else "unused"
            covering = [f for f in found["findings"] if f["severity"] == severity and f["address"] <= at and f["address"] + f["bytes"] >= at + 800]
            self.assertEqual(len(covering), 1, found)

    def test_objects_that_nothing_leads_to(self):
        for persist in (False, True):
            with h5py.File(self.folder / "f.h5", "w", libver="latest", fs_strategy="fsm", fs_persist=persist) as file:
                file["lost"], file["kept"] = 1, 2
                root, lost = (h5py.h5o.get_info(file[name].id) for name in ("/", "lost"))
            data = bytearray(self.read("f.h5"))
            # The link message becomes a NIL message. Before the name are version, flags and the length of the name.
            prefix = data.index(b"lost") - 7
            self.assertEqual(data[prefix], 6)
            data[prefix] = 0
            [(start, end)] = [r for r in checksummed_ranges(self.read("f.h5"))[b"OHDR"] if r[0] <= prefix < r[1]]
            self.assertEqual(start, root.addr)
            struct.pack_into("<I", data, end - 4, int(lookup3_of_all_prefixes(bytes(data[start : end - 4]))[-1]))
            self.write("d.h5", data)
            found = self.check("-u", "d.h5", status=1 if persist else 0)["findings"]
            [header] = [f for f in found if f["structure"] == "object header"]
            self.assertEqual((header["address"], header["severity"]), (lost.addr, "leak" if persist else "unused"))

    def test_deleted_objects_are_unused_bytes(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            file["lost"], file["kept"] = 1, 2
            lost = h5py.h5o.get_info(file["lost"].id).addr
        with h5py.File(self.folder / "f.h5", "r+", libver="latest") as file:
            del file["lost"]
        self.assertIn((lost, "object header"), [(f["address"], f["structure"]) for f in self.check("f.h5")["findings"]])

    def test_hard_links_that_lead_to_no_object(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["g/x"] = numpy.arange(100.0)
            header, data = h5py.h5o.get_info(file["g/x"].id).addr, file["g/x"].id.get_offset()
        for target in (data, 1 << 40):
            self.write("d.h5", self.read("f.h5").replace(struct.pack("<Q", header), struct.pack("<Q", target)))
            found = self.damages("d.h5")
            self.assertEqual([f["path"] for f in found if f["structure"] == "object header"], ["/g/x"])

    def test_counts_of_links(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["a"] = 1
            file["b"] = file["a"]
            header = h5py.h5o.get_info(file["a"].id).addr
        changed = bytearray(self.read("f.h5"))
        self.assertEqual(changed[header + 4], 2)
        for count in (1, 3):
            changed[header + 4] = count
            self.write("d.h5", changed)
            [found] = self.damages("d.h5")
            self.assertIn(f"it counts {count} links, but 2 lead to it", found["message"])

    def test_references_that_dangle(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["x"] = numpy.arange(100.0)
            data, header = file["x"].id.get_offset(), h5py.h5o.get_info(file["x"].id).addr
            file["r"] = numpy.array([file["x"].ref] * 3, h5py.ref_dtype)
            file.create_dataset("c", (4,), h5py.ref_dtype, chunks=(2,))[:] = [file["x"].ref] * 4
            file.attrs["r"] = file["x"].ref
        data_bytes = bytearray(self.read("f.h5"))
        place = data_bytes.index(struct.pack("<QQQ", header, header, header))
        struct.pack_into("<Q", data_bytes, place + 8, data)
        self.write("d.h5", data_bytes)
        self.check("d.h5")
        [found] = self.damages("d.h5", "--data")
        self.assertEqual((found["structure"], found["path"], found["address"]), ("object reference", "/r", data))

    def test_heap_references_that_dangle(self):
        for kind in ("attribute", "dataset"):
            with h5py.File(self.folder / "f.h5", "w") as file:
                if kind == "attribute":
                    file.attrs["text"] = "four"
                else:
                    file.create_dataset("texts", data=["one", "two", "three"], dtype=h5py.string_dtype())
            changed = bytearray(self.read("f.h5"))
            heap = changed.index(b"GCOL")
            # The address of the collection, and the index of the object there.
            place = changed.index(struct.pack("<QI", heap, 1))
            struct.pack_into("<I", changed, place + 8, 999)
            self.write("d.h5", changed)
            if kind == "dataset":
                self.check("d.h5")
            [found] = self.damages("d.h5", *(["--data"] if kind == "dataset" else []))
            self.assertIn("it has no object 999", found["message"])
            self.assertEqual(found["path"], "/" if kind == "attribute" else "/texts")

    def test_old_groups_that_contradict_themselves(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            for i in range(40):
                file[f"g/member {i:02}"] = i
        data = self.read("f.h5")
        leaves = [at for at in range(len(data)) if data[at : at + 4] == b"SNOD" and data[at + 6] > 2]
        # The offset of a name, after a header of 8 bytes and entries of 40.
        swapped = bytearray(data)
        swapped[leaves[0] + 8 : leaves[0] + 16], swapped[leaves[0] + 48 : leaves[0] + 56] = data[leaves[0] + 48 : leaves[0] + 56], data[leaves[0] + 8 : leaves[0] + 16]
        # The second key of a node that has several children, after 24 bytes, a key and a child.
        key = bytearray(data)
        node = next(at for at in range(len(data)) if data[at : at + 4] == b"TREE" and data[at + 6] > 2)
        key[node + 24 + 16 : node + 24 + 24] = bytes(8)
        # What the superblock repeats of the root group.
        cached = bytearray(data)
        cached[80] ^= 8
        for damaged, text in ((swapped, "order"), (key, "key"), (cached, "caches")):
            self.write("d.h5", damaged)
            self.assertIn(text, " ".join(f["message"] for f in self.damages("d.h5")))

    def test_memory_does_not_grow_with_what_a_file_says(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["x"] = 1
        data = bytearray(self.read("f.h5"))
        heap = data.index(b"HEAP")
        huge = 1 << 34
        struct.pack_into("<Q", data, heap + 8, huge)
        struct.pack_into("<Q", data, 40, huge * 2)  # the end of the file
        self.write("d.h5", data)
        with open(self.folder / "d.h5", "r+b") as file:
            file.truncate(huge * 2)
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        done = subprocess.run([FILIGREE, "check", "d.h5"], cwd=self.folder, capture_output=True, encoding="utf-8", preexec_fn=limit, timeout=1800)
        self.assertIn("more than are read of one structure", done.stdout, done.stderr)

    def test_each_element_is_a_finding(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file.create_dataset("texts", data=["one", "two", "three", "four"], dtype=h5py.string_dtype(), chunks=(4,))
        changed = bytearray(self.read("f.h5"))
        heap = changed.index(b"GCOL")
        for index in (2, 4):
            struct.pack_into("<I", changed, changed.index(struct.pack("<QI", heap, index)) + 8, 900 + index)
        self.write("d.h5", changed)
        messages = [f["message"] for f in self.damages("d.h5", "--data")]
        self.assertEqual(sorted(message.split()[-1] for message in messages), ["902", "904"])
        self.assertEqual(len({message.split(": ")[0] for message in messages if message.startswith("element ")}), 2)

    def test_cycles_end(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            inner = file.create_group("a/b")
            inner["up"] = file["a"]
            inner["root"] = file["/"]
        self.assert_sound("f.h5")
        data = self.read("f.h5")
        node = data.index(b"TREE")
        changed = bytearray(data)
        changed[node + 5] = 1
        struct.pack_into("<Q", changed, node + 8 + 16 + 8, node)
        self.write("d.h5", changed)
        self.assertTrue(self.damages("d.h5"))


class Command(CheckCase):
    def test_text_and_exit_codes(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["x"] = 1
        lines = self.lines("check", "f.h5")
        self.assertEqual(lines[0], "f.h5: sound")
        self.assertRegex(lines[1], r"^  2 objects, \d+ structures, 0 chunks; .* used, 0 B free, .* unused$")
        self.write("no.h5", b"nothing")
        self.assert_fails("no.h5", "check", "no.h5")
        self.assert_fails("absent.h5", "check", "absent.h5")
        self.assert_fails("required", "check", status=2)
        done = self.run_here("check", "f.h5", "no.h5")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (1, "f.h5: sound"))

    def test_findings_are_limited(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            for i in range(5):
                file[f"{i}"] = numpy.arange(10.0)
        with h5py.File(self.folder / "f.h5", "r") as file:
            headers = [h5py.h5o.get_info(file[f"{i}"].id).addr for i in range(5)]
        changed = bytearray(self.read("f.h5"))
        for header in headers:
            changed[header + 10] ^= 1
        self.write("d.h5", changed)
        found = self.check("--most-findings", "2", "d.h5", status=1)
        self.assertEqual((len(found["findings"]), found["damages"]), (2, 5))
        self.assertIn("further findings", self.run_here("check", "--most-findings", "2", "d.h5").stdout)

    def test_names_are_escaped(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            file["line\nfeed"] = 1
            header = h5py.h5o.get_info(file["line\nfeed"].id).addr
        changed = bytearray(self.read("f.h5"))
        changed[header + 10] ^= 1
        self.write("f.h5", changed)
        self.assertIn("/line\\nfeed: ", self.run_here("check", "f.h5").stdout)
        self.assertEqual(self.damages("f.h5")[0]["path"], "/line\nfeed")


class Debug(CheckCase):
    def describe(self, name, address, *arguments, status=0):
        done = self.run_here("debug", "--json", *arguments, name, str(address))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_structures_of_all_kinds(self):
        for low in ("earliest", "latest"):
            with h5py.File(self.folder / "f.h5", "w", libver=low) as file:
                add_contents(file)
            data = self.read("f.h5")
            for signature in (b"TREE", b"SNOD", b"HEAP", b"GCOL", b"FAHD", b"FADB", b"FSHD", *SIGNATURES[:7], b"EAHD", b"EAIB", b"EADB", b"FHDB"):
                at = data.find(signature)
                if at < 0:
                    continue
                with self.subTest((low, signature)):
                    found = self.describe("f.h5", at)
                    if found["linked"]:
                        self.assertNotIn("fault", found)
                        fields = {f["name"]: f["value"] for f in found["fields"]}
                        if signature != b"OCHK":
                            self.assertEqual(fields["signature"], f'"{signature.decode()}"')
                        self.assertEqual(found["address"], at)

    def test_offsets_are_those_of_the_bytes(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            file.create_dataset("x", (6,), "i1", chunks=(2,))[:] = 1
        at = self.read("f.h5").index(b"FAHD")
        found = self.describe("f.h5", at)
        self.assertEqual((found["structure"], found["path"], found["bytes"]), ("fixed array header", "/x", 28))
        fields = {f["name"]: f for f in found["fields"]}
        self.assertEqual((fields["elements"]["offset"], fields["elements"]["bytes"], fields["elements"]["value"]), (8, 8, "3"))
        self.assertEqual(self.describe("f.h5", hex(at + 5)), found)

    def test_object_headers_of_version_1(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["x"] = numpy.arange(3.0)
            header = h5py.h5o.get_info(file["x"].id).addr
        found = self.describe("f.h5", header)
        messages = [f["value"].split(" (")[0] for f in found["fields"] if f["name"] == "message"]
        for message in ("dataspace", "datatype", "layout"):
            self.assertIn(message, messages)
        self.assertEqual(self.describe("f.h5", header, "--as", "object header")["fields"], found["fields"])

    def test_filters_of_sections(self):
        add_frames(self.folder / "p.h5")
        self.lines("repack", "--structured", "p.h5", "s.h5")
        [address] = [line.split()[1] for line in self.lines("ls", "-v", "s.h5/run1/frames") if "Address:" in line]
        values = [f["value"] for f in self.describe("s.h5", address)["fields"]]
        self.assertIn('"filigree packed selection"', values)

    def test_damaged_structures(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            file.create_dataset("x", (6,), "i1", chunks=(2,))[:] = 1
        data = bytearray(self.read("f.h5"))
        at = data.index(b"FAHD")
        data[at + 9] ^= 1
        self.write("f.h5", data)
        found = self.describe("f.h5", at, status=1)
        self.assertIn("checksum", found["fault"])
        self.assertEqual(found["fields"][-1]["name"], "checksum")
        data[at + 6] = 0
        self.write("f.h5", data)
        found = self.describe("f.h5", at, status=1)
        self.assertIn("element bytes", found["fault"])
        self.assertEqual(found["fields"][-1]["name"], "element bytes")

    def test_usage(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["x"] = 1
        self.assert_fails("expected an address", "debug", "f.h5", "nowhere", status=2)
        self.assert_fails("no kind of structure; there are: superblock", "debug", "--as", "thing", "f.h5", "0", status=2)
        self.assert_fails("beyond the end", "debug", "f.h5", "0xffffffff")
        lines = self.lines("debug", "f.h5", "0")
        self.assertRegex(lines[0], r"^superblock at 0x0, 96 bytes$")
        self.assertRegex(lines[1], r"^ +0  signature ")


if __name__ == "__main__":
    unittest.main()
