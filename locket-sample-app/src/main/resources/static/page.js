'use strict';

const element = (id) => document.getElementById(id);
const number = new Intl.NumberFormat('en');
/* Time for which the page waits for a response, in milliseconds. */
const TIMEOUT = 5000;

let artifacts = [];
let shownScan = '';

function cell(tag, content, className) {
  const result = document.createElement(tag);
  if (tag === 'th') {
    result.scope = 'row';
  }
  if (className) {
    result.className = className;
  }
  result.append(content);
  return result;
}

function code(text, title) {
  const result = document.createElement('code');
  result.textContent = text;
  result.title = title;
  return result;
}

function row(...cells) {
  const result = document.createElement('tr');
  result.append(...cells);
  return result;
}

function fill(name, rows, count) {
  element(name).replaceChildren(...rows);
  element('no-' + name).hidden = rows.length > 0;
  element(name.slice(0, -1) + '-count').textContent = count;
}

function size(bytes) {
  if (bytes < 1024) {
    return bytes + ' B';
  }
  return bytes < 1024 * 1024 ? (bytes / 1024).toFixed(1) + ' kB' : (bytes / 1024 / 1024).toFixed(1) + ' MB';
}

function count(value, one) {
  return number.format(value) + ' ' + one + (value === 1 ? '' : 's');
}

function time(instant) {
  return new Date(instant).toLocaleTimeString();
}

async function get(path) {
  const response = await fetch(path, {cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT)});
  if (response.status === 404) {
    return null;
  }
  if (!response.ok) {
    throw new Error(path + ' has the status ' + response.status);
  }
  return response.json();
}

function say(text) {
  element('message').textContent = text;
  element('message').hidden = !text;
}

function change(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

function showArtifacts() {
  const filter = element('filter').value.trim().toLowerCase();
  const shown = artifacts.filter((artifact) => artifact.name.toLowerCase().includes(filter));
  fill('artifacts', shown.map((artifact) => {
    const name = cell('th', artifact.name);
    name.title = artifact.location;
    return row(name,
      cell('td', artifact.version ?? ''),
      cell('td', size(artifact.size), 'number'),
      cell('td', number.format(artifact.classes), 'number'),
      cell('td', number.format(artifact.packages), 'number'),
      cell('td', code(artifact.sha256.slice(0, 12), artifact.sha256)));
  }), shown.length === artifacts.length ? shown.length : shown.length + ' of ' + artifacts.length);
}

function showPackages() {
  const owners = new Map();
  for (const artifact of artifacts) {
    for (const name of artifact.sharedPackages) {
      owners.set(name, [...(owners.get(name) ?? []), artifact.name]);
    }
  }
  const names = [...owners.keys()].sort();
  fill('packages', names.map((name) => row(
    cell('th', code(name, '')),
    cell('td', owners.get(name).join(', ')))), names.length);
}

function showScan(scan) {
  const texts = {
    RUNNING: () => 'Runs since ' + time(scan.started) + ' in process ' + scan.pid + '.',
    ENDED: () => 'Ended at ' + time(scan.ended) + ' in process ' + scan.pid + ', on '
      + count(scan.result.artifacts, 'artifact') + '.',
    FAILED: () => 'Failed at ' + time(scan.ended) + ': ' + scan.error,
    LOST: () => 'Started at ' + time(scan.started) + ' in process ' + scan.pid + ', and lost, because its replica died.'
  };
  change(element('last-scan'), texts[scan.state]());
  element('counts').hidden = !scan.result;
  if (scan.result) {
    for (const name of ['offered', 'ran', 'merged', 'overlapped', 'again', 'failed']) {
      element(name).textContent = number.format(scan.result[name]);
    }
    element('again-count').hidden = scan.result.again === 0;
    element('failed-count').hidden = scan.result.failed === 0;
  }
}

async function refresh() {
  try {
    const scan = await get('scans/last');
    const state = scan ? scan.id + scan.state : 'none';
    if (state !== shownScan || (scan && scan.state === 'RUNNING')) {
      artifacts = await get('artifacts');
      showArtifacts();
      showPackages();
      shownScan = state;
    }
    if (scan) {
      showScan(scan);
    }
    if (element('message').dataset.offline) {
      delete element('message').dataset.offline;
      say('');
    }
  } catch (error) {
    element('message').dataset.offline = 'true';
    say('This replica does not respond: ' + error.message);
  }
  setTimeout(refresh, 1000);
}

async function scan() {
  element('scan').disabled = true;
  try {
    const response = await fetch('scans', {method: 'POST'});
    const body = await response.json();
    if (response.ok) {
      say('');
      showScan(body);
    } else {
      say(response.status + ' ' + body.title + ': ' + body.detail);
    }
  } catch (error) {
    say('The scan was not started: ' + error.message);
  } finally {
    element('scan').disabled = false;
  }
}

element('scan').addEventListener('click', scan);
element('filter').addEventListener('input', showArtifacts);
refresh();
