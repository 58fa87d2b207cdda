import type { TestContext } from 'node:test';
import { openNode } from '../../../shards/server/local-node.ts';
import { type OpenSubject, testShardClient } from '../../contracts/shard-client.ts';
import { connectTest, startShardServer } from '../../helpers/shard-servers.ts';
import type { SmallIndex } from '../../helpers/small-index.ts';

interface LocalOptions {
  readonly shards?: readonly number[] | undefined;
  readonly workers: number;
}

const openLocal = async (
  context: Pick<TestContext, 'after'>,
  index: SmallIndex,
  { shards, workers }: LocalOptions,
) => {
  const node = await openNode({ ...index, pollMs: 0, workers, ...(shards === undefined ? {} : { shards }) });
  context.after(() => node.close());
  return node;
};

const local =
  (workers: number): OpenSubject =>
  async (context, index, shards) => {
    const client = await openLocal(context, index, { shards, workers });
    return { client, reload: () => client.reload() };
  };

const remote =
  (workers: number): OpenSubject =>
  async (context, index, shards) => {
    const node = await openLocal(context, index, { shards, workers });
    const { port } = await startShardServer(context, { node });
    return { client: connectTest(context, port), reload: () => node.reload() };
  };

testShardClient('ShardClient in this process', local(0));
testShardClient('ShardClient over threads', local(2));
testShardClient('ShardClient over TCP', remote(0));
testShardClient('ShardClient over TCP and threads', remote(1));
