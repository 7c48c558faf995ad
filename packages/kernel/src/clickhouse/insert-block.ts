import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from 'chdb'
import { ClickHouseError } from './clickhouse-error.ts'
import type { NativeBlock } from './native-block.ts'
import { checkedTable, structureOf } from './result-rows.ts'

/** In the path of a file the engine takes these for patterns. */
const PATTERN = /[*?{}[\]]|::/

/**
 * Makes the folder of blocks on their way into the embedded engine, without those that a killed
 * process left, and returns it.
 */
export async function prepareBlocks(directory: string): Promise<string> {
  if (PATTERN.test(directory)) return mkdtemp(join(tmpdir(), 'salus-blocks-'))
  const folder = join(directory, 'salus-blocks')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  return folder
}

let count = 0

/**
 * Inserts a block. The engine takes text formats only from memory, and reads all others from a
 * file: it is removed before the system writes it to the disk.
 */
export async function insertBlock(
  session: Session,
  folder: string,
  table: string,
  columns: readonly string[],
  block: NativeBlock,
): Promise<void> {
  const names = columns.map(checkedTable).join(', ')
  const path = join(folder, `${++count}.native`)
  try {
    await writeFile(path, block.toBytes(), { mode: 0o600 }).catch((error: unknown) => {
      throw isFull(error)
        ? new ClickHouseError(243, 'ClickHouse error 243 (NOT_ENOUGH_SPACE)')
        : error
    })
    await session.queryAsync(
      `INSERT INTO ${checkedTable(table)} (${names}) SELECT ${names}
      FROM file(${quoted(path)}, 'Native', ${quoted(structureOf(block.columns))})`,
    )
  } finally {
    await rm(path, { force: true })
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
