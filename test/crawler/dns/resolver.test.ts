import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResolver, DnsError } from '../../../crawler/index.ts';
import { QuarryError } from '../../../shards/index.ts';
import { startNameServer } from '../../helpers/name-server.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return error instanceof DnsError ? `${error.code} ${error.isNotFound}` : String(error);
  }
  return 'resolved';
};

test('resolver: asks the given server for both families, IPv4 first', async () => {
  await using server = await startNameServer({
    'both.test': { v4: ['127.0.0.5', '127.0.0.6'], v6: ['2001:db8:0:0:0:0:0:1'], ttlS: 77 },
    'six.test': { v6: ['2001:db8:0:0:0:0:0:2'], ttlS: 5 },
  });
  const resolver = createResolver(server.address);
  assert.deepEqual(await resolver.resolve('both.test'), {
    addresses: [
      { ip: '127.0.0.5', family: 4 },
      { ip: '127.0.0.6', family: 4 },
      { ip: '2001:db8::1', family: 6 },
    ],
    ttlS: 77,
  });
  assert.deepEqual((await resolver.resolve('six.test')).addresses, [{ ip: '2001:db8::2', family: 6 }]);
  assert.deepEqual([...server.questions].sort(), [
    'both.test A',
    'both.test AAAA',
    'six.test A',
    'six.test AAAA',
  ]);
});

test('resolver: a name that does not exist and a server that fails are told apart', async () => {
  await using server = await startNameServer({ 'broken.test': 'fail', 'empty.test': { ttlS: 5 } });
  const resolver = createResolver(server.address);
  assert.equal(await codeOf(resolver.resolve('nobody.test')), 'ENOTFOUND true');
  assert.equal(await codeOf(resolver.resolve('empty.test')), 'ENOTFOUND true');
  assert.equal(await codeOf(resolver.resolve('broken.test')), 'ESERVFAIL false');
  // With a server given, the hosts file of the system does not count.
  assert.equal(await codeOf(resolver.resolve('localhost')), 'ENOTFOUND true');
});

test('resolver: addresses are their own answer, with or without brackets', async () => {
  const resolver = createResolver('127.0.0.1:1');
  assert.deepEqual(await resolver.resolve('192.0.2.1'), {
    addresses: [{ ip: '192.0.2.1', family: 4 }],
    ttlS: Number.POSITIVE_INFINITY,
  });
  assert.deepEqual((await resolver.resolve('[::1]')).addresses, [{ ip: '::1', family: 6 }]);
});

test('resolver: the system knows localhost', async () => {
  const { addresses } = await createResolver('').resolve('localhost');
  assert.ok(addresses.every(({ ip }) => ip === '127.0.0.1' || ip === '::1'));
});

test('resolver: gives up when aborted; a server that is none is refused', async () => {
  await using server = await startNameServer({});
  const signal = AbortSignal.abort(new Error('enough'));
  await assert.rejects(createResolver(server.address).resolve('a.test', signal), /enough/);
  assert.throws(
    () => createResolver('not-an-address'),
    (error) => error instanceof QuarryError && error.code === 'CRAWL_BAD_DNS_SERVER' && error.exit === 2,
  );
});
