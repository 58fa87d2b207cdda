import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { FOLLOWED_PER_TEXT, LocalContentSeen } from '../../../crawler/content-seen/content-seen.ts';
import { CrawlStore } from '../../../crawler/frontier/store.ts';
import { trustNormalUrl } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const X = '00000000000000aa';
const Y = '00000000000000bb';
const url = (name: string) => trustNormalUrl(`http://a.test/${name}`);

const open = async (context: TestContext): Promise<LocalContentSeen> => {
  const store = CrawlStore.open(await tempFolder(context));
  context.after(() => store.close());
  return new LocalContentSeen(store);
};

describe('content seen', () => {
  it('names the URL that showed a text first', async (context) => {
    const seen = await open(context);
    const verdicts = await seen.claim([
      { url: url('a'), textHash: X, previousHash: '' },
      { url: url('b'), textHash: X, previousHash: '' },
      { url: url('c'), textHash: Y, previousHash: '' },
    ]);
    assert.deepEqual(verdicts, [
      { followLinks: true },
      { duplicateOf: url('a'), followLinks: true },
      { followLinks: true },
    ]);
  });

  it('does not take a page that is visited again for its own copy', async (context) => {
    const seen = await open(context);
    await seen.claim([{ url: url('a'), textHash: X, previousHash: '' }]);
    const [again] = await seen.claim([{ url: url('a'), textHash: X, previousHash: X }]);
    assert.deepEqual(again, { followLinks: true });
  });

  it('gives back the claim of a page that has changed or gone', async (context) => {
    const seen = await open(context);
    await seen.claim([{ url: url('a'), textHash: X, previousHash: '' }]);
    await seen.claim([{ url: url('a'), textHash: Y, previousHash: X }]);
    const [other] = await seen.claim([{ url: url('b'), textHash: X, previousHash: '' }]);
    assert.equal(other?.duplicateOf, undefined);
    seen.release(url('a'), Y);
    const [third] = await seen.claim([{ url: url('c'), textHash: Y, previousHash: '' }]);
    assert.equal(third?.duplicateOf, undefined);
  });

  it('follows the links of a bounded number of URLs with one text', async (context) => {
    const seen = await open(context);
    const claims = Array.from({ length: FOLLOWED_PER_TEXT + 3 }, (_, index) => ({
      url: url(String(index)),
      textHash: X,
      previousHash: '',
    }));
    const verdicts = await seen.claim(claims);
    assert.equal(verdicts.filter(({ followLinks }) => followLinks).length, FOLLOWED_PER_TEXT);
  });
});
