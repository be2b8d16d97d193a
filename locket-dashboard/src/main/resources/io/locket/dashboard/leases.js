/* Held leases. */

import {leaseActions} from './actions.js';
import {to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, FullTime, Instance, Placeholder, Section, Table, h} from './elements.js';
import {inOrder, keyText, keyTitle} from './format.js';
import {Countdown} from './parked.js';
import {useNow, useView} from './state.js';

const MANY = 1000;

/* A key can have a lease and a claim. */
const identity = (lease) => lease.key.digest + lease.kind;

export function Leases() {
  const now = useNow();
  const entry = useView('leases');
  /* The response lists leases by expiry, which changes with each heartbeat. */
  const leases = inOrder(entry.data?.leases ?? [], 'since', identity);
  return h(Section, {id: 'title', title: 'Held leases', count: entry.data?.leases.length},
    leases.length >= MANY && h('p', {class: 'aside'}, 'These are the first thousand leases by expiry.'),
    h(Placeholder, {entry, missing: 'This process has no leases.'}),
    entry.data && (leases.length ? h(Table, {
      label: 'Held leases',
      columns: [['Key'], ['Kind', 'words'], ['Held by'], ['Since', 'time'], ['Remaining', 'time'], ['Actions', 'last']],
      rows: leases.map((lease) => ({
        key: identity(lease),
        cells: [
          h('span', {class: 'job'}, h('a', {href: to(['jobs'], {key: lease.key.digest})}, lease.job ?? 'unknown'),
            h('span', {class: 'key', title: keyTitle(lease.key)}, keyText(lease.key))),
          lease.kind.toLowerCase(),
          h('span', {class: 'job'}, h(Instance, {name: lease.instance}), lease.thread && h('span', {class: 'sub'}, lease.thread)),
          lease.since && h(FullTime, {at: lease.since, now}),
          h(Countdown, {lease, now}),
          h(Actions, {actions: leaseActions(lease), label: `${lease.job ?? 'unknown'} ${keyText(lease.key)}`})
        ]
      }))
    }) : h(Empty, null, 'No lease is held. A job with a key holds one while it runs.')));
}
