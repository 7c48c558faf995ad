import { JSONParser, TokenType } from '@streamparser/json'
import { parseVendorJson } from '../../connectors/index.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'
import { decodeText, encodingOf } from './text.ts'

/** Files up to this size are parsed at once, which is several times as fast. */
const MOST_AT_ONCE = 32 << 20

/** Records have some levels; deeper ones overflow the stack of whatever walks through them. */
const MOST_DEPTH = 100
const [QUOTE, BACKSLASH] = [34, 92]

/** @throws ImportFileError `malformed_json` for a text with more than a hundred levels */
function checkDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) {
        if (text.charCodeAt(at) === BACKSLASH) at++
      }
      // [ and {, ] and }, which differ in one bit.
    } else if ((code | 32) === 123) {
      if (++depth > MOST_DEPTH) throw new ImportFileError('malformed_json')
    } else if ((code | 32) === 125) depth--
  }
}

/** Parses a text of at most a hundred levels. @throws ImportFileError `malformed_json` */
export function parseJsonText(text: string): unknown {
  checkDepth(text)
  try {
    return parseVendorJson(text)
  } catch (error) {
    throw new ImportFileError('malformed_json', { cause: error })
  }
}

/** Parses a whole file. @throws ImportFileError `malformed_json`, `file_too_large` over 64 MB */
export async function readJsonFile(file: ImportFile): Promise<unknown> {
  const content = await file.content()
  const encoding = encodingOf(content.subarray(0, 1 << 16))
  return parseJsonText(new TextDecoder(encoding).decode(content))
}

/**
 * Yields the items of an array in a file in batches, without holding a large file in memory.
 * @param path JSON path of the items, such as `$.*` for a file that is an array, or
 *   `$.data.metrics.*`.
 * @throws ImportFileError `malformed_json`
 */
export async function* readJsonItems(file: ImportFile, path: string): AsyncGenerator<unknown[]> {
  if (file.bytes <= MOST_AT_ONCE && !file.path.endsWith('.gz')) {
    yield itemsAt(await readJsonFile(file), path.split('.').slice(1))
    return
  }
  let items: unknown[] = []
  const parser = new JSONParser({ paths: [path], keepStack: false })
  parser.onValue = ({ value }) => {
    items.push(value)
  }
  let depth = 0
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--
    if (depth > MOST_DEPTH) throw new ImportFileError('malformed_json')
  }
  try {
    for await (const text of decodeText(file.chunks(), encodingOf(await file.opening()))) {
      parser.write(text)
      yield items
      items = []
    }
    if (!parser.isEnded) throw new ImportFileError('malformed_json')
  } catch (error) {
    if (error instanceof ImportFileError || !(error instanceof Error)) throw error
    if ('syscall' in error) throw error
    throw new ImportFileError('malformed_json', { cause: error })
  }
  yield items
}

/** Returns the values at a path; `*` stands for each item of an array. */
function itemsAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value]
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => itemsAt(item, rest)) : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return itemsAt((value as Record<string, unknown>)[name], rest)
}
