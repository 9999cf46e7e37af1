import type { Language } from '../lang/languages.ts';
import { dashboardUrl } from '../mail/letter.ts';
import { voiceIn } from '../mail/voice.ts';
import type { Message } from './shapes.ts';

type Facts = { id: number; site: string; baseUrl: string; language: Language; now: number };

/** Writes a test message, with which a person checks a destination. */
export function writeTest({ id, site, baseUrl, language, now }: Facts): Message {
  const voice = voiceIn(language);
  const title = voice.t('Test message about {domain}', { domain: site });
  const words = voice.t('It works: reports and alerts about {domain} can arrive here.', { domain: site });
  const letter = {
    ...{ subject: title, title, blocks: [{ kind: 'words' as const, words }] },
    link: { words: voice.t('Open the dashboard'), url: dashboardUrl(baseUrl, site, '7d') },
  };
  return { id: `test.${id}.${now}`, kind: 'test', site, at: now, letter, voice };
}
