import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressGapMs, backOffMs, hostGapMs, isPolite } from '../../../crawler/frontier/politeness.ts';

describe('politeness', () => {
  it('waits for the largest of delay, ten times the last fetch, and Crawl-delay, with a margin and no cap', () => {
    const settings = { delayMs: 1000, politeness: 10 };
    assert.equal(hostGapMs(settings, { fetchMs: 50, crawlDelayMs: 0 }), 1025);
    assert.equal(hostGapMs(settings, { fetchMs: 60_000, crawlDelayMs: 0 }), 600_025);
    assert.equal(hostGapMs(settings, { fetchMs: 50, crawlDelayMs: 86_400_000 }), 86_400_025);
  });

  it('is off when both numbers are zero, but for a Crawl-delay', () => {
    const settings = { delayMs: 0, politeness: 0 };
    assert.equal(isPolite(settings), false);
    assert.equal(isPolite({ delayMs: 0, politeness: 1 }), true);
    assert.equal(hostGapMs(settings, { fetchMs: 500, crawlDelayMs: 0 }), 0);
    assert.equal(hostGapMs(settings, { fetchMs: 500, crawlDelayMs: 2000 }), 2025);
    assert.equal(addressGapMs(settings), 0);
    assert.equal(addressGapMs({ delayMs: 1000, politeness: 0 }), 250);
  });

  it('doubles the back-off up to its cap, ten per cent around', () => {
    const policy = { baseMs: 60_000, capMs: 86_400_000 };
    const middle = (): number => 0.5;
    assert.deepEqual(
      [1, 2, 3].map((failures) => backOffMs(policy, failures, middle)),
      [60_000, 120_000, 240_000],
    );
    assert.equal(backOffMs(policy, 50, middle), 86_400_000);
    assert.equal(
      backOffMs(policy, 1, () => 0),
      54_000,
    );
  });
});
