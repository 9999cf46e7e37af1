// Some paths contain something private, such as the number of a customer. A site may have patterns for segments of paths. The
// server stores `:id` in place of a segment that matches. The form shows how typed patterns would change the pages of the last
// 30 days. Stored pages do not change.
//
// Example: with the pattern users/*, /users/4711/orders is stored as /users/:id/orders.
//
// general.tsx shows `PrivatePaths`.

import { useEffect, useState } from 'preact/hooks';
import type { PrivatePaths as Preview } from '../../api/private-paths.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { number } from '../core/format.ts';
import { apiPath, changeSite, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Field, FormError, useSubmit } from '../ui/form.tsx';
import { Answer } from '../ui/loaded.tsx';

const ABOUT: DashboardMessage =
  'Parts of a path that match are stored as :id, for example customer numbers. E-mail addresses always are.';
const HELP: DashboardMessage =
  'One pattern per line. users/* hides the part after users anywhere in the path. /users/* does so only at the start. You can also use {number}, {uuid} or {token} (a long random text) in place of *.';

/** After the last key, the form waits this many milliseconds before it tries the patterns. */
const PAUSE_MS = 400;

export function PrivatePaths({ site, reload, mayChange }: PartProps) {
  const kept = site.private_paths.join('\n');
  const [typed, type] = useState(kept);
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useSubmit();
  const preview = useData<Preview>(apiPath(site, '/private-paths'), { patterns: useSettled(typed) });
  const fault = preview.error?.fields.patterns ?? error?.fields.private_paths;

  const onSubmit = async (event: Event) => {
    event.preventDefault();
    setSaved(await run(() => changeSite(site, { private_paths: typed.split('\n') }).then(reload)));
  };
  return (
    <Block title={t('Private parts of paths')} about={t(ABOUT)}>
      <form class="form" aria-label={t('Private parts of paths')} onSubmit={onSubmit}>
        <Field label={t('Patterns')} help={t(HELP)} error={fault}>
          <textarea
            rows={4}
            value={typed}
            readOnly={!mayChange}
            spellcheck={false}
            aria-invalid={fault ? true : undefined}
            onInput={(event) => {
              type(event.currentTarget.value);
              setSaved(false);
            }}
          />
        </Field>
        <FormError error={error} fields={['private_paths']} />
        {mayChange && (
          <div class="form-actions">
            <button
              type="submit"
              class="primary"
              disabled={Boolean(preview.error?.fields.patterns)}
              aria-disabled={isBusy}
            >
              {t('Save')}
            </button>
            <span class="good" role="status">
              {isSaved && !isBusy ? t('Saved. This applies to new hits.') : ''}
            </span>
          </div>
        )}
      </form>
      {!fault && (
        <Answer of={preview} lines={2}>
          {(data) => <PrivatePathsPreview of={data} />}
        </Answer>
      )}
    </Block>
  );
}

/**
 * Returns the typed text with a delay. The result changes only after the user has typed nothing for a moment. This
 * saves a request for each key.
 */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Shows how the patterns would change the pages of the last 30 days. Stored pages do not change. */
export function PrivatePathsPreview({ of: { pages, changed, changes, targets } }: { of: Preview }) {
  return (
    <div class="private-paths-preview" aria-live="polite">
      <p>
        {pages === 0
          ? t('No pages from the last 30 days to preview.')
          : changed === 0
            ? plural(
                pages,
                'The only page ({count}) from the last 30 days would not change.',
                'None of the {count} pages from the last 30 days would change.',
              )
            : plural(
                pages,
                'Pages from the last 30 days that would change: {changed} of {count}',
                'Pages from the last 30 days that would change: {changed} of {count}',
                { changed: number(changed) },
              )}
      </p>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ becomes, pages, examples }) => (
            <li key={becomes}>
              <code>{becomes}</code>{' '}
              <span class="soft">
                {pages > examples.length
                  ? plural(
                      pages - examples.length,
                      'instead of {examples} and {count} more',
                      'instead of {examples} and {count} more',
                      { examples: examples.join(', ') },
                    )
                  : t('instead of {examples}', { examples: examples.join(', ') })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {targets.map(({ value, becomes }) => (
        <p key={value} class="bad">
          {t(
            'A goal or funnel step uses {value}, which will be stored as {becomes}. Update it, or it will never match.',
            {
              value,
              becomes,
            },
          )}
        </p>
      ))}
    </div>
  );
}
