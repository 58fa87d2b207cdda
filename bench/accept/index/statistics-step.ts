import { median } from '../../report.ts';
import { benchStatistics } from '../../statistics.ts';
import type { StepContext } from '../verdicts.ts';

/** What stale statistics cost, before a refresh: reported, since no limit is set. */
export const statisticsStep = async ({ claim, say }: StepContext): Promise<void> => {
  for (const { subject, metric, values, context = {} } of await benchStatistics([], say)) {
    const value = median(values);
    const where = `${context['collection']}, ${context['shards']} shards`;
    claim(`${where}: ${subject}, ${metric}, is reported`, Number.isFinite(value), value.toPrecision(4));
  }
};
