import assert from 'node:assert/strict'
import { CONNECTORS, PageData } from '@salus/health/connectors'
import { NO_CONTEXT } from './no-context.ts'
import { GOOGLE_HEALTH_PAGES } from './pages/google-health.pages.ts'

const GOOGLE_HEALTH = CONNECTORS.find(({ slug }) => slug === 'google_health')

export const RANGE = { from: Date.UTC(2026, 1, 9), to: Date.UTC(2026, 1, 12) }
export const REQUEST = { range: RANGE, cursor: null, context: NO_CONTEXT }

export function collectionOf(name: string) {
  const collection = GOOGLE_HEALTH?.collections.find((one) => one.name === name)
  assert.ok(collection !== undefined, name)
  return collection
}

/** Returns what records of a collection become; the good ones by default. */
export function mapRecords(
  name: string,
  records?: readonly unknown[],
  details: readonly unknown[] = [],
): PageData {
  const pages = GOOGLE_HEALTH_PAGES[name]
  assert.ok(pages !== undefined)
  const data = new PageData({ userId: 'u', provider: 'google_health' })
  collectionOf(name).map(pages.page(records ?? pages.records), data, details, REQUEST)
  return data
}

/** Returns the known columns. */
export const knownOf = (summary: { values: object } | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(summary?.values ?? {}).filter(([, value]) => value !== null && value !== ''),
  )

export const reasonsOf = (data: PageData): string[] =>
  data.quarantined.map(({ resource, reason }) => `${resource} ${reason}`)
