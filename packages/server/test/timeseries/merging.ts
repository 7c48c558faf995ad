import assert from 'node:assert/strict'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Merged, MergedItem } from '../../../health/src/timeseries/merged/merged.schema.ts'
import type { Harness } from '../harness.ts'

const PROVIDERS = ['apple_health_kit', 'samsung_health', 'manual']

export const DAY = 'start_date=2026-02-10&end_date=2026-02-10'

/** An item of an upload: a time of 10 February 2026, UTC, minutes and a value. */
export const item = (start: string, minutes: number, value: number, change: object = {}) => ({
  value,
  unit: 'count',
  start_date: `2026-02-10T${start}:00Z`,
  end_date: new Date(Date.parse(`2026-02-10T${start}:00Z`) + minutes * MINUTE_MS).toISOString(),
  ...change,
})

export const sumOf = (items: readonly { value: number }[]): number =>
  items.reduce((sum, { value }) => sum + value, 0)

/** Uploads and merged reads of people with several sources. */
export interface Merging {
  makeUser(): Promise<string>
  /** A phone from 8:00 to 18:00 and a watch from noon to 22:00, a sample each half hour. */
  makeWearer(): Promise<string>
  /** Three days of a sample each, for reads of many slots. */
  makeSteadyWalker(): Promise<string>
  upload(userId: string, provider: string, data: object[], series?: string): Promise<void>
  read(userId: string, query: string, series?: string): Promise<Merged>
  /** All pages. */
  readAll(userId: string, query: string, series?: string): Promise<MergedItem[]>
}

/** Steps of a wearer: those of the phone before noon, those of the watch from then on. */
export const TRUE_TOTAL = 8 * 100 + 20 * 110

function halfHours(from: number, to: number): string[] {
  return Array.from({ length: (to - from) * 2 }, (_, index) => {
    const minutes = from * 60 + index * 30
    const time = [Math.floor(minutes / 60), minutes % 60]
    return time.map((part) => String(part).padStart(2, '0')).join(':')
  })
}

export function createMerging(harness: Harness): Merging {
  const merging: Merging = {
    makeUser: () => harness.makeUser(...PROVIDERS),
    async makeWearer() {
      const userId = await merging.makeUser()
      const ofPhone = halfHours(8, 18).map((start) => item(start, 30, 100, { type: 'phone' }))
      const ofWatch = halfHours(12, 22).map((start) => item(start, 30, 110, { type: 'watch' }))
      await merging.upload(userId, 'apple_health_kit', ofPhone)
      await merging.upload(userId, 'samsung_health', ofWatch)
      return userId
    },
    async makeSteadyWalker() {
      const userId = await merging.makeUser()
      const days = ['08', '09', '10', '11'].map((day) => `2026-02-${day}T00:00:00Z`)
      const data = days.slice(0, 3).map((start_date, index) => ({
        ...item('00:00', 0, 10_001),
        start_date,
        end_date: days[index + 1],
      }))
      await merging.upload(userId, 'manual', data)
      return userId
    },
    async upload(userId, provider, data, series = 'steps') {
      const body = { stage: 'daily', provider, data }
      const { status } = await harness.call('POST', `/v2/timeseries/${userId}/${series}`, body)
      assert.equal(status, 200)
    },
    async read(userId, query, series = 'steps') {
      const url = `/v2/timeseries/${userId}/${series}/merged?${query}`
      const { status, body } = await harness.call('GET', url)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    },
    async readAll(userId, query, series = 'steps') {
      const items: MergedItem[] = []
      for (let cursor = ''; ; ) {
        const next = cursor && `&next_cursor=${cursor}`
        const page = await merging.read(userId, `${query}${next}`, series)
        items.push(...page.data)
        if (page.next_cursor === null) return items
        cursor = page.next_cursor
      }
    },
  }
  return merging
}
