import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hostOf,
  isPrivateAddress,
  normaliseUrl,
  originOf,
  pathOf,
  registrableDomain,
  siteOf,
} from '../../../crawler/index.ts';
import type { NormalUrl } from '../../../shards/index.ts';

test('hosts: parts of a normal URL are those that the URL class sees', () => {
  for (const text of [
    'http://h/',
    'https://a.b:8443/x/y?z=//q',
    'http://[::1]:8080/',
    'http://[2001:db8::1]/a:b',
    'http://h/?a:b',
  ]) {
    const url = normaliseUrl(text) as NormalUrl;
    const parsed = new URL(url);
    assert.equal(hostOf(url), parsed.hostname);
    assert.equal(originOf(url), parsed.origin);
    assert.equal(pathOf(url), parsed.pathname + parsed.search);
  }
});

test('hosts: the site is the registrable domain, private suffixes counted, else the host', () => {
  assert.equal(registrableDomain('a.b.example.co.uk'), 'example.co.uk');
  assert.equal(registrableDomain('me.github.io'), 'me.github.io');
  assert.equal(registrableDomain('github.io'), undefined);
  assert.equal(registrableDomain('127.0.0.1'), undefined);
  assert.equal(siteOf('www.example.org'), 'example.org');
  assert.equal(siteOf('localhost'), 'localhost');
  assert.equal(siteOf('postgresql.test'), 'postgresql.test');
  assert.equal(siteOf('[::1]'), '[::1]');
});

test('hosts: private addresses, also inside IPv6', () => {
  const inside = (
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.0.9 169.254.169.254 172.31.0.1 192.168.1.1 198.18.0.1 224.0.0.1 ' +
    '255.255.255.255 :: ::1 [::1] fc00::1 fd12::1 fe80::1 fe80::1%eth0 ::ffff:127.0.0.1 ::ffff:a00:1 ' +
    '64:ff9b::10.0.0.1 2002:7f00:1:: ::127.0.0.1 2001:db8::1 ff02::1 no-address'
  ).split(' ');
  for (const ip of inside) assert.equal(isPrivateAddress(ip), true, ip);
  const outside = (
    '1.1.1.1 8.8.8.8 100.128.0.1 172.32.0.1 192.167.0.1 223.255.255.255 2606:4700::1111 ::ffff:8.8.8.8 ' +
    '64:ff9b::808:808 2002:808:808::1 [2a00:1450::1]'
  ).split(' ');
  for (const ip of outside) assert.equal(isPrivateAddress(ip), false, ip);
});
