import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { plainSummary } from '../../../server/test/summaries/plain-summary.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import {
  type Process,
  profileReads,
  readAgain,
  startTwoProcesses,
  versionedReads,
} from '../../../server/test/timeseries/versioned-reads.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { renameSamples } from '../imports/renamed-sources.repository.ts'
import { SUMMARY_RESOURCES, summaryId } from '../summaries/index.ts'
import { beginWrite, dayCacheJobs } from './index.ts'

const salus = useFixture(createHarness)
let processes: readonly [Process, Process]
before(async () => {
  // They have nothing of their own to close, and end with the harness.
  ;({ processes } = await startTwoProcesses(salus))
})

const DAY_START = Date.parse('2026-02-10T00:00:00Z')
const PROVIDERS = ['manual', 'apple_health_kit'] as const
const ZONES = ['America/New_York', 'Asia/Tokyo', 'Europe/Berlin']

/** Changes of every kind, by either process. Few keys, so that changes meet. */
const anyChange = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('samples' as const),
      minutes: fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 4 }),
      value: fc.nat({ max: 3 }),
      appId: fc.constantFrom('com.example', 'the watch'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('summary' as const),
      resource: fc.constantFrom(...SUMMARY_RESOURCES),
      record: fc.constantFrom('one', 'two'),
      hour: fc.nat({ max: 48 }),
    }),
  },
  fc.record({
    kind: fc.constant('summary_removal' as const),
    resource: fc.constantFrom(...SUMMARY_RESOURCES),
    record: fc.constantFrom('one', 'two'),
  }),
  fc.record({ kind: fc.constant('removal' as const), minute: fc.nat({ max: 300 }) }),
  fc.record({ kind: fc.constant('rename' as const) }),
  fc.record({ kind: fc.constant('device' as const), name: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) }),
  fc.record({ kind: fc.constant('priority' as const), priority: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('team_priority' as const), priority: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('crash' as const), minute: fc.nat({ max: 300 }) }),
  fc.record({ kind: fc.constant('midnight' as const) }),
  fc.record({ kind: fc.constant('retention' as const), days: fc.integer({ min: 14, max: 22 }) }),
)
const anyStep = fc.record({
  by: fc.nat({ max: 1 }),
  provider: fc.constantFrom(...PROVIDERS),
  change: fc.oneof({ weight: 3, arbitrary: anyChange }, fc.constant(undefined)),
})
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never
type Change = typeof anyChange extends fc.Arbitrary<infer Value> ? Value : never

interface Person {
  environmentId: string
  userId: string
  urls: string[]
}

async function makePerson(): Promise<Person> {
  const userId = await salus.makeUser(...PROVIDERS)
  const { rows } = await salus.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  const urls = [...versionedReads(userId), ...profileReads(userId)]
  return { userId, environmentId: rows[0].environment_id, urls }
}

const run = (name: string) =>
  salus.dependencies.jobs.handlers[name]?.({}, new AbortController().signal, { isLast: false })

async function change(
  { environmentId, userId }: Person,
  { call, ingest, store }: Process,
  provider: string,
  what: Change,
): Promise<void> {
  const owner = { environmentId, userId, provider }
  const key = { series: 'steps', sourceType: 'watch', sampleType: '' }
  const startOf = (minute: number): number => DAY_START + minute * MINUTE_MS
  switch (what.kind) {
    case 'samples': {
      const { appId, value, minutes } = what
      const samples = minutes.map((minute) =>
        plainSample({ ...key, appId, value, startedAt: startOf(minute), endedAt: startOf(minute) }),
      )
      await store(owner, { samples })
      return
    }
    case 'summary': {
      const startedAt = DAY_START + what.hour * HOUR_MS
      const times = { startedAt, endedAt: startedAt + HOUR_MS, calendarDate: null }
      const summary = plainSummary(what.resource, { ...times, recordId: what.record })
      await store(owner, { summaries: [summary] })
      return
    }
    case 'summary_removal': {
      const { resource, record: recordId } = what
      const { appId } = plainSummary(resource)
      const ids = [summaryId(owner, { resource, appId, recordId })]
      await store(owner, { removals: [{ resource, ids }] })
      return
    }
    case 'removal':
      return ingest.removeSamples(owner, { ...key, appId: 'com.example' }, [startOf(what.minute)])
    case 'rename':
      return ingest.changeStored(owner, () =>
        renameSamples(salus.clickhouse, owner, {
          ...{ name: 'the watch', sourceType: 'watch', appId: 'com.example' },
        }),
      )
    case 'device':
      await salus.database.pool.query(
        `insert into devices (environment_id, user_id, id, provider, source_type, identity, created_at)
        values ($1, $2, gen_random_uuid(), $3, 'watch', $4, $5)
        on conflict (environment_id, user_id, provider, identity)
        do update set device_version = gen_random_uuid()`,
        [environmentId, userId, provider, what.name, salus.clock.now()],
      )
      return
    case 'zone':
      await call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: what.zone })
      return
    case 'priority': {
      const rule = { resource: 'steps', provider, priority: what.priority }
      await call('PUT', `/v2/user/${userId}/source_priorities`, { source_priorities: [rule] })
      return
    }
    case 'team_priority': {
      const rule = { data_type: 'timeseries', slug: provider, priority: what.priority }
      await call('PATCH', '/v2/team/source/priorities', [rule])
      return
    }
    case 'crash': {
      // The process dies after its rows are stored; they are given up ten minutes later.
      const at = startOf(what.minute)
      const changes = [{ environmentId, userId, resource: 'steps', from: at, to: at }]
      await beginWrite(salus.dependencies, changes)
      await store(owner, { samples: [plainSample({ ...key, startedAt: at, endedAt: at })] })
      salus.clock.advance(11 * 60)
      const { handlers } = dayCacheJobs(salus.dependencies)
      await handlers.clean_day_cache?.({}, new AbortController().signal, { isLast: false })
      return
    }
    case 'midnight':
      salus.clock.advance(DAY_MS / 1000)
      return
    case 'retention': {
      const rules = [
        { resource: 'steps', days: what.days },
        { resource: 'sleep', days: what.days },
      ]
      await salus.manage('PUT', `/team/${salus.teamId}/sandbox/retention`, { rules })
      await run('apply_retention')
      await salus.manage('PUT', `/team/${salus.teamId}/sandbox/retention`, { rules: [] })
    }
  }
}

/** Answers that a client has kept, by their address. */
type Kept = Map<string, { tag: string; text: string }[]>

const counts = { unchanged: 0, answered: 0 }

/** Reads every address with all tags of the client by one process, and in full by the other. */
async function compare({ urls }: Person, kept: Kept, by: number): Promise<void> {
  const [process, other] = [processes[by], processes[1 - by]] as [Process, Process]
  for (const url of urls) {
    const plain = await other.call('GET', url)
    for (const { tag, text } of kept.get(url) ?? []) {
      const { status } = await readAgain(process, url, tag)
      counts[status === 304 ? 'unchanged' : 'answered'] += 1
      if (status === 304) assert.equal(plain.text, text, `${url} has changed`)
    }
    keep(kept, url, plain)
  }
}

type Answered = Awaited<ReturnType<Process['call']>>

function keep(kept: Kept, url: string, { status, headers, text }: Answered): void {
  const { etag } = headers
  assert.ok(status === 200 || etag === undefined, 'only an answer has a tag')
  const answers = kept.get(url) ?? []
  if (etag === undefined || answers.some(({ tag }) => tag === etag)) return
  kept.set(url, [...answers, { tag: String(etag), text }])
}

const RUNS = { seed: 29, numRuns: campaignRuns(1, 60) }

test('304 is answered only where the answer is that of before, after changes of every kind', async () => {
  const steps = fc.array(anyStep, { minLength: 5, maxLength: campaignRuns(7, 16) })
  const property = fc.asyncProperty(steps, async (list: Step[]) => {
    const person = await makePerson()
    const kept: Kept = new Map()
    for (const { by, provider, change: what } of list) {
      const process = processes[by] as Process
      if (what !== undefined) await change(person, process, provider, what)
      await compare(person, kept, by)
    }
  })
  await fc.assert(property, RUNS)
  // Most tags are of before a change; without a change all of them hold.
  assert.ok(counts.unchanged > 20, JSON.stringify(counts))
})

test('an answer that was read during changes has the tag of nothing that it lacks', async () => {
  const steps = fc.array(anyStep, { minLength: 6, maxLength: campaignRuns(12, 24) })
  const property = fc.asyncProperty(steps, async (list: Step[]) => {
    const person = await makePerson()
    const kept: Kept = new Map()
    const read = async (by: number, urls: readonly string[]) => {
      for (const url of urls) keep(kept, url, await (processes[by] as Process).call('GET', url))
    }
    await Promise.all(
      list.map(async ({ by, provider, change: what }, index) => {
        // What others are in the middle of must not be given up.
        const isAlone = what?.kind === 'crash' || what?.kind === 'midnight'
        if (what === undefined || isAlone) {
          for (let time = 0; time < 3; time++) await read(by, person.urls.slice(index % 7, 12))
        } else await change(person, processes[by] as Process, provider, what)
      }),
    )
    for (const by of [0, 1]) await compare(person, kept, by)
  })
  await fc.assert(property, RUNS)
})
