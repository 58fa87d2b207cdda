import { parseArgs } from 'node:util';
import type { TObject } from 'typebox';
import { defineErrors } from '../shards/index.ts';

export const optionErrors = {
  CLI_UNKNOWN_OPTION: { exit: 2, message: '{command}: unknown option {flag}; see {command} --help' },
  CLI_BAD_OPTION: { exit: 2, message: '{command}: {option}: {reason}' },
  CLI_CONFIG_FILE: { exit: 2, message: 'settings file {file}: {reason}' },
} as const;
const fail = defineErrors(optionErrors);

type Value = string | number | boolean;
type OptionKind = 'boolean' | 'integer' | 'number' | 'object' | 'string';

/** One command-line option, made from one property of a room's settings schema or written by hand. */
export interface OptionSpec {
  /** Without dashes, kebab case. */
  readonly flag: string;
  /** Key in the settings object. */
  readonly key: string;
  readonly kind: OptionKind;
  /** The option may be given several times. */
  readonly many: boolean;
  /** A boolean that is on by default: the option is `--no-FLAG`. */
  readonly negated: boolean;
  readonly help: string;
  readonly default?: unknown;
  /** The option may stand without a value, which then is ''. */
  readonly optionalValue?: boolean;
  /** One letter, for `-k 10`. */
  readonly short?: string;
  /** Too rich for a command line: stands in a settings file only. */
  readonly fileOnly?: boolean;
  /** How the value is called in the help text. */
  readonly placeholder?: string;
}

interface PropertySchema {
  readonly type?: string;
  readonly items?: PropertySchema;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/** The unit in a settings key (`delayMs`, `maxTimeS`, `maxDiskBytes`) does not stand in the option's name. */
const UNIT = /(?<=[a-z])(Ms|S|Bytes)$/;
const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const kindOf = (schema: PropertySchema): OptionKind => {
  const type = schema.type === 'array' ? schema.items?.type : schema.type;
  return type === 'boolean' || type === 'integer' || type === 'number' || type === 'object' ? type : 'string';
};

/** Options for the properties `keys` of a settings schema (all, when left out) that a person can type. */
export const optionsOf = (schema: TObject, keys?: readonly string[]): OptionSpec[] => {
  const properties = schema.properties as unknown as Readonly<Record<string, PropertySchema>>;
  return (keys ?? Object.keys(properties)).map((key) => {
    const property = properties[key];
    if (property === undefined) throw new Error(`no setting ${key}`);
    const kind = kindOf(property);
    const negated = kind === 'boolean' && property.default === true;
    return {
      flag: kebab(key.replace(UNIT, '')),
      key,
      kind,
      many: property.type === 'array',
      negated,
      help: `${negated ? 'do not ' : ''}${property.description ?? ''}`,
      ...(property.enum === undefined ? {} : { placeholder: property.enum.join('|') }),
      default: property.default,
      fileOnly: property.type === 'object',
    };
  });
};

export interface ParsedOptions {
  /** Only what was given, by settings key. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

const MULTIPLIERS: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
const DURATIONS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `2G` for a size, `90m` for a time, or a plain number in the setting's own unit; NaN otherwise. */
const parseQuantity = (spec: OptionSpec, text: string): number => {
  const match = /^(-?\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  if (match === null) return Number.NaN;
  const [, digits = '', suffix = ''] = match;
  const letter = suffix.toLowerCase().replace(/i?b$/, '');
  if (suffix === '') return Number(digits);
  if (spec.key.endsWith('Bytes')) return Number(digits) * (MULTIPLIERS[letter] ?? Number.NaN);
  if (suffix.toLowerCase() === 'ms' && spec.key.endsWith('Ms')) return Number(digits);
  const seconds = Number(digits) * (DURATIONS_S[suffix.toLowerCase()] ?? Number.NaN);
  if (spec.key.endsWith('Ms')) return seconds * 1000;
  return spec.key.endsWith('S') ? seconds : Number.NaN;
};

const convert = (command: string, spec: OptionSpec, raw: string | boolean): Value => {
  if (typeof raw === 'boolean') return spec.negated ? !raw : raw;
  if (spec.kind === 'string') return raw;
  if (spec.optionalValue && raw === '') return '';
  const value = parseQuantity(spec, raw);
  if (Number.isNaN(value) || (spec.kind === 'integer' && !Number.isInteger(value))) {
    const reason = spec.kind === 'integer' ? 'is not a whole number' : 'is not a number';
    throw fail('CLI_BAD_OPTION', { command, option: `--${spec.flag} ${raw}`, reason });
  }
  return value;
};

const commandLineFlag = (spec: OptionSpec): string => (spec.negated ? `no-${spec.flag}` : spec.flag);

/** An option whose value may be left out gets '' when the next word is another option, or not one of its values. */
const fillOptionalValues = (specs: readonly OptionSpec[], args: readonly string[]): string[] =>
  args.map((arg, index) => {
    const spec = specs.find((each) => each.optionalValue && `--${each.flag}` === arg);
    if (spec === undefined) return arg;
    const next = args[index + 1];
    const takes = next !== undefined && (spec.kind === 'string' ? !next.startsWith('-') : /^\d+$/.test(next));
    return takes ? arg : `${arg}=`;
  });

const parserOptions = (specs: readonly OptionSpec[]) =>
  Object.fromEntries(
    typedOnCommandLine(specs).map((spec) => [
      commandLineFlag(spec),
      {
        type: spec.kind === 'boolean' ? ('boolean' as const) : ('string' as const),
        multiple: spec.many,
        ...(spec.short === undefined ? {} : { short: spec.short }),
      },
    ]),
  );

const typedOnCommandLine = (specs: readonly OptionSpec[]): readonly OptionSpec[] =>
  specs.filter((spec) => !spec.fileOnly);

/**
 * A word such as `-minus` of a query is no option: parseArgs would read it as a row of short ones. A mark that
 * no argument can hold (NUL) hides its dash from the parser.
 */
const HIDDEN = '\u0000';
const shown = (word: string): string => word.replace(HIDDEN, '');
const hideDashWords = (specs: readonly OptionSpec[], args: readonly string[]): string[] =>
  args.map((arg) => {
    const isWord =
      /^-[^-]/.test(arg) && !specs.some((spec) => spec.short !== undefined && arg === `-${spec.short}`);
    return isWord ? HIDDEN + arg : arg;
  });

export const parseOptions = (
  command: string,
  specs: readonly OptionSpec[],
  args: readonly string[],
): ParsedOptions => {
  const { tokens, positionals } = parseTokens(command, specs, args);
  const values: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const spec = typedOnCommandLine(specs).find((each) => commandLineFlag(each) === token.name);
    if (spec === undefined) throw fail('CLI_UNKNOWN_OPTION', { command, flag: token.rawName });
    // Whoever forgets a value does not mean the next option by it.
    const lacksValue = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'));
    if (spec.kind !== 'boolean' && lacksValue) {
      throw fail('CLI_BAD_OPTION', { command, option: token.rawName, reason: 'needs a value' });
    }
    const value = convert(command, spec, token.value === undefined ? true : shown(token.value));
    values[spec.key] = spec.many ? [...((values[spec.key] as Value[]) ?? []), value] : value;
  }
  return { values, positionals: positionals.map(shown) };
};

const parseTokens = (command: string, specs: readonly OptionSpec[], args: readonly string[]) => {
  try {
    return parseArgs({
      args: hideDashWords(specs, fillOptionalValues(specs, args)),
      options: parserOptions(specs),
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
  } catch (error) {
    throw fail('CLI_BAD_OPTION', { command, option: args.join(' '), reason: String(error) }, error);
  }
};

export interface SettingsFile {
  readonly file: string;
  /** What its JSON says. */
  readonly content: unknown;
  /** Options of the command that reads it. */
  readonly specs: readonly OptionSpec[];
}

const isNamed =
  (name: string) =>
  ({ key, flag }: OptionSpec): boolean =>
    name === key || name === flag || kebab(name) === flag;

/**
 * Settings of a `--config` file: the same names (option or settings key). One file serves all commands: what only
 * another one knows is passed over; what none knows fails. `loadOthers` is called when a name is not known here.
 */
export const settingsFromFile = async (
  { file, content, specs }: SettingsFile,
  loadOthers: () => Promise<readonly OptionSpec[]>,
): Promise<Record<string, unknown>> => {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw fail('CLI_CONFIG_FILE', { file, reason: 'must hold one JSON object' });
  }
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(content)) {
    const named = specs.filter(isNamed(name));
    if (named.length === 0) {
      if ((await loadOthers()).some(isNamed(name))) continue;
      const known = specs.map((each) => each.flag).join(', ');
      throw fail('CLI_CONFIG_FILE', { file, reason: `unknown setting "${name}"; known ones are ${known}` });
    }
    const spec = named.find((each) => fits(each, value));
    if (spec === undefined) {
      const wanted = named
        .map(({ many, kind }) => (many ? `a list of ${kind}s` : `one ${kind}`))
        .join(' or ');
      throw fail('CLI_CONFIG_FILE', { file, reason: `"${name}" must be ${wanted}` });
    }
    values[spec.key] = value;
  }
  return values;
};

const fits = (spec: OptionSpec, value: unknown): boolean => {
  if (spec.many) return Array.isArray(value) && value.every((entry) => fits({ ...spec, many: false }, entry));
  if (spec.kind === 'object') return true;
  if (spec.kind === 'integer') return Number.isInteger(value);
  return typeof value === spec.kind;
};

/** Widest column of names in the help text. */
const LEFT_COLUMN = 30;

/** The help text's lines on options: flag, meaning, default. */
export const describeOptions = (all: readonly OptionSpec[]): string[] => {
  const specs = typedOnCommandLine(all);
  const left = specs.map((spec) => {
    const value =
      spec.kind === 'boolean' ? '' : ` ${spec.placeholder ?? (spec.kind === 'string' ? 'TEXT' : 'N')}`;
    const short = spec.short === undefined ? '' : `-${spec.short}, `;
    return `  ${short}--${commandLineFlag(spec)}${spec.optionalValue ? value.replace(/ (.*)/, ' [$1]') : value}`;
  });
  const width = Math.min(LEFT_COLUMN, Math.max(...left.map((text) => text.length)) + 2);
  return specs.map((spec, index) => {
    const name = left[index] ?? '';
    // A name that fills the column has its help text on the next line.
    const start = name.length + 2 > width ? `${name}\n${' '.repeat(width)}` : name.padEnd(width);
    return `${start}${spec.help}${describeDefault(spec)}`;
  });
};

const describeDefault = (spec: OptionSpec): string => {
  const { default: value } = spec;
  const worthSaying =
    (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
  return worthSaying ? ` (default ${value})` : '';
};
