# SPDX-License-Identifier: Apache-2.0
"""Looks at pages of the built site in a browser without a window, where one is installed."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome")

# Loads the pages one by one into a frame of a given width, and lists what is wider than the page or cut off.
HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="found"></pre><script>
const pages = PAGES, faults = [];
const frame = document.createElement('iframe');
frame.style = 'border:0;height:4000px;width:WIDTHpx';
document.body.appendChild(frame);
function describe(element) { return element.tagName.toLowerCase() + ' "' + element.textContent.trim().slice(0, 50) + '"'; }
function look(name) {
  const page = frame.contentDocument;
  if (page.documentElement.scrollWidth > WIDTH) faults.push(name + ': wider than the screen: ' + page.documentElement.scrollWidth);
  const content = page.querySelector('.wy-nav-content');
  if (!content) return faults.push(name + ': no content');
  const right = content.getBoundingClientRect().right;
  for (const element of content.querySelectorAll('pre, table, img, code')) {
    const box = element.getBoundingClientRect();
    if (box.right > right + 1 || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      faults.push(name + ': does not fit: ' + describe(element));
  }
}
function next() {
  if (pages.length === 0) { document.getElementById('found').textContent = JSON.stringify(faults); return; }
  const name = pages.shift();
  frame.onload = () => { look(name); next(); };
  frame.src = 'SITE/' + name;
}
next();
</script>"""


def browser():
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def dump(address, *options, seconds=20):
    """The document at an address once its scripts have run."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [browser(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", f"--virtual-time-budget={seconds * 1000}",
             *options, "--dump-dom", address],
            capture_output=True, encoding="utf-8", timeout=1800)
    return done.stdout


def faults(site, pages, width):
    """What does not fit on a screen of so many pixels."""
    with tempfile.TemporaryDirectory() as folder:
        harness = pathlib.Path(folder) / "harness.html"
        text = HARNESS.replace("PAGES", json.dumps(pages)).replace("WIDTH", str(width)).replace("SITE", pathlib.Path(site).as_uri())
        harness.write_text(text, encoding="utf-8")
        found = dump(harness.as_uri(), "--allow-file-access-from-files", f"--window-size={width + 100},4200", seconds=60)
    result = re.search(r'<pre id="found">(.*?)</pre>', found, re.S)
    if not result or not result[1]:
        return [f"the browser did not finish: {found[-500:]}"]
    return json.loads(result[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def search(site, words):
    """Links of the results of a search, from a site that was opened from files."""
    address = f"{(pathlib.Path(site) / 'search.html').as_uri()}?q={words.replace(' ', '+')}"
    results = dump(address).partition('id="mkdocs-search-results"')[2]
    return re.findall(r'<article><h3><a href="\./([^"]+)"', results)
