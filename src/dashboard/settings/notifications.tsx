// The notifications of a site: reports and alerts by e-mail, custom alerts, and channels. A channel, such as Slack or a
// phone, gets messages about the site. The list shows whether the last message of each channel was accepted. So a
// manager sees at once which channel fails.
//
// Example: a manager adds the channel "Team" of the kind Slack. The server sends a test message at once, and the list
// says whether it arrived. pages/settings.tsx shows `NotificationsPart`.

import { useLayoutEffect } from 'preact/hooks';
import type { ChannelTest, NotificationChannel } from '../../api/destinations.ts';
import { type Loaded, send, useData } from '../core/api.ts';
import { time } from '../core/format.ts';
import { said } from '../core/server-text.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { AddForm } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { FormError, useSubmit } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { ChannelFields, KIND_NAMES, MESSAGE_NAMES, readChannel } from './channel-fields.tsx';
import { CustomAlerts } from './custom-alerts.tsx';
import { Mails } from './mails.tsx';

export function NotificationsPart(props: PartProps) {
  return (
    <>
      <Mails {...props} />
      <CustomAlerts {...props} />
      <Channels {...props} />
    </>
  );
}

function Channels({ site, mayChange }: PartProps) {
  const path = apiPath(site, '/channels');
  const channels = useData<NotificationChannel[]>(path);
  const count = channels.data?.length;
  // A new channel pushes the form down. On a phone, the button that has the focus would leave the screen.
  useLayoutEffect(() => document.activeElement?.scrollIntoView({ block: 'nearest' }), [count]);
  const add = async (data: FormData) => {
    const { id } = await send<NotificationChannel>('POST', path, readChannel(data));
    // The list shows the result of the test. If the test fails, the channel was still added. So the error of the test
    // is ignored.
    await send<ChannelTest>('POST', `${path}/${id}/test`).catch(() => {});
    channels.reload();
  };
  return (
    <Block
      title={t('Notification channels')}
      about={t('Send reports and alerts to a chat, to your phone or to your own program.')}
    >
      <ItemList
        of={channels}
        label={t('Notification channels')}
        empty={{ title: t('No notification channels yet'), next: t('For example, Slack, Telegram or ntfy.') }}
        removal={({ id, name }) =>
          mayChange ? { path: `${path}/${id}`, name, warning: t('It will get no more messages.') } : undefined
        }
        change={
          mayChange
            ? (channel, close) => <ChangeForm path={`${path}/${channel.id}`} channel={channel} close={close} />
            : undefined
        }
      >
        {(channel) => <Item channel={channel} path={`${path}/${channel.id}`} of={channels} mayChange={mayChange} />}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add notification channel')}
          done={t('Added. The list shows whether the test message arrived.')}
          add={add}
        >
          <ChannelFields />
        </AddForm>
      )}
    </Block>
  );
}

type ChangeProps = { path: string; channel: NotificationChannel; close(done?: string): void };

const ChangeForm = ({ path, channel, close }: ChangeProps) => (
  <AddForm
    label={t('Save')}
    done={t('Saved.')}
    add={async (data) => {
      await send('PATCH', path, readChannel(data));
      close(t('Saved.'));
    }}
    cancel={close}
  >
    <ChannelFields of={channel} />
  </AddForm>
);

type ItemProps = { channel: NotificationChannel; path: string; of: Loaded<NotificationChannel[]>; mayChange: boolean };

function Item({ channel, path, of, mayChange }: ItemProps) {
  const { name, kind, place, messages, paused } = channel;
  const { isBusy, error, run } = useSubmit();
  const act = (work: () => Promise<unknown>) => run(work).then((isDone) => isDone && of.reload());
  return (
    <>
      <p>
        <span class="strong">{name}</span> <span class="badge">{KIND_NAMES[kind]}</span>{' '}
        {paused && <span class="badge">{t('paused')}</span>}
      </p>
      <p class="soft small">{[place, ...messages.map((one) => t(MESSAGE_NAMES[one]))].join(' · ')}</p>
      <State channel={channel} />
      {mayChange && (
        <div class="form-actions notifications-actions">
          <button
            type="button"
            aria-disabled={isBusy}
            aria-label={t('{verb} {name}', { verb: t('Send test'), name })}
            onClick={() => act(() => send<ChannelTest>('POST', `${path}/test`))}
          >
            {t('Send test')}
          </button>
          <button
            type="button"
            aria-disabled={isBusy}
            aria-label={t('{verb} {name}', { verb: t(paused ? 'Resume' : 'Pause'), name })}
            onClick={() => act(() => send('PATCH', path, { paused: !paused }))}
          >
            {t(paused ? 'Resume' : 'Pause')}
          </button>
        </div>
      )}
      <FormError error={error} />
    </>
  );
}

/** Says whether the last message was accepted. Screen readers read this after a test. */
function State({ channel: { failure, failure_code, failed_at, sent_at } }: { channel: NotificationChannel }) {
  // Some reasons are whole sentences, and others are not. So a full stop at the end is removed.
  const reason = failure_code && said(failure_code, failure ?? '').replace(/\.$/, '');
  const isFailing = reason !== null;
  return (
    <p class={isFailing ? 'bad small' : 'good small'} role="status">
      {isFailing &&
        (failed_at
          ? t('Failed on {time}: {reason}.', { time: time(failed_at), reason })
          : t('Failed: {reason}.', { reason }))}
      {!isFailing && sent_at && t('Last message accepted on {time}.', { time: time(sent_at) })}
      {!isFailing && !sent_at && <span class="soft">{t('No message was sent yet.')}</span>}
    </p>
  );
}
