// Checks the links of all pages of the built site: each file and each anchor exists. External addresses and the links
// inside Javadoc are not checked.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const site = join(import.meta.dirname, 'target/site');
const base = process.env.SITE_BASE ?? '/';
const pages = readdirSync(site, { recursive: true })
  .filter((file) => file.endsWith('.html') && !file.startsWith('javadoc') && file !== '404.html')
  .map((file) => join(site, file));
const anchors = new Map();
let links = 0;
const problems = new Set();

for (const page of pages) {
  for (const [, link] of readFileSync(page, 'utf8').matchAll(/\s(?:href|src)="([^"]+)"/g)) {
    if (!/^([a-z]+:|\/\/)/.test(link)) {
      links++;
      check(page, link.replaceAll('&amp;', '&'));
    }
  }
}
console.log(`${pages.length} pages, ${links} links, ${problems.size} dead`);
if (problems.size > 0) {
  console.error([...problems].join('\n'));
  process.exit(1);
}

function check(page, link) {
  const [path, anchor] = link.split('#');
  const file = path === '' ? page : fileOf(page, decodeURI(path.split('?')[0]));
  if (!existsSync(file)) {
    problems.add(`${relative(site, page)}: no file for ${link}`);
  } else if (anchor && file.endsWith('.html') && !anchorsOf(file).has(decodeURIComponent(anchor))) {
    problems.add(`${relative(site, page)}: no anchor for ${link}`);
  }
}

function fileOf(page, path) {
  const file = path.startsWith('/') ? join(site, path.slice(base.length - 1)) : join(dirname(page), path);
  if (existsSync(file) && statSync(file).isDirectory()) {
    return join(file, 'index.html');
  }
  return existsSync(file) ? file : `${file}.html`;
}

function anchorsOf(file) {
  if (!anchors.has(file)) {
    anchors.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])));
  }
  return anchors.get(file);
}
