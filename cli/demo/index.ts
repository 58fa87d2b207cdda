export type { DemoWeb, DemoWebOptions } from './demo-web.ts';
export { startDemoWeb } from './demo-web.ts';
