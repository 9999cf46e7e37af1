import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from '../support/helpers.ts';
import { commandLine } from './here.ts';

/** What a person has typed, and what must be among the choices that a shell then offers. */
const TYPED: [words: string[], choices: string[]][] = [
  [['us'], ['user']],
  [
    ['user', ''],
    ['add', 'list', 'remove'],
  ],
  [
    ['user', 'add', '--'],
    ['--db', '--password-stdin', '--help'],
  ],
  [['import', 'example.com', '--fo'], ['--format']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
];

/** Asks a shell, with the script loaded, what it would offer. */
const ASKED: Record<string, (script: string, words: readonly string[]) => string[]> = {
  bash: (script, words) => [
    '-c',
    `source ${script}; COMP_WORDS=(daybook ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    _daybook; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, words) => [
    '-fc',
    `compdef() { : }; compadd() { shift; printf '%s\\n' "$@" }; _files() { : }; source ${script}
    words=(daybook ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _daybook`,
  ],
  fish: (script, words) => ['-c', `source ${script}; complete -C 'daybook ${words.join(' ')}'`],
};

for (const [shell, ask] of Object.entries(ASKED)) {
  test(`completion: ${shell} offers commands and flags`, async (t) => {
    const { print, run } = commandLine(t);
    const script = join(folder(t), 'completion');
    writeFileSync(script, `${await print(['completion', shell])}\n`);
    for (const [words, choices] of TYPED) {
      let offered: string[];
      try {
        offered = execFileSync(shell, ask(script, words), { encoding: 'utf8' }).split('\n');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return t.skip(`there is no ${shell}`);
        throw error;
      }
      for (const choice of choices) assert.ok(offered.includes(choice), `${words.join(' ')}: ${offered.join(' ')}`);
    }
    assert.match((await run(['completion', 'tcsh'])).stderr, /no script for tcsh. Choose bash, zsh or fish/);
  });
}
