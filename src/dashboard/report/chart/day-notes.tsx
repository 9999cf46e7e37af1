// A click on a day of the chart opens this dialog. The dialog has the day's notes, a form for a new one, and how the day was
// counted. Only managers and the owner of the site see the form.
// chart.tsx shows `DayNotes`.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Note } from '../../../api/notes.ts';
import { sitePath } from '../../core/address.ts';
import { send } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { day } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, FormError, useSubmit } from '../../ui/form.tsx';
import { lazy } from '../../ui/lazy.tsx';

const DayReceipt = lazy(async () => (await import('./day-details.tsx')).DayReceipt, { waiting: null });

type Props = {
  domain: string;
  date: string;
  notes: Note[];
  canWrite: boolean;
  onChange(): void;
  onShowDay(): void;
  onClose(): void;
};

/** With `canWrite`, the user can add and remove notes. */
export function DayNotes({ domain, date, notes, canWrite, onChange, onShowDay, onClose }: Props) {
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
          {notes.map(({ id, text }) => (
            <li key={id}>
              <span>{text}</span>
              {canWrite && (
                <button
                  type="button"
                  class="plain danger"
                  aria-label={t('Remove the note: {text}', { text })}
                  onClick={() => remove(id)}
                >
                  {t('Remove')}
                </button>
              )}
            </li>
          ))}
        </ul>
        <FormError error={removal.error} />
        {canWrite ? (
          <NoteForm path={path} date={date} onDone={onChange}>
            {showDay}
          </NoteForm>
        ) : (
          showDay
        )}
        {boot.share ? null : <DayReceipt domain={domain} date={date} />}
      </div>
    </Dialog>
  );
}

type FormProps = { path: string; date: string; onDone(): void; children: ComponentChildren };

function NoteForm({ path, date, onDone, children }: FormProps) {
  const [text, setText] = useState('');
  const { isBusy, error, run } = useSubmit();
  const add = async (event: Event) => {
    event.preventDefault();
    if (!(await run(() => send('POST', path, { date, text: text.trim() })))) return;
    setText('');
    onDone();
  };
  return (
    <form class="form" onSubmit={add}>
      <Field
        label={t('New note')}
        help={t('What happened on this day, for example a release or a newsletter. The chart shows it.')}
        error={error?.fields.text}
      >
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} maxLength={200} required />
      </Field>
      <FormError error={error} fields={['text']} />
      <p class="form-actions">
        {children}
        <button type="submit" class="primary" disabled={text.trim() === ''} aria-disabled={isBusy}>
          {t('Add the note')}
        </button>
      </p>
    </form>
  );
}
