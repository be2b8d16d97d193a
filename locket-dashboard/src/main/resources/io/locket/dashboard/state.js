/* Live data: each view has one request, which is repeated while the page is visible. */

import {get} from './api.js';

const {useEffect, useState} = window.preactHooks;

const INTERVAL = 2000;

const entries = new Map();
const listeners = new Set();

let offset = 0;
let timer;
let fetching = false;
let again = false;

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

async function refreshEntry(path, entry) {
  try {
    entry.data = await get(path);
    entry.problem = null;
  } catch (problem) {
    entry.problem = problem;
    if (problem.kind === 'missing') {
      entry.data = null;
    }
  }
  entry.loaded = true;
}

export async function refresh() {
  clearTimeout(timer);
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  again = false;
  const asked = [...entries];
  await Promise.all(asked.map(([path, entry]) => refreshEntry(path, entry)));
  const severe = asked.map(([, entry]) => entry.problem).find((problem) => problem && problem.kind !== 'missing');
  connection.problem = severe ?? null;
  if (!severe) {
    connection.at = Date.now();
  }
  asked.filter(([, entry]) => entry.data?.overview && !entry.problem).forEach(([, entry]) => {
    latest = entry.data.overview;
    offset = Date.parse(latest.time) - Date.now();
  });
  fetching = false;
  notify();
  schedule(again || [...entries.values()].some((entry) => !entry.loaded) ? 0 : INTERVAL);
}

function schedule(delay) {
  clearTimeout(timer);
  if (!document.hidden && !connection.paused) {
    timer = setTimeout(refresh, delay);
  }
}

document.addEventListener('visibilitychange', () => schedule(0));

export function pauseUpdates(paused) {
  connection.paused = paused;
  notify();
  schedule(0);
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

function useData(path) {
  useNotification();
  useEffect(() => {
    const entry = entries.get(path) ?? {users: 0, data: undefined, problem: null, loaded: false};
    entry.users += 1;
    entries.set(path, entry);
    if (!entry.loaded) {
      schedule(0);
    }
    return () => {
      entry.users -= 1;
      if (!entry.users) {
        entries.delete(path);
      }
    };
  }, [path]);
  return entries.get(path) ?? {data: undefined, problem: null, loaded: false};
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
