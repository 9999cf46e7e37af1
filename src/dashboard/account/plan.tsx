// Shows the plan of an account. A plan has limits, for example for hits in a month, sites and team members. A limit
// that is null means "no limit". If the operator has ended the plan, `plan` is null. Then the account sees no reports,
// but the hits of its sites still count. pages/account.tsx shows `PlanPart`.

import type { Account } from '../../api/account.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { computeShare } from '../../lib/percent.ts';
import { useData } from '../core/api.ts';
import { number, percent } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Answer } from '../ui/loaded.tsx';
import { withParts } from '../ui/with-parts.ts';

const LIMITS: { name: keyof Account['limits']; label: DashboardMessage }[] = [
  { name: 'sites', label: 'Sites' },
  { name: 'members', label: 'People in your team' },
  { name: 'tokens', label: 'Access tokens' },
  { name: 'funnels_per_site', label: 'Funnels per site' },
];

export function PlanPart() {
  const account = useData<Account>('/account');
  return (
    <Block title={t('Plan')}>
      <Answer of={account} lines={6}>
        {(data) => <PlanDetails account={data} />}
      </Answer>
    </Block>
  );
}

export function PlanDetails({ account: { plan, events_used, events_included, limits } }: { account: Account }) {
  if (plan === null)
    return <p class="bad">{t('You have no plan, so you cannot see reports. daybook still counts hits.')}</p>;
  return (
    <div class="plan">
      <p>{withParts(t('Your plan: {plan}'), { plan: <span class="badge">{plan}</span> })}</p>
      <Events used={events_used} included={events_included} />
      <table>
        <caption class="unseen">{t('Limits')}</caption>
        <tbody>
          {LIMITS.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{t(label)}</th>
              <td class="number">{limitText(limits[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const limitText = (limit: number | null): string => (limit === null ? t('no limit') : number(limit));

function Events({ used, included }: { used: number; included: number | null }) {
  const isOver = included !== null && used > included;
  return (
    <div class="plan-events">
      <p>
        {withParts(
          included === null
            ? t('Pageviews and events this month: {used}. There is no limit.')
            : t('Pageviews and events this month: {used} of {included} ({share}).', {
                included: number(included),
                share: percent(computeShare(used, Math.max(included, 1))),
              }),
          { used: <strong>{number(used)}</strong> },
        )}
      </p>
      {included !== null && (
        <progress max={included} value={Math.min(used, included)} aria-label={t('Pageviews and events used')} />
      )}
      {isOver && (
        <p class="bad">
          {t('You are over the limit of your plan. daybook still counts hits. You can see reports again next month.')}
        </p>
      )}
    </div>
  );
}
