import type { components } from '../../../api/openapi.generated.d.ts'
import type { Connection } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'

export interface Problem {
  key: string
  tone: 'bad' | 'warning' | 'info'
  text: string
  /** Tab of the page with more about the problem. */
  tab: string | undefined
  hash?: string
  more: string
}

interface Known {
  connections: readonly Connection[]
  resources: Record<string, Record<string, components['schemas']['ResourceStatistics']>>
  history: Record<string, { pulled: Record<string, components['schemas']['PullStatistics']> }>
  newestQuarantined: { received_at: string; resource: string } | undefined
  nameOf: (slug: string) => string
  now: Date
  ago: (at: string) => string
}

/** A connected provider without data for this long is reported. */
const SILENT_MS = 3 * 86_400_000

/** Returns the problems of a person's data, the most urgent first. */
export function findProblems(known: Known): Problem[] {
  return [
    ...known.connections.flatMap((connection) => judgeConnection(known, connection)),
    ...Object.entries(known.history).flatMap(([slug, { pulled }]) => {
      const failed = Object.entries(pulled).filter(([, { status }]) => status === 'failure')
      if (failed.length === 0) return []
      const names = failed.map(([resource]) => resourceTitle(resource)).join(', ')
      const text = `${known.nameOf(slug)}: the history of ${names} could not be read.`
      const problem = { tone: 'warning', tab: 'data', more: 'See coverage' } as const
      return [{ ...problem, key: `history ${slug}`, text }]
    }),
    ...judgeQuarantine(known),
  ]
}

function judgeConnection(
  { resources, nameOf, now, ago }: Known,
  connection: Connection,
): Problem[] {
  const { slug, status } = connection
  const name = nameOf(slug)
  const target = { tab: undefined, hash: 'connections' }
  if (status === 'error') {
    const since = connection.error_details && ago(connection.error_details.errored_at)
    const text = `${name} stopped working${since ? ` ${since}` : ''}.`
    return [{ ...target, key: slug, tone: 'bad', text, more: 'See cause and reconnect' }]
  }
  if (status === 'paused') {
    return [
      { ...target, key: slug, tone: 'info', text: `${name} is paused.`, more: 'See connections' },
    ]
  }
  const held = Object.values(resources[slug] ?? {})
  const newest = held
    .flatMap(({ newest_data: at }) => (at === null ? [] : [at]))
    .sort()
    .at(-1)
  if (newest !== undefined && now.getTime() - Date.parse(newest) > SILENT_MS) {
    const text = `${name} is connected, but its newest data are from ${ago(newest)}.`
    return [{ key: slug, tone: 'warning', text, tab: 'data', more: 'See coverage' }]
  }
  const failing = Object.entries(resources[slug] ?? {})
    .filter(([, { last_attempt: attempt }]) => attempt?.status === 'failure')
    .map(([resource]) => resourceTitle(resource))
  if (failing.length === 0) return []
  const text = `${name}: the last pull of ${failing.join(', ')} failed and will be retried.`
  return [{ key: slug, tone: 'warning', text, tab: 'data', more: 'See coverage' }]
}

function judgeQuarantine({ newestQuarantined: newest, ago }: Known): Problem[] {
  if (newest === undefined) return []
  const text = `Some data could not be stored, last ${ago(newest.received_at)} (${resourceTitle(newest.resource)}).`
  return [
    {
      key: 'quarantine',
      tone: 'warning',
      text,
      tab: 'data',
      hash: 'quarantine',
      more: 'See quarantine',
    },
  ]
}
