// Lets npm verify that the registry has signed each installed package. If no signatures can be fetched, the script says
// so and goes on.
import { spawnSync } from 'node:child_process';

const PATIENCE_MS = 120_000;

function answerIn(stdout) {
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

/** Reads npm's answer. A wrong signature is a fault. Otherwise the result says what to print. */
export function verdictOf({ status, stdout }) {
  const { invalid = [], missing = [], error } = answerIn(stdout);
  const wrong = [...invalid, ...missing].map(({ name, version }) => `${name}@${version}`);
  if (wrong.length > 0)
    return { isFine: false, words: `without a valid signature of the registry: ${wrong.join(', ')}` };
  if (status === 0) return { isFine: true, words: 'the registry signed every package' };
  return { isFine: true, words: `not verified, because signatures cannot be had here (${error?.code ?? 'no answer'})` };
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const isShell = process.platform === 'win32';
  const options = { encoding: 'utf8', timeout: PATIENCE_MS, shell: isShell, maxBuffer: 2 ** 26 };
  const { isFine, words } = verdictOf(
    spawnSync('npm', ['audit', 'signatures', '--json', '--fetch-retries=0'], options),
  );
  console.log(`signatures: ${words}`);
  process.exit(isFine ? 0 : 1);
}
