# SPDX-License-Identifier: Apache-2.0
"""The programs whose files are compared: examples, C programs, and the drivers of the oracle tests with fixed scripts.

A case has a name and a function. The function gets a `Workshop` and runs programs in its folder; every file that it leaves
there is compared. Nothing here may depend on the clock, on a path, or on a random number without a fixed seed.
"""
import gzip
import itertools
import pathlib
import random
import shutil
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle"))
import attributes_test  # noqa: E402
import chunk_matrix_test  # noqa: E402
import chunks_write_test  # noqa: E402
import churn_test  # noqa: E402
import copies_test  # noqa: E402
import direct_test  # noqa: E402
import files_test  # noqa: E402
import groups_test  # noqa: E402
import matrix  # noqa: E402
import matrix_cases  # noqa: E402
import oracle  # noqa: E402
import virtual_test  # noqa: E402

DEBIAN_EXAMPLES = pathlib.Path("/usr/share/doc/libhdf5-doc/examples")
# Examples that open a file which another one has made.
MADE_BY = {"h5_read": "h5_write", "h5_chunk_read": "h5_extend_write", "h5_rdwt": "h5_crtdat", "h5_crtatt": "h5_crtdat",
           "h5_crtgrpd": "h5_crtgrpar"}
BOUNDS = {"earliest": 0, "v18": 1, "v110": 2, "v112": 3, "v114": 4}


def examples(tree, programs):
    for path in sorted(programs.glob("example_*")):
        # The report of the stream has measured times, and its pictures are no HDF5 files. MPI waits for the clock,
        # which stands still here.
        if path.stem != "example_lightsource_stream" and not path.stem.startswith("example_mpi_"):
            name = path.stem.removeprefix("example_")
            yield f"examples/{name}", lambda shop, path=path, name=name: shop.run(path, f"{name}.h5")


def c_programs(tree, programs):
    for path in sorted([*tree.glob("tests/capi/*.c"), *tree.glob("tests/capi/only/*.c")]):
        yield f"c/{path.stem}", lambda shop, path=path: shop.run(shop.compile(path), may_fail=True)


def _debian_source(shop, name):
    packed = DEBIAN_EXAMPLES / f"{name}.c.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else (DEBIAN_EXAMPLES / f"{name}.c").read_bytes()
    return shop.source(f"{name}.c", text)


def debian_examples(tree, programs):
    def make(shop, name):
        for folder in ("red", "blue", "u2w"):  # where examples of external links put files
            (shop.folder / folder).mkdir()
        for one in ([MADE_BY[name]] if name in MADE_BY else []) + [name]:
            shop.run(shop.compile(_debian_source(shop, one)), may_fail=True)
    for name in sorted({path.name.split(".")[0] for path in DEBIAN_EXAMPLES.glob("h5_*.c*")}):
        yield f"hdf5-examples/{name}", lambda shop, name=name: make(shop, name)


def _apply(shop, file, ops, low, create=None):
    """Runs operations of oracle.py with filigree_apply_driver."""
    first = ("open", file, {"low": low}) if create is None else ("create", file, {"low": low, **create})
    shop.driver("filigree_apply_driver", lines=[oracle._line(op) for op in [first, *ops, ("close",)]])


def _attributes():
    ops = [("group", "/g")]
    for i, kind in enumerate(attributes_test.INTEGERS):
        ops.append(("attr", "/g", f"i{i}", kind, (5,), attributes_test.extremes(kind)))
    ops += [("attr", "/g", f"f{i}", kind, (2, 2), [0.0, -0.0, 1.5, float("inf")]) for i, kind in enumerate(attributes_test.FLOATS)]
    ops += [("attr", "/", f"s{i}", kind, (2,), [b"" if kind.startswith("S:1:t") else b"a", b""])
            for i, kind in enumerate(attributes_test.STRINGS)]
    return ops


def _phase_changes():
    ops = [("group", "/g"), ("group", "/o", {"attr_track": 1}), ("group", "/i", {"attr_track": 1, "attr_index": 1}), ("commit", "/t", "<i4")]
    for path in ("/g", "/o", "/i", "/t"):
        ops += [("attr", path, f"a{i * 37 % 41}", "<i4", (), [i]) for i in range(40)]
        ops += [("attr_remove", path, f"a{i * 37 % 41}") for i in range(0, 40, 2)]
        ops += [("attr_rename", path, f"a{i * 37 % 41}", f"c{i}" * 9) for i in range(1, 40, 8)]
    return ops


def _links():
    names = ["ascii", "é", "日本語", "🙂" * 20, "ß ", "n" * 300]
    ops = [("group", "/a"), ("group", "/a/b"), ("hard", "/again", "/a/b"), ("soft", "/s", "/a/b"), ("external", "/e", "other.h5", "/x/y"),
           ("user", "/u", 187, b"\0data\xff"), ("commit", "/type", "<f8"), ("hard", "/a/type", "/type"), ("comment", "/a", "a comment")]
    ops += [("soft", f"/a/b/s{i}", "/" + "t" * i) for i in range(1, 200, 9)] + [("group", f"/{name}") for name in names]
    return ops + [("rename", "/日本語", "/é/日本"), ("rename", "/ascii", "/ä"), ("remove", "/again")]


def _copies():
    ops = copies_test.SOURCE + [("copy", "/src", f"/copy{i}", flags) for i, flags in enumerate(copies_test.FLAGS) if "external" not in flags]
    return ops + [("copy", "/src/type", "/one", ""), ("copy", "/src/sub/deep", "/src/sub/inner", "")]


SCENARIOS = {
    "attributes": (_attributes, {}), "phase_changes": (_phase_changes, {"attr_track": 1}), "links": (_links, {}), "copies": (_copies, {}),
    "wide": (lambda: groups_test.wide(300), {}),
    "ordered": (lambda: [("group", "/w", groups_test.ORDERED)] + [("soft", f"/w/n{i * 7919 % 1000:03d}", "x") for i in range(200)], groups_test.ORDERED),
    "churn": (lambda: [("group", "/g", {"track": 1})] + churn_test.churn(random.Random(1), 200, 40)[0], {}),
    "user_block": (files_test.some, {"userblock": 512}), "narrow": (files_test.some, {"offset": 4, "length": 4}),
    "ranks": (files_test.some, {"leaf_k": 1, "internal_k": 7}),
    "free_list": (files_test.some, {"strategy": files_test.FREE_LIST, "persist": 1}),
    "paged": (files_test.some, {"strategy": files_test.PAGED, "persist": 1, "page": 512}), "aggregated": (files_test.some, {"strategy": files_test.AGGREGATED}),
    "no_space": (files_test.some, {"strategy": files_test.NONE}),
    "shared": (files_test.some, {"shared": "1:4096;1:8,2", "list_max": 4, "btree_min": 2}),
}


def objects(tree, programs):
    """Groups, links and attributes; half of the operations follow after the file was closed and opened again."""
    def make(shop, ops, low, create):
        _apply(shop, "objects.h5", ops[:len(ops) // 2], low, create)
        _apply(shop, "objects.h5", ops[len(ops) // 2:], low)
    for (name, (ops, create)), (bound, low) in itertools.product(SCENARIOS.items(), BOUNDS.items()):
        yield f"objects/{name}-{bound}", lambda shop, ops=ops, low=low, create=create: make(shop, ops(), low, create)


def _datasets(shop, ops, low, create=False, narrow=False):
    first = f"create\tm.h5\t{low}\t{4 if narrow else 8}" if create else f"open\tm.h5\t{low}\tw"
    shop.driver("datasets_driver", lines=[first, *(matrix.line(*op) for op in ops), "close"])


def datasets(tree, programs):
    """Every type in every layout."""
    makers = {store: lambda values, low, store=store: matrix_cases.dataset_ops(store, values, low) for store in matrix_cases.STORES}
    makers |= {"attributes": matrix_cases.attribute_ops, "fill": matrix_cases.fill_ops}

    def make(shop, maker, low, narrow):
        values = matrix_cases.Values(1 + low)
        _datasets(shop, matrix_cases.setting() + maker(values, low), low, create=True, narrow=narrow)
        _datasets(shop, [("remove", "/late/i4le_line")], low)
        shop.join(".[01]", "external.parts")
    for (name, maker), (bound, low) in itertools.product(makers.items(), BOUNDS.items()):
        yield f"datasets/{name}-{bound}", lambda shop, maker=maker, low=low: make(shop, maker, low, False)
    yield "datasets/late-narrow", lambda shop: make(shop, makers["late"], 0, True)


def chunk_matrix(tree, programs):
    """Indexes with chains of filters, types and edges; each dataset is written, grown, shrunk and grown."""
    def make(shop, bounds, shape):
        cases = [case for case in chunk_matrix_test.cases(bounds) if case.name.startswith(f"{shape}_{case.chain.replace(',', '+')}_")]
        cases = [case for case in cases if (case.shape, case.most, case.chunk) == chunk_matrix_test.SHAPES[shape] and case.kind in ("<i4", ">f4", ">i8")]
        for number in range(4):
            script = []
            for case in cases:
                dims, start, count = list(case.turns())[number]
                script += [case.make_ours()] if number == 0 else [f"resize {case.name} {chunk_matrix_test.text(dims)}"]
                script.append(f"marks {case.name} {chunk_matrix_test.text(start)} {chunk_matrix_test.text(count)} {7 * number + 1}")
            shop.driver("chunks_driver", "chunks.h5", bounds if number == 0 else "open", lines=script)
    for bounds, shape in itertools.product(chunk_matrix_test.BOUNDS, chunk_matrix_test.SHAPES):
        yield f"chunks/{shape}-{bounds}", lambda shop, bounds=bounds, shape=shape: make(shop, bounds, shape)


def random_chunks(tree, programs):
    def make(shop, seed, bounds):
        rng = random.Random(seed)
        twins = [chunks_write_test.Twin(rng, f"d{i}") for i in range(4)]
        script = [twin.create() for twin in twins]
        script += [line for _ in range(30) if (line := "flush" if rng.random() < 0.1 else rng.choice(twins).step(rng))]
        shop.driver("chunks_driver", "chunks.h5", bounds, lines=script)
    for seed, bounds in itertools.product(range(1, 9), ("earliest", "latest")):
        yield f"chunks/random{seed}-{bounds}", lambda shop, seed=seed, bounds=bounds: make(shop, seed, bounds)


def threads(tree, programs):
    """Large enough that all threads take part."""
    def make(shop, chain):
        shop.driver("chunks_driver", "chunks.h5", "latest",
                    lines=[f"make d <i4 1000,900 u,u 64,50 {chain} -", "marks d 0,0 1000,900 3", "box d 17,33 700,500 1", "resize d 890,910",
                           "marks d 5,7 880,903 9"])
    for chain in ("-", "shuffle,deflate", "szip", "zstd", "bitshuffle", "lz4"):
        yield f"chunks/large-{chain.replace('-', 'unfiltered').replace(',', '+')}", lambda shop, chain=chain: make(shop, chain)


def direct_chunks(tree, programs):
    def make(shop, bounds):
        lines = []
        for name, (shape, chunk, most) in direct_test.SHAPES.items():
            values = (np.arange(np.prod(shape)) * 7919 % 1009).astype("<i4").reshape(shape)
            lines.append(f"create {name} {direct_test.text(shape)} {direct_test.text(most)} {direct_test.text(chunk)} deflate")
            for n, corner in enumerate(direct_test.corners(shape, chunk)):
                block = direct_test.full_chunk(values, corner, chunk)
                raw = block.tobytes() if n % 5 == 4 else zlib.compress(block.tobytes(), 6)
                lines.append(f"chunk {name} {direct_test.text(corner)} {int(n % 5 == 4)} {raw.hex()}")
        shop.driver("direct_driver", "direct.h5", bounds, lines=lines)
        shop.driver("direct_driver", "direct.h5", "open", lines=["append line 500 7", "append extensible 9 1"])
    for bounds in ("earliest", "latest"):
        yield f"direct/{bounds}", lambda shop, bounds=bounds: make(shop, bounds)


def sections(tree, programs):
    """Sparse chunks, one for each dataset."""
    def make(shop, seed):
        rng = random.Random(seed)
        lines = []
        for _ in range(30):
            dims = [rng.randint(1, most) for most in rng.choice([(60,), (12, 14), (5, 6, 7), (3, 4, 4, 5)])]
            total = int(np.prod(dims))
            chosen = sorted(rng.sample(range(total), rng.randint(1, total)))
            lines.append(f"ours {','.join(map(str, dims))} {','.join(map(str, chosen))}")
        shop.driver("sections_driver", "sections.h5", lines=lines)
    for seed in range(1, 9):
        yield f"sections/random{seed}", lambda shop, seed=seed: make(shop, seed)


def sparse(tree, programs):
    for bounds, kind in itertools.product(("earliest", "latest"), ("unfiltered", "filtered", "packed", "text")):
        yield (f"sparse/{kind}-{bounds}",
               lambda shop, bounds=bounds, kind=kind: shop.driver("sparse_files_driver", "sparse.h5", bounds, kind))


def seeds(tree, programs):
    """The files that fuzzers start from. Other seeds are parts of these."""
    def make(shop):
        shop.driver("seed_files", ".")
        for folder in ("conversion", "datatype", "messages", "structures"):
            shutil.rmtree(shop.folder / folder)
    yield "fuzz/seeds", make


def virtual_datasets(tree, programs):
    def make(shop, bounds):
        script = "".join(case.script(name) for name, case in virtual_test.CASES.items()).splitlines()
        shop.driver("virtual_driver", "virtual.h5", bounds, "last", "0", lines=script)
    for bounds in ("earliest", "latest"):
        yield f"virtual/{bounds}", lambda shop, bounds=bounds: make(shop, bounds)


def drivers(tree, programs):
    """The same contents through every driver, then extended."""
    def make(shop, driver, name, low, options):
        for verb in ("make", "extend"):
            shop.driver("virtual_files_driver", verb, driver, name, f"low={low}", *options)
    names = {"posix": "f.h5", "uring": "f.h5", "memory": "f.h5", "family": "f%d.h5", "split": "f", "multi": "f"}
    for (driver, name), (bound, low) in itertools.product(names.items(), BOUNDS.items()):
        options = ["member=8192"] if driver == "family" else []
        yield (f"drivers/{driver}-{bound}",
               lambda shop, driver=driver, name=name, low=low, options=options: make(shop, driver, name, low, options))


def unclosed(tree, programs):
    for version, stage in itertools.product(("earliest", "v108", "latest"), ("flushed", "changed", "closed")):
        yield (f"unclosed/{version}-{stage}",
               lambda shop, version=version, stage=stage: shop.driver("unclosed_driver", "u.h5", version, stage))


def indexes(tree, programs):
    """Indexes rebuilt in another order, and thinned out."""
    def make(shop, bounds):
        shapes = {name: chunk_matrix_test.SHAPES[name] for name in ("fixed", "fixed_paged", "extensible_long", "tree2", "tree2_cube")}
        text = chunk_matrix_test.text
        script = [line for name, (dims, most, chunk) in shapes.items()
                  for line in (f"make {name} <i4 {text(dims)} {text(most)} {text(chunk)} deflate -",
                               f"marks {name} {text([0] * len(dims))} {text(dims)} 3")]
        shop.driver("chunks_driver", "index.h5", bounds, lines=script)
        for name in shapes:
            shop.driver("index_driver", "rebuild", "index.h5", "/" + name, "5")
            shop.driver("index_driver", "thin", "index.h5", "/" + name, "3")
    for bounds in ("earliest", "v110", "latest"):
        yield f"indexes/{bounds}", lambda shop, bounds=bounds: make(shop, bounds)


GROUPS = [examples, c_programs, debian_examples, objects, datasets, chunk_matrix, random_chunks, threads, direct_chunks, sections,
          sparse, seeds, virtual_datasets, drivers, unclosed, indexes]


def all_cases(tree, programs):
    return {name: make for group in GROUPS for name, make in group(tree, programs)}
