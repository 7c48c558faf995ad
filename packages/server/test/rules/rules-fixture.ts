import assert from 'node:assert/strict'
import { ruleJobs } from '@salus/health/rules'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { createHarness, type Harness } from '../harness.ts'
import { storedEvents } from '../stored-events.ts'

/** A reading: its time, its value, and more fields of its sample. */
export type Reading = readonly [at: string | number, value: number, more?: object]

export interface RulesFixture {
  salus: Harness
  call: Harness['call']
  /** Creates a rule; what is not given is of glucose below 70 mg/dL. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  create(fields?: object): Promise<any>
  person(zone?: string): Promise<string>
  upload(userId: string, series: string, readings: readonly Reading[]): Promise<void>
  /** Lets a check be due, and does what a run of the jobs does. */
  check(changes?: { clickhouse?: ClickHouse }): Promise<void>
  /** Lets so many hours pass, then checks. */
  checkAfter(hours: number): Promise<void>
  /** A time so many hours before now, as epoch milliseconds. */
  ago(hours: number): number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  episodes(userId: string, query?: string): Promise<any[]>
  /** The events of a person as `triggered START`, in order. */
  emitted(userId: string): Promise<string[]>
  close(): Promise<void>
}

export const GLUCOSE_LOW = {
  type: 'threshold',
  value: { func: 'min', arg: { merged: 'glucose', field: 'value' } },
  window: { value: 5, unit: 'minute' },
  comparison: '<',
  threshold: 70,
  unit: 'mg/dL',
}

const UNITS: Readonly<Record<string, string>> = {
  glucose: 'mg/dL',
  steps: 'count',
  weight: 'kg',
  heartrate: 'bpm',
}

const HOUR_MS = 3_600_000

export async function createRulesFixture(): Promise<RulesFixture> {
  const salus = await createHarness()
  const { call, clock } = salus
  const succeed = async (method: string, url: string, body?: unknown) => {
    const answer = await call(method, url, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const fixture: RulesFixture = {
    salus,
    call,
    async create(fields = {}) {
      const body = { name: 'A rule', condition: GLUCOSE_LOW, ...fields }
      const rule = await succeed('POST', '/v3/rule', body)
      // Until then uploads may not know of it.
      clock.advance(6)
      return rule
    },
    async person(zone) {
      const userId = await salus.makeUser('manual')
      if (zone !== undefined) {
        await succeed('PATCH', `/v2/user/${userId}`, { fallback_time_zone: zone })
      }
      return userId
    },
    async upload(userId, series, readings) {
      const data = readings.map(([at, value, more]) => {
        const start = new Date(at).toISOString()
        return { value, unit: UNITS[series], start_date: start, end_date: start, ...more }
      })
      const body = { stage: 'daily', provider: 'manual', data }
      await succeed('POST', `/v2/timeseries/${userId}/${series}`, body)
    },
    async check(changes = {}) {
      clock.advance(31)
      const { handlers } = ruleJobs({ ...salus.dependencies, ...salus.config, ...changes })
      for (const name of ['check_rules', 'check_silence']) {
        await handlers[name]?.({}, new AbortController().signal, { isLast: false })
      }
    },
    checkAfter(hours) {
      clock.advance(hours * 3600)
      return fixture.check()
    },
    ago: (hours) => clock.now().getTime() - hours * HOUR_MS,
    episodes: async (userId, query = '') =>
      (await succeed('GET', `/v3/rule_episode?user_id=${userId}${query}`)).data,
    async emitted(userId) {
      const events = await storedEvents(salus, userId, /^rule\./)
      return events.map(
        ({ event_type: type, payload: { data } }) =>
          `${type.slice(5)} ${data.start}${data.resolved_reason ? ` ${data.resolved_reason}` : ''}`,
      )
    },
    close: () => salus.close(),
  }
  return fixture
}
