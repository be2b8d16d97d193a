// The navigation of the site, made from the pages in target/pages. A page that no group lists is in the group "More".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const pages = join(import.meta.dirname, 'target/pages');

const groups = [
  ['Start', ['index', 'tutorial', 'sample', 'comparison', 'compatibility', 'pages']],
  ['Jobs', ['direct-calls', 'keys', 'strategies', 'leases', 'enqueuing', 'queues', 'delayed', 'schedules',
    'own-workers', 'testing']],
  ['Operate', ['configuration', 'operations', 'dashboard', 'endpoint', 'administration', 'metrics', 'tracing',
    'troubleshooting', 'upgrading']],
  ['Understand', ['how-a-lease-works', 'how-a-job-lives', 'guarantees', 'glossary', 'faq', 'performance', 'benchmarks',
    'parity']],
  ['Contribute', ['contributing', 'style', 'releasing', 'site', 'changelog']],
];

const directories = [
  ['How-to', 'how-to'],
  ['Moving to Locket', 'migration'],
  ['Decisions', 'decisions'],
];

export function sidebar() {
  const listed = new Set(groups.flatMap(([, names]) => names));
  const others = names('.').filter((name) => !listed.has(name));
  const [start, jobs, ...rest] = groups.map(([text, names]) => group(text, names));
  const [howTo, moving, decisions] = directories.map(([text, directory]) =>
    group(text, names(directory).map((name) => `${directory}/${name}`), true));
  return [start, jobs, howTo, ...rest.slice(0, -1), moving, group('More', others), ...rest.slice(-1), decisions]
    .filter(({ items }) => items.length > 0);
}

function group(text, names, collapsed = false) {
  return {
    text,
    collapsed,
    items: names
      .filter((name) => existsSync(join(pages, `${name}.md`)))
      .map((name) => ({ text: title(name), link: `/${name.replace(/(^|\/)index$/, '$1')}` })),
  };
}

/** Returns the names of the pages of a directory, with its index first. */
function names(directory) {
  if (!existsSync(join(pages, directory))) {
    return [];
  }
  return readdirSync(join(pages, directory))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .sort((a, b) => (b === 'index') - (a === 'index') || a.localeCompare(b));
}

function title(name) {
  const heading = readFileSync(join(pages, `${name}.md`), 'utf8').match(/^# (.*)$/m)?.[1] ?? name;
  return heading.replaceAll('`', '');
}
