/* The processes that take jobs. */

import {workerActions} from './actions.js';
import {writable} from './api.js';
import {Actions} from './dialog.js';
import {Empty, Instance, Placeholder, Section, Table, Time, h} from './elements.js';
import {number} from './format.js';
import {readAt, useNow, useView} from './state.js';

const SILENT = 60000;

const COLUMNS = [['Instance'], ['Last seen', 'time'], ['Running', 'number'], ['Pollers', 'number'], ['Note', 'note']];

export function WorkerTable({workers, now, actions}) {
  return h(Table, {
    label: 'Workers',
    columns: actions ? [...COLUMNS, ['Actions', 'last']] : COLUMNS,
    rows: workers.map((worker) => ({
      key: worker.instance,
      cells: [
        h('span', null, h(Instance, {name: worker.instance}), worker.quiet && h('span', {class: 'state paused'}, 'quiet')), h(Time, {at: worker.lastSeen, now}), number(worker.running), number(worker.pollers),
        [worker.thisInstance && 'serves this page', readAt() - Date.parse(worker.lastSeen) > SILENT && 'silent: stopped or dead'].filter(Boolean).join(', ') || null,
        ...(actions ? [h(Actions, {actions: workerActions(worker), label: worker.instance})] : [])
      ]
    }))
  });
}

export function Workers() {
  const now = useNow();
  const entry = useView('workers');
  const workers = entry.data?.workers ?? [];
  return h(Section, {id: 'title', title: 'Workers', count: entry.data?.workers.length},
    h(Placeholder, {entry}),
    entry.data && (workers.length ? h(WorkerTable, {workers, now, actions: writable})
      : h(Empty, null, 'No process has polled for jobs within the last hour. Set locket.worker.queues to serve queues.')));
}
