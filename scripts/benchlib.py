# SPDX-License-Identifier: Apache-2.0
"""Shared by the benchmark scripts: results as JSON, and numbers as text."""

import json
import math


def load(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    for name in ("machine", "versions", "command", "date", "results"):
        if name not in data:
            raise SystemExit(f"{path} has no '{name}': it is not a file of benchmark results")
    data.setdefault("points", [])
    data.setdefault("failures", [])
    return data


def amount(value, unit):
    """135 ms, 1.23 MB, 4 trips."""
    if unit == "bytes":
        if value >= 1e12:
            return f"{value / 1e12:.1f} TB"
        if value >= 1e9:
            return f"{value / 1e9:.3g} GB"
        if value >= 1e6:
            return f"{value / 1e6:.2f} MB"
        return f"{value / 1e3:.1f} kB" if value >= 1e4 else f"{value:.0f} B"
    if unit != "s":
        return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
    if value >= 7200:
        return f"{value / 3600:,.0f} h"
    if value >= 1:
        return f"{value:.2f} s" if value < 100 else f"{value:.0f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def times(ratio):
    """A ratio with three digits, or without decimals from 100 on."""
    if ratio >= 100:
        return f"{ratio:.0f} x"
    return f"{ratio:.1f} x" if ratio >= 10 else f"{ratio:.2f} x"


def aim(row):
    if row.get("aim") is not None:
        return times(row["aim"])
    if row.get("limit") is not None:
        return "at most " + amount(row["limit"], row["unit"])
    return ""


def by_scenario(rows):
    """[(scenario, rows)] in the order of the run."""
    groups = {}
    for row in rows:
        groups.setdefault(row["scenario"], []).append(row)
    return list(groups.items())


def magnitude(value):
    """10,000, 10^7, 3.4e+10: for the labels of a logarithmic axis."""
    if value < 1e6:
        return f"{value:,.0f}"
    power = round(math.log10(value))
    return f"10^{power}" if math.isclose(value, 10.0**power, rel_tol=1e-6) else f"{value:.2g}"
