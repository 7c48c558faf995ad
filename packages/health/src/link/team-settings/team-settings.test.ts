import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { assertRefusal, assertRefused } from '../../../../server/test/assert-refusal.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const manage = (method: string, path: string, body?: object) => harness.manage(method, path, body)

describe('scopes that a team demands', () => {
  const url = () => `/team/${harness.teamId}/scope_requirements`
  const demand = { user_must_grant: ['daily'], user_may_grant: ['email'] }

  test('are kept by provider, and taken away by null', async () => {
    const stored = await manage('POST', url(), { oura: demand, fitbit: { ...demand } })
    assert.equal(stored.status, 200)
    const { team_id } = { team_id: harness.teamId }
    const oura = { ...demand, team_id, provider: 'oura' }
    assert.deepEqual((await manage('GET', `${url()}?provider=oura`)).body.requirements, [oura])
    const { body } = await manage('POST', url(), { fitbit: null })
    assert.deepEqual(body.requirements, [oura])
    await manage('POST', url(), { oura: null })
    assert.deepEqual((await manage('GET', url())).body.requirements, [])
  })

  test('are refused with blanks in them, and for a team that is not there', async () => {
    const blank = { oura: { ...demand, user_must_grant: ['two words'] } }
    assert.equal((await manage('POST', url(), blank)).status, 422)
    assert.equal((await manage('GET', `/team/${newId()}/scope_requirements`)).status, 404)
  })
})

describe("a team's own app", () => {
  const url = '/team_custom_credentials/sandbox/us'
  const app = () => ({ team_id: harness.teamId, provider: 'oura' })

  test('is kept with its secret sealed, and shown by a hash', async () => {
    const first = await manage('POST', url, { ...app(), client_id: 'a', client_secret: 'hush' })
    assert.equal(first.status, 200, first.text)
    assert.equal(first.text.includes('hush'), false)
    const hash = createHash('sha256').update('hush').digest('hex')
    const shown = {
      id: first.body.id,
      client_id: 'a',
      client_secret_hash: hash,
      source: 'oura',
      team_id: harness.teamId,
      created_at: first.body.created_at,
      updated_at: first.body.created_at,
      details: null,
      app_url: null,
      redirect_url_override: null,
    }
    assert.deepEqual(first.body, shown)
    harness.clock.advance(60)
    const redirect_url_override = 'https://clinic.example/back'
    const changed = await manage('POST', url, { ...app(), redirect_url_override })
    assert.deepEqual(changed.body, {
      ...shown,
      updated_at: changed.body.updated_at,
      redirect_url_override,
    })
    const { body } = await manage('GET', `${url}?team_id=${harness.teamId}`)
    assert.deepEqual(body, { credentials: [changed.body], next_cursor: null })
    const prepare = '/prepare_team_custom_credentials/sandbox/us'
    const { preparation_steps: steps } = (await manage('POST', prepare, app())).body
    assert.deepEqual(steps[0].value, redirect_url_override)
    const gone = newId()
    const removal = `${url}?credential_id=${first.body.id}&credential_id=${gone}`
    const report = (await manage('DELETE', removal)).body
    assert.deepEqual(report, { success: [first.body.id], failure: [], not_found: [gone] })
    assert.deepEqual((await manage('GET', url)).body.credentials, [])
    const { rows } = await harness.database.pool.query('select name from credentials')
    assert.deepEqual(rows, [])
  })

  test('needs an id and a secret, and a team that lives there', async () => {
    assertRefused(await manage('POST', url, app()), 'client_id', 'missing')
    const half = { ...app(), client_id: 'a' }
    assertRefused(await manage('POST', url, half), 'client_secret', 'missing')
    const elsewhere = '/team_custom_credentials/sandbox/eu'
    const whole = { ...half, client_secret: 'b' }
    assert.equal((await manage('POST', elsewhere, whole)).status, 422)
    assert.equal((await manage('POST', url, { ...whole, team_id: newId() })).status, 404)
    const secrets = { ...whole, secrets: { subscription_key: 'c' } }
    assertRefused(await manage('POST', url, secrets), 'secrets', 'enum')
    const override = { ...whole, redirect_url_override: 'javascript:alert(1)' }
    assertRefused(await manage('POST', url, override), 'redirect_url_override', 'invalid_url')
    assertRefusal(await manage('GET', `${url}?next_cursor=x`), 400, 'invalid_cursor')
  })
})

describe('how much history teams want', () => {
  const url = '/team_data_pull_preferences/sandbox/us'
  const limited = (days: number) => ({
    historical_days_to_pull: days,
    historical_days_to_pull_limit: 365,
  })

  test('is that of the table of providers until they say so', async () => {
    const { body } = await manage('GET', `${url}?provider=oura&provider=strava`)
    assert.deepEqual(body, {
      data_pull_preferences: [
        {
          team_id: harness.teamId,
          providers: {
            oura: { default: limited(180), resource_overrides: {} },
            strava: { default: limited(14), resource_overrides: {} },
          },
        },
      ],
      next_cursor: null,
    })
    const days = (count: number) => ({ historical_days_to_pull: count })
    const oura = { default: days(30), resource_overrides: { sleep: days(0) } }
    const update = { team_ids: [harness.teamId], providers: { oura } }
    const changed = (await manage('POST', url, update)).body.data_pull_preferences
    const chosen = { default: limited(30), resource_overrides: { sleep: limited(0) } }
    assert.deepEqual(changed, [{ team_id: harness.teamId, providers: { oura: chosen } }])
    const reset = `${url}?team_id=${harness.teamId}&provider=oura`
    assert.deepEqual((await manage('DELETE', reset)).body, { success: true })
    const after = (await manage('GET', `${url}?provider=oura`)).body.data_pull_preferences
    assert.deepEqual(after[0].providers.oura.default, limited(180))
  })

  test('is listed by pages of teams', async () => {
    await harness.makeTeam()
    const list = async (more = '') =>
      (await manage('GET', `${url}?provider=oura&limit=1${more}`)).body
    const first = await list()
    const second = await list(`&next_cursor=${first.next_cursor}`)
    assert.equal(second.next_cursor, null)
    const teams = [...first.data_pull_preferences, ...second.data_pull_preferences]
    assert.equal(new Set(teams.map(({ team_id }) => team_id)).size, 2)
  })

  test('is refused for more than a year, and of what there is not', async () => {
    const send = (providers: object, team_id = harness.teamId) =>
      manage('POST', url, { team_ids: [team_id], providers })
    const days = { historical_days_to_pull: 30 }
    const tooLong = { oura: { default: { historical_days_to_pull: 366 } } }
    assert.equal((await send(tooLong)).status, 422)
    assert.equal(
      (await send({ manual: { default: days } })).body.detail[0].type,
      'unknown_provider',
    )
    const noSuch = { oura: { default: days, resource_overrides: { glucose: days } } }
    assert.equal((await send(noSuch)).body.detail[0].type, 'enum')
    assert.equal((await send({ oura: { default: days } }, newId())).status, 404)
  })
})
