import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/program.ts';

/** What is wrong with where the focus is: nothing, if it can be seen there and is called something. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return 'the focus is nowhere';
  const box = element.getBoundingClientRect();
  const isInside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ');
  const others = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);
  const names = [element.getAttribute('aria-label'), ...others, labels, element.title, element.placeholder, element.textContent];
  const faults = [
    ...(box.width > 0 && box.height > 0 && isInside && isSeen ? [] : ['cannot be seen']),
    ...(names.some((name) => name?.trim()) ? [] : ['has no name']),
  ];
  return faults.length === 0 ? '' : faults.join(', ') + ': ' + element.outerHTML.slice(0, 200);
})()`;

const NOWHERE = 'the focus is nowhere';
/** No page has more to go through. */
const MOST_STEPS = 250;

/** Where it is, what is pressed on it, and what leads there. */
type Use = { within?: Page | Locator; key?: string; by?: 'Tab' | 'Shift+Tab' };

type Role = Parameters<Page['getByRole']>[0];

/** Somebody with a keyboard only, who sees where the focus is, or the test fails. */
export function keyboardOn(page: Page) {
  const { keyboard } = page;
  const isOn = async (target: Locator): Promise<boolean> => (await target.and(page.locator(':focus')).count()) > 0;

  /** Waits until the focus is where it can be seen: it follows what is shown a moment later. */
  async function isSomewhere(after: string): Promise<void> {
    let fault = '';
    const isFine = async () => {
      fault = (await page.evaluate(FOCUSED)) as string;
      return fault === '';
    };
    await until(`${after}: the focus is on something`, isFine).catch(() => assert.fail(`after ${after}: ${fault}`));
  }

  /** Goes on with Tab until the focus is on what is called so, past the end of the page once. */
  async function goTo(role: Role, name: string | RegExp, within: Page | Locator = page, key = 'Tab'): Promise<void> {
    const target = within.getByRole(role, { name, exact: true });
    await target.first().waitFor();
    for (let step = 0; !(await isOn(target)); step++) {
      assert.ok(step < MOST_STEPS, `${key} does not come to ${role} ${name}`);
      await keyboard.press(key);
      const fault = (await page.evaluate(FOCUSED)) as string;
      // Behind the last of a page come the browser's own buttons.
      if (fault !== NOWHERE) assert.equal(fault, '', `on the way to ${role} ${name}`);
    }
  }

  return {
    goTo,
    isSomewhere,
    /** Goes there and presses a key; what happens is waited for, and where the focus is then. */
    async use(
      role: Role,
      name: string | RegExp,
      shown: Locator,
      { within = page, key = 'Enter', by = 'Tab' }: Use = {},
    ) {
      await goTo(role, name, within, by);
      await keyboard.press(key);
      await shown.first().waitFor();
      await isSomewhere(`${key} on ${role} ${name}`);
    },
    /** Goes to a field and types into it in place of what it had. */
    async type(role: Role, name: string | RegExp, text: string, within: Page | Locator = page) {
      await goTo(role, name, within);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
    },
    /** Goes to a choice and takes one by the beginning of its name. */
    async choose(role: Role, name: string | RegExp, option: string, within: Page | Locator = page) {
      await goTo(role, name, within);
      await keyboard.type(option);
      await until(`${option} is chosen`, async () => {
        const chosen = page.locator('select:focus > option:checked, select:focus optgroup > option:checked');
        return (await chosen.textContent())?.startsWith(option) === true;
      });
    },
    /** Goes to what loads another page, and uses it. */
    async load(role: Role, name: string | RegExp, shown: Locator) {
      await goTo(role, name);
      await keyboard.press('Enter');
      await shown.first().waitFor();
    },
    async press(key: string, shown: Locator, state: 'visible' | 'detached' = 'visible') {
      await keyboard.press(key);
      await shown.first().waitFor({ state });
      await isSomewhere(key);
    },
  };
}
