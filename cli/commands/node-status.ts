import { connectNode, type NodeStatus, parseNodeAddress, pluralOf } from '../../shards/index.ts';
import type { CommandContext } from '../command.ts';

/** What a shard server says of itself, or why it does not. */
type NodeRow =
  | { readonly node: string; readonly ready: true; readonly status: NodeStatus }
  | { readonly node: string; readonly ready: false; readonly error: string };

const ask = async (node: string, token: string | undefined): Promise<NodeRow> => {
  const client = connectNode({ ...parseNodeAddress(node), ...(token === undefined ? {} : { token }) });
  try {
    return { node, ready: true, status: await client.status() };
  } catch (error) {
    return { node, ready: false, error: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close();
  }
};

const describe = (row: NodeRow): string => {
  if (!row.ready) return `${row.node}  ${row.error}`;
  const { generation, epoch, shards, shardCount } = row.status;
  const docCount = shards.reduce((sum, shard) => sum + shard.docCount, 0);
  const numbers = shards.map(({ shard }) => shard).join(' ');
  return `${row.node}  ready: generation ${generation}, epoch ${epoch}, shards ${numbers} of ${shardCount}, ${pluralOf(docCount, 'document')}`;
};

/** Asks shard servers how they are, a line each. Resolves to exit status 1 when one is not ready. */
export const showNodeStatus = async (
  nodes: readonly string[],
  token: string | undefined,
  { output }: Pick<CommandContext, 'output'>,
): Promise<number> => {
  const names = nodes.map((name) => name.trim());
  for (const name of names) parseNodeAddress(name);
  const rows = await Promise.all(names.map((name) => ask(name, token)));
  for (const row of rows) output.result({ kind: 'node', ...row }, () => describe(row));
  return rows.every(({ ready }) => ready) ? 0 : 1;
};
