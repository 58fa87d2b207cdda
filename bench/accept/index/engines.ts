import { quarryEngine } from '../../engines/quarry.ts';

/** Ours as it is compared with peers: one field, Lucene's English chain and scores, text not stored. */
export const bareEngine = () =>
  quarryEngine({ name: 'Quarry', analyzer: 'lucene-english', scoring: 'lucene-compat', way: 'bare' });

/** Ours as it is used: all fields, stop words kept. */
export const defaultEngine = () =>
  quarryEngine({ name: 'Quarry default', analyzer: 'default', scoring: 'default', way: 'import' });
