// Loaded into every test process by run.mjs: FC_SEED, FC_PATH and FC_RUNS steer fast-check (README.md).
import fc from 'fast-check';

const { FC_SEED: seed, FC_PATH: path, FC_RUNS: runs } = process.env;
fc.configureGlobal({
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  ...(path === undefined ? {} : { path }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});
