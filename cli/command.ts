import { readFileSync } from 'node:fs';
import { type Clock, defineErrors, QuarryError, systemClock } from '../shards/index.ts';
import { describeOptions, type OptionSpec, parseOptions, settingsFromFile } from './options.ts';
import { createOutput, type Output } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { systemFailure } from './system-failure.ts';
import { plain } from './terminal-text.ts';

export const commandErrors = {
  CLI_USAGE: { exit: 2, message: '{command}: {reason}; see {command} --help' },
  CLI_CONFIG_UNREADABLE: { exit: 2, message: 'settings file {file}: cannot be read ({reason})' },
} as const;
const fail = defineErrors(commandErrors);

/** Exit status of an interrupted command that has saved everything (128 + SIGINT). */
export const INTERRUPTED = 130;

/** What every command gets. */
export interface CommandContext {
  /** The data folder. */
  readonly data: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  readonly output: Output;
  readonly progress: Progress;
  readonly clock: Clock;
  /** Aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** The error to throw when what was typed makes no sense. */
  readonly misuse: (reason: string) => QuarryError;
}

export interface Command {
  readonly name: string;
  /** Positional arguments, as in `URL…`. */
  readonly takes: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** Resolves to the exit status. */
  readonly run: (context: CommandContext) => Promise<number>;
}

type HandOption = Partial<OptionSpec> & Pick<OptionSpec, 'flag' | 'help'>;

/** An option that no settings schema has. */
export const option = (spec: HandOption): OptionSpec => ({
  key: spec.flag.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase()),
  kind: 'string',
  many: false,
  negated: false,
  ...spec,
});

const COMMON: readonly OptionSpec[] = [
  option({ flag: 'data', help: 'data folder', default: './quarry-data', placeholder: 'DIR' }),
  option({ flag: 'json', kind: 'boolean', help: 'one JSON object per line on standard output' }),
  option({ flag: 'quiet', kind: 'boolean', help: 'no progress, only warnings and results' }),
  option({ flag: 'config', help: 'settings from a JSON file; options win', placeholder: 'FILE' }),
  option({ flag: 'help', short: 'h', kind: 'boolean', help: 'this text' }),
];
const COMMON_KEYS = new Set(COMMON.map((spec) => spec.key));

const helpText = (title: string, command: Command): string =>
  [
    `${title} [options]${command.takes === '' ? '' : ` ${command.takes}`}`,
    '',
    command.summary,
    '',
    ...describeOptions([...command.options, ...COMMON]),
    '',
  ].join('\n');

/** Loads every command of both programs: a settings file may be meant for all of them. */
export type LoadAllCommands = () => Promise<readonly Command[]>;

const readConfigFile = async (
  file: string,
  specs: readonly OptionSpec[],
  loadAll: LoadAllCommands,
): Promise<Record<string, unknown>> => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw fail('CLI_CONFIG_UNREADABLE', { file, reason: (error as Error).message }, error);
  }
  return settingsFromFile({ file, content, specs }, async () =>
    (await loadAll()).flatMap(({ options }) => options),
  );
};

const withoutCommon = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !COMMON_KEYS.has(key)));

/** First signal: stop in order. Second one: stop now (what was acknowledged is safe all the same). */
const interruptSignal = (output: Output): AbortSignal => {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    output.note('\nstopping: what is done is being saved (again: stop at once)');
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
};

const runParsed = async (
  title: string,
  command: Command,
  args: readonly string[],
  loadAll: LoadAllCommands,
): Promise<number> => {
  const specs = [...command.options, ...COMMON];
  const { values, positionals } = parseOptions(title, specs, args);
  const config = values['config'];
  const fromFile = typeof config === 'string' ? await readConfigFile(config, specs, loadAll) : {};
  const merged: Record<string, unknown> = { ...fromFile, ...values };
  const output = createOutput({ json: merged['json'] === true, quiet: merged['quiet'] === true });
  if (values['help'] === true) {
    output.result({ help: helpText(title, command) }, () => helpText(title, command));
    return 0;
  }
  const signal = interruptSignal(output);
  const context: CommandContext = {
    data: typeof merged['data'] === 'string' ? merged['data'] : './quarry-data',
    settings: withoutCommon(merged),
    positionals,
    output,
    progress: createProgress({
      stream: process.stderr,
      clock: systemClock,
      quiet: merged['quiet'] === true,
    }),
    clock: systemClock,
    signal,
    misuse: (reason) => fail('CLI_USAGE', { command: title, reason }),
  };
  try {
    return await command.run(context);
  } catch (error) {
    // Work that was broken off has changed nothing.
    if (signal.aborted && error === signal.reason) return INTERRUPTED;
    throw systemFailure(error, context.data) ?? error;
  }
};

/** One sentence per error; the stack only for what we did not foresee. */
const report = (error: unknown): number => {
  if (error instanceof QuarryError) {
    process.stderr.write(`${plain(error.message)}\n`);
    return error.exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`unexpected error, please report it:\n${text}\n`);
  return 1;
};

/** Runs a command to its end and leaves the process with its exit status. */
export const runCommand = async (
  title: string,
  command: Command,
  args: readonly string[],
  loadAll: LoadAllCommands,
): Promise<void> => {
  try {
    process.exitCode = await runParsed(title, command, args, loadAll);
  } catch (error) {
    process.exitCode = report(error);
  }
};
