import { realpathSync } from 'node:fs';
import { examine, type Finding } from '../doctor/examine.ts';
import { Refusal } from '../lib/errors.ts';
import { SERVER_OPTIONS } from '../options.ts';
import { type Command, clock, type Invocation, withEngine } from './command.ts';

const writeLine = ({ name, fine, says, remedy }: Finding): string =>
  `${fine ? 'OK       ' : 'ATTENTION'}  ${name.padEnd(10)}  ${says}${remedy ? `\n${' '.repeat(23)}${remedy}` : ''}`;

async function doctor({ flags, config, io }: Invocation): Promise<void> {
  await withEngine(config, async ({ db, engine }) => {
    const findings = await examine({ config, db, ...engine, path: realpathSync(config.db), clock });
    if (flags.json !== undefined) io.print(JSON.stringify(findings, undefined, 2));
    else for (const finding of findings) io.print(writeLine(finding));
    const bad = findings.filter(({ fine }) => !fine).length;
    if (bad > 0) throw new Refusal(bad === 1 ? 'one thing needs attention' : `${bad} things need attention`);
  });
}

export const doctorCommands: Command[] = [
  {
    name: 'doctor',
    args: [],
    summary: 'Check for problems such as a full disk, and say what to do. Exit code 1 if there are any',
    settings: SERVER_OPTIONS,
    flags: { json: { help: 'print the findings as JSON' } },
    run: doctor,
  },
];
