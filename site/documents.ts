// Lists the documents that the website shows, with the place of each in the navigation. A document that is in no group
// below comes last, so that a new one is never left out. Example: docs/start.md is docs/start.html, in the group
// "Start".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listDocuments } from '../scripts/prose.ts';

export const ROOT = join(import.meta.dirname, '..');
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A document: its file, its page on the website, and its title. */
export type Document = { file: string; page: string; title: string };
export type Group = { name: string; documents: Document[] };

/** The navigation: each group with the names of its documents in docs/, or their files. */
const GROUPS: Record<string, string[]> = {
  Start: ['start', 'count', 'configure', 'read-the-statistics', 'notifications'],
  Run: ['operate', 'cluster', 'deploy/catalogues/README.md'],
  Connect: ['api', 'client/README.md', 'mcp', 'webhook', 'recipes', 'integrations/README.md'],
  'Move your data': ['import-and-export', 'parquet', 'sql'],
  Trust: ['privacy', 'receipts', 'time-travel', 'SECURITY.md'],
  Compare: ['compare', 'figures'],
  Project: ['how-it-works', 'CHANGELOG.md', 'CONTRIBUTING.md', 'release/README.md', 'release/UNTRIED.md'],
};
/** A document whose name begins like this comes at the end of this group. */
const FOLLOW: Record<string, string> = { 'docs/move-from-': 'Move your data', 'docs/how/': 'Project' };
const REST = 'More';

const fileOf = (name: string): string => (name.endsWith('.md') ? name : `docs/${name}.md`);

/** client/README.md is client.html, and CHANGELOG.md is changelog.html. */
function pageOf(file: string): string {
  const name = file.startsWith('docs/') ? file.slice(0, -3) : file.replace(/\/README\.md$|\.md$/, '').toLowerCase();
  return `${name.startsWith('docs/') ? name : name.split('/').at(-1)}.html`;
}

function read(file: string): Document {
  const [, title = file] = /^# (.+)$/m.exec(textOf(file)) ?? [];
  return { file, page: pageOf(file), title: title.replaceAll('`', '') };
}

/** The groups of the navigation, with every document in one of them. README.md is the home page. */
export function listGroups(): Group[] {
  const files = listDocuments().filter((file) => file !== 'README.md');
  const groups = new Map(Object.entries(GROUPS).map(([name, names]) => [name, names.map(fileOf)]));
  const placed = new Set([...groups.values()].flat());
  for (const file of files.filter((one) => !placed.has(one))) {
    const [, name = REST] = Object.entries(FOLLOW).find(([start]) => file.startsWith(start)) ?? [];
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return [...groups].map(([name, own]) => ({ name, documents: own.map(read) }));
}
