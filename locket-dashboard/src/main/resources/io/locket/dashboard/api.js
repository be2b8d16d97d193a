/* Requests to the endpoint. Every failure is a Problem with a message for the reader. */

function meta(name, root = document) {
  return root.querySelector(`meta[name="${name}"]`)?.content ?? '';
}

export const writable = meta('locket-access') === 'unrestricted';

const endpoint = meta('locket-endpoint');

let csrf = {header: meta('csrf-header'), token: meta('csrf-token')};

/* Whether the application accepts the value of the cookie and not the token of the page, as with csrf.spa() of Spring Security. */
let cookieFirst = false;

const READ_TIMEOUT = 15000;

class Problem extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

function cookie(name) {
  const found = document.cookie.split('; ').find((entry) => entry.startsWith(name + '='));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : '';
}

function csrfHeaders(preferCookie) {
  const value = cookie('XSRF-TOKEN');
  const token = preferCookie ? value || csrf.token : csrf.token || value;
  return token ? {[csrf.header || 'X-XSRF-TOKEN']: token} : {};
}

/* Reads the token again, because that of a renewed session differs. Parses without running anything. */
async function renewToken() {
  const response = await request('./', {});
  if (isLoginNeeded(response)) {
    throw expired();
  }
  const text = await response.text();
  const find = (name) => text.match(new RegExp(`<meta name="${name}" content="([^"<>&]*)"`))?.[1] ?? '';
  csrf = {header: find('csrf-header'), token: find('csrf-token')};
}

function expired() {
  return new Problem('session', 'Your session has expired. Sign in again in another tab, then continue here.');
}

function unreachable() {
  return new Problem('unreachable', 'The application does not respond.');
}

/* A redirect leads to a login, possibly on another origin. */
function isLoginNeeded(response) {
  return response.status === 401 || response.type === 'opaqueredirect';
}

async function request(address, options) {
  try {
    return await fetch(address, {
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      ...options,
      headers: {'X-Requested-With': 'XMLHttpRequest', ...options.headers}
    });
  } catch (error) {
    throw unreachable();
  }
}

function send(path, options) {
  return request(endpoint + (path ? '/' + path : ''), {...options, headers: {Accept: 'application/json', ...options.headers}});
}

/* The numbers of arguments stay as they are written, because JavaScript rounds those with many digits. */
function parse(text) {
  const body = JSON.parse(text);
  if (body?.job?.arguments && JSON.rawJSON) {
    body.job.arguments = JSON.parse(text, (name, value, {source}) => typeof value === 'number' ? JSON.rawJSON(source) : value).job.arguments;
  }
  return body;
}

async function read(response) {
  const json = (response.headers.get('Content-Type') ?? '').includes('json');
  if (isLoginNeeded(response) || (response.ok && !json)) {
    throw expired();
  }
  const body = json ? await response.text().then(parse).catch(() => response.ok ? Promise.reject(unreachable()) : null) : null;
  if (response.ok) {
    return body;
  }
  throw problemOf(response.status, body);
}

function problemOf(status, body) {
  const message = typeof body?.message === 'string' ? body.message : '';
  switch (status) {
    case 400: return new Problem('invalid', message || 'The request is invalid.');
    case 403: return new Problem('forbidden', 'You are not allowed to do this, or your session has changed.');
    case 404: return isOfEndpoint(body) ? new Problem('missing', message)
      : new Problem('failed', `There is no endpoint at ${new URL(endpoint, document.baseURI).pathname}. Check that it is exposed, and that a proxy forwards requests to it.`);
    case 405: return new Problem('forbidden', 'The endpoint is read-only: management.endpoint.locket.access is not unrestricted.');
    case 502: case 503: case 504: return status === 503 && isOfEndpoint(body) ? new Problem('store', message)
      : new Problem('failed', `The application, or a proxy in front of it, is not available (status ${status}).`);
    default: return new Problem('failed', message || `The application responded with status ${status}.`);
  }
}

/* A problem of the endpoint has a message and nothing else. Those of Spring Boot and of most proxies have no message, or more. */
function isOfEndpoint(body) {
  return typeof body?.message === 'string' && Object.keys(body).length === 1;
}

/* A read without its response after the timeout has failed. A write has no timeout, because it may still take effect. */
export async function get(path, {signal, timeout = READ_TIMEOUT} = {}) {
  return read(await send(path, {signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)].filter(Boolean))}));
}

/* A refused request was not executed. The response to a refused token may be that to a missing login. */
function isRefused(response) {
  return isLoginNeeded(response) || response.status === 403;
}

export async function write(method, path) {
  const attempt = (preferCookie) => send(path, {method, headers: {'Content-Type': 'application/json', ...csrfHeaders(preferCookie)}});
  let response = await attempt(cookieFirst);
  if (isRefused(response)) {
    await renewToken();
    response = await attempt(cookieFirst);
  }
  if (isRefused(response) && csrf.token && cookie('XSRF-TOKEN')) {
    response = await attempt(!cookieFirst);
    cookieFirst = isRefused(response) ? cookieFirst : !cookieFirst;
  }
  return read(response);
}

export function query(parameters) {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return entries.length ? '?' + new URLSearchParams(entries) : '';
}

export const segment = encodeURIComponent;
