/** Outcome of trying to take a lock: the way to give it back or, in words, who has it. */
export type LockAttempt = { readonly release: () => Promise<void> } | { readonly holder: string };
