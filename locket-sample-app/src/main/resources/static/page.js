'use strict';

const element = (id) => document.getElementById(id);
const number = new Intl.NumberFormat('en');

const scheduleRows = new Map();

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

function seconds(millis) {
  return millis === null ? 'unknown' : (millis / 1000).toFixed(1) + ' s';
}

function time(instant) {
  return new Date(instant).toLocaleTimeString();
}

function moment(instant) {
  const date = new Date(instant);
  return date.toDateString() === new Date().toDateString() ? date.toLocaleTimeString()
    : date.toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'});
}

async function get(path) {
  const response = await fetch(path, {cache: 'no-store'});
  if (response.status === 404) {
    return null;
  }
  if (!response.ok) {
    throw new Error(path + ' answered ' + response.status);
  }
  return response.json();
}

function say(text) {
  element('message').textContent = text;
  element('message').hidden = !text;
}

function showLeases(leases) {
  fill('leases', leases.map((lease) => row(
    cell('th', (lease.job ?? 'unknown') + (lease.key ?? '')),
    cell('td', lease.instance),
    cell('td', lease.thread),
    cell('td', seconds(lease.ageMs), 'number'),
    cell('td', seconds(lease.remainingMs), 'number'))), leases.length);
}

function name(job) {
  return job.job + (job.key ?? '');
}

function change(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

function showLeader(leader) {
  change(element('leader'), leader ? leader.instance + (leader.here ? ', this replica,' : '') + ' leads'
    + (leader.since ? ' since ' + moment(leader.since) : '') + ', in term ' + leader.term + '.'
    : 'Nobody leads: nothing fires before a replica does.');
}

function button(text, action) {
  const result = document.createElement('button');
  result.type = 'button';
  result.textContent = text;
  result.addEventListener('click', action);
  return result;
}

// Rows stay as long as their schedules do: a button must not vanish under a finger.
function scheduleRow(name) {
  const cells = ['th', 'td', 'td', 'td'].map((tag) => cell(tag, ''));
  const note = document.createElement('small');
  const title = document.createElement('span');
  cells[0].append(title, note);
  const pause = button('Pause', () => steer(name, pause.dataset.step));
  const trigger = button('Run now', () => steer(name, 'trigger'));
  pause.setAttribute('aria-describedby', 'schedule-' + name);
  trigger.setAttribute('aria-describedby', 'schedule-' + name);
  title.id = 'schedule-' + name;
  title.textContent = name;
  const actions = cell('td', pause, 'actions');
  actions.append(trigger);
  // On a narrow screen a schedule is a card, which needs the headings beside its values.
  ['', 'Fires', 'Last firing', 'Next firing'].forEach((label, i) => cells[i].dataset.label = label);
  return {row: row(...cells, actions), note, fires: cells[1], last: cells[2], next: cells[3], pause};
}

function lastFiring(schedule) {
  if (!schedule.last) {
    return 'none yet';
  }
  const firing = schedule.firing;
  return moment(schedule.last) + (firing?.merged ? ', merged' : '')
    + (firing?.state ? ', ' + firing.state.toLowerCase() : '');
}

function nextFiring(schedule) {
  if (schedule.paused) {
    return 'paused';
  }
  return schedule.next ? moment(schedule.next) : schedule.enabled ? 'never' : 'disabled';
}

function showSchedules(schedules) {
  const names = schedules.map((schedule) => schedule.name);
  if (names.join() !== [...scheduleRows.keys()].join()) {
    scheduleRows.clear();
    names.forEach((name) => scheduleRows.set(name, scheduleRow(name)));
    fill('schedules', names.map((name) => scheduleRows.get(name).row), names.length);
  }
  for (const schedule of schedules) {
    const shown = scheduleRows.get(schedule.name);
    change(shown.note, schedule.description ?? schedule.job);
    change(shown.fires, schedule.every ? 'every ' + schedule.every : schedule.cron + ', ' + schedule.zone);
    change(shown.last, lastFiring(schedule));
    change(shown.next, nextFiring(schedule));
    change(shown.pause, schedule.paused ? 'Resume' : 'Pause');
    shown.pause.dataset.step = schedule.paused ? 'resume' : 'pause';
  }
}

async function steer(name, step) {
  try {
    const response = await fetch('schedules/' + encodeURIComponent(name) + '/' + step, {method: 'POST'});
    if (response.ok) {
      say('');
      showSchedules(await get('schedules'));
    } else if (response.status === 409) {
      say('A job of schedule ' + name + ' is there already: none was added.');
    } else {
      say(response.status + ': nothing became of schedule ' + name + '.');
    }
  } catch (error) {
    say('Nothing became of schedule ' + name + ': ' + error.message);
  }
}

function showQueues(queues) {
  fill('queues', queues.map((queue) => row(
    cell('th', queue.queue + (queue.paused ? ' (paused)' : '')),
    ...['ready', 'running', 'parked', 'later', 'succeeded', 'deadLetters'].map((state) =>
      cell('td', number.format(queue[state]), 'number')))), queues.length);
}

function runName(job) {
  const result = cell('th', name(job));
  if (job.progress) {
    result.append(cell('small', job.progress.done + (job.progress.total ? ' of ' + job.progress.total : '')
      + (job.progress.message ? ': ' + job.progress.message : '')));
  }
  return result;
}

function showRuns(jobs) {
  fill('runs', jobs.map((job) => row(
    runName(job),
    cell('td', job.queue),
    cell('td', job.instance ?? 'unknown'),
    cell('td', job.started ? time(job.started) : '', 'number'),
    cell('td', number.format(job.reclaims), 'number'))), jobs.length);
}

function showParked(jobs) {
  fill('waits', jobs.map((job) => row(
    cell('th', name(job)),
    cell('td', job.queue),
    cell('td', time(job.enqueued), 'number'))), jobs.length);
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
      + scan.result.artifacts + ' artifacts.',
    FAILED: () => 'Failed at ' + time(scan.ended) + ': ' + scan.error,
    LOST: () => 'Started at ' + time(scan.started) + ' in process ' + scan.pid + ', and lost: its replica died.'
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
    const [leader, schedules, queues, runs, parked, leases] = await Promise.all(
      ['leader', 'schedules', 'queues', 'jobs?state=RUNNING', 'jobs?state=PARKED', 'leases'].map(get));
    showLeader(leader);
    showSchedules(schedules);
    showQueues(queues);
    showRuns(runs);
    showParked(parked);
    showLeases(leases);
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
    say('This replica does not answer: ' + error.message);
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
