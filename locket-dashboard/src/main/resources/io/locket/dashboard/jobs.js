/* Jobs by filters, a page at a time. */

import {bulkActions, filterOf, jobActions} from './actions.js';
import {query} from './api.js';
import {go, to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, Instance, JobName, Placeholder, Progress, State, Table, Time, h} from './elements.js';
import {showStart} from './focus.js';
import {LATEST, STATES, count, inOrder, instantOf, number} from './format.js';
import {Holder} from './parked.js';
import {KeptOverview, useNow, useOverview, useView} from './state.js';

const {useEffect, useLayoutEffect, useRef, useState} = window.preactHooks;

const PAGE = 50;

const RETRY_REASONS = {FAILED: 'after a failed attempt', RESCHEDULED: 'key was held', DEFERRED: 'the worker could not run it'};

function stateOf(job, leases, now) {
  switch (job.state) {
    case 'RUNNING': return h('span', null, job.instance && ['on ', h(Instance, {name: job.instance}), ' '], job.cancelled && 'cancelled, still running ', job.progress && h(Progress, {progress: job.progress}));
    case 'PARKED': return h('span', null, 'key held by ', h(Holder, {digest: job.key.digest, leases, now}));
    case 'SCHEDULED': return h('span', null, 'due ', h(Time, {at: job.startAt, now}));
    case 'RETRY': return h('span', null, (RETRY_REASONS[job.retryReason] ?? RETRY_REASONS.FAILED) + ', due ', h(Time, {at: job.startAt, now}), job.lastError && h('span', {class: 'error-text'}, job.lastError));
    case 'SUPERSEDED': return job.supersededBy && h('span', null, 'by ', h('a', {href: to(['job', job.supersededBy])}, job.supersededBy));
    case 'DEAD': return h('span', null, h('span', {class: 'error-text'}, job.lastError ?? 'no error recorded'),
      job.requeuedAs && ['requeued as ', h('a', {href: to(['job', job.requeuedAs])}, job.requeuedAs)]);
    default: return job.lastError ? h('span', {class: 'error-text'}, job.lastError) : null;
  }
}

function When({job, now}) {
  const [label, at] = job.endedAt ? ['ended', job.endedAt] : job.state === 'RUNNING' ? ['started', job.startedAt] : ['enqueued', job.enqueuedAt];
  return h('span', null, label + ' ', h(Time, {at, now}));
}

/* An input whose value applies on Enter, when it is cleared and when the focus leaves it. An invalid value is marked, and explained on Enter. */
function Input({value, apply, ...attributes}) {
  const element = useRef(null);
  useEffect(() => {
    element.current.value = value;
  }, [value]);
  const finish = ({target}) => target.validity.valid && target.value !== value && apply(target.value);
  const enter = (event) => event.target.reportValidity() && finish(event);
  return h('input', {...attributes, ref: element, onBlur: finish, onSearch: finish, onKeyDown: (event) => event.key === 'Enter' && enter(event)});
}

function Filters({parameters, place, queues}) {
  const states = (parameters.state ?? '').split(',').filter(Boolean);
  const change = (changes) => go(place, withoutPlace({...parameters, ...changes, cursor: ''}, place));
  const toggle = (state) => change({state: (states.includes(state) ? states.filter((other) => other !== state) : [...states, state]).join(',')});
  const typed = (name) => ({type: 'search', name, value: parameters[name] ?? '', apply: (value) => change({[name]: value.trim()})});
  const time = (name) => ({type: 'datetime-local', name, max: LATEST, value: local(parameters[name]), apply: (value) => change({[name]: value && instantOf(value)})});
  return h('form', {class: 'filters', role: 'search', onSubmit: (event) => event.preventDefault()},
    h('fieldset', null, h('legend', null, 'State'), Object.keys(STATES).map((state) => {
      const value = state.toLowerCase();
      return h('label', {key: state, class: 'chip'}, h('input', {type: 'checkbox', checked: states.includes(value), onChange: () => toggle(value)}), STATES[state]);
    })),
    place[0] === 'jobs' && h('label', null, 'Queue', h('select', {value: parameters.queue ?? '', onChange: (event) => change({queue: event.target.value})},
      h('option', {value: ''}, 'all'), [...new Set([...queues, ...(parameters.queue ? [parameters.queue] : [])])].map((queue) => h('option', {key: queue, value: queue}, queue)))),
    h('label', null, 'Job name', h(Input, {...typed('job'), placeholder: 'billing.bill'})),
    h('label', null, 'Key digest', h(Input, {...typed('key'), placeholder: 'jcSQj3sQ…'})),
    h('label', null, 'Arguments contain', h(Input, typed('text'))),
    h('label', null, 'Due from', h(Input, time('dueFrom'))),
    h('label', null, 'Due before', h(Input, time('dueUntil'))),
    h('label', null, 'Job id', h('input', {type: 'search', placeholder: 'opens the job', onChange: (event) => event.target.value.trim() && go(['job', event.target.value.trim()])})));
}

/* Returns an instant as the local time that an input takes, whose year has four digits. */
function local(instant) {
  const date = new Date(instant ?? '');
  const shifted = new Date(date - date.getTimezoneOffset() * 60000);
  const text = isNaN(shifted) ? '' : shifted.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 16) : '';
}

/* The queue of a page of its own is in the path of that page. */
function withoutPlace(parameters, place) {
  return place[0] === 'queues' ? {...parameters, queue: ''} : parameters;
}

/* Returns the text of a list without jobs. The jobs of a page may have ended since the one before it was read. */
function emptiness({cursor, queue, ...filters}) {
  const filtered = Object.values(filters).some(Boolean);
  if (cursor) {
    return filtered ? 'No further job fits these filters.' : 'There are no more jobs on this page.';
  }
  return filtered ? 'No job fits these filters.' : 'There are no jobs here.';
}

/* Keeps the height of an element until its new content has loaded, so that the page does not scroll. Returns the attributes of the element. */
function useSteady(loaded) {
  const ref = useRef(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    if (loaded) {
      height.current = ref.current.offsetHeight;
    }
  });
  return {ref, style: loaded ? null : {minHeight: height.current + 'px'}};
}

export function JobList({parameters, place, now}) {
  const overview = useOverview();
  const entry = useView('jobs' + query({...filterOf(parameters), state: parameters.state, cursor: parameters.cursor, limit: PAGE}));
  const steady = useSteady(entry.loaded);
  const [chosen, choose] = useState(new Set());
  const listed = entry.data?.jobs.jobs ?? [];
  /* The response lists running jobs by the expiry of their run leases, which changes with each heartbeat. */
  const jobs = parameters.state === 'running' ? inOrder(listed, 'startedAt', (job) => job.id) : listed;
  const cursor = entry.data?.jobs.cursor;
  const subjects = jobs.filter((job) => jobActions([job]).length > 0);
  const selected = subjects.filter((job) => chosen.has(job.id));
  const toggle = (id) => {
    const next = new Set(chosen);
    if (!next.delete(id)) {
      next.add(id);
    }
    choose(next);
  };
  const selectable = subjects.length > 0;
  const all = selectable && selected.length === subjects.length;
  const ofAllQueues = place[0] === 'jobs';
  const bulk = jobs.length || cursor ? bulkActions(parameters) : [];
  return h('div', steady,
    h(Filters, {parameters, place, queues: overview?.queues.map((queue) => queue.queue) ?? []}),
    (selectable || bulk.length > 0) && h('div', {class: 'bulk'},
      selectable && h('label', null, h('input', {type: 'checkbox', checked: all, onChange: () => choose(new Set(all ? [] : subjects.map((job) => job.id)))}), 'Select this page'),
      h('span', {role: 'status'}, selected.length ? count(selected.length, 'job') + ' selected' : ''),
      h(Actions, {actions: jobActions(selected), label: 'selected jobs'}),
      bulk.length > 0 && !selected.length && h('details', {class: 'all'}, h('summary', null, 'All that fit'), h(Actions, {actions: bulk, label: 'jobs that fit'}))),
    h(Placeholder, {entry}),
    entry.problem?.kind === 'invalid' && h(KeptOverview, {}),
    entry.data && (jobs.length ? h(Table, {
      label: 'Jobs',
      columns: [['Job'], ['State'], ...(ofAllQueues ? [['Queue']] : []), ['When', 'time'], ['Details', 'error'], ['Attempts', 'lines']],
      rows: jobs.map((job) => ({
        key: job.id,
        className: selected.includes(job) ? 'chosen' : '',
        cells: [
          h('span', {class: 'choice'}, subjects.includes(job) && h('input', {type: 'checkbox', checked: chosen.has(job.id), 'aria-label': `Select ${job.job} ${job.id}`, onChange: () => toggle(job.id)}), h(JobName, {job})),
          h(State, {state: job.state}), ...(ofAllQueues ? [h('a', {href: to(['queues', job.queue])}, job.queue)] : []), h(When, {job, now}), stateOf(job, entry.data.leases, now),
          [job.failedAttempts > 0 && `${number(job.failedAttempts)} failed`, job.reclaims > 0 && `${number(job.reclaims)} reclaimed`].filter(Boolean).join('\n') || null
        ]
      }))
    }) : h(Empty, null, cursor ? 'No job of this part fits. The next page continues the search.' : emptiness(parameters))),
    h('p', {class: 'paging'},
      parameters.cursor && h('a', {href: to(place, withoutPlace({...parameters, cursor: ''}, place)), onClick: showStart}, 'First page'),
      cursor && h('a', {href: to(place, withoutPlace({...parameters, cursor}, place)), onClick: showStart}, 'Next page')));
}

export function Jobs({parameters}) {
  const now = useNow();
  return h('section', null, h('h1', {id: 'title', class: 'title'}, 'Jobs'), h(JobList, {parameters, place: ['jobs'], now}));
}
