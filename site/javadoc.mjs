// Copies the aggregated Javadoc, if Maven has written it, into the site.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const javadoc = join(import.meta.dirname, '../target/reports/apidocs');
if (existsSync(join(javadoc, 'index.html'))) {
  cpSync(javadoc, join(import.meta.dirname, 'target/site/javadoc'), { recursive: true });
} else {
  console.log('Without Javadoc: run "mvn -Psite pre-site" in the root of the project to include it.');
}
