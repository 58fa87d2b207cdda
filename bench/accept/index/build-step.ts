import { alternate } from '../../alternate.ts';
import { docsTask } from '../../engines/corpus.ts';
import { luceneEngine } from '../../engines/lucene.ts';
import { tantivyEngine } from '../../engines/tantivy.ts';
import { median } from '../../report.ts';
import type { StepContext } from '../verdicts.ts';
import { buildIndex, type Subject, totalBytes } from './built-indexes.ts';
import { bareEngine } from './engines.ts';

const PEAK_LIMIT_BYTES = 1e9;

const seconds = (runs: readonly Subject[]): number[] => runs.map(({ built }) => built.cpuMs / 1000);

const describe = (name: string, runs: readonly Subject[]): string => {
  const cpu = seconds(runs);
  const last = runs.at(-1);
  const megabytes = last === undefined ? 0 : totalBytes(last) / 1e6;
  const spread = `${Math.min(...cpu).toFixed(1)} to ${Math.max(...cpu).toFixed(1)}`;
  return `${name} ${median(cpu).toFixed(1)} s (${spread}), ${megabytes.toFixed(1)} MB, ${last?.built.documents ?? 0} documents`;
};

/** Building the docs corpus durably into one segment: CPU, bytes, memory. */
export const buildStep = async (context: StepContext): Promise<void> => {
  const corpus = docsTask();
  const engines = [bareEngine(), luceneEngine(), tantivyEngine()] as const;
  const [ours, lucene, tantivy] = engines;
  const runs = await alternate(engines, context.effort.runs, (engine) => buildIndex(context, engine, corpus));
  const of = (engine: (typeof engines)[number]): readonly Subject[] => runs.get(engine) ?? [];
  const cpu = (engine: (typeof engines)[number]): number => median(seconds(of(engine)));
  const figure = engines.map((engine) => describe(engine.name, of(engine))).join(', ');
  const better = Math.min(cpu(lucene), cpu(tantivy));
  context.measure('build, CPU, better peer / ours', better / cpu(ours), { goal: 2, minimum: 1.3 }, figure);
  const bytes = (engine: (typeof engines)[number]): number => median(of(engine).map(totalBytes));
  const share = bytes(ours) / bytes(lucene);
  const limits = { goal: 0.95, minimum: 1.1, better: 'down' } as const;
  context.measure('bytes without stored text, ours / Lucene', share, limits, figure);
  const peakBytes = Math.max(...of(ours).map(({ built }) => built.peakBytes));
  context.claim(
    'building takes at most 1 GB',
    peakBytes <= PEAK_LIMIT_BYTES,
    `peak ${Math.round(peakBytes / 1e6)} MB`,
  );
};
