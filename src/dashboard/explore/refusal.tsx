import type { ComponentChildren } from 'preact';
import { changeView } from '../core/address.ts';
import type { Loaded } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { Empty } from '../ui/empty.tsx';
import { Answer } from '../ui/loaded.tsx';

/**
 * After these status codes, another try would not help. With 404, the goal is gone. With 422, the API refuses the
 * question.
 */
const REFUSED = [404, 422];

/** Shows an answer. If the API refuses the question, shows the reason and a button that starts a new question. */
export function AnswerOrRefusal<Data extends object>(props: {
  of: Loaded<Data>;
  children(data: Data): ComponentChildren;
}) {
  const { error } = props.of;
  if (!error || !REFUSED.includes(error.status)) return <Answer lines={10} {...props} />;
  return (
    <div role="alert">
      <Empty title={t('This question cannot be answered')}>
        <p>{error.message}</p>
        <button
          type="button"
          onClick={() => changeView({ by: '', any: '', metrics: '', conversions: '', filters: {}, range: '30d' })}
        >
          {t('Start again')}
        </button>
      </Empty>
    </div>
  );
}
