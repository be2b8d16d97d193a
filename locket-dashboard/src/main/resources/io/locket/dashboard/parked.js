/* Parked jobs, each with the lease that it waits for. */

import {to} from './address.js';
import {Instance, JobName, Table, Time, h} from './elements.js';
import {duration} from './format.js';
import {readAt} from './state.js';

export function Countdown({lease, now}) {
  if (lease.remainingMs === undefined) {
    return null;
  }
  const remaining = Math.max(0, lease.remainingMs - (now - readAt()));
  return h('span', {class: 'countdown'}, `${duration(Math.floor(remaining / 1000) * 1000)} left`);
}

/* The holder of a key. */
export function Holder({digest, leases, now}) {
  const lease = leases?.find((candidate) => candidate.key.digest === digest);
  if (!lease) {
    return leases ? h('span', null, 'no process: the job becomes ready next') : null;
  }
  return h('span', {class: 'holder'}, h(Instance, {name: lease.instance}), lease.since && [', acquired ', h(Time, {at: lease.since, now})], ', ',
    h(Countdown, {lease, now}), lease.kind === 'KEY' ? ' unless renewed' : '');
}

export function ParkedTable({jobs, leases, now}) {
  return h(Table, {
    label: 'Parked jobs',
    columns: [['Job'], ['Queue'], ['Enqueued', 'time'], ['Key held by']],
    rows: jobs.map((job) => ({
      key: job.id,
      cells: [h(JobName, {job}), h('a', {href: to(['queues', job.queue])}, job.queue), h(Time, {at: job.enqueuedAt, now}), h(Holder, {digest: job.key.digest, leases, now})]
    }))
  });
}
