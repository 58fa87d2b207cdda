import { docsTask } from '../../engines/corpus.ts';
import { JOINS } from '../../engines/engine.ts';
import type { StepContext } from '../verdicts.ts';
import { ensureIndex, totalBytes } from './built-indexes.ts';
import { bareEngine, defaultEngine } from './engines.ts';

const SERVING_EXTRA_BYTES = 300e6;
const OPEN_LIMIT_MS = 1000;
/** Every page of the memory is touched in the first round already. */
const ROUNDS = 3;

/** Opening an index and serving queries from it: as peers index and as users do. */
export const memoryStep = async (context: StepContext): Promise<void> => {
  const corpus = docsTask();
  for (const engine of [bareEngine(), defaultEngine()]) {
    const subject = await ensureIndex(context, engine, corpus);
    const { queriesFile } = corpus;
    let openMs = Infinity;
    let peakBytes = 0;
    for (const mode of JOINS) {
      const figures = await engine.query(subject.folder, { queriesFile, mode, k: 10, rounds: ROUNDS });
      openMs = Math.min(openMs, figures.openMs);
      peakBytes = Math.max(peakBytes, figures.peakBytes);
    }
    const bytes = totalBytes(subject);
    const shown = (value: number): string => `${Math.round(value / 1e6)} MB`;
    context.claim(
      `${engine.name}: serving takes at most the index and 300 MB`,
      peakBytes <= bytes + SERVING_EXTRA_BYTES,
      `peak ${shown(peakBytes)}, index ${shown(bytes)}`,
    );
    const opened = `${Math.round(openMs)} ms, the best of ${JOINS.length}`;
    context.claim(`${engine.name}: opens within 1 s`, openMs <= OPEN_LIMIT_MS, opened);
  }
};
