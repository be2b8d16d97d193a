/* Recurring jobs and their leader. */

import {describe, scheduleActions} from './actions.js';
import {to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, FullTime, Instance, Placeholder, Section, Table, Time, h} from './elements.js';
import {setting} from './format.js';
import {useNow, useView} from './state.js';

export function Schedules() {
  const now = useNow();
  const entry = useView('schedules');
  const schedules = entry.data?.schedules ?? [];
  const leader = entry.data?.overview.leader;
  return h(Section, {id: 'title', title: 'Schedules', count: entry.data?.schedules.length},
    h('p', {class: 'aside'}, leader?.instance ? ['Fired by ', h(Instance, {name: leader.instance}), ', elected ', h(Time, {at: leader.since, now}), '.']
      : leader && schedules.some((schedule) => schedule.group === leader.group) ? 'No instance leads now, so nothing fires.' : null),
    h(Placeholder, {entry, missing: 'This process has no schedules.'}),
    entry.data && (schedules.length ? h(Table, {
      label: 'Schedules',
      columns: [['Schedule'], ['Fires', 'words'], ['Next', 'time'], ['Last', 'time'], ['Result of the last firing'], ['Actions', 'last']],
      rows: schedules.map((schedule) => ({
        key: schedule.name,
        cells: [
          h('span', {class: 'job'}, h('strong', null, schedule.name), h('a', {class: 'key', href: to(['jobs'], {job: schedule.job})}, schedule.job),
            schedule.description && h('span', {class: 'sub'}, schedule.description)),
          h('span', null, schedule.cron ? [h('code', null, schedule.cron), ' ' + schedule.zone] : 'every ' + setting(schedule.everyMs)),
          schedule.paused ? h('span', {class: 'state paused'}, 'paused') : !schedule.enabled ? h('span', {class: 'state'}, 'disabled')
            : schedule.nextFiring ? h(FullTime, {at: schedule.nextFiring, now}) : 'never',
          schedule.lastFired ? h(FullTime, {at: schedule.lastFired, now}) : 'never',
          schedule.lastResult && h('span', null, describe(schedule.lastResult), schedule.lastResult.id && [' as ', h('a', {href: to(['job', schedule.lastResult.id])}, 'this job')]),
          h(Actions, {actions: scheduleActions(schedule), label: schedule.name})
        ]
      }))
    }) : h(Empty, null, 'There are no schedules. Add one under locket.schedules, or put one at run time.')));
}
