// The form fields of a notification channel: its kind, its name, the settings of this kind, the messages and their
// language.
//
// Invariant: the settings of a channel are secret, so the API never returns them. A form that changes a channel begins
// with empty settings. If the fields stay empty, the stored settings stay.
//
// Example: the kind "ntfy" has the fields Topic, Access token and Server. `readChannel` returns `{ settings: { topic:
// 'bakery-7f3a' }, … }`, without the empty fields. notifications.tsx shows these fields.

import { useState } from 'preact/hooks';
import type { NotificationChannel } from '../../api/destinations.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../lang/languages.ts';
import type { DestinationKind, MessageKind } from '../../store/sites/destinations.ts';
import { language, t } from '../core/texts.ts';
import { Input } from '../ui/add-form.tsx';
import { Field, Fields } from '../ui/form.tsx';

/** The names of the services. They are not translated. */
export const KIND_NAMES: Record<DestinationKind, string> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  gotify: 'Gotify',
  matrix: 'Matrix',
  webhook: 'Webhook',
};

export const MESSAGE_NAMES: Record<MessageKind, DashboardMessage> = {
  weekly: 'Weekly report',
  monthly: 'Monthly report',
  traffic: 'Traffic alert',
  silence: 'No-traffic alert',
  custom: 'Custom alerts',
  goals: 'Goals reached',
  effects: 'Effects of notes',
};
const MESSAGES = Object.keys(MESSAGE_NAMES) as MessageKind[];
const USUAL: readonly MessageKind[] = MESSAGES.filter((kind) => kind !== 'goals');

type Setting = { name: string; label: DashboardMessage; help?: DashboardMessage; placeholder?: string };

const setting = (name: string, label: DashboardMessage, placeholder = '', help?: DashboardMessage): Setting => ({
  ...{ name, label, placeholder },
  ...(help && { help }),
});

const SETTINGS: Record<DestinationKind, readonly Setting[]> = {
  slack: [setting('url', 'Webhook URL', 'https://hooks.slack.com/services/…')],
  discord: [setting('url', 'Webhook URL', 'https://discord.com/api/webhooks/…')],
  teams: [
    setting(
      'url',
      'Webhook URL',
      'https://….logic.azure.com/…',
      'Add the workflow “Send webhook alerts to a channel”.',
    ),
  ],
  mattermost: [setting('url', 'Webhook URL', 'https://mattermost.example.com/hooks/…')],
  telegram: [
    setting('token', 'Token of the bot', '123456789:AA…', 'You get it from @BotFather.'),
    setting('chat', 'ID of the chat', '-1001234567890', 'The bot must be a member of the chat.'),
  ],
  ntfy: [
    setting('topic', 'Topic', '', 'Choose one that nobody can guess. Everybody who knows it can read the messages.'),
    setting('token', 'Access token (optional)', 'tk_…'),
    setting('url', 'Server (optional)', 'https://ntfy.sh'),
  ],
  gotify: [setting('url', 'Server', 'https://gotify.example.com'), setting('token', 'Token of the application')],
  matrix: [
    setting('url', 'Homeserver', 'https://matrix.example.com'),
    setting('token', 'Access token'),
    setting('room', 'ID of the room', '!abc:example.com'),
  ],
  webhook: [
    setting('url', 'Webhook URL', 'https://example.com/daybook'),
    setting('secret', 'Secret', '', 'At least 16 characters. Your program uses it to check the signature.'),
  ],
};

/**
 * The fields of the channel `of`, or of a new channel. The kind of a channel cannot be changed, so only a new channel
 * has the field Kind.
 */
export function ChannelFields({ of }: { of?: NotificationChannel }) {
  const [kind, choose] = useState<DestinationKind>(of?.kind ?? 'slack');
  const messages = of?.messages ?? USUAL;
  return (
    <>
      {!of && (
        <Field label={t('Kind')} name="kind">
          <select name="kind" value={kind} onChange={(event) => choose(event.currentTarget.value as DestinationKind)}>
            {(Object.keys(KIND_NAMES) as DestinationKind[]).map((one) => (
              <option key={one} value={one}>
                {KIND_NAMES[one]}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Input name="name" label={t('Name')} maxLength={100} {...(of && { defaultValue: of.name })} />
      {of && (
        <p class="soft small">
          {t('The stored settings are secret, so they are not shown. To replace them, enter all of them again.')}
        </p>
      )}
      {SETTINGS[kind].map(({ name, label, help, placeholder = '' }) => (
        <Input
          key={`${kind} ${name}`}
          name={`settings.${name}`}
          label={t(label)}
          {...(help && { help: t(help) })}
          placeholder={placeholder}
        />
      ))}
      <Fields label={t('Messages')} name="messages">
        <div class="switch-list">
          {MESSAGES.map((one) => (
            <Field key={one} label={t(MESSAGE_NAMES[one])}>
              <input type="checkbox" name="messages" value={one} defaultChecked={messages.includes(one)} />
            </Field>
          ))}
        </div>
      </Fields>
      <Field label={t('Language of the messages')} name="language">
        <select name="language">
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one} selected={one === (of?.language ?? language())}>
              {LANGUAGE_NAMES[one]}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

/** Reads the fields for the API. Empty settings are left out. */
export function readChannel(data: FormData): object {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const settings = [...data.keys()]
    .filter((name) => name.startsWith('settings.') && text(name) !== '')
    .map((name) => [name.slice('settings.'.length), text(name)]);
  const kind = text('kind');
  return {
    ...(kind && { kind }),
    name: text('name'),
    ...((kind || settings.length > 0) && { settings: Object.fromEntries(settings) }),
    messages: data.getAll('messages'),
    language: text('language'),
  };
}
