/* The first view: problems, and everything at a glance. */

import {identity, jobActions} from './actions.js';
import {to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, Figures, Instance, JobName, Placeholder, Progress, Section, Table, Time, Trend, h, pointsOf} from './elements.js';
import {count, duration, inOrder, number} from './format.js';
import {ParkedTable} from './parked.js';
import {QueueTable} from './queues.js';
import {WorkerTable} from './workers.js';
import {useNow, useView} from './state.js';
import {findings} from './verdict.js';

/* The problems that are listed. Each of a thousand queues can have some. */
const MOST = 10;

function Verdict({overview, workers, schedules}) {
  const found = findings(overview, workers, schedules);
  const serious = found.filter((finding) => finding.severity !== 'note');
  const severity = serious.length ? serious[0].severity : 'good';
  const running = overview.totals.running;
  const waiting = overview.totals.ready + overview.totals.parked;
  const idle = !overview.queues.length;
  return h('section', {class: 'verdict ' + severity, 'aria-labelledby': 'verdict'},
    h('div', {role: 'status'}, h('h1', {id: 'verdict'}, severity === 'good' ? 'All is well' : severity === 'bad' ? (serious[0].kind === 'no-leader' ? 'Schedules do not fire' : 'Jobs are not being done') : count(serious.length, 'problem'))),
    h('p', null, idle ? 'No job has been enqueued yet.' : `${count(running, 'job')} ${running === 1 ? 'runs' : 'run'}, ${number(waiting)} ${waiting === 1 ? 'waits' : 'wait'}${overview.totals.truncated ? ' in the first thousand queues by name' : ''}.`),
    found.length > 0 && h('ul', null, found.slice(0, MOST).map((finding) => h('li', {key: finding.kind + finding.link, class: finding.severity},
      h('a', {href: finding.link}, finding.text), finding.todo && h('span', null, ' ' + finding.todo))),
      found.length > MOST && h('li', {key: 'more'}, h('a', {href: to(['queues'])}, `${number(found.length - MOST)} more`))),
    idle && h('p', null, 'Annotate a method with ', h('code', null, '@UniqueJob'), ', inject ', h('code', null, 'Jobs'), ' and call ', h('code', null, 'enqueue'), '. The job appears here within two seconds.'));
}

const LINES = [
  ['succeeded', 'succeeded', (sum) => `${count(sum, 'job')} succeeded`],
  ['failed', 'failedAttempts', (sum) => `${count(sum, 'attempt')} failed`]
];

/* Succeeded jobs and failed attempts of the last hour, as lines. */
function Throughput({throughput}) {
  const samples = throughput?.samples ?? [];
  if (samples.length < 2) {
    return null;
  }
  const ms = Date.parse(samples[samples.length - 1].to) - Date.parse(samples[0].from);
  const since = ` in the last ${ms > 59 * 60000 ? 'hour' : duration(ms)}`;
  return h('div', {class: 'throughput'}, LINES.map(([kind, field, describe]) => {
    const numbers = samples.map((sample) => sample[field]);
    const sum = numbers.reduce((total, one) => total + one, 0);
    const points = pointsOf(samples, numbers);
    const most = Math.max(...points.map((point) => point.perMinute));
    const text = describe(sum) + since + (most > 0 ? `, at most ${number(most < 10 ? Math.round(most * 10) / 10 : Math.round(most))} a minute` : '');
    return h('p', {key: kind}, h(Trend, {points, kind, label: text}), h('span', null, text));
  }));
}

/* Conflicts and losses: those of the last hour in the whole namespace, and those that the responding instance has seen. */
function Incidents({events, throughput, now}) {
  const samples = throughput?.samples ?? [];
  const sum = (field) => samples.reduce((total, sample) => total + sample[field], 0);
  const fleet = samples.length > 1 && [
    ['superseded', sum('superseded'), to(['jobs'], {state: 'superseded'})], ['discarded', sum('discarded'), to(['jobs'], {state: 'discarded'})]
  ];
  const own = events && [['reclaimed from dead workers', events.reclaimed], ['duplicates refused', events.duplicates], ['leases lost', events.lostLeases, undefined, 'bad']];
  return (fleet || own) && h('div', {class: 'incidents', role: 'group', 'aria-label': 'Conflicts and losses'},
    fleet && h('p', null, h('span', null, 'In the last hour'), h(Counts, {entries: fleet})),
    own && h('p', null, h('span', null, 'On this instance, started ', h(Time, {at: events.since, now})), h(Counts, {entries: own})));
}

function Counts({entries}) {
  return entries.map(([label, value, link, kind]) => h('span', {key: label, class: value ? kind : 'none'},
    h('strong', null, number(value)), ' ', link && value ? h('a', {href: link}, label) : label));
}

/* The response lists running jobs by the expiry of their run leases, which changes with each heartbeat. */
function RunningTable({jobs, now}) {
  return h(Table, {
    label: 'Running jobs',
    columns: [['Job'], ['Queue'], ['Started', 'time'], ['Progress'], ['Instance'], ['Note', 'note']],
    rows: inOrder(jobs, 'startedAt', (job) => job.id).map((job) => ({
      key: job.id,
      cells: [h(JobName, {job}), h('a', {href: to(['queues', job.queue])}, job.queue), h(Time, {at: job.startedAt, now}),
        job.progress && h(Progress, {progress: job.progress}), job.instance && h(Instance, {name: job.instance}),
        notes(job).join(', ') || null]
    }))
  });
}

function notes(job) {
  return [
    job.cancelled && 'cancelled, still running',
    job.reclaims > 0 && `reclaimed ${count(job.reclaims, 'time')}`,
    job.failedAttempts > 0 && count(job.failedAttempts, 'failed attempt')
  ].filter(Boolean);
}

function DeadTable({jobs, now}) {
  return h(Table, {
    label: 'Dead letters',
    columns: [['Job'], ['Queue'], ['Died', 'time'], ['Error', 'error'], ['Actions', 'last']],
    rows: jobs.map((job) => ({
      key: job.id,
      cells: [h(JobName, {job}), h('a', {href: to(['queues', job.queue])}, job.queue), h(Time, {at: job.endedAt, now}), h('span', {class: 'error-text'}, job.lastError ?? 'no error recorded'),
        h(Actions, {actions: jobActions([job]), label: [job.job, ...identity(job)].join(' ')})]
    }))
  });
}

function Next({schedules, leader, now}) {
  const coming = schedules.filter((schedule) => schedule.nextFiring).sort((one, other) => Date.parse(one.nextFiring) - Date.parse(other.nextFiring));
  return [
    coming.length ? h(Table, {
      label: 'Next firings',
      columns: [['Schedule'], ['Job'], ['Fires', 'time'], ['Last fired', 'time']],
      rows: coming.slice(0, 5).map((schedule) => ({
        key: schedule.name,
        cells: [h('a', {href: to(['schedules'])}, schedule.name), h('a', {href: to(['jobs'], {job: schedule.job})}, schedule.job), h(Time, {at: schedule.nextFiring, now}), schedule.lastFired ? h(Time, {at: schedule.lastFired, now}) : 'never']
      }))
    }) : h(Empty, null, 'Nothing is due to fire.'),
    leader?.instance && h('p', {class: 'aside'}, 'Fired by ', h(Instance, {name: leader.instance}), ', elected ', h(Time, {at: leader.since, now}), '.')
  ];
}

export function Overview() {
  const now = useNow();
  const entry = useView();
  if (!entry.data) {
    return h(Placeholder, {entry});
  }
  const {overview, running, parked, dead, workers, schedules, leases, throughput} = entry.data;
  const totals = overview.totals;
  return h('div', {class: 'overview'},
    h(Verdict, {overview, workers, schedules}),
    h(Figures, {counts: totals, place: ['jobs']}),
    h(Throughput, {throughput}),
    h(Incidents, {events: overview.events, throughput, now}),
    h(Section, {id: 'running', title: 'Running', count: totals.running, link: to(['jobs'], {state: 'running'})},
      running.length ? h(RunningTable, {jobs: running, now}) : h(Empty, null, 'No job runs.')),
    totals.deadLetters > 0 && h(Section, {id: 'dead', title: 'Dead letters', count: totals.deadLetters, link: to(['jobs'], {state: 'dead'})},
      h(DeadTable, {jobs: dead, now})),
    totals.parked > 0 && h(Section, {id: 'parked', title: 'Parked: waiting for the lease of their key', count: totals.parked, link: to(['jobs'], {state: 'parked'})},
      h(ParkedTable, {jobs: parked, leases, now})),
    h(Section, {id: 'queues', title: 'Queues', count: totals.queues, link: to(['queues'])},
      overview.queues.length ? h(QueueTable, {queues: overview.queues.slice(0, 15), throughput}) : h(Empty, null, 'There is no queue yet. A queue appears with its first job.')),
    schedules && h(Section, {id: 'next', title: 'Coming next', link: to(['schedules'])},
      schedules.length ? h(Next, {schedules, leader: overview.leader, now})
        : h(Empty, null, 'There are no schedules. Add one under locket.schedules.')),
    h(Section, {id: 'workers', title: 'Workers', count: workers.length, link: to(['workers'])},
      workers.length ? h(WorkerTable, {workers, now})
        : h(Empty, null, 'No process has polled for jobs within the last hour. Set locket.worker.queues to serve queues.')));
}
