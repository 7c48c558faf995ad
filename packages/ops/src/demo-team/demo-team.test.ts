import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/**
 * What a filled demo team holds is tested in the console (packages/web/test/console-start.test.ts).
 */

const harness = useFixture(() => createHarness({}, { poolSize: 12 }))

const STEPS = [
  ...['settings', 'first_person', 'people', 'orders', 'unmatched_results', 'history'],
  'lab_reports',
]

test('an organization has no demo team until one is requested', async () => {
  const { status, body } = await harness.manage('GET', '/demo_team')
  assert.equal(status, 200)
  assert.equal(body.status, 'none')
  assert.deepEqual(
    body.steps,
    STEPS.map((step) => ({ step, status: 'waiting' })),
  )
})

test('only whoever may make teams reads, makes or removes it', async () => {
  const { id } = await harness.makeTeam()
  const bound = { label: 'Bound', role: 'team_admin', team_role_bindings: [{ team_id: id }] }
  const { body } = await harness.manage('POST', '/management_key', bound)
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await harness.manage(method, '/demo_team', undefined, body.key)
    assert.equal(answer.status, 403)
    assert.equal(answer.body.detail.error_type, 'role_too_low')
  }
})

test('without the emulated providers there is no source to fill it from', async () => {
  const other = await createAnother({ providerEmulator: false })
  const answer = await other('POST')
  assert.equal(answer.statusCode, 403)
  assert.equal(answer.json().detail.error_type, 'feature_not_enabled')
})

test('it is filled once, cannot be removed meanwhile, and begins anew when its server ended', async () => {
  // The second filling ends with the test.
  harness.errors.expect('a demo team could not be filled')
  const started = await harness.manage('POST', '/demo_team')
  assert.equal(started.status, 200, started.text)
  assert.equal(started.body.status, 'filling')
  const again = await harness.manage('POST', '/demo_team')
  assert.equal(again.body.team_id, started.body.team_id)
  const refused = await harness.manage('DELETE', '/demo_team')
  assert.equal(refused.status, 409)
  assert.equal(refused.body.detail.error_type, 'demo_team_filling')

  // As after a crash: another process fills, and says nothing any more.
  await harness.database.pool.query('update demo_teams set run_id = gen_random_uuid()')
  harness.clock.advance(61)
  const lost = await harness.manage('GET', '/demo_team')
  assert.equal(lost.body.status, 'failed')
  assert.equal(lost.body.problem, 'The server ended before the team was filled.')
  assert.ok(lost.body.steps.some((step: { status: string }) => step.status === 'failed'))

  const anew = await harness.manage('POST', '/demo_team')
  assert.equal(anew.body.status, 'filling', anew.text)
  assert.notEqual(anew.body.team_id, started.body.team_id)
  const former = await harness.manage('GET', `/team/${started.body.team_id}`)
  assert.equal(former.status, 404)
})

/** The application with other settings, on the same stores. */
async function createAnother(settings: { providerEmulator: boolean }) {
  const { buildApp } = await import('../../../server/src/app.ts')
  const config = { ...harness.config, ...settings }
  const app = await buildApp({ ...harness.dependencies, config })
  after(() => app.close())
  return (method: 'POST') =>
    app.inject({
      method,
      url: `/v1/org/${harness.organizationId}/demo_team`,
      headers: { 'x-management-key': harness.managementKey },
    })
}
