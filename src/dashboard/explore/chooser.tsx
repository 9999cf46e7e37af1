import { changeView } from '../core/address.ts';
import { usePropertyFilters } from '../core/property-filters.ts';
import { useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { listKeys, nameKey } from './key-text.ts';

/**
 * Lists all keys (dimensions, properties and times) as buttons, for a question that has no key yet. A click breaks the
 * visits down by that key.
 */
export function Chooser() {
  const { view, domain, site } = useSiteScope();
  const groups = listKeys({ site }, usePropertyFilters(domain, view.range));
  const choose = (key: string) => {
    changeView({ by: key });
    // The clicked button disappears. So the field that now shows the chosen key gets the focus.
    document.querySelector<HTMLElement>('.builder-keys select')?.focus();
  };
  return (
    <section class="card chooser" aria-labelledby="chooser">
      <h3 id="chooser">{t('What do you want to break these visits down by?')}</h3>
      {groups.map(({ title, keys }) => (
        <div key={title} class="chooser-group">
          <h4>{t(title)}</h4>
          <ul>
            {keys.map((key) => (
              <li key={key}>
                <button type="button" onClick={() => choose(key)}>
                  {nameKey(key)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
