/* One job. */

import {jobActions, leaseActions} from './actions.js';
import {to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, Facts, FullTime, Instance, Placeholder, Progress, Section, State, h} from './elements.js';
import {duration, json, keyText, number, setting} from './format.js';
import {Countdown} from './parked.js';
import {useNow, useView} from './state.js';

function Lease({lease: data}) {
  const now = useNow();
  if (!data) {
    return h('p', {class: 'empty'}, 'The lease of this key is free.');
  }
  return h('div', null,
    h(Facts, {
      entries: [
        ['Held by', data.instance], ['Thread', data.thread], ['Since', data.since && h(FullTime, {at: data.since, now})],
        ['Remaining', h(Countdown, {lease: data, now})], ['Kind', data.kind.toLowerCase()], ['Fencing token', data.fencingToken]
      ]
    }),
    h(Actions, {actions: leaseActions(data), label: 'the lease'}));
}

function link(id) {
  return id && h('a', {href: to(['job', id])}, id);
}

function Arguments({value}) {
  return h('pre', {tabIndex: 0}, json(value));
}

/* The failed attempts, each with its stack trace on request. */
function Attempts({attempts, now}) {
  return h('ol', {class: 'attempts', reversed: true}, attempts.map((attempt) => h('li', {key: attempt.number, value: attempt.number},
    h('p', null, h(FullTime, {at: attempt.endedAt, now}), `after ${duration(Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt))}`, attempt.instance && [' on ', h(Instance, {name: attempt.instance})]),
    h('p', {class: 'error-text'}, attempt.error ?? 'no error recorded'),
    attempt.stackTrace && h('details', null, h('summary', null, 'Stack trace'), h('pre', {tabIndex: 0}, attempt.stackTrace)))));
}

/* Returns the duration of the run with which a job has ended. A job that was due again after its last run ended while it waited. */
function took({startAt, startedAt, endedAt}) {
  return startedAt && endedAt && !(Date.parse(startAt) > Date.parse(startedAt)) && duration(Date.parse(endedAt) - Date.parse(startedAt));
}

const MISSING = 'There is no such job, or its record was deleted after its end.';

export function Job({id}) {
  const now = useNow();
  const entry = useView(encodeURIComponent(id));
  const job = entry.data?.job;
  if (!job) {
    return h(Section, {id: 'title', title: 'Job ' + id}, entry.data ? h(Empty, null, MISSING) : h(Placeholder, {entry, missing: MISSING}));
  }
  return h('div', {class: 'one'},
    h('section', null,
      h('h1', {id: 'title', class: 'title'}, job.job, ' ', h(State, {state: job.state})),
      h('p', {class: 'aside'}, job.id),
      h(Actions, {actions: jobActions([job]), label: job.job}),
      job.lastError && h('div', {class: 'failure'}, h('h2', null, 'Last error'), h('pre', {tabIndex: 0}, job.lastError)),
      h(Facts, {
        entries: [
          ['Queue', h('a', {href: to(['queues', job.queue])}, job.queue)],
          ['Enqueued', h(FullTime, {at: job.enqueuedAt, now})],
          ['Due', job.startAt && h(FullTime, {at: job.startAt, now})],
          ['Started', job.startedAt && h(FullTime, {at: job.startedAt, now})],
          ['Ended', job.endedAt && h(FullTime, {at: job.endedAt, now})],
          ['Took', took(job)],
          ['Waited', job.waitedMs !== undefined && duration(job.waitedMs)],
          ['Progress', job.progress && h(Progress, {progress: job.progress})],
          ['Instance', job.instance],
          ['Failed attempts', `${number(job.failedAttempts)} of ${number(job.retries + 1)}`],
          ['Reclaimed from dead workers', job.reclaims > 0 && number(job.reclaims)],
          ['Reason for the retry', job.state === 'RETRY' && job.retryReason && job.retryReason.toLowerCase()],
          ['Cancelled while it runs', job.cancelled && 'yes'],
          ['Superseded by', link(job.supersededBy)],
          ['Requeued as', link(job.requeuedAs)],
          ['Lock strategy', job.lock], ['On conflict', job.onConflict], ['Lease', setting(job.leaseForMs)]
        ]
      })),
    job.attempts?.length > 0 && h(Section, {id: 'attempts', title: 'Failed attempts', count: job.failedAttempts},
      h(Attempts, {attempts: job.attempts, now}),
      job.attempts.length < job.failedAttempts && h('p', {class: 'aside'}, job.attempts.length === 1 ? 'Only the last one is kept.' : `The last ${number(job.attempts.length)} are kept.`)),
    h(Section, {id: 'arguments', title: 'Arguments'}, h(Arguments, {value: job.arguments}),
      job.arguments === '******' && h('p', {class: 'aside'}, 'Hidden. management.endpoint.locket.show-arguments selects the users who see them.')),
    job.key && h(Section, {id: 'key', title: 'Key'},
      h('p', null, h('code', null, keyText(job.key)), ' ', h('a', {href: to(['jobs'], {key: job.key.digest})}, 'All jobs of this key')),
      h('p', {class: 'aside'}, 'Digest: ', h('code', null, job.key.digest)),
      !job.endedAt && entry.data.leases && h(Lease, {lease: entry.data.leases[0]})));
}
