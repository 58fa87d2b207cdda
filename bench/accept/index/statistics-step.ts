import { median } from '../../report.ts';
import { benchStatistics } from '../../statistics.ts';
import type { StepContext } from '../verdicts.ts';

/** What stale statistics cost, before a refresh: reported, since no limit is set. */
export const statisticsStep = async (context: StepContext): Promise<void> => {
  for (const { subject, metric, values } of await benchStatistics([], context.say)) {
    const value = median(values);
    context.claim(`${subject}, ${metric}, is reported`, Number.isFinite(value), value.toPrecision(4));
  }
};
