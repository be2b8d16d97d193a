/* The actions, with their confirmations and results. */

import {get, query, segment, writable, write} from './api.js';
import {STATES, WAITING, count, exactly, instantOf, keyText, number} from './format.js';

const RESULTS = {
  CANCELLED: 'cancelled', FLAGGED: 'cancelled while it runs; its body has to stop', ENDED: 'had ended already',
  DONE: 'done', REFUSED: 'refused, because its state has changed', DUPLICATE: 'not enqueued, because another job of its key is there',
  ACCEPTED: 'enqueued', REPLACED: 'enqueued in place of a waiting job', PAUSED: 'paused', RESUMED: 'resumed', REMOVED: 'removed',
  RELEASED: 'released', QUIETED: 'quiet: takes no new jobs'
};

export function describe(result) {
  if (result.matched !== undefined) {
    return result.matched ? `${count(result.matched, 'violation')} found, ${number(result.done)} repaired, ${number(result.refused)} left` : 'no violations found';
  }
  if (result.reason) {
    return 'refused: ' + result.reason;
  }
  let text = RESULTS[result.result] ?? result.result.toLowerCase();
  if (result.result === 'DUPLICATE' && result.of) {
    text += ` (${result.of}${result.state ? ', ' + result.state.toLowerCase() : ''})`;
  }
  if (result.jobs !== undefined) {
    text += ', ' + count(result.jobs, 'waiting job') + ' with it';
  }
  if (result.result === 'RELEASED' && result.instance) {
    text += `; it was held by ${result.instance}` + (result.kind === 'FOREIGN' ? ', a plain lock registry' : '');
  }
  return text;
}

const job = (action, parameters = {}) => ({method: 'POST', path: (id) => `jobs/${segment(id)}/${action}` + query(parameters)});

const JOB_ACTIONS = [
  {
    id: 'requeue', label: 'Requeue', applies: (it) => it.state === 'DEAD' && !it.requeuedAs, request: () => job('requeue'),
    explain: 'A new job with the same arguments is enqueued and starts with no failed attempts. If a job of the same key is already there, nothing is enqueued.'
  },
  {
    id: 'dismiss', label: 'Dismiss', applies: (it) => it.state === 'DEAD' && !it.requeuedAs, request: () => job('dismiss'),
    explain: 'The job is no longer counted as a dead letter and will not run again. Its record stays as long as those of other ended jobs.'
  },
  {
    id: 'run-now', label: 'Run now', applies: (it) => it.state === 'SCHEDULED' || it.state === 'RETRY', request: () => job('run-now'),
    explain: 'The job becomes ready at once, behind the jobs that are ready already.'
  },
  {
    id: 'reschedule', label: 'Reschedule', applies: (it) => WAITING.includes(it.state), field: {name: 'at', label: 'Due at', type: 'datetime-local'},
    request: (value) => job('reschedule', {at: instantOf(value)}), explain: 'The job waits until that time, in your time zone.'
  },
  {
    id: 'move', label: 'Move', applies: (it) => WAITING.includes(it.state), field: {name: 'queue', label: 'Queue', type: 'text'},
    request: (value) => job('move', {queue: value}), explain: 'The job waits in the other queue, behind the jobs that are ready there. A queue that does not exist is created.'
  },
  {
    id: 'cancel', label: 'Cancel', danger: true, applies: (it) => WAITING.includes(it.state) || (it.state === 'RUNNING' && !it.cancelled),
    request: () => job('cancel'),
    explain: 'A waiting job ends and does not run. A running job is only notified. Its body goes on until it checks for the cancellation, and the job does not run again.'
  }
];

/* Returns the readable key of a job, if it has one, and its id. */
export function identity(it) {
  return [it.key && keyText(it.key), it.id].filter(Boolean);
}

function targets(jobs) {
  return jobs.map((it) => ({id: it.id, name: it.job + ' ' + it.id}));
}

/* Returns the actions for some jobs: those that apply to at least one, each with the jobs that it applies to. */
export function jobActions(jobs) {
  if (!writable) {
    return [];
  }
  return JOB_ACTIONS.map((action) => ({action, fitting: jobs.filter(action.applies)}))
    .filter(({fitting}) => fitting.length)
    .map(({action, fitting}) => ({
      ...action,
      title: `${action.label} ${fitting.length === 1 ? fitting[0].job : count(fitting.length, 'job')}?`,
      subject: fitting.length === 1 ? identity(fitting[0]) : undefined,
      targets: targets(fitting)
    }));
}

/* States that the bulk form of an action takes. */
const BULK_STATES = {
  'requeue': ['dead'], dismiss: ['dead'], 'run-now': ['scheduled', 'retry'], reschedule: ['scheduled', 'ready', 'parked', 'retry'],
  move: ['scheduled', 'ready', 'parked', 'retry'], cancel: ['scheduled', 'ready', 'parked', 'retry', 'running']
};

/* Returns the filters of a view without the states. */
export function filterOf({queue, job, key, text, dueFrom, dueUntil}) {
  return {queue, job, key, text, dueFrom, dueUntil};
}

/* Counts the jobs of a filter in bounded steps. */
async function countAll(filter, report, isStopped) {
  let total = 0;
  let cursor;
  do {
    const page = await get('jobs/count' + query({...filter, cursor}));
    total += page.jobs;
    cursor = page.cursor;
    report(total, Boolean(cursor));
  } while (cursor && !isStopped());
}

/* Returns the filters other than the states, as the end of a title. */
function named({queue, job, key, text, dueFrom, dueUntil}) {
  const due = [dueFrom && `from ${exactly(dueFrom)}`, dueUntil && `before ${exactly(dueUntil)}`].filter(Boolean).join(' and ');
  return [
    queue && `in queue ${queue}`, job && `of ${job}`, key && `of key ${key.slice(0, 8)}`, text && `with ${text} in their arguments`, due && `due ${due}`
  ].filter(Boolean).map((part) => ' ' + part).join('');
}

/* Returns the actions for all jobs that fit a filter, however many pages they fill. */
export function bulkActions(parameters) {
  const asked = (parameters.state ?? '').split(',').filter(Boolean);
  return JOB_ACTIONS.map((action) => ({action, states: BULK_STATES[action.id].filter((state) => !asked.length || asked.includes(state))}))
    .filter(({states}) => writable && states.length)
    .map(({action, states}) => {
      const filter = {...filterOf(parameters), state: states.join(',')};
      return {
        ...action,
        label: action.label + ' all',
        title: `${action.label} all jobs that are ${states.map((state) => STATES[state.toUpperCase()]).join(', ')}${named(filter)}?`,
        targets: [],
        bulk: {
          count: (report, isStopped) => countAll(filter, report, isStopped),
          step: (value, cursor) => {
            const argument = action.field ? {[action.field.name === 'queue' ? 'to' : action.field.name]: action.field.name === 'at' ? instantOf(value) : value} : {};
            return write('POST', `jobs/${action.id}` + query({...filter, ...argument, cursor}));
          }
        }
      };
    });
}

function single(id, label, title, explain, method, path, name, danger) {
  return {id, label, title, explain, danger, method, targets: [{id: name, name}], request: () => ({method, path: () => path})};
}

/* Returns the action that repairs all violations of the stored data, and then calls back. */
export function repairActions(completed) {
  return writable ? [{...single('repair', 'Repair', 'Repair the stored data?',
    'All stored data is verified, and violations are repaired. Damaged records are set aside. Jobs without a record are counted as lost.',
    'POST', 'violations/repair', 'Repair', true), completed}] : [];
}

function pauseQueue(name) {
  return single('pause', 'Pause', `Pause queue ${name}?`, 'No job of the queue is handed out until it is resumed. Jobs that run go on, and new jobs are accepted.', 'POST', `queues/${segment(name)}/pause`, name);
}

function resumeQueue(name) {
  return single('resume', 'Resume', `Resume queue ${name}?`, 'Workers take jobs of the queue again.', 'POST', `queues/${segment(name)}/resume`, name);
}

function removeQueue(name, consequence) {
  return single('remove', 'Remove', `Remove queue ${name}?`, consequence + ' This cannot be undone.', 'DELETE', 'queues/' + segment(name), name, true);
}

export function queueActions(queue) {
  if (!writable) {
    return [];
  }
  const waiting = queue.ready + queue.scheduled + queue.parked + queue.retry;
  return [
    queue.paused ? resumeQueue(queue.queue) : pauseQueue(queue.queue),
    removeQueue(queue.queue, `${count(waiting, 'waiting job')} ${waiting === 1 ? 'is' : 'are'} removed and will not run. ${count(queue.running, 'running job')} may finish.`)
  ];
}

/* Returns the actions of a queue whose state is unknown. */
export function namedQueueActions(name) {
  return writable ? [pauseQueue(name), resumeQueue(name), removeQueue(name, 'Its waiting jobs are removed and will not run. Its running jobs may finish.')] : [];
}

/* Returns the action that pauses a queue before its first job arrives. */
export function pauseNewQueue() {
  return {
    id: 'pause-new', label: 'Pause a queue without jobs', title: 'Pause a queue that has no job yet?', targets: [{id: '', name: 'Queue'}], field: {name: 'queue', label: 'Queue', type: 'text'},
    explain: 'No job of the queue is handed out until it is resumed. New jobs are accepted.',
    request: (value) => ({method: 'POST', path: () => `queues/${segment(value)}/pause` + query({create: true})})
  };
}

/* Returns the action that quiets or resumes the workers of a process. The path has the last part of its name, which has no slashes. */
export function workerActions(worker) {
  if (!writable) {
    return [];
  }
  const path = 'workers/' + segment(worker.instance.split('/').pop());
  return [worker.quiet
    ? single('resume', 'Resume', `Resume ${worker.instance}?`, 'Its workers take jobs again.', 'POST', path + '/resume', worker.instance)
    : single('quiet', 'Quiet', `Quiet ${worker.instance}?`, `Its workers take no new jobs until they are resumed or the process restarts. ${count(worker.running, 'running job')} may finish. Other processes go on.`, 'POST', path + '/quiet', worker.instance)];
}

export function scheduleActions(schedule) {
  if (!writable) {
    return [];
  }
  const path = 'schedules/' + segment(schedule.name);
  return [
    single('trigger', 'Trigger', `Trigger ${schedule.name} now?`, `A job ${schedule.job} is enqueued at once. The next firing stays as it is.`, 'POST', path + '/trigger', schedule.name),
    schedule.paused
      ? single('resume', 'Resume', `Resume ${schedule.name}?`, 'The schedule fires again.', 'POST', path + '/resume', schedule.name)
      : single('pause', 'Pause', `Pause ${schedule.name}?`, 'The schedule does not fire until it is resumed.', 'POST', path + '/pause', schedule.name),
    schedule.origin !== 'CONFIGURED' && single('remove', 'Remove', `Remove ${schedule.name}?`, 'The schedule never fires again. This cannot be undone.', 'DELETE', path, schedule.name, true)
  ].filter(Boolean);
}

export function leaseActions(lease) {
  if (!writable) {
    return [];
  }
  const holder = lease.instance === '(foreign)' ? 'a plain lock registry, which may be a lock of the application itself' : lease.instance;
  const key = keyText(lease.key);
  const of = lease.job ? ' of ' + lease.job : '';
  const [title, explain] = lease.kind === 'CLAIM' ? [`Release the claim${of} before its period has passed?`,
    `${holder} has taken it. Without it, the job can run again in this period.`
  ] : [`Take the lease${of} from its holder?`,
    `It is held by ${holder}. If that process still works on the key, another run may start beside it. Release it only if you know that the holder is gone or stuck.`
  ];
  const release = single('release', 'Force release', title, explain, 'DELETE', 'leases/' + segment(lease.key.digest), `${lease.job ?? 'unknown'} ${key}`, true);
  return [{...release, subject: [key, 'Digest: ' + lease.key.digest]}];
}
