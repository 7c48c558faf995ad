import type { FileStore, ListedFile } from '@salus/kernel/files/file-store'
import type { Db } from '@salus/kernel/postgres/database'
import { listOwnedFiles } from './owned-files.global.repository.ts'
import { UNSEARCHED_FILES } from './search-exceptions.registry.ts'
import { matcherOf, type Remains } from './search-postgres.global.repository.ts'
import type { SearchTerm } from './search-terms.repository.ts'

const FILES_AT_ONCE = 500
/** Number of characters kept from a piece of a file, so that a word across two pieces is found. */
const OVERLAP = 400

/**
 * Searches for terms in the names of all files, and in the content of text files that belong to no
 * row of another user. Reports and exports are encrypted.
 * @param ownIds Ids of the user's objects, whose rows may still exist.
 */
export async function searchFiles(
  db: Db,
  files: FileStore,
  terms: readonly SearchTerm[],
  ownIds: readonly string[],
): Promise<{ files: number; remains: Remains[] }> {
  const holds = matcherOf(terms)
  const remains = new Map<string, number>()
  let count = 0
  const search = async (batch: ListedFile[]) => {
    const owned = await listOwnedFiles(
      db,
      batch.map(({ name }) => name),
      ownIds,
    )
    for (const { kind, name } of batch) {
      const isFound =
        holds(name.toLowerCase()) ||
        (!owned.has(name) && (await holdsWithin(files, kind, name, holds)))
      if (isFound) remains.set(kind, (remains.get(kind) ?? 0) + 1)
    }
  }
  let batch: ListedFile[] = []
  for await (const file of files.list()) {
    if (file.kind in UNSEARCHED_FILES) continue
    count += 1
    if (batch.push(file) < FILES_AT_ONCE) continue
    await search(batch)
    batch = []
  }
  await search(batch)
  return { files: count, remains: [...remains].map(([table, rows]) => ({ table, rows })) }
}

async function holdsWithin(
  files: FileStore,
  kind: string,
  name: string,
  holds: (text: string) => boolean,
): Promise<boolean> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of await files.stream(kind, name)) {
    const text = (rest + decoder.decode(chunk as Buffer, { stream: true })).toLowerCase()
    if (holds(text)) return true
    rest = text.slice(-OVERLAP)
  }
  return false
}
