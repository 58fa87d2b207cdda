import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '../errors.ts';
import { peersRoot } from '../paths.ts';

/** Versions that were measured. They are no dependencies of the product. */
const PACKAGES = 'minisearch@7.2.0 flexsearch@0.8.212 @orama/orama@3.1.18 better-sqlite3@12.11.1';

/** Where the engines are installed. */
const home = join(peersRoot, 'js-engines');

/** A package that is installed outside the project. @throws BENCH_PEER_MISSING with the command that installs all of them */
export const loadPeer = <Module>(name: string): Module => {
  try {
    return createRequire(join(home, 'package.json'))(name) as Module;
  } catch (error) {
    const approve = `npm pkg set allowScripts.better-sqlite3=true --json`;
    const remedy = `run: mkdir -p ${home} && cd ${home} && npm init -y && ${approve} && npm i ${PACKAGES}`;
    throw fail('BENCH_PEER_MISSING', { peer: name, path: home, remedy }, error);
  }
};
