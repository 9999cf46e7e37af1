import type { Coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';

/** The result of a check; remedies say what to do where it needs attention. */
export type Result = { fine: boolean; says: Coded[]; remedies: Coded[] };

export const fine = (says: Coded): Result => ({ fine: true, says: [says], remedies: [] });
export const bad = (says: Coded, remedy: Coded): Result => ({ fine: false, says: [says], remedies: [remedy] });

/** Several may have the same remedy. */
export const eachOnce = (all: readonly Coded[]): Coded[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

const inWords = (all: readonly Coded[]): string => all.map(inEnglish).join('. ');

/** A result in English, with what it says as data beside. */
export type Told = { fine: boolean; says: string; says_codes: Coded[]; remedy?: string; remedy_codes?: Coded[] };

export const tell = ({ fine, says, remedies }: Result): Told => ({
  ...{ fine, says: inWords(says), says_codes: says },
  ...(remedies.length > 0 ? { remedy: inWords(remedies), remedy_codes: remedies } : {}),
});
