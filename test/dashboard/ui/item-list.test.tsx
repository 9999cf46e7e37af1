import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { ItemList } from '../../../src/dashboard/ui/item-list.tsx';
import { loaded } from '../components.tsx';

test('the button that removes an item is red, unless nothing is lost', () => {
  const html = (isHarmless?: true) =>
    renderToString(
      <ItemList
        of={loaded([{ id: 1 }])}
        label="Items"
        empty={{ title: 'None', next: '' }}
        removal={() => ({ path: '/items/1', name: 'one', warning: 'Gone.', ...(isHarmless && { isHarmless }) })}
      >
        {({ id }) => <p>{id}</p>}
      </ItemList>,
    );
  assert.match(html(), /<button [^>]*class="plain danger confirm-button"/);
  assert.match(html(true), /<button [^>]*class="plain confirm-button"/);
});
