import type { TestApp } from '../support/helpers.ts';

export const GOOD = { email: 'ann@example.com', password: 'correct horse' };
export const pathOf = ({ setupSecret }: TestApp): string => `/setup/${setupSecret}`;
export const count = ({ db }: TestApp): number => db.one<{ n: number }>('SELECT count(*) AS n FROM user')?.n ?? -1;

/** Every row that was ever added, changed or deleted since the file was opened. */
export const changes = ({ db }: TestApp): number => db.one<{ n: number }>('SELECT total_changes() AS n')?.n ?? -1;
