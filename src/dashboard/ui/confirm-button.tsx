// A button for an action that asks before it runs, such as removing a token. The button is red, unless the action is
// harmless.
//
// After the first click, a warning with two buttons replaces the button. One of these two buttons runs the action. The
// other button, "Cancel", and the Escape key close the warning.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { FormError, useSubmit } from './form.tsx';

type Props = {
  /** The text of the button, such as "Remove". */
  verb: string;
  /** The name of the item, such as the name of a token. Screen readers read it after the verb. */
  name?: string;
  warning: string;
  /** True if the action loses nothing, such as removing an exclusion. */
  isHarmless?: boolean;
  action(): Promise<unknown>;
};

export function ConfirmButton({ verb, name, warning, isHarmless = false, action }: Props) {
  const [isAsking, setAsking] = useState(false);
  const label = name === undefined ? verb : t('{verb} {name}', { verb, name });
  const { isBusy, error, run } = useSubmit();
  const wasAsking = useRef(false);
  const harmlessButton = useRef<HTMLButtonElement>(null);
  // When the warning appears, the button "Cancel" gets the focus. When the warning disappears, the button that opened
  // it gets the focus, unless another element has the focus.
  useEffect(() => {
    if (isAsking || (wasAsking.current && document.activeElement === document.body)) harmlessButton.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const confirm = async () => {
    if (await run(action)) setAsking(false);
  };
  if (!isAsking) {
    return (
      <button
        ref={harmlessButton}
        type="button"
        class={isHarmless ? 'plain confirm-button' : 'plain danger confirm-button'}
        aria-label={label}
        onClick={() => setAsking(true)}
      >
        {verb}
      </button>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button Cancel does the same as Escape
    <div
      class="confirm-button-question"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setAsking(false);
      }}
    >
      <p>{warning}</p>
      <div class="form-actions">
        <button ref={harmlessButton} type="button" onClick={() => setAsking(false)}>
          {t('Cancel')}
        </button>
        <button
          type="button"
          class={isHarmless ? 'primary' : 'danger'}
          aria-disabled={isBusy}
          onClick={confirm}
          aria-label={label}
        >
          {verb}
        </button>
      </div>
      <FormError error={error} />
    </div>
  );
}
