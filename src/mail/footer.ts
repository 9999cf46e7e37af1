import type { Footer } from './letter.ts';
import type { Voice } from './voice.ts';

export const makeFooter = (domain: string, unsubscribe: string, { t }: Voice): Footer => ({
  because: t('You get this e-mail because you have access to the statistics of {domain}.', { domain }),
  unsubscribe,
});
