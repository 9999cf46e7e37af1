// The private segments of a site. Some paths contain something private, such as the number of a customer. A site may
// have patterns for segments, which are the parts of a path between slashes. The server stores `:id` in place of a
// segment that matches. The form shows how typed patterns would change the pages of the last 30 days. Pages that are
// already stored do not change.
//
// Example: with the pattern users/*, /users/4711/orders is stored as /users/:id/orders.
//
// collection.tsx shows `PrivatePaths`.

import { useState } from 'preact/hooks';
import type { PrivatePaths as Preview } from '../../api/private-paths.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { useData } from '../core/api.ts';
import { number } from '../core/format.ts';
import { apiPath, changeSite, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Actions, Field, Form } from '../ui/form.tsx';
import { Answer } from '../ui/loaded.tsx';
import { useSettled } from '../ui/use-debounced.ts';
import { LostTargets } from './lost-targets.tsx';

const ABOUT: DashboardMessage =
  'Parts of a path that match a pattern, such as customer numbers, are stored as :id. E-mail addresses are always stored as :id.';
const HELP: DashboardMessage =
  'One pattern per line. users/* hides the part after users anywhere in the path. /users/* hides it only at the start of the path. You can also use {number}, {uuid} or {token} (a long random text) instead of *.';

export function PrivatePaths({ site, reload, mayChange }: PartProps) {
  const kept = site.private_paths.join('\n');
  const [typed, type] = useState(kept);
  const [isSaved, setSaved] = useState(false);
  const preview = useData<Preview>(apiPath(site, '/private-paths'), { patterns: useSettled(typed) });
  const fault = preview.error?.fields.patterns;

  const save = async () => {
    await changeSite(site, { private_paths: typed.split('\n') });
    setSaved(true);
    reload();
  };
  return (
    <Block title={t('Private data in paths')} about={t(ABOUT)}>
      <Form label={t('Private data in paths')} submit={save}>
        <Field label={t('Patterns')} help={t(HELP)} name="private_paths" error={fault}>
          <textarea
            rows={4}
            value={typed}
            readOnly={!mayChange}
            spellcheck={false}
            onInput={(event) => {
              type(event.currentTarget.value);
              setSaved(false);
            }}
          />
        </Field>
        {mayChange && (
          <Actions
            verb={t('Save')}
            isDisabled={fault !== undefined}
            done={isSaved ? t('Saved. This applies to new hits.') : ''}
          />
        )}
      </Form>
      {!fault && (
        <Answer of={preview} lines={2}>
          {(data) => <PrivatePathsPreview of={data} />}
        </Answer>
      )}
    </Block>
  );
}

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
                      'replaces {examples} and {count} more',
                      'replaces {examples} and {count} more',
                      { examples: examples.join(', ') },
                    )
                  : t('replaces {examples}', { examples: examples.join(', ') })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <LostTargets of={targets} />
    </div>
  );
}
