// The notes of a site. A note says what happened on a day, such as a release or a newsletter. All users of the site see
// its notes on the chart. Notes can be added, changed and removed here. Each note can show how figures changed after it
// (ui/note-effect.tsx). pages/settings.tsx shows `NotesPart`.

import type { Note } from '../../api/notes.ts';
import { send, useData } from '../core/api.ts';
import { day } from '../core/format.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { useToday } from '../dates/today.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Field } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { NoteEffect } from '../ui/note-effect.tsx';
import { NoteText } from '../ui/note-text.tsx';

export function NotesPart({ site, mayChange }: PartProps) {
  const today = useToday(site.time_zone);
  const notes = useData<Note[]>(apiPath(site, '/notes'));
  const newest = notes.data && { data: notes.data.toReversed() };
  const removal = ({ id, date, text }: Note) =>
    mayChange
      ? {
          path: apiPath(site, `/notes/${id}`),
          name: `${day(date)}: ${text}`,
          warning: t('Remove this note permanently?'),
        }
      : undefined;
  const changeForm = ({ id, ...note }: Note, close: (done?: string) => void) => (
    <AddForm
      label={t('Save')}
      done=""
      add={async (data) => {
        await send('PATCH', apiPath(site, `/notes/${id}`), readNote(data));
        close(t('Note changed.'));
      }}
      cancel={close}
    >
      <NoteFields site={site} today={today} {...note} />
    </AddForm>
  );
  return (
    <Block title={t('Notes')} about={t('The chart shows notes to everyone with access to this site.')}>
      <ItemList
        of={{ ...notes, ...newest }}
        label={t('Notes')}
        empty={{
          title: t('No notes yet'),
          next: t('Write down what may explain a change: a release, a newsletter, a talk.'),
        }}
        removal={removal}
        change={mayChange ? changeForm : undefined}
      >
        {({ id, date, text, url }) => (
          <>
            <p class="soft small">
              <time dateTime={date}>{day(date)}</time>
            </p>
            <p>
              <NoteText text={text} url={url} />
            </p>
            <NoteEffect path={apiPath(site, `/notes/${id}`)} hasGoal={site.main_goal_id !== null} />
          </>
        )}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add note')}
          done={t('Added.')}
          add={(data) => send('POST', apiPath(site, '/notes'), readNote(data)).then(notes.reload)}
        >
          <NoteFields site={site} today={today} date={today} />
        </AddForm>
      )}
    </Block>
  );
}

type FieldsProps = { site: PartProps['site']; today: string } & Pick<Note, 'date'> & Partial<Note>;

const NoteFields = ({ site, today, date, text = '', url, effect = false }: FieldsProps) => (
  <>
    <div class="form-row notes-fields">
      <Input
        name="date"
        type="date"
        label={t('Day ({zone})', { zone: site.time_zone })}
        defaultValue={date}
        max={today}
      />
      <Input
        name="text"
        label={t('What happened')}
        maxLength={200}
        placeholder={t('New homepage')}
        defaultValue={text}
      />
    </div>
    <Input
      name="url"
      type="url"
      label={t('URL (optional)')}
      maxLength={500}
      placeholder="https://example.com/news"
      defaultValue={url ?? ''}
    />
    <Field label={t('Send a message two weeks later, with the changes of your figures')}>
      <input type="checkbox" name="effect" defaultChecked={effect} />
    </Field>
  </>
);

/** Reads the fields. An empty URL becomes null. So a user can remove the URL. */
const readNote = (data: FormData) => ({
  ...Object.fromEntries(data),
  ...{ url: data.get('url') || null, effect: data.has('effect') },
});
