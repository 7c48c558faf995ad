import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ConsoleBrowser, openConsoleBrowser } from '../../../test/console/console-browser.ts'
import { createHarness, type Harness } from '../../../test/harness.ts'

let harness: Harness
before(async () => {
  harness = await createHarness()
})
after(() => harness.close())

async function signIn(key = harness.managementKey): Promise<ConsoleBrowser> {
  const browser = openConsoleBrowser(harness)
  const answer = await browser.send('POST', '/v1/console/session', { management_key: key })
  assert.equal(answer.status, 200, answer.text)
  return browser
}

describe('signing in with a management key', () => {
  test('gives a cookie that no script reads, and tells who is signed in', async () => {
    const browser = openConsoleBrowser(harness)
    const answer = await browser.send('POST', '/v1/console/session', {
      management_key: harness.managementKey,
    })
    assert.equal(answer.status, 200)
    assert.match(
      String(answer.headers['set-cookie']),
      /^salus-console=cs_\w{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const { key, organization, team_ids, is_operator, is_empty } = answer.body
    assert.equal(key.role, 'org_admin')
    assert.equal(organization.id, harness.organizationId)
    assert.deepEqual([team_ids, is_operator, is_empty], [null, true, true])
    const { body } = await browser.send('GET', '/v1/console/session')
    assert.deepEqual(body, answer.body)
  })

  test('opens the management API with the role of the key, and not the team API', async () => {
    const browser = await signIn()
    const organization = `/v1/org/${harness.organizationId}`
    assert.equal((await browser.send('GET', organization)).status, 200)
    assert.equal((await browser.send('PATCH', organization, { name: 'Ours' })).status, 200)
    assert.equal((await browser.send('GET', '/v2/user')).status, 401)
  })
})
