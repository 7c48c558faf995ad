import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  GARMIN_DAY,
  GARMIN_NIGHT,
  GARMIN_PAGES,
} from '../../../../server/test/connectors/pages/garmin.pages.ts'
import { VendorError, vendorUrl } from '../vendor-client.ts'
import { GARMIN } from './garmin.connector.ts'
import { GARMIN_PUSH } from './garmin-push.ts'

const { userId } = GARMIN_DAY
const read = (body: unknown) => GARMIN_PUSH.read(body)

test('a message has records of several users and types, each a page without the token', () => {
  const other = { ...GARMIN_DAY, userId: 'other', summaryId: 'o' }
  const notices = read({ dailies: [GARMIN_DAY, other, GARMIN_DAY], sleeps: [GARMIN_NIGHT] })
  assert.deepEqual(
    notices.map((notice) => [notice.accountId, notice.collection, notice.range]),
    [
      [userId, 'dailies', null],
      ['other', 'dailies', null],
      [userId, 'sleeps', null],
    ],
  )
  const [own] = notices
  const { userAccessToken: _token, ...day } = GARMIN_DAY
  assert.deepEqual(own?.page, { dailies: [day, day] })
  assert.doesNotMatch(JSON.stringify(notices), /a-secret/)
})

test('every type of record is a page of its collection', () => {
  for (const { name } of GARMIN.collections) {
    const pages = GARMIN_PAGES[name]
    const [notice] = read(pages?.page(pages.records))
    assert.equal(notice?.collection, name)
  }
  for (const [name, collection] of [
    ['manuallyUpdatedActivities', 'activities'],
    ['pulseOx', 'pulseox'],
    ['respiration', 'allDayRespiration'],
  ]) {
    assert.equal(
      read({ [name as string]: [{ userId, summaryId: '1' }] })[0]?.collection,
      collection,
    )
  }
})

test('a user who ends the access is reported; changed permissions need nothing', () => {
  const ended = [{ accountId: userId, collection: null, range: null }]
  assert.deepEqual(read({ deregistrations: [{ userId }] }), ended)
  const permissions = { userId, permissions: ['HEALTH_EXPORT'], changeTimeInSeconds: 1 }
  assert.deepEqual(read({ userPermissionsChange: [permissions] }), [])
})

test('what is not a record of a user is left out', () => {
  const ping = { userId, callbackURL: 'https://apis.garmin.com/wellness-api/rest/dailies?x' }
  for (const body of [
    { dailies: [ping] },
    { dailies: [{ summaryId: '1' }, 7, null] },
    { dailies: 'none', error: 'x' },
    { moveIQActivities: [{ userId, summaryId: '1' }] },
    { activityFiles: [{ userId, callbackURL: 'https://x' }] },
    { __proto__: [{ userId }], constructor: [{ userId }] },
    {},
  ]) {
    assert.deepEqual(read(body), [])
  }
  for (const body of [null, [], 'x', 7]) {
    assert.throws(() => read(body), VendorError)
  }
})

test('records of the past are requested by their time in whole seconds', () => {
  const range = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 31) + 1 }
  const urlOf = (name: string) => {
    const collection = GARMIN.collections.find((one) => one.name === name)
    return vendorUrl(GARMIN.hosts, collection?.page(range, null, NO_CONTEXT) ?? assert.fail())
  }
  const base = 'https://apis.garmin.com/wellness-api/rest/backfill'
  const query = 'summaryStartTimeInSeconds=1767225600&summaryEndTimeInSeconds=1769817601'
  assert.equal(urlOf('dailies'), `${base}/dailies?${query}`)
  assert.equal(urlOf('pulseox'), `${base}/pulseOx?${query}`)
  assert.equal(urlOf('allDayRespiration'), `${base}/respiration?${query}`)
  assert.equal(urlOf('mct'), `${base}/mct?${query}`)
})
