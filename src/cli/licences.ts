import type { Command, Invocation } from './command.ts';

/** The licences of daybook and of all packages in it. The build inserts this text. */
declare const LICENCES: string | undefined;

export const licencesCommands: Command[] = [
  {
    name: 'licences',
    args: [],
    summary: 'Print the licence of daybook, and those of all packages in it',
    settings: [],
    flags: {},
    async run({ io }: Invocation) {
      io.print(
        typeof LICENCES === 'string' ? LICENCES : 'Run from source: each package in node_modules has its licence.',
      );
    },
  },
];
