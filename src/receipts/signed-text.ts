import { type Json, writeCanonical } from './canonical.ts';
import type { Draft, Receipt } from './receipt.ts';

/** Writes the text that both signatures sign: all fields except the signatures. */
export function writeSigned(receipt: Draft | Receipt): string {
  const { signature: _, former_signature: __, ...draft } = receipt as Receipt;
  return writeCanonical(draft as Json);
}

/** Writes the text whose hash the next receipt contains: all fields, with the signatures. */
export const writeWhole = (receipt: Receipt): string => writeCanonical(receipt as Json);
