/* Queues in figures. */

import {namedQueueActions, pauseNewQueue, queueActions} from './actions.js';
import {writable} from './api.js';
import {to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, Facts, Figures, Placeholder, Section, Table, Trend, h, pointsOf} from './elements.js';
import {JobList} from './jobs.js';
import {STATES, duration, number} from './format.js';
import {useNow, useOverview, useView} from './state.js';

const COLUMNS = [
  ['Queue'], ['Running', 'number'], ['Ready', 'number'], ['Parked', 'number'], ['Scheduled', 'number'], ['Retry', 'number'],
  ['Dead letters', 'number'], ['Oldest waits', 'time'], ['Ever succeeded', 'number'], ['Last hour']
];

function figure(value, queue, state) {
  return value ? h('a', {href: to(['jobs'], {queue, state})}, number(value)) : h('span', {class: 'none'}, '0');
}

/* The jobs of a queue that succeeded in the last hour, as a line. */
function succeeded(queue, throughput) {
  const line = throughput?.queues.find((candidate) => candidate.queue === queue);
  return line && throughput.samples.length > 1 ? h(Trend, {points: pointsOf(throughput.samples, line.succeeded), label: 'Succeeded in the last hour'}) : null;
}

export function QueueTable({queues, actions, throughput}) {
  return h(Table, {
    label: 'Queues',
    columns: actions ? [...COLUMNS, ['Actions', 'last']] : COLUMNS,
    rows: queues.map((queue) => ({
      key: queue.queue,
      cells: [
        h('span', null, h('a', {href: to(['queues', queue.queue])}, queue.queue), queue.paused && h('span', {class: 'state paused'}, 'paused')),
        figure(queue.running, queue.queue, 'running'), figure(queue.ready, queue.queue, 'ready'), figure(queue.parked, queue.queue, 'parked'),
        figure(queue.scheduled, queue.queue, 'scheduled'), figure(queue.retry, queue.queue, 'retry'), figure(queue.deadLetters, queue.queue, 'dead'),
        queue.oldestWaitingMs !== undefined ? duration(queue.oldestWaitingMs) : null,
        number(queue.ended.SUCCEEDED ?? 0), succeeded(queue.queue, throughput),
        ...(actions ? [h(Actions, {actions: queueActions(queue), label: queue.queue})] : [])
      ]
    }))
  });
}

export function Queues() {
  const entry = useView('queues');
  const overview = entry.data?.overview;
  const queues = overview?.queues;
  return h(Section, {id: 'title', title: 'Queues', count: queues?.length},
    overview?.totals.truncated && h('p', {class: 'aside'}, 'These are the first thousand queues by name.'),
    h(Placeholder, {entry}),
    queues && (queues.length ? h(QueueTable, {queues, actions: true, throughput: entry.data.throughput}) : h(Empty, null, 'There is no queue yet. A queue appears with its first job.')),
    writable && overview && h('p', {class: 'below'}, h(Actions, {actions: [pauseNewQueue()]})));
}

/* A queue that is not in the overview, which has the first thousand queues. */
function Unlisted({name, truncated}) {
  return truncated
    ? h('div', null,
      h(Empty, null, 'Only the first thousand queues by name have their counts here. This queue is not among them.'),
      h('p', {class: 'below'}, h(Actions, {actions: namedQueueActions(name), label: name})))
    : h(Empty, null, 'There is no such queue. It may have been removed.');
}

export function Queue({name, parameters}) {
  const now = useNow();
  const overview = useOverview();
  const queue = overview?.queues.find((candidate) => candidate.queue === name);
  return h('div', null,
    h('div', {class: 'one'}, h(Section, {id: 'title', title: ['Queue ' + name, queue?.paused && [' ', h('span', {class: 'state paused'}, 'paused')]]},
      overview && !queue && h(Unlisted, {name, truncated: overview.totals.truncated}),
      queue && [
        h(Actions, {actions: queueActions(queue), label: name}),
        h(Figures, {counts: queue, place: ['queues', name]}),
        h(Facts, {
          entries: [
            ['Oldest waits', queue.oldestWaitingMs !== undefined && duration(queue.oldestWaitingMs)],
            ['Accepted', number(queue.accepted)],
            ['Moved in', queue.movedIn > 0 && number(queue.movedIn)], ['Moved out', queue.movedOut > 0 && number(queue.movedOut)],
            ['Unreadable', queue.unreadable && number(queue.unreadable)], ['Lost', queue.lost && number(queue.lost)],
            ...Object.entries(queue.ended).map(([state, ended]) => ['Ever ' + STATES[state], ended > 0 && number(ended)])
          ]
        })
      ])),
    h(JobList, {parameters: {...parameters, queue: name}, place: ['queues', name], now}));
}
