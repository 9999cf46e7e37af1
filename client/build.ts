// Writes the files that are made from the server's files, and copies the licence. After this, tsc builds the package.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { made } from './made.ts';

const own = (name: string): URL => new URL(name, import.meta.url);

for (const [name, content] of Object.entries(await made())) {
  writeFileSync(own(`src/${name}`), content);
}
mkdirSync(own('dist'), { recursive: true });
copyFileSync(own('../LICENSE'), own('dist/LICENSE'));
