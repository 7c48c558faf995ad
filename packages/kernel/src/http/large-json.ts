import { randomUUID } from 'node:crypto'
import { WorkSlice } from '../time-slices.ts'
import { JSON_LIMITS } from './json-limits.ts'
import { JsonScanner, type OuterList } from './json-scanner.ts'

/** Bytes scanned between two looks at the time: about a millisecond. */
const SCAN_BYTES = 512 * 1024

/** Bytes of a list that are parsed at once: a few milliseconds. */
const PIECE_BYTES = 256 * 1024

type ParseText = (text: string) => unknown

/**
 * Parses a large JSON text without keeping the process from other requests: it is first checked
 * against the limits, then its long lists are parsed in pieces.
 * @param parse Parses a text at once.
 * @throws AppError 413 or 422 for a text over a limit, and what `parse` throws
 */
export async function parseLargeJson(
  bytes: Buffer,
  parse: ParseText,
  { pieceBytes = PIECE_BYTES, scanBytes = SCAN_BYTES, limits = JSON_LIMITS } = {},
): Promise<unknown> {
  const slice = new WorkSlice()
  const scanner = new JsonScanner(bytes, pieceBytes, limits)
  while (scanner.scan(scanBytes)) if (slice.isOver()) await slice.rest()
  const { lists, isMismatched } = scanner
  if (lists.length === 0 || isMismatched) return parse(bytes.toString())
  // Stands for a list in the text around it; no client can know it.
  const placeholder = randomUUID()
  const whole = { root: parse(textAround(bytes, lists, placeholder)) }
  const parsed: unknown[][] = []
  for (const list of lists) parsed.push(await parseList(bytes, list, parse, slice))
  putLists(whole, placeholder, parsed)
  return whole.root
}

/** Returns the text with a placeholder instead of the entries of each list. */
function textAround(bytes: Buffer, lists: readonly OuterList[], placeholder: string): string {
  let text = ''
  let from = 0
  for (const [index, { start, end }] of lists.entries()) {
    text += `${bytes.toString('utf8', from, start)}"${placeholder} ${index}"`
    from = end
  }
  return text + bytes.toString('utf8', from)
}

async function parseList(
  bytes: Buffer,
  { start, end, cuts }: OuterList,
  parse: ParseText,
  slice: WorkSlice,
): Promise<unknown[]> {
  const entries: unknown[] = []
  let from = start
  for (const to of [...cuts, end]) {
    const piece = parse(`[${bytes.toString('utf8', from, to)}]`) as unknown[]
    // A comma with nothing before or after it is not JSON, and this makes the parser fail at once.
    if (piece.length === 0) parse('[,]')
    for (const entry of piece) entries.push(entry)
    from = to + 1
    if (slice.isOver()) await slice.rest()
  }
  return entries
}

/** Puts lists in place of their placeholders, which are reached through objects only. */
function putLists(container: unknown, placeholder: string, lists: readonly unknown[][]): void {
  if (typeof container !== 'object' || container === null || Array.isArray(container)) return
  const fields = container as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    const text: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined
    if (typeof text === 'string' && text.startsWith(placeholder)) {
      fields[key] = lists[Number(text.slice(placeholder.length + 1))]
    } else putLists(value, placeholder, lists)
  }
}
