import type { EventType } from '../webhook-queries.ts'

export interface EventTypeGroup {
  title: string
  /** Shared prefix of its types, with a trailing star. */
  pattern: string
  types: EventType[]
}

/** Groups by the prefixes of names, in the order in which they are shown. */
const GROUPS = [
  ['Connections and devices', 'provider.'],
  ['Laboratory orders', 'labtest.order.'],
  ['Laboratory results', 'labtest.result.'],
  ['Appointments', 'labtest.appointment.'],
  ['Unmatched results', 'labtest.match_review.'],
  ['Lab reports', 'lab_report.'],
  ['New and changed data', 'daily.data.'],
  ['Historical pulls', 'historical.data.'],
  ['Continuous queries', 'continuous_query.'],
  ['Delivery', 'message.'],
] as const

/** Groups types; with search words, only those whose name or meaning contains all of them. */
export function groupEventTypes(types: readonly EventType[], words = ''): EventTypeGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found = types.filter(({ name, meaning }) => {
    const text = `${name} ${meaning}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const known: EventTypeGroup[] = GROUPS.map(([title, prefix]) => ({
    title,
    pattern: `${prefix}*`,
    types: found.filter(({ name }) => name.startsWith(prefix)),
  }))
  const others = found.filter(({ name }) => !GROUPS.some(([, prefix]) => name.startsWith(prefix)))
  const rest = { title: 'Others', pattern: '*', types: others }
  return [...known, rest].filter((group) => group.types.length > 0)
}
