import { RunWriter, readRun } from './run-file.ts';
import { packValue, unpackValue } from './value-codec.ts';

/** Keeps the rows of one job on disk, in their order, for several later jobs. */
export class RowWriter<Row> implements AsyncDisposable {
  readonly #writer: RunWriter;

  private constructor(writer: RunWriter) {
    this.#writer = writer;
  }

  static async open<Row>(path: string): Promise<RowWriter<Row>> {
    return new RowWriter<Row>(await RunWriter.open(path));
  }

  async write(row: Row): Promise<void> {
    await this.#writer.write({ partition: 0, key: '', value: packValue(row) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
  }
}

/** The rows that a RowWriter wrote, from the first. */
export const loadRows = async function* <Row>(path: string): AsyncGenerator<Row> {
  for await (const { value } of readRun(path)) yield unpackValue<Row>(value);
};
