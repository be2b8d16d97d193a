import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from 'vitepress';

import { sidebar } from '../sidebar.mjs';

const root = join(import.meta.dirname, '../..');
const version = readFileSync(join(root, 'pom.xml'), 'utf8').match(/<version>([^<]+)<\/version>/)[1];
const javadoc = existsSync(join(root, 'target/reports/apidocs/index.html'))
  ? [{ text: 'Javadoc', link: '/javadoc/index.html', target: '_self' }]
  : [];

/** The anchors of headings, in the form that the links of the pages use. */
function anchor(heading) {
  return heading.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-');
}

/** Draws blocks of Mermaid, and leaves all other blocks as they are. */
function diagrams(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<Diagram code="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, ...rest);
}

export default defineConfig({
  title: 'Locket',
  description: 'Jobs that must not run twice: leases, unique queues and schedules for Spring Boot on Redis',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'target/pages',
  outDir: 'target/site',
  cacheDir: 'target/cache',
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: anchor },
    config: diagrams,
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/' },
      { text: 'Configuration', link: '/configuration' },
      ...javadoc,
      { text: version, link: '/changelog' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    externalLinkIcon: true,
  },
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
  },
});
