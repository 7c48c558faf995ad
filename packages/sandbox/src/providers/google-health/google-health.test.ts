import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'
import { Calendar } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { DATA_TYPES, scopeName } from './data-types.registry.ts'
import { isDeletedLater, recordedSleeps } from './sleep-records.ts'

const SCOPES = [
  ...new Set([...DATA_TYPES.values()].map(({ scope }) => scope)),
  'location',
  'settings',
]
const ME = 'google_health/api/v4/users/me'
const TOKEN = 'google_health/oauth/token'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const grant = (account: string, scopes = SCOPES) =>
  vendors.emulator.grant('google_health', account, scopes.map(scopeName))

const points = (type: string, query: Record<string, string>, method = '') =>
  `${ME}/dataTypes/${type}/dataPoints${method}?${new URLSearchParams(query)}`

async function tokenOf(account: string, scopes?: string[]): Promise<string> {
  return (await grant(account, scopes)).access_token
}

describe('Google Health', () => {
  test('serves merged records page by page, the newest first, as the truth says', async () => {
    const token = await tokenOf('anna+live')
    const [from, to] = ['2026-02-20T00:00:00.000Z', '2026-02-22T00:00:00.000Z']
    const span = { from: Date.parse(from), to: Date.parse(to) }
    const truth = vendors.emulator.truthOf('google_health', 'anna+live', span)
    const member = 'heart_rate.sample_time.physical_time'
    const filter = `${member} >= "${from}" AND ${member} < "${to}"`
    const records: { heartRate: { sampleTime: { physicalTime: string } } }[] = []
    for (let pageToken = ''; ; ) {
      const query = { filter, pageSize: '1000', ...(pageToken && { pageToken }) }
      const { body } = await vendors.call('GET', points('heart-rate', query, ':reconcile'), {
        token,
      })
      records.push(...body.dataPoints)
      if (body.nextPageToken === undefined) break
      pageToken = body.nextPageToken
    }
    assert.deepEqual(records, truth['heart-rate'])
    assert.ok(records.length > 2000)
    const times = records.map(({ heartRate }) => heartRate.sampleTime.physicalTime)
    assert.deepEqual(times, times.toSorted().reverse())
  })

  test('lists every source; the merged list has the steps of the band only', async () => {
    const token = await tokenOf('anna+live')
    const read = async (method: string) => {
      const filter = 'steps.interval.start_time >= "2026-02-27T00:00:00Z"'
      const query = { filter, pageSize: '10000' }
      const { body } = await vendors.call('GET', points('steps', query, method), { token })
      return body.dataPoints as { dataSource?: object }[]
    }
    const [raw, merged] = [await read(''), await read(':reconcile')]
    assert.ok(raw.length > merged.length)
    assert.ok(merged.every(({ dataSource }) => dataSource === undefined))
    assert.ok(raw.every(({ dataSource }) => dataSource !== undefined))
  })

  test('refuses what the vendor refuses, in its form', async () => {
    const token = await tokenOf('anna', ['sleep'])
    const reasonOf = async (path: string, given: object = { token }) => {
      const { status, body } = await vendors.call('GET', path, given)
      return [status, body.error.status, body.error.details?.[0].reason]
    }
    assert.deepEqual(await reasonOf(points('body-temperature', {})), [
      400,
      'INVALID_ARGUMENT',
      'INVALID_PARENT_DATA_TYPE_COLLECTION',
    ])
    assert.deepEqual(await reasonOf(points('steps', {})), [
      403,
      'PERMISSION_DENIED',
      'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    ])
    const wrong = { filter: 'sleep.interval.start_time >= "2026-02-27T00:00:00Z"' }
    assert.deepEqual(await reasonOf(points('sleep', wrong)), [
      400,
      'INVALID_ARGUMENT',
      'INVALID_DATA_POINT_FILTER_DATA_TYPE_MEMBER',
    ])
    assert.deepEqual(await reasonOf(points('sleep', {}), { token: 'x' }), [
      401,
      'UNAUTHENTICATED',
      undefined,
    ])
    const all = await tokenOf('anna')
    assert.deepEqual(await reasonOf(points('floors', {}), { token: all }), [
      400,
      'INVALID_ARGUMENT',
      'UNSUPPORTED_DATA_TYPE_ACTION',
    ])
    const unlinked = await tokenOf('anna+unlinked')
    assert.deepEqual(await reasonOf(`${ME}/settings`, { token: unlinked }), [
      400,
      'FAILED_PRECONDITION',
      'ACCOUNT_NOT_LINKED',
    ])
  })

  test('sums at most 14 days of heart rates, and 90 of steps', async () => {
    const token = await tokenOf('anna')
    const sums = async (type: string, days: number) => {
      const day = (number: number) => {
        const date = new Date(Date.UTC(2026, 1, 1) - number * DAY_MS)
        return {
          date: {
            year: date.getUTCFullYear(),
            month: date.getUTCMonth() + 1,
            day: date.getUTCDate(),
          },
        }
      }
      const json = { range: { start: day(days), end: day(0) }, windowSizeDays: 1 }
      const path = `${ME}/dataTypes/${type}/dataPoints:dailyRollUp`
      const { status, body } = await vendors.call('POST', path, { token, json })
      return status === 200 ? body.rollupDataPoints.length : status
    }
    assert.equal(await sums('heart-rate', 15), 400)
    assert.ok((await sums('heart-rate', 14)) > 8)
    assert.equal(await sums('steps', 90), 90)
    assert.equal(await sums('steps', 91), 400)
  })

  test('limits a person to 300 requests a minute', async () => {
    const token = await tokenOf('anna')
    const statuses: number[] = []
    for (let times = 0; times < 301; times++) {
      statuses.push((await vendors.call('GET', `${ME}/identity`, { token })).status)
    }
    assert.deepEqual([statuses[299], statuses[300]], [200, 429])
  })

  test('keeps a refresh token, and brings none with a new access token', async () => {
    const { refresh_token } = await grant('anna')
    const form = {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: 'sandbox',
      client_secret: 'sandbox',
    }
    for (let times = 0; times < 2; times++) {
      const answer = (await vendors.post(TOKEN, form)).json()
      assert.equal(answer.refresh_token, undefined)
      assert.deepEqual([answer.token_type, answer.expires_in], ['Bearer', 3599])
    }
  })

  test('has the stages of a sleep some time after it, and some naps are deleted later', () => {
    const calendar = new Calendar(personOf('google_health', 'nina+live'))
    const today = calendar.dayAt(vendors.now.getTime()).number
    const sleeps = [...Array(300).keys()].flatMap((back) =>
      recordedSleeps(calendar, today - back, vendors.now.getTime()),
    )
    const night = sleeps.find(({ kind }) => kind === 'night')
    const nap = sleeps.find((sleep) => isDeletedLater(calendar, sleep))
    assert.ok(night !== undefined && nap !== undefined)
    const servedAt = (sleep: typeof night, now: number) => {
      vendors.now = new Date(now)
      const span = { from: sleep.to - DAY_MS, to: sleep.to + DAY_MS }
      const { sleep: all } = vendors.emulator.truthOf('google_health', 'nina+live', span)
      return (all as Served[]).find(
        (one) => Date.parse(one.sleep.interval.startTime) === sleep.from,
      )?.sleep
    }
    const early = servedAt(night, night.to + HOUR_MS / 2)
    assert.deepEqual([early?.metadata.processed, early?.stages], [false, undefined])
    const later = servedAt(night, night.to + HOUR_MS)
    assert.equal(later?.metadata.processed, true)
    assert.ok((later?.stages?.length ?? 0) > 5)
    assert.equal(servedAt(nap, nap.to + HOUR_MS)?.metadata.processed, true)
    assert.equal(servedAt(nap, nap.to + DAY_MS), undefined)
  })
})

interface Served {
  sleep: {
    interval: { startTime: string }
    metadata: { processed: boolean }
    stages?: object[]
  }
}

describe('subscribers', () => {
  const claims = (change: object = {}) => ({
    iss: 'a@b.example',
    aud: 'https://oauth2.googleapis.com/token',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    exp: vendors.now.getTime() / 1000 + 3600,
    ...change,
  })
  async function projectToken(content: object = claims()): Promise<string | undefined> {
    const body = Buffer.from(JSON.stringify(content)).toString('base64url')
    const answer = await vendors.post(TOKEN, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: `x.${body}.${'s'.repeat(200)}`,
    })
    return answer.json().access_token
  }

  test('need a token of the project, and an address that checks the secret', async () => {
    assert.equal(await projectToken(claims({ exp: 1 })), undefined)
    assert.equal(await projectToken(claims({ aud: 'x' })), undefined)
    const token = await projectToken()
    const base = 'google_health/api/v4/projects/p/subscribers'
    const json = {
      endpointUri: 'https://salus.example/push',
      endpointAuthorization: { secret: 'Bearer abc' },
      subscriberConfigs: [{ dataTypes: ['sleep', 'steps'], subscriptionCreatePolicy: 'AUTOMATIC' }],
    }
    const path = `${base}?subscriberId=salus`
    assert.equal((await vendors.call('POST', path, { token: 'x', json })).status, 401)
    // The address of this test accepts everything, also a request without the secret.
    const careless = await vendors.call('POST', path, { token: token ?? '', json })
    assert.equal(careless.body.error.details[0].reason, 'ENDPOINT_VERIFICATION_FAILED')
    assert.deepEqual(
      vendors.pushed.map(({ headers, body }) => [headers.authorization, body]),
      [
        ['Bearer abc', '{"type":"verification"}'],
        [undefined, '{"type":"verification"}'],
      ],
    )
  })

  test('of an address that was entered by hand get messages about every person', async () => {
    await grant('anna+live')
    const json = {
      client_id: 'sandbox',
      client_secret: 'sandbox',
      callback_url: 'https://salus.example/push',
    }
    await vendors.call('PUT', 'google_health/console/push_address', { json })
    const to = vendors.now.getTime()
    const sent = await vendors.emulator.push('google_health', 'anna+live', {
      from: to - DAY_MS,
      to,
    })
    assert.equal(sent, vendors.pushed.length)
    const messages = vendors.pushed.map(({ body }) => JSON.parse(body)[0].data)
    assert.ok(messages.some(({ dataType }) => dataType === 'sleep'))
    const [message] = messages
    assert.equal(message.healthUserId, vendors.emulator.accountIdOf('google_health', 'anna+live'))
    assert.match(message.intervals[0].physicalTimeInterval.startTime, /Z$/)
    assert.match(vendors.pushed[0]?.headers.authorization ?? '', /^Bearer [0-9a-f]{64}$/)
  })
})
