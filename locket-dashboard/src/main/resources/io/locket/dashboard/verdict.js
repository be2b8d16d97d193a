/* Problems, the most severe first. */

import {to} from './address.js';
import {count, duration, number} from './format.js';

const LONG = 5 * 60000;
const SILENT = 60000;

/* Returns the findings: severity is 'bad', 'warn' or 'note', and a kind has one finding a link. */
export function findings(overview, workers, schedules) {
  const found = [];
  const add = (kind, severity, text, link, todo) => found.push({kind, severity, text, link, todo});
  const totals = overview.totals;
  const alive = workers?.filter((worker) => Date.parse(overview.time) - Date.parse(worker.lastSeen) < SILENT);
  /* Due jobs that no worker has made ready wait, too. */
  const wait = totals.oldestWaitingMs !== undefined;
  const waiting = totals.ready > 0 ? `${count(totals.ready, 'job')} ${totals.ready === 1 ? 'is' : 'are'} ready` : 'jobs wait';
  if (alive && !alive.length && wait) {
    add('no-worker', 'bad', `No worker takes jobs, and ${waiting}.`, to(['workers']),
      'Start an instance that serves these queues, or find out why its workers stopped.');
  }
  const quiet = alive?.filter((worker) => worker.quiet) ?? [];
  if (quiet.length) {
    const all = quiet.length === alive.length;
    add('quiet', all && wait ? 'bad' : 'warn', (all ? 'All workers are quiet' : `${count(quiet.length, 'worker')} of ${number(alive.length)} ${quiet.length === 1 ? 'is' : 'are'} quiet`)
      + (all && wait ? `, and ${waiting}.` : '.'), to(['workers']), `Resume ${quiet.length === 1 ? 'it' : 'them'} when the reason is gone.`);
  }
  if (overview.leader && !overview.leader.instance && schedules?.some((schedule) => schedule.group === overview.leader.group && schedule.enabled && !schedule.paused)) {
    add('no-leader', 'bad', 'No instance leads, so schedules do not fire.', to(['schedules']), 'An instance with locket.leader.enabled takes over within the leader\'s ttl.');
  }
  if (totals.deadLetters > 0) {
    add('dead', 'warn', count(totals.deadLetters, 'dead letter') + (totals.deadLetters === 1 ? ': this job has' : ': these jobs have') + ' failed for good.', to(['jobs'], {state: 'dead'}), 'Read the errors, then requeue or dismiss.');
  }
  overview.queues.forEach((queue) => {
    const link = to(['queues', queue.queue]);
    if (queue.unreadable) {
      add('unreadable', 'warn', `Queue ${queue.queue} has ${count(queue.unreadable, 'unreadable record')}.`, link, 'They are set aside and hold up no other job. JobAdministration.unreadable() lists them.');
    }
    if (queue.lost) {
      add('lost', 'warn', `Queue ${queue.queue} has lost ${count(queue.lost, 'job')} with their records.`, link, 'Check that Redis does not evict keys.');
    }
    if (queue.paused) {
      add('paused', 'warn', `Queue ${queue.queue} is paused` + (queue.ready + queue.parked > 0 ? `, and ${number(queue.ready + queue.parked)} ${queue.ready + queue.parked === 1 ? 'waits' : 'wait'} in it.` : '.'), link, 'Resume it when the reason is gone.');
    } else if (queue.oldestWaitingMs > LONG) {
      add('waiting', 'warn', `A job of queue ${queue.queue} has waited for ${duration(queue.oldestWaitingMs)}.`, to(['jobs'], {queue: queue.queue, state: 'ready,parked'}), 'Check what its workers run, and which leases its parked jobs wait for.');
    }
  });
  if (totals.retry > 0) {
    add('retry', 'note', `${count(totals.retry, 'job')} will run again after a failure or a conflict.`, to(['jobs'], {state: 'retry'}));
  }
  const rank = {bad: 0, warn: 1, note: 2};
  return found.sort((one, other) => rank[one.severity] - rank[other.severity]);
}
