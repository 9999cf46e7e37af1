// Measures the figures that the documents quote, and writes them to docs/figures.json. `npm run figures`, or `npm run
// figures -- --only sizes,logs` for some benches. It takes an hour, and needs what the benches need: `npm install` in
// bench/, and Debian's wrk.
//
// Each figure states its command, date, version and machine. Figures of a busy machine say little, so the command
// refuses to begin on one. Then correct the sentences that `npm test -- test/documents/figures.test.ts` names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCHES, type Bench, type Figure, readFigures } from './figures/benches.ts';

const root = join(import.meta.dirname, '..');
const TABLE = join(root, 'docs/figures.json');
/** If other programs use more than this share of one core, the machine counts as busy. */
const BUSY = 0.3;

const { values } = parseArgs({
  options: { only: { type: 'string' }, 'busy-machine': { type: 'boolean', default: false } },
});

function choose(names: string | undefined): readonly Bench[] {
  if (names === undefined) return BENCHES;
  return names.split(',').map((name) => {
    const bench = BENCHES.find((one) => one.name === name);
    if (!bench) throw new Error(`${name} is none of ${BENCHES.map((one) => one.name).join(', ')}`);
    return bench;
  });
}

/** Runs a bench, shows what it prints, and returns that text. */
async function run({ name, command: [file = '', ...args] }: Bench): Promise<string> {
  console.log(`\n${name}: ${file} ${args.join(' ')}`);
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return printed;
}

function describeMachine(): string {
  const { model = 'unknown processor' } = cpus()[0] ?? {};
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model.trim()}, ${memory} GB of memory, ${platform()} ${release()}, node ${process.versions.node}`;
}

const benches = choose(values.only);
const [load = 0] = loadavg();
if (load > BUSY && !values['busy-machine']) {
  console.error(`The machine is busy (load ${load.toFixed(1)}). Wait, or add --busy-machine to try the command.`);
  process.exit(1);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const machine = describeMachine();
for (const bench of benches) {
  const date = new Date().toISOString().slice(0, 10);
  const measured = readFigures(bench, await run(bench), { date, version, machine });
  // The table is written after each bench. So if a later bench fails, the earlier figures stay.
  const table = JSON.parse(readFileSync(TABLE, 'utf8')) as Record<string, Figure>;
  writeFileSync(TABLE, `${JSON.stringify({ ...table, ...measured }, null, 2)}\n`);
}
