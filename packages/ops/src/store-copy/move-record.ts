import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '@salus/kernel/errors'
import { writeDurably } from '@salus/kernel/files/durable-file'
import type { TableChecksum } from './postgres-copy.ts'

/** Stores of a data directory that can be moved, with the setting that names another one. */
export const MOVED_STORES = {
  postgres: 'DATABASE_URL',
  clickhouse: 'CLICKHOUSE_URL',
  files: 'SALUS_FILES_URL',
} as const
export type MovedStore = keyof typeof MOVED_STORES

interface Content {
  /** Target of each store, without credentials. */
  targets: Partial<Record<MovedStore, string>>
  /** Tables that were already moved, by name, with their checksum when they were found equal. */
  done: Record<string, TableChecksum>
  completed_at?: string
}

/**
 * Progress of the move of a data directory, in a file of it: an interrupted move continues from
 * there, and only into targets that it began to fill itself.
 */
export class MoveRecord {
  readonly #path: string
  readonly #content: Content

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'move.json')
    this.#content = existsSync(this.#path)
      ? JSON.parse(readFileSync(this.#path, 'utf8'))
      : { targets: {}, done: {} }
  }

  /** Time at which everything was moved. */
  get completedAt(): string | undefined {
    return this.#content.completed_at
  }

  hasMoved(store: MovedStore): boolean {
    return this.completedAt !== undefined && this.#content.targets[store] !== undefined
  }

  /**
   * True when an earlier run began to fill this target.
   * @throws StartupError when it began another one
   */
  isOwn(store: MovedStore, target: string): boolean {
    const begun = this.#content.targets[store]
    if (begun === undefined || begun === target) return begun === target
    throw new StartupError(
      `An earlier move into ${begun} is not complete. Set ${MOVED_STORES[store]} to that, or empty it and remove ${this.#path}.`,
    )
  }

  begin(store: MovedStore, target: string): void {
    this.#content.targets[store] = target
    this.#save()
  }

  find(name: string): TableChecksum | undefined {
    return this.#content.done[name]
  }

  add(name: string, checksum: TableChecksum): void {
    this.#content.done[name] = checksum
    this.#save()
  }

  complete(at: Date): void {
    this.#content.completed_at = at.toISOString()
    this.#save()
  }

  #save(): void {
    writeDurably(this.#path, `${JSON.stringify(this.#content, undefined, 2)}\n`)
  }
}

/**
 * Keeps a server from using data that were moved, while others work on the copy.
 * @throws StartupError when one of the stores was moved
 */
export function refuseMovedData(dataDirectory: string, stores: readonly MovedStore[]): void {
  const record = new MoveRecord(dataDirectory)
  const moved = stores.find((store) => record.hasMoved(store))
  if (moved === undefined) return
  throw new StartupError(
    `The data in ${dataDirectory} were moved to another store. Set ${MOVED_STORES[moved]}. To use the data that were left here again, remove move.json.`,
  )
}

/** Called after each piece; the numbers are rows, or bytes of files. */
export type ReportMove = (progress: { store: MovedStore; done: number; total: number }) => void

/**
 * Error: Salus ran on the data directory between two runs of a move, or something else wrote to the
 * target.
 */
export const unequalError = (name: string): StartupError =>
  new StartupError(
    `${name} is not equal in both stores: Salus ran since the move began, or something else wrote to the target. Empty the targets, remove move.json from the data directory, and start the move again.`,
  )

/** Counts the lines that pass. */
export async function* countLines(
  chunks: AsyncIterable<Uint8Array>,
  add: (lines: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    let lines = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
    yield chunk
    add(lines)
  }
}
