// Copies the Markdown pages of the project into target/pages, each with links that are valid on the site.
//
// README.md is the home page, and the pages under docs are at the top. The README.md of a module is a page with the
// name of the module. A link to a file that is no page leads to a copy of the file. A link that leads nowhere is an
// error.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = join(import.meta.dirname, 'target/pages');
const sources = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...modules(), ...markdown('docs')];
const pages = new Map(sources.map((source) => [source, address(source)]));
const problems = [];

if (new Set(pages.values()).size < pages.size) {
  throw new Error('Two pages have the same address');
}

rmSync(target, { recursive: true, force: true });
for (const [source, page] of pages) {
  write(page, withLinks(source, read(source)));
}
for (const directory of new Set(sources.filter((source) => source.startsWith('docs/')).map(posix.dirname))) {
  const index = posix.join(address(directory), 'index.md');
  if (directory !== 'docs' && ![...pages.values()].includes(index)) {
    write(index, contents(directory));
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

/** Returns the pages of the directories beside docs. */
function modules() {
  return readdirSync(root)
    .filter((directory) => directory !== 'docs')
    .map((directory) => `${directory}/README.md`)
    .filter((file) => existsSync(join(root, file)))
    .sort();
}

/** Returns the pages of a directory and of the directories in it. */
function markdown(directory) {
  return readdirSync(join(root, directory), { recursive: true })
    .map((file) => posix.join(directory, file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.md'))
    .sort();
}

/** Returns the path of a page or directory on the site. */
function address(source) {
  if (source === 'docs/README.md') {
    return 'pages.md';
  }
  if (source.startsWith('docs/')) {
    return source.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
  }
  if (source === 'README.md') {
    return 'index.md';
  }
  return source.replace(/^(?:locket-)?([\w-]+)\/README\.md$/, '$1.md').toLowerCase();
}

function withLinks(source, text) {
  let fenced = false;
  return text
    .split('\n')
    .map((line) => {
      fenced = /^\s*```/.test(line) ? !fenced : fenced;
      return fenced ? line : withLinksOfLine(source, line);
    })
    .join('\n');
}

function withLinksOfLine(source, line) {
  return line
    .replace(/(!\[[^\]]*)?\]\(([^)\s]+)\)/g, (_, image = '', link) => `${image}](${resolved(source, link, image)})`)
    .replace(
      /\b(src|srcset|href)="([^"]+)"/g,
      (_, name, link) => `${name}="${resolved(source, link, name !== 'href')}"`,
    );
}

function resolved(source, link, embedded) {
  const [path, anchor] = link.split('#');
  if (path === '' || /^[a-z]+:/.test(path)) {
    return link;
  }
  const file = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  const here = posix.dirname(pages.get(source));
  if (pages.has(file)) {
    return relative(here, pages.get(file)) + suffix;
  }
  if (!existsSync(join(root, file))) {
    problems.push(`${source}: dead link ${link}`);
    return link;
  }
  if (statSync(join(root, file)).isDirectory()) {
    return relative(here, posix.join(address(file), 'index.md')) + suffix;
  }
  return embedded ? relative(here, copy(file, address(file))) : download(file);
}

function relative(from, to) {
  const path = posix.relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}

function download(file) {
  const name = extname(file) === '' ? `${file}.txt` : file;
  copy(file, posix.join('public/files', name));
  return `/files/${name}`;
}

function copy(file, path) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(join(root, file), join(target, path));
  return path;
}

/** Returns a page with the list of the pages of a directory. */
function contents(directory) {
  const name = posix.basename(directory);
  const list = sources
    .filter((source) => posix.dirname(source) === directory)
    .map((source) => `- [${title(source)}](./${posix.basename(pages.get(source))})`);
  return `# ${name[0].toUpperCase()}${name.slice(1)}\n\n${list.join('\n')}\n`;
}

function title(source) {
  return read(source).match(/^# (.*)$/m)?.[1] ?? source;
}

function read(source) {
  return readFileSync(join(root, source), 'utf8');
}

function write(page, text) {
  mkdirSync(dirname(join(target, page)), { recursive: true });
  writeFileSync(join(target, page), text);
}
