// Picks comments at random, for a reader who has never seen the project. It prints each with its place, the head of its
// file and the lines below it, as an editor shows them. The seed decides which ones, so that two readers see the same.
// Usage: node scripts/comments.mjs SEED [COUNT] [FOLDER]
// Example: `node scripts/comments.mjs 7 60 src/ledger` prints 60 comments of the ledger.
// CONTRIBUTING says how many of them must be clear.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../src/lib/seeded.ts';

const LINES_BELOW = 8;

/**
 * Finds the comments that have lines of their own. `first` is the first line of a comment, and `after` is the line
 * after its last.
 */
function findComments(lines) {
  const found = [];
  for (let at = 0; at < lines.length; at++) {
    const first = at;
    const start = lines[at].trim();
    if (start.startsWith('/*')) while (at < lines.length - 1 && !lines[at].includes('*/')) at++;
    else if (start.startsWith('//')) while (lines[at + 1]?.trim().startsWith('//')) at++;
    else continue;
    found.push({ first, after: at + 1 });
  }
  return found;
}

const [seed = '1', count = '60', folder = 'src'] = process.argv.slice(2);
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .sort()
  .flatMap((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    return findComments(lines).map((comment) => ({ name, lines, ...comment }));
  });

const random = seeded(Number(seed));
const picked = all.map((comment) => ({ comment, at: random() })).sort((left, right) => left.at - right.at);
console.log(`${Math.min(Number(count), all.length)} of ${all.length} comments of ${folder}, seed ${seed}`);
for (const [number, { comment }] of picked.slice(0, Number(count)).entries()) {
  const { name, lines, first, after } = comment;
  console.log(`\n--- ${number + 1}. ${join(folder, name)}:${first + 1}`);
  const [head] = findComments(lines);
  if (head?.first === 0 && first > 0) console.log(`${lines.slice(0, head.after).join('\n')}\n[...]`);
  console.log(lines.slice(first, after + LINES_BELOW).join('\n'));
}
