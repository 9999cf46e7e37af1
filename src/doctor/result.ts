import type { Coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';

export type Result = { fine: boolean; says: Coded[]; remedies: Coded[] };

export const fine = (says: Coded): Result => ({ fine: true, says: [says], remedies: [] });
export const bad = (says: Coded, remedy: Coded): Result => ({ fine: false, says: [says], remedies: [remedy] });

/** Removes repeated codes, because several faults may have one remedy. */
export const eachOnce = (all: readonly Coded[]): Coded[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

export const tell = ({ fine, says, remedies }: Result): CheckResult => ({
  ...{ fine, says: inWords(says), says_codes: says },
  ...(remedies.length > 0 ? { remedy: inWords(remedies), remedy_codes: remedies } : {}),
});

const inWords = (all: readonly Coded[]): string => all.map(inEnglish).join('. ');

/**
 * The result of a check. `says` and `remedy` are English sentences. The codes have the same meaning, and can be written
 * in other languages.
 */
export type CheckResult = { fine: boolean; says: string; says_codes: Coded[]; remedy?: string; remedy_codes?: Coded[] };
