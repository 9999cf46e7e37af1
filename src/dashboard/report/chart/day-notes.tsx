// The dialog that opens after a click on a day of the chart. The dialog has the day's notes with their effects, and a
// form for a new note. The dialog also says how the day was counted (day-details.tsx). Only managers and the owner of
// the site see the form.
//
// chart.tsx shows `DayNotes`.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Note } from '../../../api/notes.ts';
import { sitePath } from '../../core/address.ts';
import { send } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { day } from '../../core/format.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Actions, Field, Form, FormError, useSubmit } from '../../ui/form.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { NoteEffect } from '../../ui/note-effect.tsx';
import { NoteText } from '../../ui/note-text.tsx';

const DayDetails = lazy(async () => (await import('../later.ts')).DayDetails, { waiting: null });

type Props = {
  date: string;
  notes: Note[];
  onChange(): void;
  onShowDay(): void;
  onClose(): void;
};

export function DayNotes({ date, notes, onChange, onShowDay, onClose }: Props) {
  const { domain, mainGoal, mayChange } = useSiteScope();
  const removal = useSubmit();
  const path = sitePath(domain, '/notes');
  const remove = (id: number) =>
    removal.run(() => send('DELETE', `${path}/${id}`)).then((isDone) => isDone && onChange());
  const showDay = (
    <button type="button" onClick={onShowDay}>
      {t('Show only this day')}
    </button>
  );
  return (
    <Dialog title={day(date)} onClose={onClose}>
      <div class="day-notes">
        {notes.length === 0 && <p class="soft">{t('No notes on this day.')}</p>}
        <ul>
          {notes.map(({ id, text, url }) => (
            <li key={id}>
              <NoteText text={text} url={url} />
              {mayChange && (
                <button
                  type="button"
                  class="plain danger"
                  aria-label={t('Remove the note: {text}', { text })}
                  onClick={() => remove(id)}
                >
                  {t('Remove')}
                </button>
              )}
              {!boot.share?.isPart && <NoteEffect path={`${path}/${id}`} hasGoal={mainGoal != null} />}
            </li>
          ))}
        </ul>
        <FormError error={removal.error} />
        {mayChange ? (
          <NoteForm path={path} date={date} onDone={onChange}>
            {showDay}
          </NoteForm>
        ) : (
          showDay
        )}
        {boot.share ? null : <DayDetails date={date} />}
      </div>
    </Dialog>
  );
}

type FormProps = { path: string; date: string; onDone(): void; children: ComponentChildren };

function NoteForm({ path, date, onDone, children }: FormProps) {
  const [text, setText] = useState('');
  const add = async () => {
    await send('POST', path, { date, text: text.trim() });
    setText('');
    onDone();
  };
  return (
    <Form submit={add}>
      <Field
        label={t('New note')}
        help={t(
          'Describe what happened on this day, for example a release or a newsletter. The chart shows your note.',
        )}
        name="text"
      >
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} maxLength={200} />
      </Field>
      <Actions verb={t('Add note')} isDisabled={text.trim() === ''}>
        {children}
      </Actions>
    </Form>
  );
}
