/* The frame of the page. */

import {writable} from './api.js';
import {to, useAddress} from './address.js';
import {Dialog} from './dialog.js';
import {Empty, Section, h} from './elements.js';
import {focusContent, showStart, useKeptFocus} from './focus.js';
import {exactly, relative} from './format.js';
import {Job} from './job.js';
import {Jobs} from './jobs.js';
import {Leases} from './leases.js';
import {Overview} from './overview.js';
import {Queue, Queues} from './queues.js';
import {Schedules} from './schedules.js';
import {KeptOverview, connection, pauseUpdates, refresh, useNow, useOverview} from './state.js';
import {Violations} from './violations.js';
import {Workers} from './workers.js';

const {render} = window.preact;
const {useEffect, useRef} = window.preactHooks;

const VIEWS = [['', 'Overview'], ['jobs', 'Jobs'], ['queues', 'Queues'], ['schedules', 'Schedules'], ['leases', 'Leases'], ['workers', 'Workers'], ['check', 'Check']];

function view({path, parameters}) {
  const [section, name] = path;
  switch (section) {
    case undefined: return h(Overview, {});
    case 'jobs': return h(Jobs, {parameters});
    case 'job': return h(Job, {id: name ?? '', key: name});
    case 'queues': return name ? h(Queue, {name, parameters, key: name}) : h(Queues, {});
    case 'schedules': return h(Schedules, {});
    case 'leases': return h(Leases, {});
    case 'workers': return h(Workers, {});
    case 'check': return h(Violations, {});
    default: return h(NoView, {});
  }
}

function NoView() {
  return h(Section, {id: 'title', title: 'There is no such page'},
    h(KeptOverview, {}),
    h(Empty, null, h('a', {href: to([])}, 'Open the overview')));
}

function Connection() {
  const now = useNow();
  if (connection.problem) {
    return null;
  }
  return h('span', {class: 'live' + (connection.paused || !connection.at ? ' still' : '')},
    connection.at ? (connection.paused ? 'As of ' + relative(new Date(connection.at).toISOString(), Date.now()) : 'Live') : 'Connecting …',
    h('button', {type: 'button', onClick: () => pauseUpdates(!connection.paused)}, connection.paused ? 'Resume updates' : 'Pause updates'));
}

function Banner() {
  useNow();
  const problem = connection.problem;
  return h('div', {role: 'alert'}, problem && h('div', {class: 'banner'},
    h('p', null, problem.message,
      problem.kind === 'session' && [' ', h('a', {href: './', target: '_blank', rel: 'noopener'}, 'Sign in')]),
    connection.at > 0 && h('p', null, `This data is from ${exactly(connection.at)}.`),
    h('button', {type: 'button', onClick: refresh}, 'Try again')));
}

function App() {
  const address = useAddress();
  const overview = useOverview();
  const first = useRef(true);
  useKeptFocus();
  const place = address.path.join('/');
  const current = address.path[0] === 'job' ? 'jobs' : address.path[0] ?? '';
  useEffect(() => {
    const label = VIEWS.find(([path]) => path === current)?.[1] ?? 'Locket';
    document.title = [address.path[1], label, overview?.namespace, 'Locket'].filter(Boolean).join(' · ');
  }, [place, overview?.namespace]);
  useEffect(() => {
    if (first.current) {
      first.current = false;
    } else {
      showStart();
    }
  }, [place]);
  return [
    h('a', {class: 'skip', href: '#content', key: 'skip', onClick: (event) => {
      event.preventDefault();
      focusContent();
    }}, 'Skip to the content'),
    h('header', {key: 'header'},
      h('a', {class: 'brand', href: to([])}, h('img', {src: 'icon.svg', alt: '', width: 24, height: 24}), 'Locket', overview?.namespace && h('span', {title: overview.namespace}, overview.namespace)),
      h('nav', {'aria-label': 'Views'}, VIEWS
        .filter(([path]) => !['schedules', 'leases'].includes(path) || !overview || overview.sections.includes(path))
        .map(([path, label]) => h('a', {key: path, href: to(path ? [path] : []), 'data-label': label, 'aria-current': path === current ? 'page' : undefined}, label))),
      !writable && h('span', {class: 'read-only', title: 'Set management.endpoint.locket.access=unrestricted to allow changes'}, 'Read-only'),
      h(Connection, {})),
    h(Banner, {key: 'banner'}),
    h('main', {key: 'main', id: 'content', tabIndex: -1}, view(address)),
    h('footer', {key: 'footer'}, overview && ['Served by ', overview.instance, overview.version && ` · Locket ${overview.version}`, ` · ${exactly(overview.time)}`]),
    h(Dialog, {key: 'dialog'})
  ];
}

const root = document.getElementById('app');
root.replaceChildren();
render(h(App, {}), root);
