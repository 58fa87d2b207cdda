export type { DemoResolver, DemoWeb, DemoWebOptions } from './demo-web.ts';
export { startDemoWeb } from './demo-web.ts';
