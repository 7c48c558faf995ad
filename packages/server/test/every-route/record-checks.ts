import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ROUTE_CASES, requestOf } from '../route-cases.ts'
import { ownIds } from '../subject.ts'
import type { RouteWalk } from './route-walk.ts'

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Returns which of some texts are in another one. Most are ids, which are looked up together. */
function findTexts(texts: readonly string[], whole: string): string[] {
  const ids = new Set(whole.match(ID))
  return texts.filter((text) =>
    text.match(ID)?.[0] === text ? ids.has(text) : whole.includes(text),
  )
}

/**
 * What people who run the service see of requests: metrics and logs, of the owner's walk and of
 * what is refused.
 */
export function describeRecords(walk: () => RouteWalk): void {
  describe('what is kept of requests', () => {
    let lines: string[]
    let metrics: string
    let personal: string[]

    before(async () => {
      const { harness, logged: app, subjects } = walk()
      lines = walk().lines
      for (const [entry, subject] of subjects) {
        const { url, payload, headers } = requestOf(entry, subject)
        const keys = {
          'x-service-api-key': harness.apiKey,
          'x-management-key': harness.managementKey,
        }
        const request = { method: entry.method as 'GET', payload, headers: { ...headers, ...keys } }
        // Refusals are logged too: a wrong key, a broken address.
        await app.inject({ ...request, url: `${url}%zz` })
        await app.inject({ ...request, url, headers: { 'x-service-api-key': 'sk_us_a-wrong-key' } })
      }
      const email = { client_user_id: 'someone@example.com' }
      const keys = { 'x-service-api-key': harness.apiKey }
      await app.inject({ method: 'POST', url: '/v2/user', payload: email, headers: keys })
      await app.inject({ method: 'GET', url: '/v2/nowhere/someone@example.com' })
      metrics = (await app.inject({ method: 'GET', url: '/metrics' })).body
      const ofSubjects = [...subjects.values()].flatMap((subject) =>
        ownIds(subject)
          .filter(([name]) => name !== 'organizationId' && name !== 'teamId')
          .map(([, value]) => value),
      )
      // Digits alone also turn up in request ids, times and counts: each of these holds more.
      const ofAddress = ['Main St', '85001-2345', '+15550100']
      const ofDemographics = ['Moreau', 'ada.moreau', '1990-04-12', ...ofAddress]
      const keysAndNames = [harness.apiKey, harness.managementKey, 'a-wrong-key', 'someone']
      personal = [...ofSubjects, ...ofSubjects.map(encodeURIComponent), ...ofDemographics]
      personal.push(...keysAndNames, 'Europe/Vienna', 'After a walk', 'Watch7,5')
      // Subjects share much, and each text is looked for in all that was kept.
      personal = [...new Set(personal)]
    })

    test('metrics of every route, allowed and refused, are a text of a bounded size', () => {
      assert.ok(metrics.length < 1_800_000, `${metrics.length}`)
    })

    test('metrics count by route pattern and hold no id', () => {
      assert.match(metrics, /route="\/v2\/user\/:user_id",status="2xx"/)
      assert.deepEqual(findTexts(personal, metrics), [])
      assert.doesNotMatch(metrics, /[0-9a-f]{8}-[0-9a-f]{4}-/)
    })

    test('each request leaves one line with its pattern, status and time', () => {
      const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
      assert.ok(requests.length > ROUTE_CASES.length)
      for (const { level, time, method, route, status, ms, reqId } of requests) {
        assert.equal(level, 'info')
        assert.match(time, /^\d{4}-.*Z$/)
        assert.match(method, /^[A-Z]+$/)
        assert.match(route, /^(\/[\w:./$-]*|unknown)$/)
        assert.equal(typeof status, 'number')
        assert.equal(typeof ms, 'number')
        assert.equal(typeof reqId, 'string')
      }
    })

    test('logs hold no id of a person, no personal data and no key', () => {
      assert.deepEqual(findTexts(personal, lines.join('')), [])
    })

    test('a client_user_id that looks like an e-mail address is warned of, and not quoted', () => {
      const warnings = lines
        .map((line) => JSON.parse(line))
        .filter(({ level, msg }) => level === 'warn' && /looks like an e-mail address/.test(msg))
      assert.equal(warnings.length, 1)
    })

    test('no request failed in an unexpected way', () => {
      assert.deepEqual(
        lines.filter((line) => line.includes('"level":"error"')),
        [],
      )
    })
  })
}
