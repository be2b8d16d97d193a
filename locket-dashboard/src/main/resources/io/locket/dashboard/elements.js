/* The parts that views are made of. Every string becomes a text node. */

import {STATES, exactly, keyText, keyTitle, number, relative, shortInstance} from './format.js';
import {to} from './address.js';
import {writable} from './api.js';
import {OF_ONE_VIEW} from './state.js';

const {h} = window.preact;

export {h};

export function Time({at, now}) {
  return at ? h('time', {dateTime: at, title: exactly(at)}, relative(at, now)) : null;
}

export function State({state}) {
  return h('span', {class: 'state ' + state.toLowerCase()}, STATES[state] ?? state.toLowerCase());
}

export function Instance({name}) {
  return h('span', {class: 'instance', title: name}, shortInstance(name));
}

export function JobName({job}) {
  return h('span', {class: 'job'},
    h('a', {href: to(['job', job.id])}, job.job),
    job.key && h('span', {class: 'key', title: keyTitle(job.key)}, keyText(job.key)));
}

export function Progress({progress}) {
  const known = progress.total > 0;
  return h('span', {class: 'progress'},
    h('progress', known ? {max: progress.total, value: progress.done, 'aria-label': 'Progress'} : {'aria-label': 'Progress'}),
    h('span', null, known ? `${number(progress.done)} of ${number(progress.total)}` : `${number(progress.done)} done`,
      progress.message ? ': ' + progress.message : ''));
}

/* A table whose rows become cards where the screen is narrow. A column is [title, className]. The last one, of actions, is left out where none is allowed. */
export function Table({label, columns: all, rows}) {
  const columns = writable ? all : all.filter(([, className]) => className !== 'last');
  return h('div', {class: 'table', role: 'region', 'aria-label': label, tabIndex: 0},
    h('table', null,
      h('thead', null, h('tr', null, columns.map(([title, className]) => h('th', {scope: 'col', class: className}, title)))),
      h('tbody', null, rows.map(({key, cells, className}) => h('tr', {key, class: className}, cells.slice(0, columns.length).map((content, index) => {
        const [title, kind] = columns[index];
        return h(index === 0 ? 'th' : 'td', {
          scope: index === 0 ? 'row' : undefined,
          class: (kind ?? '') + (content === null || content === undefined || content === false ? ' blank' : ''),
          'data-title': typeof title === 'string' ? title : ''
        }, content);
      }))))));
}

export function Section({title, count, link, children, id}) {
  const heading = h(id === 'title' ? 'h1' : 'h2', {id, class: id === 'title' ? 'title' : undefined}, title, count !== undefined && [' ', h('span', {class: 'count'}, number(count))]);
  return h('section', {'aria-labelledby': id === 'title' ? undefined : id},
    link ? h('div', {class: 'head'}, heading, h('a', {href: link, 'aria-label': 'Show all: ' + title}, 'Show all')) : heading,
    children);
}

export function Empty({children}) {
  return h('p', {class: 'empty'}, children);
}

export function Button({onClick, kind, children, disabled, label, title}) {
  return h('button', {type: 'button', class: kind, onClick: disabled ? undefined : onClick, 'aria-disabled': disabled, 'aria-label': label, title}, children);
}

const FIGURES = [
  ['running', 'Running', 'running'], ['ready', 'Ready', 'ready'], ['parked', 'Parked', 'parked'], ['scheduled', 'Scheduled', 'scheduled'],
  ['retry', 'Waiting for a retry', 'retry'], ['deadLetters', 'Dead letters', 'dead']
];

/* The numbers of jobs by state, each with a link to these jobs. */
export function Figures({counts, place}) {
  return h('ul', {class: 'figures', 'aria-label': 'Jobs by state'}, FIGURES.map(([name, label, state]) => h('li', {key: name},
    h('a', {href: to(place, {state}), class: state + (counts[name] ? '' : ' none')}, h('strong', null, number(counts[name])), h('span', null, label)))));
}

const HOUR = 3600000;

/* A line of numbers per minute over the last hour, with its meaning as text. */
export function Trend({points, label, kind}) {
  const width = 160;
  const height = 28;
  if (points.length < 2) {
    return null;
  }
  const from = points[points.length - 1].at - HOUR;
  const max = Math.max(1, ...points.map((point) => point.perMinute));
  const line = points
    .map((point) => `${((point.at - from) * width / HOUR).toFixed(1)},${(height - 1 - point.perMinute * (height - 2) / max).toFixed(1)}`)
    .join(' ');
  return h('svg', {class: 'trend' + (kind ? ' ' + kind : ''), viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label},
    h('polyline', {points: line}));
}

/* Returns the points of a line: a number for each sample. */
export function pointsOf(samples, numbers) {
  return samples.map((sample, index) => {
    const at = Date.parse(sample.to);
    return {at, perMinute: numbers[index] * 60000 / Math.max(at - Date.parse(sample.from), 1)};
  });
}

/* The pieces of a definition list; entries without a value are left out. */
export function Facts({entries}) {
  return h('dl', {class: 'facts'}, entries.filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => h('div', {key: name}, h('dt', null, name), h('dd', null, value))));
}

/* A time, relative and exact. The exact one is text, because a tooltip needs a mouse. */
export function FullTime({at, now}) {
  return h('span', {class: 'both'}, h('time', {dateTime: at}, relative(at, now)), h('span', {class: 'exact'}, exactly(at)));
}

/* The content of a list before its first response, or without one. The banner has the problems that are not of one view. */
export function Placeholder({entry: {loaded, data, problem}, missing}) {
  if (!loaded) {
    return h(Empty, null, 'Loading …');
  }
  if (problem && OF_ONE_VIEW.includes(problem.kind)) {
    return h(Empty, null, (problem.kind === 'missing' && missing) || problem.message);
  }
  return problem && !data ? h(Empty, null, 'There is no data yet.') : null;
}
