import type { EventType } from '../webhook-queries.ts'

export interface EventTypeGroup {
  title: string
  /** The beginning that its types share, with a trailing star. */
  pattern: string
  types: EventType[]
}

/** Groups by how their names begin, in the order in which they are shown. */
const GROUPS = [
  ['Connections and devices', 'provider.'],
  ['Laboratory orders', 'labtest.order.'],
  ['Laboratory results', 'labtest.result.'],
  ['Appointments', 'labtest.appointment.'],
  ['Results that fit no order', 'labtest.match_review.'],
  ['Lab reports', 'lab_report.'],
  ['New and changed data', 'daily.data.'],
  ['History is complete', 'historical.data.'],
  ['Continuous queries', 'continuous_query.'],
  ['Delivery', 'message.'],
] as const

/** Types in groups; with words, only those whose name or meaning has all of them. */
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
