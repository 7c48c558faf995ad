import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from 'chdb'
import { ClickHouseError } from './clickhouse-error.ts'
import type { NativeBlock } from './native-block.ts'
import { checkedTable, structureOf } from './result-rows.ts'

/** Returns the folder of blocks on their way into the embedded engine. */
export const blocksOf = (directory: string): string => join(directory, 'salus-blocks')

/** Makes the folder, without blocks that a killed process left. */
export async function prepareBlocks(directory: string): Promise<void> {
  const folder = blocksOf(directory)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
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
