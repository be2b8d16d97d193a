/* The confirmation of an action, its progress, and its result. */

import {describe} from './actions.js';
import {write} from './api.js';
import {h} from './elements.js';
import {count, number} from './format.js';
import {refresh} from './state.js';

const {useEffect, useRef, useState} = window.preactHooks;

let open = () => {};

export function ask(action) {
  open(action);
}

/* Returns the result of an action for all of its targets. */
function summary(action, outcomes) {
  if (action.bulk) {
    return `${action.label}: ${outcomes[0]}`;
  }
  if (outcomes.length === 1) {
    return `${action.targets[0].name}: ${outcomes[0]}`;
  }
  const groups = new Map();
  outcomes.forEach((outcome) => groups.set(outcome, (groups.get(outcome) ?? 0) + 1));
  return [...groups].map(([outcome, times]) => `${number(times)} ${outcome}`).join(', ');
}

export function Dialog() {
  const [action, setAction] = useState(null);
  const [value, setValue] = useState('');
  const [progress, setProgress] = useState(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [fitting, setFitting] = useState(null);
  const element = useRef(null);
  const stopped = useRef(false);
  const finished = useRef({action: null, outcomes: []});

  useEffect(() => {
    open = (next) => {
      finished.current = {action: next, outcomes: []};
      setValue('');
      setProblem('');
      setProgress(null);
      setFitting(null);
      setAction(next);
      if (next.bulk) {
        next.bulk.count((total, more) => setFitting({total, more}), () => finished.current.action !== next)
          .catch((failure) => setProblem(failure.message));
      }
    };
  }, []);

  useEffect(() => {
    if (action && element.current && !element.current.open) {
      element.current.showModal();
    }
  }, [action]);

  function close() {
    stopped.current = true;
    const {outcomes} = finished.current;
    finished.current = {action: null, outcomes: []};
    if (outcomes.length) {
      setSaid(summary(action, outcomes));
      refresh();
    }
    setAction(null);
  }

  /* Goes through all jobs in steps; after a failure it continues where it was. */
  async function runSteps() {
    const state = finished.current;
    state.sum ??= {done: 0, flagged: 0, refused: 0};
    stopped.current = false;
    setProblem('');
    setProgress(state.matched ?? 0);
    do {
      let step;
      try {
        step = await action.bulk.step(value, state.cursor);
      } catch (failure) {
        setProblem(failure.message);
        setProgress(null);
        return;
      }
      Object.keys(state.sum).forEach((name) => state.sum[name] += step[name] ?? 0);
      state.matched = (state.matched ?? 0) + step.matched;
      state.cursor = step.cursor;
      state.outcomes = [`${number(state.sum.done)} done` + (state.sum.flagged ? `, ${number(state.sum.flagged)} cancelled while they run` : '')
        + (state.sum.refused ? `, ${number(state.sum.refused)} refused, because their state has changed or their key is taken` : '')];
      setProgress(state.matched);
    } while (state.cursor && !stopped.current);
    if (!stopped.current) {
      element.current?.close();
    }
  }

  async function run(event) {
    event.preventDefault();
    if (action.bulk) {
      await runSteps();
      return;
    }
    const {outcomes} = finished.current;
    let request;
    try {
      request = action.request(value);
    } catch (error) {
      setProblem('Enter a time.');
      return;
    }
    stopped.current = false;
    setProblem('');
    setProgress(outcomes.length);
    while (outcomes.length < action.targets.length && !stopped.current) {
      try {
        outcomes.push(describe(await write(request.method, request.path(action.targets[outcomes.length].id)), action.targets.length === 1));
      } catch (failure) {
        if (failure.kind !== 'missing') {
          setProblem(failure.message);
          setProgress(null);
          return;
        }
        outcomes.push('not there any more');
      }
      setProgress(outcomes.length);
    }
    if (!stopped.current) {
      element.current?.close();
    }
  }

  return [
    h('div', {class: 'said', role: 'status', key: 'said'}, said && [
      h('span', null, said),
      h('button', {type: 'button', onClick: () => setSaid('')}, 'Close')]),
    action && h('dialog', {key: 'dialog', ref: element, 'aria-labelledby': 'dialog-title', onClose: close},
      h('form', {onSubmit: run},
        h('h2', {id: 'dialog-title'}, action.title),
        h('p', null, action.explain),
        action.bulk && h('p', {role: 'status'}, fitting ? h('strong', null, count(fitting.total, 'job') + (fitting.more ? ' so far, counting …' : ' fit')) : 'Counting …'),
        action.field && h('label', null, action.field.label,
          h('input', {type: action.field.type, name: action.field.name, value, required: true, onInput: (event) => setValue(event.target.value)})),
        problem && h('p', {class: 'problem', role: 'alert'}, problem),
        progress !== null && action.bulk && h('p', {role: 'status'}, h('progress', {max: Math.max(fitting?.total ?? 1, progress, 1), value: progress}), ` ${count(progress, 'job')}`),
        progress !== null && action.targets.length > 1
          && h('p', {role: 'status'}, h('progress', {max: action.targets.length, value: progress}), ` ${number(progress)} of ${count(action.targets.length, 'job')}`),
        h('div', {class: 'buttons'},
          h('button', {type: 'button', autofocus: action.danger, onClick: () => element.current.close()}, progress !== null ? 'Stop' : 'Keep as it is'),
          h('button', {type: 'submit', class: action.danger ? 'danger' : 'main', autofocus: !action.danger && !action.field, disabled: progress !== null}, action.label))))
  ];
}

export function Actions({actions, label}) {
  return actions.length ? h('span', {class: 'actions', role: 'group', 'aria-label': label},
    actions.map((action) => h('button', {
      key: action.id, type: 'button', class: action.danger ? 'danger' : undefined, onClick: () => ask(action), 'aria-label': label ? `${action.label} ${label}` : undefined
    }, action.label))) : null;
}
