import type { TestContext } from 'node:test';
import { connectNode, type RemoteNodeOptions } from '../../shards/remote/remote-node.ts';
import {
  createShardServer,
  type ShardServer,
  type ShardServerOptions,
} from '../../shards/remote/shard-server.ts';

export const LOOPBACK = '127.0.0.1';

export interface StartedServer {
  readonly server: ShardServer;
  readonly port: number;
}

/** A shard server on a free port of loopback, drained when the test ends. */
export const startShardServer = async (
  context: Pick<TestContext, 'after'>,
  options: ShardServerOptions,
  wantedPort = 0,
): Promise<StartedServer> => {
  const server = createShardServer(options);
  const { port } = await server.listen({ host: LOOPBACK, port: wantedPort });
  context.after(() => server.drain(0));
  return { server, port };
};

/** A client of it, closed when the test ends. */
export const connectTest = (
  context: Pick<TestContext, 'after'>,
  port: number,
  more: Partial<RemoteNodeOptions> = {},
) => {
  const client = connectNode({ host: LOOPBACK, port, ...more });
  context.after(() => client.close());
  return client;
};
