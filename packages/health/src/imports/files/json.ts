import { JSONParser } from '@streamparser/json'
import { parseVendorJson } from '../../connectors/index.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'
import { decodeText, encodingOf } from './text.ts'

/** Files up to this size are parsed at once, which is several times as fast. */
const MOST_AT_ONCE = 32 << 20

/** Formats have a few levels. What is deeper cannot be written as JSON again, to quarantine it. */
const MOST_DEPTH = 100
const [QUOTE, BACKSLASH] = [34, 92]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** Follows the depth of a JSON text, in parts. */
class JsonDepth {
  #depth = 0
  #isText = false
  #isEscaped = false

  /** @throws ImportFileError `malformed_json` where containers are nested too deeply */
  follow(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isText = false
      } else if (code === QUOTE) this.#isText = true
      else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) this.#depth--
      else if ((code === OPEN_ARRAY || code === OPEN_OBJECT) && ++this.#depth > MOST_DEPTH) {
        throw new ImportFileError('malformed_json')
      }
    }
  }
}

/**
 * Parses JSON of a file. @throws ImportFileError `malformed_json`, also where it is nested more
 * than a hundred levels deep
 */
export function parseJson(text: string): unknown {
  new JsonDepth().follow(text)
  try {
    return parseVendorJson(text)
  } catch (error) {
    throw new ImportFileError('malformed_json', { cause: error })
  }
}

/** Parses a whole file. @throws ImportFileError `malformed_json`, `file_too_large` over 64 MB */
export async function readJsonFile(file: ImportFile): Promise<unknown> {
  const content = await file.content()
  return parseJson(new TextDecoder(encodingOf(content.subarray(0, 1 << 16))).decode(content))
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
  const depth = new JsonDepth()
  try {
    for await (const text of decodeText(file.chunks(), encodingOf(await file.opening()))) {
      depth.follow(text)
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
