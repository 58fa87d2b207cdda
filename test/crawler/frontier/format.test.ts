import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostId, key64, parseQueueKey, urlFingerprint } from '../../../crawler/frontier/store-keys.ts';
import { decodeUrlRecord, encodeUrlRecord, newUrlRecord } from '../../../crawler/frontier/url-record.ts';
import { trustHostKey, trustNormalUrl } from '../../../shards/index.ts';
import { workedExample } from '../../helpers/format-example.ts';

it('reads and writes the worked example of the crawl store', () => {
  const bytes = Buffer.from(workedExample('crawler/frontier/FORMAT.md'));
  const url = trustNormalUrl('http://a.example.org/');
  assert.deepEqual(parseQueueKey(bytes.subarray(0, 15)), {
    host: hostId(trustHostKey('a.example.org')),
    level: 1,
    seq: 258,
  });
  assert.deepEqual(bytes.subarray(15, 23), key64(urlFingerprint(url)));
  const record = newUrlRecord(url, { depth: 1, level: 1 });
  assert.deepEqual(decodeUrlRecord(bytes.subarray(23)), record);
  assert.deepEqual(encodeUrlRecord(record), bytes.subarray(23));
});
