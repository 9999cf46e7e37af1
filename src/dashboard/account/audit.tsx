// The log of changes in the account and on its sites. It says who changed what, and in which way, such as with a token.
// An entry is a sentence with the action, the noun and the name, such as "Added: goal signup". If fields were changed,
// the entry lists their names in the API, such as `time_zone`.
//
// The list begins with the latest 50 entries, and a button shows 50 older ones. pages/account.tsx shows `AuditPart`.

import { useState } from 'preact/hooks';
import type { AuditEntry } from '../../api/audit.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { time } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Empty } from '../ui/empty.tsx';
import { Answer } from '../ui/loaded.tsx';

const ACTIONS: Record<AuditEntry['action'], DashboardMessage> = {
  add: 'Added: {what}',
  change: 'Changed: {what}',
  remove: 'Removed: {what}',
  run: 'Command: {what}',
};

const NOUNS: Record<Exclude<AuditEntry['noun'], 'command'>, DashboardMessage> = {
  sites: 'site {name}',
  goals: 'goal {name}',
  funnels: 'funnel {name}',
  notes: 'note {name}',
  exclusions: 'exclusion from {name}',
  dismissals: 'suggestions for {name}, dismissed',
  views: 'saved view {name}',
  embeds: 'frame on {name}',
  blocks: 'block of {name}',
  shares: 'share link {name}',
  channels: 'notification channel {name}',
  alerts: 'custom alert {name}',
  imports: 'import {name}',
  deletions: 'deletion of {name}',
  team: 'team member {name}',
  tokens: 'token {name}',
  sessions: 'session in {name}',
  language: 'language of the dashboard',
  password: 'the password',
  email: 'e-mail address, now {name}',
  factors: 'second factor {name}',
  codes: 'recovery codes',
};

const WAYS: Record<AuditEntry['way'], DashboardMessage> = {
  session: 'in {name}',
  token: 'with the token {name}',
  page: 'on a page of the account',
  command: 'in the terminal of the server',
  guest: 'as a guest',
};

const STEP = 50;

export function AuditPart() {
  const [limit, setLimit] = useState(STEP);
  const entries = useData<AuditEntry[]>(`/account/log?limit=${limit}`);
  return (
    <Block
      title={t('Changes')}
      about={t('Changes by people, tokens and commands in your account and on your sites. They are kept for 400 days.')}
    >
      <Answer of={entries} lines={4}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={t('No changes yet')}>
              <p>{t('When somebody changes a setting, it appears here.')}</p>
            </Empty>
          ) : (
            <>
              <div class="item-list">
                <ul>
                  {found.map((entry) => (
                    <li key={entry.id}>
                      <Entry entry={entry} />
                    </li>
                  ))}
                </ul>
              </div>
              {found.length === limit && (
                <button type="button" onClick={() => setLimit(limit + STEP)}>
                  {t('Show older changes')}
                </button>
              )}
            </>
          )
        }
      </Answer>
    </Block>
  );
}

function Entry({ entry: { at, email, way, way_name, site, action, noun, name, fields } }: { entry: AuditEntry }) {
  const what = noun === 'command' ? (name ?? '') : t(NOUNS[noun], { name: name ?? '' }).trim();
  return (
    <div class="item-list-item">
      <p>
        <span class="strong">{t(ACTIONS[action], { what })}</span> {site && site !== name && <span>{site}</span>}
        {fields.length > 0 && <code class="small"> {fields.join(', ')}</code>}
      </p>
      <p class="soft small">{[time(at), email, t(WAYS[way], { name: way_name ?? '' })].filter(Boolean).join(' · ')}</p>
    </div>
  );
}
