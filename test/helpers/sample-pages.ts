import type { FakePage } from './fake-node.ts';

const PLACES = [
  'reader',
  'writer',
  'server',
  'worker',
  'stream',
  'buffer',
  'socket',
  'timer',
  'parser',
] as const;

/** Pages that look like a small documentation web, for what a person sees: screenshots and browser tests. */
export const samplePages: readonly FakePage[] = [
  {
    url: 'https://docs.example.org/guide/getting-started/',
    title: 'Getting started with streams',
    text: 'A stream is a sequence of values that arrive over time. To read a stream, ask for a reader and call read until it says that it is done; to write one, ask for a writer. Most streams of the standard library are lazy: nothing happens before the first read.',
  },
  {
    url: 'https://docs.example.org/api/stream.html?version=20#class-readable-stream',
    title:
      'Stream | API reference, version 20 — classes, events and options of readable, writable and transform streams',
    text: 'class ReadableStream: new ReadableStream(source, strategy). The stream calls pull whenever its queue has room. Cancel the stream to free what it holds.',
  },
  {
    url: 'https://forum.example.net/t/why%20is%20my%20stream%20slow/4711',
    title: 'Why is my stream slow?',
    text: 'I read a stream of ten million lines & it takes <b>forever</b>. The answer: do not await every line. Read a chunk, cut it, and hand whole lists of lines on; the stream is not slow, the ping-pong is.',
  },
  {
    url: 'https://he.example.com/%D7%9E%D7%93%D7%A8%D7%99%D7%9A',
    title: 'מדריך: עבודה עם stream בשרת',
    text: 'כל stream הוא רצף של ערכים. קוראים ערך אחר ערך עד הסוף.',
  },
  {
    url: 'id:notes%2F2024%20stream%20talk',
    title: '',
    text: 'Notes of the talk on stream fusion, without a web page of their own.',
  },
  ...PLACES.map((place) => ({
    url: `https://docs.example.org/cookbook/${place}`,
    title: `Cookbook: the ${place}`,
    text: `How a ${place} works beside a stream, with a recipe for every day and three ways to get it wrong.`,
  })),
];
