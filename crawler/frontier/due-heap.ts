import { Heap } from './heap.ts';

/** A host as the heap sees it. Times are monotonic milliseconds. */
export interface DueHost {
  /** Earliest contact; the owner calls `update` after changing it. */
  dueAtMs: number;
  /** Address it was last resolved to; hosts of one address wait for each other. */
  readonly ip: string;
}

interface Address<Host> {
  readonly ip: string;
  /** Earliest contact with the address, whatever the host. */
  freeAtMs: number;
  readonly hosts: Heap<Host & object>;
  inFlight: number;
}

/**
 * The heap of earliest contact times (IIR 20.2.3) with two levels, as BUbiNG's workbench: addresses by
 * max(time of the address, time of its first host), and under each address its hosts. The top may be contacted if and only
 * if any may. With `exclusive`, `take` removes the whole address until `release`, so that it never has two connections.
 */
export class DueHeap<Host extends DueHost> {
  readonly #addresses = new Map<string, Address<Host>>();
  readonly #order = new Heap<Address<Host>>((address) =>
    Math.max(address.freeAtMs, address.hosts.peek()?.dueAtMs ?? Number.POSITIVE_INFINITY),
  );
  readonly #exclusive: boolean;

  constructor({ exclusive }: { readonly exclusive: boolean }) {
    this.#exclusive = exclusive;
  }

  /** Hosts that wait for their time. */
  get size(): number {
    let size = 0;
    for (const address of this.#addresses.values()) size += address.hosts.size;
    return size;
  }

  /** Adds the host or moves it after `dueAtMs` changed. */
  update(host: Host): void {
    const address = this.#address(host.ip);
    address.hosts.update(host);
    this.#reorder(address);
  }

  remove(host: Host): void {
    const address = this.#addresses.get(host.ip);
    if (address === undefined) return;
    address.hosts.remove(host);
    this.#reorder(address);
  }

  /** When the top may be contacted; undefined when nothing waits. */
  nextDueMs(): number | undefined {
    const top = this.#order.peek();
    return top && Math.max(top.freeAtMs, top.hosts.peek()?.dueAtMs ?? 0);
  }

  /** The host at the top, due or not. */
  first(): Host | undefined {
    return this.#order.peek()?.hosts.peek();
  }

  /** Takes the host at the top if its time has come. The caller gives it back by `release`. */
  take(nowMs: number): Host | undefined {
    const top = this.#order.peek();
    const host = top?.hosts.peek();
    if (top === undefined || host === undefined) return undefined;
    if (Math.max(top.freeAtMs, host.dueAtMs) > nowMs) return undefined;
    this.#take(top, host);
    return host;
  }

  /** Takes this very host out of turn, if it and its address are free at `nowMs`; else when it is worth asking again. */
  takeHost(host: Host, nowMs: number): { readonly taken: true } | { readonly taken: false; atMs: number } {
    const address = this.#address(host.ip);
    const atMs = Math.max(address.freeAtMs, host.dueAtMs);
    if (this.#exclusive && address.inFlight > 0) return { taken: false, atMs: nowMs + 100 };
    if (atMs > nowMs) return { taken: false, atMs };
    this.#take(address, host);
    return { taken: true };
  }

  #take(address: Address<Host>, host: Host): void {
    address.hosts.remove(host);
    address.inFlight += 1;
    this.#reorder(address);
  }

  /** The host's connection has come to rest; its address may be contacted again from `freeAtMs`. `update` brings the host back. */
  release(host: Host, freeAtMs: number): void {
    const address = this.#address(host.ip);
    address.inFlight -= 1;
    address.freeAtMs = Math.max(address.freeAtMs, freeAtMs);
    this.#reorder(address);
  }

  checkConsistent(): void {
    this.#order.checkConsistent();
    for (const address of this.#addresses.values()) {
      address.hosts.checkConsistent();
      const waits = address.hosts.size > 0 && !(this.#exclusive && address.inFlight > 0);
      if (waits !== this.#order.has(address)) throw new Error(`address ${address.ip} is misplaced`);
      if (this.#exclusive && address.inFlight > 1) throw new Error(`address ${address.ip} is taken twice`);
    }
  }

  #address(ip: string): Address<Host> {
    let address = this.#addresses.get(ip);
    if (address === undefined) {
      address = { ip, freeAtMs: 0, hosts: new Heap((host) => host.dueAtMs), inFlight: 0 };
      this.#addresses.set(ip, address);
    }
    return address;
  }

  #reorder(address: Address<Host>): void {
    if (address.hosts.size === 0 || (this.#exclusive && address.inFlight > 0)) this.#order.remove(address);
    else this.#order.update(address);
  }
}
