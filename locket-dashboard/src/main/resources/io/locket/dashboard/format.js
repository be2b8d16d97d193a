/* Numbers, times and names as the reader writes them. */

const numbers = new Intl.NumberFormat();
const exact = new Intl.DateTimeFormat([], {dateStyle: 'medium', timeStyle: 'long'});
const UNITS = [['d', 86400000], ['h', 3600000], ['min', 60000], ['s', 1000]];

const MASK = '******';

export function number(value) {
  return numbers.format(value);
}

export function count(value, one, many = one + 's') {
  return number(value) + ' ' + (value === 1 ? one : many);
}

/* A duration in its two largest units: 2 h 5 min. */
export function duration(ms) {
  if (ms < 1000) {
    return ms < 1 ? '0 s' : Math.round(ms) + ' ms';
  }
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[first];
  const whole = Math.floor(ms / size);
  const next = UNITS[first + 1];
  const rest = next && whole < 10 ? Math.floor((ms % size) / next[1]) : 0;
  return `${whole} ${unit}` + (rest ? ` ${rest} ${next[0]}` : '');
}

/* A configured duration in all its units: 12 h 30 min. */
export function setting(ms) {
  let rest = ms;
  const parts = [...UNITS, ['ms', 1]].map(([unit, size]) => {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    return whole && `${whole} ${unit}`;
  });
  return parts.filter(Boolean).join(' ') || '0 s';
}

export function relative(instant, now) {
  const ms = now - Date.parse(instant);
  if (Math.abs(ms) < 1000) {
    return 'now';
  }
  const text = duration(Math.floor(Math.abs(ms) / 1000) * 1000);
  return ms > 0 ? text + ' ago' : 'in ' + text;
}

/* Returns a time as the reader writes it, or as it is if this browser has no such time. */
export function exactly(instant) {
  const date = new Date(instant);
  return isNaN(date) ? String(instant) : exact.format(date);
}

/* The latest time that an input takes. A later year has more than four digits, which is another format. */
export const LATEST = '9999-12-31T23:59';

/* Returns the instant of a local time. */
export function instantOf(local) {
  const date = new Date(local);
  if (isNaN(date)) {
    throw new Error('Enter a time up to the year 9999.');
  }
  return date.toISOString();
}

/* Returns entries by a time, then by their identity. Those without the time are the last ones. */
export function inOrder(entries, time, identity) {
  const at = (entry) => entry[time] ? Date.parse(entry[time]) : Infinity;
  const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0;
  return [...entries].sort((one, other) => compare(at(one), at(other)) || compare(identity(one), identity(other)));
}

/* A key as text, or the start of its digest where the text is hidden. */
export function keyText({digest, text}) {
  return text && text !== MASK ? text : 'key ' + digest.slice(0, 8);
}

/* A key in full, which is cut off where it is long: its text, if visible, and its digest. */
export function keyTitle({digest, text}) {
  return text && text !== MASK ? `${text}\nDigest: ${digest}` : digest;
}

export function shortInstance(instance) {
  const parts = instance.split('/');
  return parts.length > 2 ? parts[0] + '/' + parts[1] : instance;
}

export function json(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

export const STATES = {
  SCHEDULED: 'scheduled', READY: 'ready', PARKED: 'parked', RETRY: 'retry', RUNNING: 'running', SUCCEEDED: 'succeeded',
  DISCARDED: 'discarded', SUPERSEDED: 'superseded', DEAD: 'dead', CANCELLED: 'cancelled', REMOVED: 'removed'
};

export const WAITING = ['SCHEDULED', 'READY', 'PARKED', 'RETRY'];
