// A note says what happened on a day, such as a release or a newsletter. All users of the site see its notes on the chart.
// Notes can be added and removed here. Each note can show how figures changed after it (note-effect.tsx).
// pages/settings.tsx shows `NotesPart`.

import type { Note } from '../../api/notes.ts';
import { send, useData } from '../core/api.ts';
import { day } from '../core/format.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { todayIn } from '../dates/today.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { NoteEffect } from './note-effect.tsx';

/** The newest note comes first. */
export function NotesPart({ site, mayChange }: PartProps) {
  const notes = useData<Note[]>(apiPath(site, '/notes'));
  const today = todayIn(site.time_zone);
  const newest = notes.data && { data: notes.data.toReversed() };
  const removal = ({ id, date, text }: Note) =>
    mayChange
      ? {
          path: apiPath(site, `/notes/${id}`),
          name: `${day(date)}: ${text}`,
          warning: t('Remove this note permanently?'),
        }
      : undefined;
  return (
    <Block title={t('Notes')} about={t('Shown on the chart to everyone with access to this site.')}>
      <ItemList
        of={{ ...notes, ...newest }}
        label={t('Notes')}
        empty={{
          title: t('No notes yet'),
          next: t('Write down what may explain a change: a release, a newsletter, a talk.'),
        }}
        removal={removal}
      >
        {({ id, date, text }) => (
          <>
            <p class="soft small">
              <time dateTime={date}>{day(date)}</time>
            </p>
            <p>{text}</p>
            <NoteEffect path={apiPath(site, `/notes/${id}`)} hasGoal={site.main_goal_id !== null} />
          </>
        )}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add note')}
          done={t('Added.')}
          add={(data) => send('POST', apiPath(site, '/notes'), Object.fromEntries(data)).then(notes.reload)}
        >
          <div class="form-row notes-fields">
            <Input
              name="date"
              type="date"
              label={t('Day ({zone})', { zone: site.time_zone })}
              defaultValue={today}
              max={today}
            />
            <Input name="text" label={t('What happened')} maxLength={200} placeholder={t('New homepage')} />
          </div>
        </AddForm>
      )}
    </Block>
  );
}
