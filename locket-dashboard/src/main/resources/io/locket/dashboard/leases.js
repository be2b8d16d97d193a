/* Held leases. */

import {leaseActions} from './actions.js';
import {to} from './address.js';
import {Actions} from './dialog.js';
import {Empty, FullTime, Instance, Placeholder, Section, Table, h} from './elements.js';
import {inOrder, keyText, keyTitle} from './format.js';
import {Countdown} from './parked.js';
import {useNow, useView} from './state.js';

const MANY = 1000;

export function Leases() {
  const now = useNow();
  const entry = useView('leases');
  /* The response lists leases by expiry, which changes with each heartbeat. */
  const leases = inOrder(entry.data?.leases ?? [], 'since', 'digest', 'kind');
  return h(Section, {id: 'title', title: 'Held leases', count: entry.data?.leases.length},
    h(Placeholder, {entry, missing: 'This process has no leases.'}),
    entry.data && (leases.length ? h(Table, {
      label: 'Held leases',
      columns: [['Key'], ['Kind'], ['Held by'], ['Since', 'time'], ['Remaining', 'time'], ['Actions', 'last']],
      rows: leases.map((lease) => ({
        key: lease.digest + lease.kind,
        cells: [
          h('span', {class: 'job'}, h('a', {href: to(['jobs'], {key: lease.digest})}, lease.job ?? 'unknown'),
            h('span', {class: 'key', title: keyTitle(lease.digest, lease.key)}, keyText(lease.digest, lease.key))),
          lease.kind.toLowerCase(),
          h('span', {class: 'job'}, h(Instance, {name: lease.instance}), lease.thread && h('span', {class: 'sub'}, lease.thread)),
          lease.since && h(FullTime, {at: lease.since, now}),
          h(Countdown, {lease, now}),
          h(Actions, {actions: leaseActions(lease), label: `${lease.job ?? 'unknown'} ${keyText(lease.digest, lease.key)}`})
        ]
      }))
    }) : h(Empty, null, 'No lease is held. A job with a key holds one while it runs.')),
    leases.length >= MANY && h('p', {class: 'aside'}, 'These are the first thousand leases by expiry.'));
}
