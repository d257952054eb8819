#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens the pages that a program writes in headless Chromium, and looks at them with a script of its own.

  check.py CHROMIUM PROGRAM [--example EXAMPLE] [--plant request|error|number|heading|rank]

PROGRAM FOLDER writes alone.html, compared.html, nothing.html, why.json, ranks.html, ranks.json and slower.json; EXAMPLE FILE writes one more page. Of each page: no error and no warning in the
console, no request, nothing that the page's own policy blocked, headings in order, tables with caption and scope, pictures with
a role and a name, no id twice, no wider than a phone. Of alone.html: the findings' numbers are those of the JSON, and each value
of each section is there. Of ranks.html: the numbers of ranks and stragglers are those of the JSON. Tables sort by a click. --plant makes a mistake that must be found. Exit: 0, or 1 with a line a mistake.
"""
import argparse
import html.parser
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Runs before the page's own script, as what follows it.
BEFORE = """<script nonce=page>
window.seen = {errors: [], blocked: []};
addEventListener('error', event => seen.errors.push(String(event.message || event.target.src)), true);
addEventListener('securitypolicyviolation', event => seen.blocked.push(event.blockedURI));
</script>"""
AFTER = """<script nonce=page>
addEventListener('load', () => {
  const all = (what, where) => [...(where || document).querySelectorAll(what)];
  seen.title = document.title;
  seen.findings = all('article.finding').map(each => ({...each.dataset, text: each.textContent}));
  seen.opened = all('details.range').map(each => each.open = true).length;
  all('details.evidence').forEach(each => each.open = true);
  setTimeout(() => {
    seen.values = all('.values').map(range => ({range: range.dataset.r, tables: all('.section table', range).map(table =>
      [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => [cell.textContent, cell.dataset.v])))}));
    seen.evidence = all('details.evidence tbody tr').map(row => [...row.cells].map(cell => cell.textContent));
    seen.headings = all('h1,h2,h3,h4,h5,h6').map(each => [+each.tagName[1], each.textContent]);
    seen.tables = all('table').filter(each => !each.caption || each.caption.textContent === '' ||
      all('th', each).some(th => !th.scope)).map(each => each.outerHTML.slice(0, 200));
    seen.pictures = all('svg').filter(each => each.getAttribute('aria-hidden') !== 'true' &&
      (each.getAttribute('role') !== 'img' || !each.querySelector('title'))).map(each => each.outerHTML.slice(0, 200));
    seen.ranks = all('[aria-labelledby=ranks] table').map(table => [...table.tBodies[0].rows].map(row =>
      [...row.cells].map(cell => [cell.textContent, cell.dataset.v])));
    seen.strips = all('[aria-labelledby=ranks] svg').map(each => [each.querySelector('title').textContent,
      all('path.l', each).length, all('path.o', each).length, getComputedStyle(each.querySelector('.t')).fill]);
    seen.notes = all('article.finding dt').filter(each => each.textContent === 'Ranks').length;
    seen.linked = all('nav a').filter(each => !document.querySelector(each.getAttribute('href'))).length;
    seen.bars = all('.section svg').length;
    const ids = all('[id]').map(each => each.id);
    seen.twice = ids.filter((id, i) => ids.indexOf(id) !== i);
    seen.wide = [document.documentElement.scrollWidth, document.documentElement.clientWidth];
    seen.landmarks = ['header', 'nav', 'main', 'footer'].filter(each => all(each).length !== 1);
    seen.requests = performance.getEntriesByType('resource').map(each => each.name);
    seen.sorts = all('table.sorts').flatMap(table => all('thead th button', table).map((button, column) => {
      const read = () => [...table.tBodies[0].rows].map(row => row.cells[column].dataset.v ?? row.cells[column].textContent);
      const head = button.parentElement;
      if (button.offsetParent === null) return null; /* a column that this width leaves out */
      button.focus();
      const focused = document.activeElement === button;
      button.click();
      const once = [head.ariaSort, read()];
      button.click();
      return {name: button.textContent, focused, once, twice: [head.ariaSort, read()]};
    }).filter(Boolean));
    const filter = document.querySelector('nav input'), left = () => all('table.sorts')[0] &&
      [...all('table.sorts')[0].tBodies[0].rows].filter(each => !each.hidden).map(each => each.cells[0].textContent);
    const typed = text => { filter.value = text; filter.dispatchEvent(new Event('input')); };
    typed('SAXPY');
    seen.filtered = [left(), all('details.range').filter(each => !each.hidden).length];
    typed('');
    seen.unfiltered = left().length;
    const theme = document.getElementById('theme'), light = getComputedStyle(document.body).backgroundColor;
    theme.click(); theme.click();
    seen.themes = [light, getComputedStyle(document.body).backgroundColor, theme.textContent];
    document.body.append(Object.assign(document.createElement('pre'), {id: 'seen', textContent: JSON.stringify(seen)}));
  }, 300);
});
</script>"""


class Seen(html.parser.HTMLParser):
    """The text of the element with the id "seen"."""
    def __init__(self):
        super().__init__()
        self.text, self.inside = "", False

    def handle_starttag(self, tag, attrs):
        self.inside = self.inside or ("id", "seen") in attrs

    def handle_endtag(self, tag):
        if tag == "pre":
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.text += data


def opened(chromium, page, folder, width):
    """What the script saw, and what the console said."""
    done = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
                           "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}/{page.stem}_{width}",
                           f"--window-size={width},900", "--enable-logging=stderr", "--virtual-time-budget=4000", "--dump-dom",
                           page.as_uri()], capture_output=True, text=True, timeout=120, check=False)
    seen = Seen()
    seen.feed(done.stdout)
    if not seen.text:
        sys.exit(f"Chromium did not show {page.name}:\n{done.stderr[-2000:]}")
    return json.loads(seen.text), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def planted(text, mistake):
    if mistake == "request":
        return text.replace("<main", "<img src=\"http://localhost:9/x.png\"><main", 1)
    if mistake == "error":
        return text.replace("</body>", "<script nonce=page>null.x</script></body>", 1)
    if mistake == "number":
        return re.sub("data-likely=[0-9.]+", "data-likely=0.3", text, count=1)
    if mistake == "rank":
        return text.replace('wide" data-v="1000">', 'wide" data-v="1001">', 1)
    if mistake == "heading":
        return text.replace("<h4", "<h6", 1).replace("</h4>", "</h6>", 1)
    return text


def in_order(values, down):
    numbers = [float(value) if value not in ("", None) else float("-inf") for value in values]
    return numbers == sorted(numbers, reverse=down)


def look(name, seen, console, say):
    """What holds for every page."""
    for each in seen["errors"] + console:
        say(f"{name}: an error in the console: {each}")
    for each in seen["requests"] + seen["blocked"]:
        say(f"{name}: the page asks for {each}")
    before = 0
    for level, text in seen["headings"]:
        if level > before + 1:
            say(f"{name}: the heading '{text}' of level {level} follows a heading of level {before}")
        before = level
    if seen["linked"]:
        say(f"{name}: {seen['linked']} links of the navigation lead nowhere")
    for what in ("tables", "pictures", "twice", "landmarks"):
        for each in seen[what]:
            say(f"{name}: {what}: {each}")
    if seen["wide"][0] > seen["wide"][1]:
        say(f"{name}: {seen['wide'][0]} pixels wide in a window of {seen['wide'][1]}")
    if seen["title"] != "Why kernels take as long as they do":
        say(f"{name}: the title is '{seen['title']}'")
    light, dark, theme = seen["themes"]
    if light == dark or theme != "Theme: dark":
        say(f"{name}: the switch does not make the page dark: {seen['themes']}")
    for each in seen["sorts"]:
        once, twice = each["once"], each["twice"]
        if not each["focused"] or {once[0], twice[0]} != {"ascending", "descending"}:
            say(f"{name}: the head '{each['name']}' does not sort: {once[0]}, {twice[0]}")
        if each["name"] in ("Duration", "Share", "All findings save", "Launches", "Change") and not (
                in_order(once[1], once[0] == "descending") and in_order(twice[1], twice[0] == "descending")):
            say(f"{name}: '{each['name']}' is not in order: {once}, {twice}")


def compare(seen, data, say):
    """The page of one explanation with its JSON."""
    names, ranges = seen["filtered"]
    if len(names) != 1 or "saxpy" not in names[0] or ranges != 1 or seen["unfiltered"] != len(data["ranges"]):
        say(f"the filter leaves {names}, {ranges} ranges, and without a text {seen['unfiltered']}")
    if len(seen["findings"]) != len(data["findings"]) or not data["findings"]:
        say(f"{len(seen['findings'])} findings are shown of {len(data['findings'])}")
    left = list(data["findings"])
    for shown in seen["findings"]: # on the page they stand by range
        same = [each for each in left if each["id"] == shown["id"] and all(
            float(shown[key]) == number for key, number in
            (("least", each["gain"]["least"]), ("likely", each["gain"]["likely"]), ("most", each["gain"]["most"]),
             ("measured", each["measured"])))]
        if not same:
            say(f"a finding {shown['id']} differs from the JSON: {shown}")
            continue
        left.remove(same[0])
        for text in (same[0]["title"], same[0]["meaning"], same[0]["advice"], f"{round(100 * same[0]['gain']['likely'])} %"):
            if same[0]["kind"] == "advice" and text not in shown["text"]:
                say(f"the finding {shown['id']} does not show '{text}'")
    for values in seen["values"]:
        sections = data["ranges"][int(values["range"])]["sections"]
        for section, table in zip(data["sections"], values["tables"], strict=True):
            for row, number, cells in zip(section["rows"], sections[section["id"]]["values"], table, strict=True):
                if cells[0][0] != row["label"]:
                    say(f"'{cells[0][0]}' stands where '{row['label']}' should")
                if isinstance(number, (int, float)) and not math.isclose(float(cells[1][1]), number, rel_tol=1e-6):
                    say(f"{row['label']} is {cells[1][1]}, which differs from the JSON: {number}")
                if number is None and not cells[1][0].startswith("n/a"):
                    say(f"{row['label']} has no value, and is shown as {cells[1][0]}")
                if isinstance(number, str) and cells[1][0] != number:
                    say(f"{row['label']} is '{cells[1][0]}', which differs from the JSON: '{number}'")
    if len(seen["values"]) != len(data["ranges"]):
        say(f"{len(seen['values'])} ranges show values of {len(data['ranges'])}")
    if seen["bars"] == 0:
        say("no section has a picture")
    if not any(row[0] == metric for metric in data["findings"][0]["metrics"] for row in seen["evidence"]):
        say(f"what findings rest on is not shown: {seen['evidence']}")


def compare_ranks(seen, data, slower, say):
    """The section of ranks with the JSON of both reports."""
    if len(seen["ranks"]) != 2 or not data["rows"] or not slower["found"]:
        say(f"{len(seen['ranks'])} tables of ranks are shown")
        return
    stragglers, values = seen["ranks"]
    for each, cells in zip(slower["found"], stragglers, strict=True):
        if cells[0][0] != f"rank {each['rank']}" or [float(cells[4][1]), float(cells[5][1])] != [each["longer"], each["nanoseconds"]]:
            say(f"a straggler differs from the JSON: {cells}")
        if [cells[1][0], cells[2][0]] != [each["place"], each["range"]] or not cells[3][0].startswith(each["cause"]):
            say(f"a straggler differs from the JSON: {cells}")
    left = list(data["rows"])
    for cells in values: # in whatever order the clicks left them
        same = [each for each in left if [each["range"], each["metric"]] == [cells[0][0], cells[1][0]]]
        if not same:
            say(f"the JSON has no such row of ranks: {cells}")
            continue
        left.remove(same[0])
        for number, key in ((2, "least"), (3, "mean"), (4, "highest"), (7, "ranks")):
            if float(cells[number][1]) != same[0][key]:
                say(f"{key} of ranks, {cells[number][1]}, differs from the JSON: {same[0][key]}")
        for outlier in same[0]["outliers"]:
            if f"outlier: rank {outlier['rank']}" not in cells[8][0] or outlier["place"] not in cells[8][0]:
                say(f"the outlier {outlier} is not shown: {cells[8]}")
    if left:
        say(f"rows of ranks are not shown: {left}")
    for title, marks, outliers, fill in seen["strips"]:
        if marks + outliers != len(title.split("rank ")) - 1 or outliers == 0 or fill in ("none", "rgb(0, 0, 0)"):
            say(f"a strip has {marks} marks and {outliers} of outliers, on {fill}: {title}")
    if len(seen["strips"]) != len(values) or seen["notes"] != len(seen["findings"]):
        say(f"{len(seen['strips'])} strips of {len(values)} rows, {seen['notes']} findings with their ranks")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chromium")
    parser.add_argument("program")
    parser.add_argument("--example")
    parser.add_argument("--plant")
    given = parser.parse_args()
    mistakes = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        subprocess.run([given.program, place], check=True)
        data = json.loads((folder / "why.json").read_text(encoding="utf-8"))
        pages = [("alone", 1200), ("alone", 500), ("compared", 1200), ("nothing", 1200), ("ranks", 1200), ("ranks", 500)]
        if given.example:
            subprocess.run([given.example, f"{place}/example.html"], check=True, stdout=subprocess.DEVNULL)
            pages.append(("example", 1200))
        if given.plant:
            pages = [("ranks" if given.plant == "rank" else "alone", 1200)]
        for name, width in pages:
            text = planted((folder / f"{name}.html").read_text(encoding="utf-8"), given.plant)
            probe = folder / f"{name}_probe.html"
            probe.write_text(text.replace("<title>", BEFORE + "<title>", 1).replace("</body>", AFTER + "</body>", 1),
                             encoding="utf-8")
            seen, console = opened(given.chromium, probe, place, width)
            look(f"{name}, {width} pixels", seen, console, mistakes.append)
            if name == "alone":
                compare(seen, data, mistakes.append)
            if name == "ranks":
                compare_ranks(seen, *(json.loads((folder / f"{each}.json").read_text(encoding="utf-8"))
                                      for each in ("ranks", "slower")), mistakes.append)
            if name == "compared" and not any(len(cells) > 5 for values in seen["values"] for table in values["tables"] for cells in table):
                mistakes.append("compared: no section shows what was before")
    for each in mistakes:
        print(each)
    print(f"{len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
