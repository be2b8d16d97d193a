/* The execution of a confirmed action: its requests and their results. */

import {describe} from './actions.js';
import {write} from './api.js';
import {count, number} from './format.js';

/* The ids of the actions that the application has refused to this user when they were last tried. */
const refusedActions = new Set();

/* Returns whether an action was refused to this user when it was last tried. */
export function isRefused(id) {
  return refusedActions.has(id);
}

/* Returns each of the results with its number of times. */
function grouped(outcomes) {
  const groups = new Map();
  outcomes.forEach((outcome) => groups.set(outcome, (groups.get(outcome) ?? 0) + 1));
  return [...groups].map(([outcome, times]) => `${number(times)} ${outcome}`).join(', ');
}

/* Returns the results of the steps of a bulk action. */
function summed({done, flagged, refused}) {
  return `${number(done)} done` + (flagged ? `, ${number(flagged)} cancelled while they run` : '')
    + (refused ? `, ${number(refused)} refused, because their state has changed or their key is taken` : '');
}

/* Sends the requests of an action one after the other, until all are done, one fails, or the execution is stopped. After a failure, it continues where it was. */
export class ActionExecution {
  constructor(action) {
    this.action = action;
    this.outcomes = [];
    this.sums = {matched: 0, done: 0, flagged: 0, refused: 0};
    this.cursor = undefined;
    this.sending = false;
    this.complete = false;
    this.stopped = false;
    this.problem = '';
    this.enqueued = undefined;
  }

  /* Returns the number of jobs that have a result. */
  get progress() {
    return this.action.bulk ? this.sums.matched : this.outcomes.length;
  }

  async send(value, changed) {
    this.sending = true;
    this.problem = '';
    try {
      while (!this.complete && !this.stopped) {
        changed();
        await (this.action.bulk ? this.sendStep(value) : this.sendNext(value));
        refusedActions.delete(this.action.id);
      }
    } catch (failure) {
      this.problem = failure.message;
      if (failure.kind === 'forbidden') {
        refusedActions.add(this.action.id);
      }
    }
    this.sending = false;
    changed();
  }

  async sendStep(value) {
    const step = await this.action.bulk.step(value, this.cursor);
    Object.keys(this.sums).forEach((name) => this.sums[name] += step[name] ?? 0);
    this.cursor = step.cursor;
    this.complete = !step.cursor;
  }

  async sendNext(value) {
    const {targets} = this.action;
    const {method, path} = this.action.request(value);
    try {
      const result = await write(method, path(targets[this.outcomes.length].id));
      this.outcomes.push(describe(result));
      if (targets.length === 1 && (result.result === 'ACCEPTED' || result.result === 'REPLACED')) {
        this.enqueued = result.id;
      }
    } catch (failure) {
      if (failure.kind !== 'missing') {
        throw failure;
      }
      this.outcomes.push('not there any more');
    }
    this.complete = this.outcomes.length === targets.length;
  }

  /* Returns the results, or the state of an execution that was stopped. */
  get text() {
    const {bulk, label, targets} = this.action;
    const single = targets.length === 1;
    const parts = [
      (this.progress > 0 || this.complete) && (bulk ? summed(this.sums) : single ? this.outcomes[0] : grouped(this.outcomes)),
      this.sending && 'waiting for the last response …',
      !this.sending && !this.complete && !single && `stopped after ${count(this.progress, 'job')}`
    ];
    return `${single ? targets[0].name : label}: ` + [parts.filter(Boolean).join(', '), this.problem].filter(Boolean).join('. ');
  }
}
