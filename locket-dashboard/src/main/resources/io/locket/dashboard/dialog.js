/* The confirmation of an action, its progress, and its result. */

import {to} from './address.js';
import {Button, h} from './elements.js';
import {ActionExecution, isRefused} from './execution.js';
import {focusContent} from './focus.js';
import {LATEST, count, number} from './format.js';
import {refresh} from './state.js';

const {useEffect, useRef, useState} = window.preactHooks;

let open = () => {};

function ask(action) {
  open(action);
}

/* Counts the jobs of a bulk action while its dialog is open. Returns the count, the problem of the latest attempt, and a function to repeat it. */
function useCount(execution) {
  const [fitting, setFitting] = useState(null);
  const [problem, setProblem] = useState('');
  function countJobs() {
    setProblem('');
    execution.action.bulk?.count((total, more) => setFitting({total, more}), () => execution.stopped)
      .catch((failure) => {
        setFitting(null);
        setProblem(failure.message);
      });
  }
  useEffect(countJobs, []);
  return [fitting, problem, countJobs];
}

function Fitting({fitting, uncounted}) {
  if (!fitting) {
    return uncounted ? 'The jobs have not been counted.' : 'Counting …';
  }
  return h('strong', null, count(fitting.total, 'job') + (fitting.more ? ' so far, counting …' : fitting.total === 1 ? ' fits' : ' fit'));
}

function ActionProgress({execution, fitting}) {
  const {bulk, targets} = execution.action;
  const max = bulk ? Math.max(fitting?.total ?? 1, execution.progress, 1) : targets.length;
  return h('p', {role: 'status'}, h('progress', {max, value: execution.progress}),
    bulk ? ` ${count(execution.progress, 'job')}` : ` ${number(execution.progress)} of ${count(targets.length, 'job')}`);
}

/* The dialog of one action. A request that is under way when the dialog closes goes on, and its result is reported later. */
function Confirmation({execution, report, end}) {
  const {action} = execution;
  const [value, setValue] = useState('');
  const [fitting, uncounted, countJobs] = useCount(execution);
  const [, update] = useState(0);
  const element = useRef(null);
  const problem = execution.problem || uncounted;
  /* The reader confirms a number of jobs. */
  const unknown = action.bulk && !fitting;
  const single = action.targets.length === 1;

  useEffect(() => element.current.showModal(), []);

  async function send(event) {
    event.preventDefault();
    if (execution.sending || unknown) {
      return;
    }
    await execution.send(value.trim(), () => update((times) => times + 1));
    if (execution.complete) {
      action.completed?.();
    }
    if (execution.stopped) {
      report();
    } else if (execution.complete) {
      element.current.close();
    }
  }

  function close() {
    execution.stopped = true;
    if (execution.sending || execution.complete || execution.progress > 0) {
      report();
    }
    end();
    if (document.activeElement === document.body) {
      focusContent();
    }
  }

  return h('dialog', {ref: element, 'aria-labelledby': 'dialog-title', 'aria-describedby': (action.subject ? 'dialog-subject ' : '') + 'dialog-consequence', onClose: close},
    h('form', {onSubmit: send},
      h('h2', {id: 'dialog-title'}, action.title),
      action.subject && h('p', {id: 'dialog-subject', class: 'job', tabIndex: 0}, action.subject.map((line) => h('span', {class: 'key', key: line}, line))),
      h('p', {id: 'dialog-consequence'}, action.explain),
      action.bulk && h('p', {role: 'status'}, h(Fitting, {fitting, uncounted})),
      action.field && h('label', null, action.field.label,
        h('input', {type: action.field.type, name: action.field.name, value, required: true, autofocus: true, max: LATEST, pattern: '.*\\S.*', onInput: (event) => setValue(event.target.value)})),
      problem && h('p', {class: 'problem', role: 'alert'}, problem),
      uncounted && h('p', null, h('button', {type: 'button', onClick: countJobs}, 'Count again')),
      execution.sending && !single && h(ActionProgress, {execution, fitting}),
      h('div', {class: 'buttons'},
        h('button', {type: 'button', autofocus: action.danger || (action.bulk && !action.field), onClick: () => element.current.close()}, !execution.sending ? 'Keep as it is' : single ? 'Close' : 'Stop'),
        h('button', {type: 'submit', class: action.danger ? 'danger' : 'main', autofocus: !action.danger && !action.field && !action.bulk, 'aria-disabled': execution.sending || unknown}, action.label))));
}

/* The dialog that is open, if any, and the results since it was opened. */
export function Dialog() {
  const [execution, setExecution] = useState(null);
  const [reports, setReports] = useState(new Map());

  useEffect(() => {
    open = (action) => {
      setReports(new Map());
      setExecution(new ActionExecution(action));
    };
  }, []);

  function report(ended) {
    setReports((all) => new Map(all).set(ended, ended.text));
    refresh();
  }

  function dismiss() {
    setReports(new Map());
    focusContent();
  }

  return [
    h('div', {class: 'said', role: 'status', key: 'said'}, reports.size > 0 && [
      h('span', null, [...reports].map(([ended, text], i) => [i > 0 && ' · ', text,
        ended.enqueued && [' as ', h('a', {href: to(['job', ended.enqueued])}, ended.enqueued)]])),
      h('button', {type: 'button', onClick: dismiss}, 'Close')]),
    execution && h(Confirmation, {key: execution, execution, report: () => report(execution), end: () => setExecution((current) => current === execution ? null : current)})
  ];
}

const REFUSED = 'The application has refused this action to your user (403).';

/* The buttons of actions. Those that were refused to this user are dimmed, and can be repeated, as after another login. */
export function Actions({actions, label}) {
  return actions.length ? h('span', {class: 'actions', role: 'group', 'aria-label': label}, actions.map((action) => {
    const refused = isRefused(action.id);
    return h(Button, {
      key: action.id, kind: refused ? 'refused' : action.danger ? 'danger' : undefined, onClick: () => ask(action),
      label: label ? `${action.label} ${label}` : undefined, title: refused ? REFUSED : undefined
    }, action.label);
  })) : null;
}
