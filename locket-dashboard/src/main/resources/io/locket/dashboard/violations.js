/* Violations of the invariants of the stored data, verified on request. */

import {repairActions} from './actions.js';
import {get} from './api.js';
import {Actions} from './dialog.js';
import {Button, Empty, Section, Table, h} from './elements.js';
import {number} from './format.js';
import {useView} from './state.js';

const {useState} = window.preactHooks;

const SHOWN = 1000;
const VERIFY_TIMEOUT = 600000;

export function Violations() {
  useView('queues');
  const [check, update] = useState({});
  async function verify() {
    const started = {running: true};
    update(started);
    const result = await get('violations?limit=' + SHOWN, {timeout: VERIFY_TIMEOUT}).then((found) => ({found}), (problem) => ({problem: problem.message}));
    /* A repair in the meantime has made the result outdated. */
    update((current) => current === started ? result : current);
  }
  const {running, found, problem} = check;
  return h(Section, {id: 'title', title: 'Check', count: found?.total},
    h('p', {class: 'wrap'}, 'Verify reads all stored data in small steps and reports violations of its invariants. Workers continue meanwhile.'),
    h('p', {class: 'wrap'}, h('span', {class: 'actions'}, h(Button, {kind: 'main', onClick: verify, disabled: running}, 'Verify'), h(Actions, {actions: repairActions(() => update({}))}))),
    h('div', {role: 'status'}, running && h(Empty, null, 'Verifying …'), problem && h('p', {class: 'problem'}, problem),
      found && !found.total && h(Empty, null, 'There are no violations.')),
    found?.total > 0 && h(Table, {
      label: 'Violations',
      columns: [['Subject'], ['Violation']],
      rows: found.violations.map((violation, index) => ({key: index, cells: [violation.subject, violation.description]}))
    }),
    found?.total > found?.violations.length && h('p', {class: 'aside'}, `These are the first ${number(found.violations.length)}.`));
}
