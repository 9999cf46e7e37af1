// The English sentences of faults in receipts, which `daybook verify` and verify.html show.
export const RECEIPTS = {
  no_receipts: 'There are no receipts',
  receipts_other_key: 'The key that you gave has signed none of these receipts',
  receipts_no_hash: 'The receipt with the hash that you gave is missing',
  receipt_form: 'The receipt does not have the right form',
  receipt_sequence: 'The receipt has number {sequence}, but number {expected} comes next',
  receipt_previous: 'The receipt does not follow the one before',
  receipt_signature: 'The signature is wrong',
  receipt_former_signature: 'The key has changed, and the former key has not signed',
  receipt_replaces: 'The receipt does not name receipt {sequence}, which it replaces',
  receipt_replaces_none: 'The receipt replaces one that is missing',
  receipt_reason: 'The reason “{reason}” of receipt {sequence} does not fit the day',
  receipt_figures: 'The figures contradict each other',
  day_digest: 'The hits in the export are not the ones that were signed',
  day_figure: '{figure}: {signed} were signed, the export has {found}',
  day_not_exported: 'The day is missing in the export',
  day_has_hits: 'The export has hits, but the receipt says that none are stored',
} as const;
