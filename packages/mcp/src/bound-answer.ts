/** About 6,000 tokens, so that several answers fit into a conversation. */
export const MOST_CHARACTERS = 24_000

/** Longer texts are cut, so that one note does not use the space of a table. */
const MOST_TEXT = 500

type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json }

/**
 * Returns the JSON of an answer without null and empty values, within a maximum length. A longer
 * answer loses the ends of its longest lists, and names each with its full length.
 */
export function boundAnswer(answer: unknown, most = MOST_CHARACTERS): string {
  const bare = withoutNothing(answer as Json) ?? {}
  const whole = JSON.stringify(bare)
  if (whole.length <= most) return whole
  for (let rows = 512; rows >= 1; rows = Math.floor(rows / 2)) {
    const cuts: Cut[] = []
    const cut = cutLists(bare, rows, '', cuts)
    const text = JSON.stringify({ answer: cut, cut: describeCuts(cuts) })
    if (text.length <= most) return text
  }
  return JSON.stringify({ error: 'The answer is too large. Request a part of it.' })
}

interface Cut {
  list: string
  shown: number
  of: number
}

const ADVICE = 'The answer is incomplete. Request a shorter time, longer slots or fewer fields.'

function describeCuts(cuts: Cut[]) {
  // The same list of many rows is named once.
  return { advice: ADVICE, lists: cuts.slice(0, 10) }
}

function cutLists(value: Json, rows: number, path: string, cuts: Cut[]): Json {
  if (Array.isArray(value)) {
    if (value.length > rows) cuts.push({ list: path || 'answer', shown: rows, of: value.length })
    return value
      .slice(0, rows)
      .map((item, index) => cutLists(item, rows, `${path}[${index}]`, cuts))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    cutLists(item, rows, path === '' ? name : `${path}.${name}`, cuts),
  ])
  return Object.fromEntries(entries)
}

/** Removes fields that are null, undefined or empty; entries of lists keep their places. */
function withoutNothing(value: Json): Json {
  if (typeof value === 'string' && value.length > MOST_TEXT) return `${value.slice(0, MOST_TEXT)}…`
  if (Array.isArray(value)) return value.map((item) => withoutNothing(item) ?? null)
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const entries = Object.entries(value)
    .map(([name, item]) => [name, withoutNothing(item)] as const)
    .filter(([, item]) => item !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
