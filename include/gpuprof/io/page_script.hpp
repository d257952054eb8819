// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the page of an explanation does: sort, compare, and draw what is opened.
#ifndef GPUPROF_IO_PAGE_SCRIPT_HPP
#define GPUPROF_IO_PAGE_SCRIPT_HPP

#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// Texts get into the page by textContent and setAttribute only, never as HTML. The data are those of page.inl.hpp.
inline constexpr std::string_view page_script = R"js(
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const all = (what, where) => [...(where || document).querySelectorAll(what)];
const svgNames = 'svg g rect text title desc path line';
const make = (name, attributes, ...inside) => {
  const made = svgNames.split(' ').includes(name) ? document.createElementNS('http://www.w3.org/2000/svg', name)
                                                  : document.createElement(name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.append(...inside);
  return made;
};

/* Numbers for people, as io::detail::short_number writes them. */
const short = value => {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value.toLocaleString('en-US');
  const letters = ['', ' M', ' G', ' T', ' P', ' E'];
  let letter = 0;
  if (Math.abs(value) >= 999950) {
    value /= 1e6;
    for (letter = 1; Math.abs(value) >= 999.95 && letter < 5; ++letter) value /= 1000;
  }
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-4) return value.toPrecision(4);
  const rounded = size >= 1e4 ? Math.round(value) : Number(value.toPrecision(4));
  return rounded.toLocaleString('en-US', {maximumFractionDigits: 9}) + letters[letter];
};
const duration = ns => {
  const units = [' ns', ' us', ' ms', ' s'];
  let at = 0;
  for (; Math.abs(ns) >= 999.95 && at < 3; ++at) ns /= 1000;
  return short(ns) + units[at];
};
const shown = (value, unit) => typeof value === 'string' ? value : unit === 'ns' ? duration(value) : short(value);
const unitOf = unit => unit === 'ratio' || unit === 'ns' ? '' : unit;
const change = (now, then) => {
  if (typeof now !== 'number' || typeof then !== 'number') return '';
  if (now === then) return 'same';
  if (then === 0) return 'was 0';
  const by = 100 * (now - then) / Math.abs(then);
  return (by > 0 ? '+' : '\u2212') + short(Number(Math.abs(by).toFixed(Math.abs(by) < 100 ? 1 : 0))) + ' %';
};

/* Tables that sort: by a button in each head cell, by the number in data-v, or by the text. */
const sortable = table => {
  all('thead th', table).forEach((head, column) => {
    const button = make('button', {type: 'button'}, ...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const key = row => {
        const cell = row.cells[column];
        return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v === '' ? -Infinity : +cell.dataset.v;
      };
      const body = table.tBodies[0], rows = [...body.rows].map(row => [key(row), row]);
      const numbers = rows.length > 0 && typeof rows[0][0] === 'number';
      const before = head.getAttribute('aria-sort');
      const down = before ? before === 'ascending' : numbers;
      rows.sort(([a], [b]) => (down ? -1 : 1) * (typeof a === 'number' && typeof b === 'number' ? a - b
                                                : String(a).localeCompare(String(b), 'en', {numeric: true})));
      all('thead th', table).forEach(each => each.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      body.append(...rows.map(([, row]) => row));
    });
  });
};
all('table.sorts').forEach(sortable);

/* Bars of one section: a label and a value above each bar, so that they fit any width. */
let pictures = 0;
const bars = (title, what, items, most, names) => {
  const step = 34, id = 'p' + ++pictures;
  const svg = make('svg', {role: 'img', 'aria-labelledby': id + ' ' + id + 'd', height: items.length * step + 2},
                   make('title', {id}, title), make('desc', {id: id + 'd'}, what));
  items.forEach((item, i) => {
    const y = i * step, width = value => Math.max(0, Math.min(100, 100 * value / most)) + '%';
    svg.append(make('text', {x: 0, y: y + 14}, item.label),
               make('text', {x: '100%', y: y + 14, 'text-anchor': 'end', class: 'soft'}, item.text),
               make('rect', {class: 't', y: y + 19, width: '100%', height: 8, rx: 3}),
               make('rect', {class: 'v', y: y + 19, width: width(item.value), height: 8, rx: 3}));
    item.before.forEach((value, k) => {
      if (typeof value !== 'number') return;
      const bar = make('rect', {class: 'w', y: y + 28 + 3 * k, width: width(value), height: 2});
      bar.append(make('title', {}, names[k] + ': ' + short(value)));
      svg.append(bar);
    });
  });
  return svg;
};
const pictureOf = (section, values, before, names) => {
  const waits = section.id === 'warp_states';
  let items = section.rows.map((row, i) => ({
    label: row.label, value: values[i], unit: row.unit, before: before.map(list => list && list[i]),
    text: typeof values[i] === 'number' ? shown(values[i], row.unit) + (row.unit === '%' ? ' %' : '') : ''
  })).filter(item => typeof item.value === 'number');
  /* Shares, or of warp states what most rows are counted in. */
  const rows = unit => items.filter(item => item.unit === unit);
  const unit = waits ? items.map(item => item.unit).sort((a, b) => rows(b).length - rows(a).length)[0] : '%';
  items = rows(unit);
  if (items.length < 3) return null;
  let left = 0;
  if (waits || items.length > 8) {
    const kept = items.filter(item => item.value > 0).sort((a, b) => b.value - a.value).slice(0, 8);
    left = items.length - kept.length;
    items = kept;
  }
  if (items.length === 0) return null;
  const most = waits ? items[0].value : 100;
  const picture = make('div', {}, bars(section.title,
    items.map(item => item.label + ' ' + item.text).join('; ') + (waits ? '' : '; of 100 %'), items, most, names));
  if (left) picture.append(make('small', {}, 'The longest; ' + left + ' more are in the table.'));
  return picture;
};

const tableOf = (section, own, others, title) => {
  const head = ['Name', 'Value', 'Unit'];
  if (data.embedded) head.push('How');
  data.baselines.forEach(each => head.push(each.name, 'Change'));
  const heads = make('tr', {});
  head.forEach((name, i) => heads.append(make('th', i === 1 || i > head.length - 1 - 2 * data.baselines.length
                                              ? {scope: 'col', class: 'n'} : {scope: 'col', class: name === 'How' ? 'wide' : ''}, name)));
  const body = make('tbody', {}), notes = new Map();
  const missing = new Map(own.missing || []);
  section.rows.forEach((row, i) => {
    const value = own.values[i];
    const name = make('th', {scope: 'row', title: row.metric + (row.over ? ' / ' + row.over : '')}, row.label);
    const cell = make('td', {class: 'n', 'data-v': typeof value === 'number' ? value : ''});
    if (value === null) {
      const reason = data.reasons[missing.get(i)] || {}, why = reason.cause || reason.what || 'not known';
      if (!notes.has(why)) notes.set(why, notes.size + 1);
      cell.append('n/a', make('sup', {}, String(notes.get(why))));
    } else {
      cell.append(shown(value, row.unit));
      if (typeof value === 'number') cell.title = String(value) + ' ' + row.unit;
    }
    const line = make('tr', {}, name, cell, make('td', {}, value === null ? '' : unitOf(row.unit)));
    if (data.embedded) line.append(make('td', {class: 'soft wide'}, value === null ? '' : row.fidelity));
    others.forEach(values => {
      const then = values ? values[i] : null;
      const by = change(value, then);
      line.append(make('td', {class: 'n', 'data-v': typeof then === 'number' ? then : ''},
                       then === null || then === undefined ? 'n/a' : shown(then, row.unit)),
                  make('td', {class: 'n', 'data-v': typeof then === 'number' && typeof value === 'number' && then !== 0
                                                    ? (value - then) / Math.abs(then) : ''}, by));
    });
    body.append(line);
  });
  const table = make('table', {}, make('caption', {}, title), make('thead', {}, heads), body);
  sortable(table);
  const whole = make('div', {}, make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title}, table));
  if (notes.size) whole.append(make('ol', {class: 'notes'}, ...[...notes.keys()].map(why => make('li', {}, why))));
  return whole;
};

/* The sections of a range, made when the range is opened. */
const fill = range => {
  const place = range.querySelector('.values');
  if (!place || place.dataset.made) return;
  place.dataset.made = 1;
  const at = +place.dataset.r, own = data.ranges[at].sections;
  const names = data.baselines.map(each => each.name);
  const list = make('div', {class: names.length ? 'sections compared' : 'sections'});
  const parts = all('.part', range), name = range.querySelector('h3').textContent;
  data.sections.forEach(section => {
    const values = own[section.id];
    const others = data.baselines.map(each => each.ranges[at] && each.ranges[at][section.id].values);
    const card = make('section', {class: 'section'}, make('h5', {}, section.title),
                      make('p', {class: 'soft'}, section.description));
    const has = values.values.some(each => each !== null);
    const picture = pictureOf(section, values.values, others, names);
    if (picture) card.append(picture);
    parts.filter(each => each.dataset.s === section.id).forEach(each => card.append(each));
    const table = tableOf(section, values, others, section.title + ' of ' + name);
    if (has) card.append(table);
    else card.append(make('details', {}, make('summary', {}, 'None of its ' + section.rows.length + ' values is known'), table));
    list.append(card);
  });
  place.prepend(make('h4', {}, 'Values'), list);
};

/* The values that a finding rests on, made when they are opened. */
const rest = details => {
  if (details.dataset.made) return;
  details.dataset.made = 1;
  const values = data.ranges[+details.dataset.r].metrics, body = make('tbody', {});
  details.dataset.m.split(' ').filter(Boolean).forEach(number => {
    const [name, unit, how] = data.metrics[number], value = values[number];
    body.append(make('tr', {}, make('th', {scope: 'row'}, make('code', {}, name)),
                     make('td', {class: 'n'}, value === undefined ? 'n/a' : shown(value, unit)),
                     make('td', {}, unitOf(unit)), make('td', {class: 'soft'}, how)));
  });
  const head = (name, kind) => make('th', {scope: 'col', class: kind || ''}, name);
  details.append(make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Values'},
    make('table', {}, make('caption', {}, 'What the finding rests on'),
         make('thead', {}, make('tr', {}, head('Metric'), head('Value', 'n'), head('Unit'), head('How it came about'))), body)));
};
all('details.range').forEach(each => {
  each.addEventListener('toggle', () => { if (each.open && !each.dataset.printing) fill(each); });
  if (each.open) fill(each);
});
all('details.evidence').forEach(each => each.addEventListener('toggle', () => { if (each.open) rest(each); }));

/* Links into closed ranges. */
const open = () => {
  let target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', open);
all('a[href^="#"]').forEach(each => each.addEventListener('click', () => setTimeout(open)));
open();

/* What does not have the text in its name goes: lines of summary and findings, and ranges. */
const filter = make('input', {type: 'search', placeholder: 'Filter ranges', 'aria-label': 'Filter ranges by name'});
filter.addEventListener('input', () => {
  const text = filter.value.toLowerCase();
  const named = each => each.textContent + ' ' + all('[title]', each).map(inner => inner.title).join(' ');
  all('table.sorts tbody tr').forEach(each => each.hidden = !named(each).toLowerCase().includes(text));
  all('details.range').forEach(each => each.hidden = !(each.dataset.name || each.querySelector('h3').textContent)
                                                        .toLowerCase().includes(text));
});
document.querySelector('nav ul').append(make('li', {}, filter));

/* On paper all findings are shown, and the values of the ranges that were open. */
addEventListener('beforeprint', () => all('details.range:not([open])').forEach(each => {
  each.dataset.printing = 1;
  each.open = true;
}));
addEventListener('afterprint', () => all('details[data-printing]').forEach(each => {
  each.open = false;
  setTimeout(() => delete each.dataset.printing);
}));

all('button.copy').forEach(button => {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code');
    getSelection().selectAllChildren(code);
    try { await navigator.clipboard.writeText(code.textContent); } catch { document.execCommand('copy'); }
    button.textContent = 'Copied';
    setTimeout(() => button.textContent = 'Copy name', 1500);
  });
});

const theme = document.getElementById('theme'), themes = ['auto', 'light', 'dark'];
let kept = null;
try { kept = localStorage.getItem('gpuprof-theme'); } catch {}
const wear = name => {
  theme.textContent = 'Theme: ' + name;
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  try { localStorage.setItem('gpuprof-theme', name); } catch {}
};
let worn = Math.max(0, themes.indexOf(kept));
wear(themes[worn]);
theme.hidden = false;
theme.addEventListener('click', () => wear(themes[worn = (worn + 1) % 3]));
})();
)js";

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_SCRIPT_HPP
