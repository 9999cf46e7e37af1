import type { World } from './world.ts';

/** Sites that are added, and deleted again while people are there. */
export function guestsOf({ api, people, own }: World) {
  type Guest = { id: number; domain: string; rounds: number; visit: ReturnType<World['people']['visit']> };
  const here: Guest[] = [];
  const gone: number[] = [];
  let added = 0;

  async function add(random: () => number): Promise<void> {
    const domain = `guest${added++}.example`;
    const { status, data } = await api('POST', '/sites', { domain });
    if (status !== 201) return;
    here.push({
      id: (data as { id: number }).id,
      domain,
      rounds: 1 + Math.floor(random() * 3),
      visit: people.visit(domain),
    });
  }

  async function remove(guest: Guest): Promise<void> {
    const { status } = await api('DELETE', `/sites/${guest.id}`);
    // Of a connection that broke nobody knows whether the site is gone; it is asked again.
    if (status !== 204 && status !== 404) return;
    gone.push(guest.id);
    here.splice(here.indexOf(guest), 1);
    await guest.visit.leave();
  }

  return {
    /** Sites that were deleted. */
    gone,
    here,
    async round(random: () => number): Promise<void> {
      const isNew = random() < 0.5;
      if (!own.state().isUp) return;
      for (const guest of here.filter((one) => --one.rounds < 0)) await remove(guest);
      if (isNew) await add(random);
    },
    /** Those who are still there stop. */
    async leave(): Promise<void> {
      for (const { visit } of here) await visit.leave();
    },
  };
}
