/* The confirmation of an action, its progress, and its result. */

import {to} from './address.js';
import {h} from './elements.js';
import {focusContent} from './focus.js';
import {LATEST, count, number} from './format.js';
import {Run} from './run.js';
import {refresh} from './state.js';

const {useEffect, useRef, useState} = window.preactHooks;

let open = () => {};

export function ask(action) {
  open(action);
}

/* Counts the jobs of a bulk action while its dialog is open. Returns the count, the problem of the latest attempt, and a function to repeat it. */
function useCount(run) {
  const [fitting, setFitting] = useState(null);
  const [problem, setProblem] = useState('');
  function countJobs() {
    setProblem('');
    run.action.bulk?.count((total, more) => setFitting({total, more}), () => run.stopped)
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

function RunProgress({run, fitting}) {
  const {bulk, targets} = run.action;
  const max = bulk ? Math.max(fitting?.total ?? 1, run.progress, 1) : targets.length;
  return h('p', {role: 'status'}, h('progress', {max, value: run.progress}),
    bulk ? ` ${count(run.progress, 'job')}` : ` ${number(run.progress)} of ${count(targets.length, 'job')}`);
}

/* The dialog of one run. A request that is under way when the dialog closes goes on, and its result is reported later. */
function Confirmation({run, report, end}) {
  const {action} = run;
  const [value, setValue] = useState('');
  const [fitting, uncounted, countJobs] = useCount(run);
  const [, update] = useState(0);
  const element = useRef(null);
  const problem = run.problem || uncounted;
  /* The reader confirms a number of jobs. */
  const unknown = action.bulk && !fitting;
  const single = action.targets.length === 1;

  useEffect(() => element.current.showModal(), []);

  async function send(event) {
    event.preventDefault();
    if (run.sending || unknown) {
      return;
    }
    await run.send(value, () => update((times) => times + 1));
    if (run.complete) {
      action.completed?.();
    }
    if (run.stopped) {
      report();
    } else if (run.complete) {
      element.current.close();
    }
  }

  function close() {
    run.stopped = true;
    if (run.sending || run.complete || run.progress > 0) {
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
      run.sending && !single && h(RunProgress, {run, fitting}),
      h('div', {class: 'buttons'},
        h('button', {type: 'button', autofocus: action.danger || (action.bulk && !action.field), onClick: () => element.current.close()}, !run.sending ? 'Keep as it is' : single ? 'Close' : 'Stop'),
        h('button', {type: 'submit', class: action.danger ? 'danger' : 'main', autofocus: !action.danger && !action.field && !action.bulk, 'aria-disabled': run.sending || unknown}, action.label))));
}

/* The dialog that is open, if any, and the results since it was opened. */
export function Dialog() {
  const [run, setRun] = useState(null);
  const [reports, setReports] = useState(new Map());

  useEffect(() => {
    open = (action) => {
      setReports(new Map());
      setRun(new Run(action));
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
    run && h(Confirmation, {key: run, run, report: () => report(run), end: () => setRun((current) => current === run ? null : current)})
  ];
}

export function Actions({actions, label}) {
  return actions.length ? h('span', {class: 'actions', role: 'group', 'aria-label': label},
    actions.map((action) => h('button', {
      key: action.id, type: 'button', class: action.danger ? 'danger' : undefined, onClick: () => ask(action), 'aria-label': label ? `${action.label} ${label}` : undefined
    }, action.label))) : null;
}
