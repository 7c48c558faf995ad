import type { ImportFile } from './import-files.ts'
import { type JsonPath, readJsonParts } from './json-parts.ts'
import { parseJson } from './parse-json.ts'
import { encodingOf } from './text.ts'

/** Files up to this size are parsed at once, which is several times as fast. */
const MOST_AT_ONCE = 32 << 20

/** Parses a whole file. @throws ImportFileError `malformed_json`, `file_too_large` over 64 MB */
export async function readJsonFile(file: ImportFile): Promise<unknown> {
  const content = await file.content()
  const encoding = encodingOf(content.subarray(0, 1 << 16))
  return parseJson(new TextDecoder(encoding).decode(content))
}

/**
 * Yields the items of an array in a file in batches, without holding a large file in memory.
 * @param path JSON path of the items, such as `$.*` for a file that is an array, or
 *   `$.data.metrics.*`.
 * @throws ImportFileError `malformed_json`
 */
export async function* readJsonItems(file: ImportFile, path: string): AsyncGenerator<unknown[]> {
  const names = path.split('.').slice(1)
  if (file.bytes <= MOST_AT_ONCE && !file.path.endsWith('.gz')) {
    yield itemsAt(await readJsonFile(file), names)
    return
  }
  const isItem = (at: JsonPath): boolean =>
    at.length === names.length &&
    names.every((name, index) =>
      name === '*' ? typeof at[index] === 'number' : name === at[index],
    )
  for await (const parts of readJsonParts(file, isItem)) yield parts.map(({ value }) => value)
}

/** Returns the values at a path; `*` stands for each item of an array. */
function itemsAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value]
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => itemsAt(item, rest)) : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return itemsAt((value as Record<string, unknown>)[name], rest)
}
