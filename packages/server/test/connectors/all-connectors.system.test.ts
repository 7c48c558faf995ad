import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findProvider } from '@salus/contracts/providers'
import { SERIES } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { CONNECTORS, type Connector } from '@salus/health/connectors'
import { SUMMARY_TABLES } from '@salus/health/summaries'
import type { Fault } from '@salus/sandbox/providers'
import { createLinking } from '../linking/linking-fixture.ts'
import { useFixture } from '../use-fixture.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import { ABSENT, WITHOUT_REFRESH } from './absent-resources.registry.ts'
import { connectAccount } from './connect-account.ts'

/**
 * One contract for every connector, against the emulated vendor: sign-in, the history of every
 * resource, repetition, refresh, limits, trouble, messages, and the end of the access. That the
 * values equal those of the emulated person is the matter of `<slug>-emulated.test.ts`.
 */

const DAYS = 8
/** A busy machine takes long for many polls. */
const PATIENCE_SECONDS = 60
/** People of a vendor who have every resource together. */
const MOST_PEOPLE = 6

const linking = useFixture(createLinking)
before(async () => {
  for (const { slug } of CONNECTORS) await linking.wantDays(DAYS, slug)
})

/** Waits for the history of a user. @returns the numbers of stored records by resource */
async function pullHistory(connector: Connector, userId: string): Promise<Record<string, number>> {
  const history = await waitForHistory(connector, userId)
  const failed = Object.entries(history).filter(([, { status }]) => status !== 'success')
  assert.deepEqual(failed, [])
  return countRecords(connector, userId)
}

async function waitForHistory(connector: Connector, userId: string) {
  if (connector.collections.some(({ history }) => history === 'by_message')) {
    // A vendor's budget has a tenth of its requests at once.
    for (let minute = 0; minute < 3; minute++) await linking.advance(1)
    // Messages about the past have come, and no more follow.
    await linking.advance((7 * HOUR_MS) / 60_000)
  }
  return linking.waitForHistory(userId, connector.slug)
}

const RESOURCE_TABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(SUMMARY_TABLES).map(([name, { table }]) => [name, `${table} final`]),
  ),
}

/** Numbers of stored records by resource. */
async function countRecords({ slug }: Connector, userId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const resource of findProvider(slug)?.resources ?? []) {
    counts[resource] = await countResource(slug, userId, resource)
  }
  return counts
}

async function countResource(slug: string, userId: string, resource: string): Promise<number> {
  const { clickhouse, database } = linking.harness
  if (resource === 'device') {
    const { rows } = await database.pool.query(
      'select count(*)::int as count from devices where user_id = $1 and provider = $2',
      [userId, slug],
    )
    return rows[0].count
  }
  if (resource === 'workout_stream') return countStreams(slug, userId)
  const series = SERIES.filter((one) => one.resource === resource).map(({ name }) => name)
  const table =
    resource === 'sleep_cycle'
      ? RESOURCE_TABLES.sleep
      : (RESOURCE_TABLES[resource] ?? 'samples final')
  const condition =
    resource === 'sleep_cycle'
      ? 'and notEmpty(stage_type)'
      : series.length > 0
        ? 'and series in {series:Array(String)}'
        : ''
  const [row] = await clickhouse.queryRows<{ count: number }>(
    `select count() as count from ${table}
    where user_id = {userId:UUID} and provider = {slug:String} ${condition}`,
    { userId, slug, series },
  )
  return Number(row?.count)
}

/**
 * Polls as after some hours; the trouble of the vendor is over then. The budget of a vendor has a
 * tenth of a minute's requests at once, and fills in the minutes after.
 */
async function passHours(hours: number): Promise<void> {
  await linking.advance(hours * 60)
  for (let minute = 0; minute < 2; minute++) await linking.advance(1)
}

/** Streams have no provider of their own. */
async function countStreams(slug: string, userId: string): Promise<number> {
  const [row] = await linking.harness.clickhouse.queryRows<{ count: number }>(
    `select count() as count from workout_streams final where user_id = {userId:UUID}
      and workout_id in (select id from workout_summaries final
        where user_id = {userId:UUID} and provider = {slug:String})`,
    { userId, slug },
  )
  return Number(row?.count)
}

async function statusOf({ slug }: Connector, userId: string) {
  const connection = await linking.connectionOf(userId, slug)
  return connection?.status
}

/** Resources whose last attempt failed. */
async function failedResources({ slug }: Connector, userId: string): Promise<string[]> {
  const url = `/v2/introspect/resources?user_id=${userId}&provider=${slug}`
  const { body } = await linking.call('GET', url)
  const attempts: Record<string, Attempt> = body.data[0].provider[slug]
  return Object.keys(attempts).filter((name) => attempts[name]?.last_attempt?.status !== 'success')
}

const TROUBLES: readonly Fault[] = [
  { kind: 'rate_limit', times: 2, milliseconds: 20_000 },
  { kind: 'server_error', times: 2 },
  { kind: 'unavailable', times: 2 },
  { kind: 'malformed', times: 2 },
  { kind: 'unauthorized', times: 1 },
]

for (const connector of CONNECTORS) {
  const { slug, collections, auth, push } = connector
  const isPolled = collections.some(({ history }) => history !== 'by_message')

  describe(slug, () => {
    const account = `casey.${slug}@example.com`
    let userId = ''

    test('signs a user in and pulls the history of every resource', async () => {
      userId = await connectAccount(linking, connector, account)
      const counts = await pullHistory(connector, userId)
      let absent = Object.keys(counts).filter((resource) => counts[resource] === 0)
      const isExpected = (resource: string) => ABSENT[slug]?.includes(resource)
      // What one person does not do in these days, such as a workout, another one does.
      for (let other = 2; other <= MOST_PEOPLE && !absent.every(isExpected); other++) {
        const otherId = await connectAccount(linking, connector, `other${other}.${account}`)
        const theirs = await pullHistory(connector, otherId)
        absent = absent.filter((resource) => theirs[resource] === 0)
      }
      assert.deepEqual(
        absent.filter((resource) => !isExpected(resource)),
        [],
      )
    })

    if (auth.kind === 'password') {
      test('refuses a wrong password, and asks for a code where the vendor does', async () => {
        const { token, userId: other } = await linking.issue()
        const path = `/v2/link/provider/password/${slug}`
        const signIn = async (password: string) => {
          const body = { username: `first.${account}`, password }
          return (await linking.link('POST', path, token, body)).body
        }
        assert.equal((await signIn('wrong')).error_type, 'provider_credential_error')
        assert.equal((await signIn('down')).error_type, 'provider_api_error')
        if (auth.completeMfa === undefined) return
        assert.equal((await signIn('code')).state, 'pending_provider_mfa')
        const complete = async (mfa_code: string) =>
          (await linking.link('POST', `${path}/complete_mfa`, token, { mfa_code })).body
        assert.equal((await complete('000000')).error_type, 'incorrect_mfa_code')
        assert.equal((await complete('123456')).state, 'success')
        assert.equal(await statusOf(connector, other), 'connected')
      })

      test('changes nothing when the user signs in again', async () => {
        await linking.settle()
        const before = await countRecords(connector, userId)
        await connectAccount(linking, connector, account, userId)
        await pullHistory(connector, userId)
        await passHours(1)
        assertSame(before, await countRecords(connector, userId))
      })
    }

    // Histories can be triggered for providers with OAuth only.
    const testTrigger = auth.kind === 'oauth' ? test : () => {}
    testTrigger('changes nothing when everything is pulled again', async () => {
      // Time has gone on while other people were pulled.
      await linking.settle()
      const before = await countRecords(connector, userId)
      const body = { user_ids: [userId], provider: slug }
      const again = await linking.call('POST', '/v2/link/bulk_trigger_historical_pull', body)
      assert.ok(again.status < 300, again.text)
      await linking.settle()
      await waitForHistory(connector, userId)
      assertSame(before, await countRecords(connector, userId))
    })

    test('renews an access that has expired', async () => {
      await linking.emulator.expire(slug, account)
      await passHours(7)
      assert.equal(await statusOf(connector, userId), 'connected')
    })

    for (const fault of isPolled ? TROUBLES : []) {
      if (fault.kind === 'unauthorized' && WITHOUT_REFRESH.has(slug)) continue
      test(`survives trouble of the vendor: ${fault.kind}`, async () => {
        await linking.emulator.setFaults(slug, account, [fault])
        await passHours(7)
        await linking.emulator.setFaults(slug, account, [])
        await passHours(7)
        assert.equal(await statusOf(connector, userId), 'connected')
        const isHealthy = async () => {
          const failed = await failedResources(connector, userId)
          // Budgets of vendors fill with time.
          if (failed.length > 0) await linking.advance(1)
          return failed.length === 0
        }
        await waitFor('every resource to be there again', isHealthy, PATIENCE_SECONDS)
      })
    }

    if (push !== undefined) {
      test('takes the messages of the vendor, twice and in any order', async () => {
        await linking.emulator.setFaults(slug, account, [
          { kind: 'push_twice' },
          { kind: 'push_shuffled' },
        ])
        const to = linking.now()
        // A day may be without exercise.
        const sent = await linking.emulator.push(slug, account, { from: to - DAYS * DAY_MS, to })
        assert.ok(sent > 0, 'the vendor has something to say')
        await linking.settle()
        await linking.emulator.setFaults(slug, account, [])
        const { rows } = await linking.harness.database.pool.query('select from vendor_messages')
        assert.equal(rows.length, 0)
        assert.equal(await statusOf(connector, userId), 'connected')
      })
    }

    test('ends when the user ends the access at the vendor', async () => {
      await linking.emulator.revoke(slug, account)
      const hasEnded = async () => {
        await passHours(7)
        return (await statusOf(connector, userId)) === 'error'
      }
      await waitFor('the connection to end', hasEnded, PATIENCE_SECONDS)
    })
  })
}

/** The day goes on, so that later records may have come. */
function assertSame(before: Record<string, number>, after: Record<string, number>): void {
  for (const [resource, count] of Object.entries(before)) {
    assert.ok((after[resource] ?? 0) >= count, `${resource}: ${count}, then ${after[resource]}`)
    assert.ok((after[resource] ?? 0) <= count * 1.2 + 2, `${resource} is there twice`)
  }
}

interface Attempt {
  last_attempt: { status: string } | null
}
