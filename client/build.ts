// Writes what is made of the server's own files; then tsc makes the package of it, in which the licence has to be.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { made } from './made.ts';

const own = (name: string): URL => new URL(name, import.meta.url);

for (const [name, content] of Object.entries(await made())) {
  writeFileSync(own(`src/${name}`), content);
}
mkdirSync(own('dist'), { recursive: true });
copyFileSync(own('../LICENSE'), own('dist/LICENSE'));
