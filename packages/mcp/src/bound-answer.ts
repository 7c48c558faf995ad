/** About 6,000 tokens: several answers fit into a conversation. */
export const MOST_CHARACTERS = 24_000

/** Longer texts than these are cut, so that one note does not take the room of a table. */
const MOST_TEXT = 500

type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json }

/**
 * The JSON of an answer, without what is null or empty, and not longer than an assistant can take.
 * What is too long loses the ends of its longest lists, and says of each how many there were.
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
  return JSON.stringify({ error: 'The answer is too large. Ask for less of it.' })
}

interface Cut {
  list: string
  shown: number
  of: number
}

const ADVICE = 'Not everything is shown. Ask for a shorter time, longer slots or fewer fields.'

function describeCuts(cuts: Cut[]) {
  // The same list in each of many rows says the same.
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

/** Fields that are null, undefined, or empty tell nothing; entries of lists keep their places. */
function withoutNothing(value: Json): Json {
  if (typeof value === 'string' && value.length > MOST_TEXT) return `${value.slice(0, MOST_TEXT)}…`
  if (Array.isArray(value)) return value.map((item) => withoutNothing(item) ?? null)
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const entries = Object.entries(value)
    .map(([name, item]) => [name, withoutNothing(item)] as const)
    .filter(([, item]) => item !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
