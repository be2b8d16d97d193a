/* The place, the filter and the selection, which are in the fragment of the address. */

import {query} from './api.js';

const {useEffect, useState} = window.preactHooks;

function parse() {
  const [path, parameters] = window.location.hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map((part) => {
      try {
        return decodeURIComponent(part);
      } catch (error) {
        return part;
      }
    }),
    parameters: Object.fromEntries(new URLSearchParams(parameters ?? ''))
  };
}

export function useAddress() {
  const [address, update] = useState(parse);
  useEffect(() => {
    const listener = () => update(parse());
    window.addEventListener('hashchange', listener);
    return () => window.removeEventListener('hashchange', listener);
  }, []);
  return address;
}

export function to(path, parameters = {}) {
  return '#/' + path.map(encodeURIComponent).join('/') + query(parameters);
}

export function go(path, parameters) {
  window.location.hash = to(path, parameters);
}
