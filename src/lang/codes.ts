import { ERRORS } from './codes/errors.ts';
import { FINDINGS } from './codes/findings.ts';
import { IMPORTS } from './codes/imports.ts';
import { NOTICES } from './codes/notices.ts';
import { RECEIPTS } from './codes/receipts.ts';

/**
 * All codes with their English sentences. A translation contains the same values, such as {visits}, as its English
 * sentence (test/lang/codes.test.ts).
 */
export const CODES = { ...NOTICES, ...ERRORS, ...FINDINGS, ...RECEIPTS, ...IMPORTS };
export type Code = keyof typeof CODES;
