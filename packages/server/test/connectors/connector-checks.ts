import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { CONNECTORS, type Connector } from '@salus/health/connectors'
import type { Fault } from '@salus/sandbox/providers'
import { createLinking, type Linking } from '../linking/linking-fixture.ts'
import { useFixture } from '../use-fixture.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import { ABSENT, NAMES, WITHOUT_REFRESH } from './absent-resources.registry.ts'
import { connectAccount } from './connect-account.ts'
import { countRecords } from './stored-records.ts'

const DAYS = 4
/** Messages of some vendors are about exercise only, which a person may not do for some days. */
const DAYS_OF_MESSAGES = [DAYS, 40]
/** A busy machine takes long for many polls. */
const PATIENCE_SECONDS = 60
/** People of a vendor who have every resource together. */
const MOST_PEOPLE = 15

/**
 * Each connector meets some of them in the system ring, its neighbours others, and all in
 * campaigns: all connectors read statuses and JSON by the same functions.
 */
const TROUBLES: readonly Fault[] = [
  { kind: 'rate_limit', times: 2, milliseconds: 20_000 },
  { kind: 'server_error', times: 2 },
  { kind: 'unavailable', times: 2 },
  { kind: 'malformed', times: 2 },
  { kind: 'unauthorized', times: 1 },
]

export const ALL_TROUBLES = TROUBLES.length

/** Connectors with much to pull have a file of their own, so that several processes share them. */
export const hasManyCollections = ({ collections }: Connector): boolean => collections.length > 6

/**
 * One contract for every connector, against the emulated vendor: sign-in, the history of every
 * resource, repetition, refresh, limits, trouble, messages, and the end of the access. That the
 * values equal those of the emulated person is the matter of `<slug>-emulated.test.ts`.
 * @param isChosen Which connectors this file has
 * @param troubles Number of troubles that each meets
 */
export function describeConnectors(
  isChosen: (connector: Connector) => boolean,
  troubles: number,
): void {
  const chosen = CONNECTORS.filter(isChosen)
  const linking = useFixture(createLinking)
  before(async () => {
    for (const { slug } of chosen) await linking.wantDays(DAYS, slug)
  })
  for (const connector of chosen) {
    const subject = new Subject(linking, connector)
    describe(connector.slug, () => describeConnector(subject, chooseTroubles(connector, troubles)))
  }
}

/** A connector and its first user, who signs in with the first test. */
class Subject {
  readonly linking: Linking
  readonly connector: Connector
  readonly account: string
  userId = ''

  constructor(linking: Linking, connector: Connector) {
    this.linking = linking
    this.connector = connector
    const name = NAMES[connector.slug] ?? 'casey'
    this.account = `${name}.${connector.slug}@example.com`
  }

  get slug(): string {
    return this.connector.slug
  }

  count(userId = this.userId): Promise<Record<string, number>> {
    return countRecords(this.linking, this.slug, userId)
  }

  async waitForHistory(userId = this.userId) {
    const { linking, connector, slug } = this
    if (isByMessage(connector)) {
      // A vendor's budget has a tenth of its requests at once.
      for (let minute = 0; minute < 3; minute++) await linking.advance(1)
      // Messages about the past have come, and no more follow.
      await linking.advance((7 * HOUR_MS) / 60_000)
    }
    return linking.waitForHistory(userId, slug)
  }

  /** Waits for the history of a user. @returns the numbers of stored records by resource */
  async pullHistory(userId = this.userId): Promise<Record<string, number>> {
    const history = await this.waitForHistory(userId)
    const failed = Object.entries(history).filter(([, { status }]) => status !== 'success')
    assert.deepEqual(failed, [])
    return this.count(userId)
  }

  /**
   * Polls as after some hours; the trouble of the vendor is over then. The budget of a vendor has a
   * tenth of a minute's requests at once, and fills in the minutes after.
   */
  async passHours(hours: number): Promise<void> {
    await this.linking.advance(hours * 60)
    for (let minute = 0; minute < 2; minute++) await this.linking.advance(1)
  }

  async status(userId = this.userId) {
    return (await this.linking.connectionOf(userId, this.slug))?.status
  }

  /** Resources whose last attempt failed. */
  async failedResources(): Promise<string[]> {
    const { linking, slug, userId } = this
    const url = `/v2/introspect/resources?user_id=${userId}&provider=${slug}`
    const { body } = await linking.call('GET', url)
    const attempts: Record<string, Attempt> = body.data[0].provider[slug]
    return Object.keys(attempts).filter(
      (name) => attempts[name]?.last_attempt?.status !== 'success',
    )
  }

  setFaults(faults: readonly Fault[]): Promise<void> {
    return this.linking.emulator.setFaults(this.slug, this.account, faults)
  }
}

interface Attempt {
  last_attempt: { status: string } | null
}

function chooseTroubles(connector: Connector, count: number): Fault[] {
  const first = CONNECTORS.indexOf(connector)
  return TROUBLES.filter((_, index) => (index + first) % TROUBLES.length < count)
}

function describeConnector(subject: Subject, troubles: readonly Fault[]): void {
  const { auth, push, slug } = subject.connector
  describeSignIn(subject)
  if (auth.kind === 'password') describePassword(subject)
  // Histories can be triggered for providers with OAuth only.
  if (auth.kind === 'oauth') describeTrigger(subject)

  test('renews an access that has expired', async () => {
    await subject.linking.emulator.expire(slug, subject.account)
    await subject.passHours(7)
    assert.equal(await subject.status(), 'connected')
  })

  if (!isByMessage(subject.connector)) describeTroubles(subject, troubles)
  if (push !== undefined) describeMessages(subject)

  test('ends when the user ends the access at the vendor', async () => {
    await subject.linking.emulator.revoke(slug, subject.account)
    const hasEnded = async () => {
      await subject.passHours(7)
      return (await subject.status()) === 'error'
    }
    await waitFor('the connection to end', hasEnded, PATIENCE_SECONDS)
  })
}

const isByMessage = ({ collections }: Connector): boolean =>
  collections.some(({ history }) => history === 'by_message')

/**
 * The emulated vendor gets the address of messages with the first sign-in of an environment, beside
 * the first request for the past, and sends nothing of what was requested before.
 */
async function enterPushAddress({ linking, connector, account, slug }: Subject): Promise<void> {
  const userId = await connectAccount(linking, connector, `first.${account}`)
  await linking.settle()
  await linking.disconnect(userId, slug)
}

function describeSignIn(subject: Subject): void {
  const { connector, linking, account, slug } = subject

  test('signs a user in and pulls the history of every resource', async () => {
    if (isByMessage(connector)) await enterPushAddress(subject)
    subject.userId = await connectAccount(linking, connector, account)
    const counts = await subject.pullHistory()
    let absent = Object.keys(counts).filter((resource) => counts[resource] === 0)
    const isExpected = (resource: string) => ABSENT[slug]?.includes(resource)
    // What one person does not do in these days, such as a workout, another one does.
    for (let other = 2; other <= MOST_PEOPLE && !absent.every(isExpected); other++) {
      const otherId = await connectAccount(linking, connector, `other${other}.${account}`)
      const theirs = await subject.pullHistory(otherId)
      await linking.disconnect(otherId, slug)
      absent = absent.filter((resource) => theirs[resource] === 0)
    }
    assert.deepEqual(
      absent.filter((resource) => !isExpected(resource)),
      [],
    )
  })
}

function describePassword(subject: Subject): void {
  const { connector, linking, account, slug } = subject
  const { auth } = connector

  test('refuses a wrong password, and asks for a code where the vendor does', async () => {
    const { token, userId } = await linking.issue()
    const path = `/v2/link/provider/password/${slug}`
    const signIn = async (password: string) => {
      const body = { username: `first.${account}`, password }
      return (await linking.link('POST', path, token, body)).body
    }
    assert.equal((await signIn('wrong')).error_type, 'provider_credential_error')
    assert.equal((await signIn('down')).error_type, 'provider_api_error')
    if (auth.kind !== 'password' || auth.completeMfa === undefined) return
    assert.equal((await signIn('code')).state, 'pending_provider_mfa')
    const complete = async (mfa_code: string) =>
      (await linking.link('POST', `${path}/complete_mfa`, token, { mfa_code })).body
    assert.equal((await complete('000000')).error_type, 'incorrect_mfa_code')
    assert.equal((await complete('123456')).state, 'success')
    assert.equal(await subject.status(userId), 'connected')
    await linking.disconnect(userId, slug)
  })

  test('changes nothing when the user signs in again', async () => {
    await linking.settle()
    const before = await subject.count()
    await connectAccount(linking, connector, account, subject.userId)
    await subject.pullHistory()
    await subject.passHours(1)
    assertSame(before, await subject.count())
  })
}

function describeTrigger(subject: Subject): void {
  const { linking, slug } = subject

  test('changes nothing when everything is pulled again', async () => {
    // Time has gone on while other people were pulled.
    await linking.settle()
    const before = await subject.count()
    const body = { user_ids: [subject.userId], provider: slug }
    const again = await linking.call('POST', '/v2/link/bulk_trigger_historical_pull', body)
    assert.ok(again.status < 300, again.text)
    await linking.settle()
    await subject.waitForHistory()
    assertSame(before, await subject.count())
  })
}

function describeTroubles(subject: Subject, troubles: readonly Fault[]): void {
  for (const fault of troubles) {
    if (fault.kind === 'unauthorized' && WITHOUT_REFRESH.has(subject.slug)) continue

    test(`survives trouble of the vendor: ${fault.kind}`, async () => {
      await subject.setFaults([fault])
      await subject.passHours(7)
      await subject.setFaults([])
      assert.equal(await subject.status(), 'connected')
      // Budgets of vendors fill with time, some within hours.
      let minutes = 1
      const isHealthy = async () => {
        const failed = await subject.failedResources()
        if (failed.length > 0) await subject.linking.advance(minutes)
        minutes = Math.min(60, minutes * 2)
        return failed.length === 0
      }
      await waitFor('every resource to be there again', isHealthy, PATIENCE_SECONDS)
    })
  }
}

function describeMessages(subject: Subject): void {
  const { linking, account, slug } = subject

  test('takes the messages of the vendor, twice and in any order', async () => {
    await subject.setFaults([{ kind: 'push_twice' }, { kind: 'push_shuffled' }])
    const to = linking.now()
    let sent = 0
    for (const days of DAYS_OF_MESSAGES) {
      const from = to - days * DAY_MS
      if (sent === 0) sent = await linking.emulator.push(slug, account, { from, to })
    }
    assert.ok(sent > 0, 'the vendor has something to say')
    await linking.settle()
    await subject.setFaults([])
    const { rows } = await linking.harness.database.pool.query('select from vendor_messages')
    assert.equal(rows.length, 0)
    assert.equal(await subject.status(), 'connected')
  })
}

/** The day goes on, so that later records may have come. */
function assertSame(before: Record<string, number>, after: Record<string, number>): void {
  for (const [resource, count] of Object.entries(before)) {
    assert.ok((after[resource] ?? 0) >= count, `${resource}: ${count}, then ${after[resource]}`)
    assert.ok((after[resource] ?? 0) <= count * 1.2 + 2, `${resource} is there twice`)
  }
}
