/* Live data: each view has one request, which is repeated while the page is visible. */

import {get} from './api.js';

const {useEffect, useState} = window.preactHooks;

const INTERVAL = 2000;

/* Kinds of problems that only their view shows. */
export const OF_ONE_VIEW = ['missing', 'invalid'];

/* The data by path: each entry has its own request, which is repeated for as long as the entry has users. */
const entries = new Map();
const listeners = new Set();

let offset = 0;

/* The latest overview, which every response contains. */
let latest;

/* The state of the connection to the application. */
export const connection = {problem: null, at: 0, paused: false};

function notify() {
  listeners.forEach((listener) => listener());
}

function useNotification() {
  const [, update] = useState(0);
  useEffect(() => {
    const listener = () => update((count) => count + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
}

/* Ends the request of an entry and its repetition. */
function cancel(entry) {
  entry.request?.abort();
  clearTimeout(entry.timer);
}

/* Loads an entry, in place of a request that is still under way. */
async function load(path, entry) {
  cancel(entry);
  const request = new AbortController();
  entry.request = request;
  const [data, problem] = await get(path, {signal: request.signal}).then((body) => [body, null], (failure) => [undefined, failure]);
  if (request.signal.aborted) {
    return;
  }
  accept(entry, data, problem);
  entry.timer = setTimeout(() => isLive() && load(path, entry), INTERVAL);
  notify();
}

function accept(entry, data, problem) {
  entry.loaded = true;
  entry.problem = problem;
  if (!problem) {
    entry.data = data;
  } else if (problem.kind === 'missing') {
    entry.data = null;
  }
  connection.problem = [...entries.values()].map((other) => other.problem).find((other) => other && !OF_ONE_VIEW.includes(other.kind)) ?? null;
  if (!connection.problem) {
    connection.at = Date.now();
  }
  if (data?.overview) {
    latest = data.overview;
    offset = Date.parse(latest.time) - Date.now();
  }
}

function isLive() {
  return !document.hidden && !connection.paused;
}

/* Loads all entries at once, also while the updates are paused. */
export function refresh() {
  entries.forEach((entry, path) => load(path, entry));
}

document.addEventListener('visibilitychange', () => isLive() && refresh());

export function pauseUpdates(paused) {
  connection.paused = paused;
  notify();
  if (!paused) {
    refresh();
  }
}

/* Returns the latest overview, also while the response for another view is on its way. */
export function useOverview() {
  useNotification();
  return latest;
}

/* Returns the latest response for a view, also while the next one is on its way. */
export function useView(view = '') {
  return useData('summary' + (view && '/' + view));
}

/* Keeps the overview current on a page that has no request, or whose own request is refused. */
export function KeptOverview() {
  useView('queues');
  return null;
}

function useData(path) {
  useNotification();
  useEffect(() => {
    const entry = entries.get(path) ?? {users: 0, data: undefined, problem: null, loaded: false};
    entry.users += 1;
    if (entry.users === 1) {
      entries.set(path, entry);
      load(path, entry);
    }
    return () => {
      entry.users -= 1;
      if (!entry.users) {
        entries.delete(path);
        cancel(entry);
      }
    };
  }, [path]);
  return entries.get(path) ?? {data: undefined, problem: null, loaded: false};
}

/* Returns the time of the latest response, by the clock of the store. The data may be older than now, as on hold. */
export function readAt() {
  return Date.parse(latest.time);
}

/* Returns the time by the clock of the store, and renders again each second. */
export function useNow() {
  const [, tick] = useState(0);
  useEffect(() => {
    const ticker = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(ticker);
  }, []);
  return Date.now() + offset;
}
