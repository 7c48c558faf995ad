import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'
import { MOST_DEPTH, parseFlatJson } from './parse-json.ts'
import { decodeText, encodingOf } from './text.ts'

/** Keys of objects and positions in arrays, from the outermost. */
export type JsonPath = readonly (string | number)[]

/** A value of a JSON text, and where it is. */
export interface JsonPart {
  path: JsonPath
  value: unknown
}

interface Frame {
  isArray: boolean
  /** Whether an object waits for a key. */
  needsKey: boolean
}

/** A part is in memory as a whole. */
const MOST_PART_CHARACTERS = 64 << 20
const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

const malformed = () => new ImportFileError('malformed_json')
const isSpace = (code: number): boolean =>
  code === 32 || code === 10 || code === 13 || code === 9 || code === 0xfeff

/**
 * Yields some values of a JSON file in batches, in the order of the file. Only these are in memory,
 * one at a time; the rest of the text is passed over.
 * @param isWanted Whether the value at a path is a part.
 * @throws ImportFileError `malformed_json`; `file_too_large` for a part of more than 64 MB
 */
export async function* readJsonParts(
  file: ImportFile,
  isWanted: (path: JsonPath) => boolean,
): AsyncGenerator<JsonPart[]> {
  const scanner = new JsonScanner(isWanted)
  for await (const text of decodeText(file.chunks(), encodingOf(await file.opening()))) {
    yield scanner.write(text)
  }
  yield scanner.write('\n')
  scanner.end()
}

class JsonScanner {
  readonly #isWanted: (path: JsonPath) => boolean
  readonly #frames: Frame[] = []
  readonly #path: (string | number)[] = []
  #text = ''
  /** Position up to which the end of an unfinished part was looked for. */
  #searched = 0
  /** Open containers of the unfinished part at that position. */
  #depth = 0
  #isEnded = false
  #parts: JsonPart[] = []

  constructor(isWanted: (path: JsonPath) => boolean) {
    this.#isWanted = isWanted
  }

  /** Returns the parts that end in the text. */
  write(text: string): JsonPart[] {
    this.#text += text
    let at = 0
    for (let next = this.#step(at); next !== undefined; next = this.#step(at)) at = next
    this.#text = this.#text.slice(at)
    if (this.#text.length > MOST_PART_CHARACTERS) throw new ImportFileError('file_too_large')
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  end(): void {
    if (!this.#isEnded || this.#text.trim() !== '') throw malformed()
  }

  /** Reads one token; returns the position behind it, or undefined where the text is too short. */
  #step(at: number): number | undefined {
    const text = this.#text
    let from = at
    while (from < text.length && isSpace(text.charCodeAt(from))) from++
    if (from >= text.length) return from > at ? from : undefined
    const code = text.charCodeAt(from)
    const frame = this.#frames.at(-1)
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) return this.#close(code, from)
    if (frame !== undefined && code === COMMA) {
      if (frame.isArray) this.#path.push((this.#path.pop() as number) + 1)
      else {
        this.#path.pop()
        frame.needsKey = true
      }
      return from + 1
    }
    if (frame?.needsKey) return this.#readKey(frame, from)
    return this.#readValue(code, from)
  }

  #close(code: number, from: number): number {
    const frame = this.#frames.pop()
    if (frame === undefined || frame.isArray !== (code === CLOSE_ARRAY)) throw malformed()
    // An empty object has no key.
    if (frame.isArray || !frame.needsKey) this.#path.pop()
    if (this.#frames.length === 0) this.#isEnded = true
    return from + 1
  }

  #readKey(frame: Frame, from: number): number | undefined {
    if (this.#text.charCodeAt(from) !== QUOTE) throw malformed()
    const end = endOfText(this.#text, from)
    if (end === undefined) return undefined
    let colon = end
    while (colon < this.#text.length && isSpace(this.#text.charCodeAt(colon))) colon++
    if (colon >= this.#text.length) return undefined
    if (this.#text.charCodeAt(colon) !== COLON) throw malformed()
    this.#path.push(parseFlatJson(this.#text.slice(from, end)) as string)
    frame.needsKey = false
    return colon + 1
  }

  #readValue(code: number, from: number): number | undefined {
    if (this.#isEnded) throw malformed()
    const isContainer = code === OPEN_ARRAY || code === OPEN_OBJECT
    const isWanted = this.#isWanted(this.#path)
    if (isContainer && !isWanted) {
      if (this.#frames.length >= MOST_DEPTH) throw malformed()
      const isArray = code === OPEN_ARRAY
      this.#frames.push({ isArray, needsKey: !isArray })
      if (isArray) this.#path.push(0)
      return from + 1
    }
    const end = isContainer ? this.#endOfContainer(from) : this.#endOfScalar(code, from)
    if (end === undefined) return undefined
    if (isWanted)
      this.#parts.push({ path: [...this.#path], value: parseValue(this.#text.slice(from, end)) })
    if (this.#frames.length === 0) this.#isEnded = true
    return end
  }

  #endOfScalar(code: number, from: number): number | undefined {
    if (code === QUOTE) return endOfText(this.#text, from)
    for (let at = from; at < this.#text.length; at++) {
      const next = this.#text.charCodeAt(at)
      if (next === COMMA || next === CLOSE_ARRAY || next === CLOSE_OBJECT || isSpace(next)) {
        if (at === from) throw malformed()
        return at
      }
    }
    return undefined
  }

  /** Continues where the last search ended, so that a long part is searched once. */
  #endOfContainer(from: number): number | undefined {
    const text = this.#text
    let at = from + this.#searched
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        const end = endOfText(text, at)
        if (end === undefined) break
        at = end
        continue
      }
      at++
      if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        if (++this.#depth > MOST_DEPTH) throw malformed()
      } else if ((code === CLOSE_ARRAY || code === CLOSE_OBJECT) && --this.#depth === 0) {
        this.#searched = 0
        return at
      }
    }
    this.#searched = at - from
    return undefined
  }
}

/** Returns the position behind a text that begins at a quote; undefined where it has no end. */
function endOfText(text: string, from: number): number | undefined {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return undefined
}

/** Parses a value in an array, in which long numbers are found (`parseVendorJson`). */
const parseValue = (text: string): unknown => (parseFlatJson(`[${text}]`) as [unknown])[0]
