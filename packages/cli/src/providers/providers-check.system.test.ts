import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseOperatorApps } from '@salus/health/connectors'
import { type HarnessServer, startHarnessServer } from '../testing/harness-server.ts'
import { startSalus } from '../testing/salus-command.ts'

let server: HarnessServer
before(async () => {
  const apps = { oura: { client_id: 'operator', client_secret: 'hush' } }
  const operatorApps = parseOperatorApps(JSON.stringify(apps))
  server = await startHarnessServer({ operatorApps, baseUrl: 'http://localhost:8787' })
})
after(() => server.stop())

const providers = (...args: string[]) =>
  startSalus(['providers', ...args, '--url', server.url, '--data-dir', server.dataDirectory]).result

describe('salus providers', () => {
  it('lists every provider with its state and its app', async () => {
    const { code, stdout, stderr } = await providers('list')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^oura +oauth +documented_schema +connects +configured +13$/m)
    assert.match(stdout, /^google_fit +oauth +closed +refuses +– +12$/m)
    assert.match(stdout, /^freestyle_libre +email +emulator_only +refuses +missing +4$/m)
    assert.match(stdout, /^apple_health_kit +sdk +uploads +connects +– +\d+$/m)
    assert.ok(stdout.split('\n').every((line) => line.length <= 100))
    const { data } = JSON.parse((await providers('list', '--json')).stdout)
    assert.equal(data[0].provider, 'oura')
  })

  it('checks one, prints what to register, and exits with 1 for a problem', async () => {
    const { code, stdout } = await providers('check', 'oura')
    assert.equal(code, 1)
    assert.match(stdout, /^ok +An app is configured\.$/m)
    assert.match(
      stdout,
      /^PROBLEM +http:\/\/localhost:8787 is not https, which vendors require\.$/m,
    )
    assert.match(stdout, /^Redirect address +http:\/\/localhost:8787\/v2\/link\/connect\/oura$/m)
    assert.match(
      stdout,
      /^Push address +http:\/\/localhost:8787\/v2\/provider\/oura\/push \(Salus enters it/m,
    )
    assert.match(stdout, /^Scopes +personal daily /m)
    assert.match(stdout, /^ {2}1\. \S/m)
    assert.doesNotMatch(stdout, /hush/)
    const { checks } = JSON.parse((await providers('check', 'oura', '--json')).stdout)
    assert.equal(checks.at(-1).state, 'skipped')
    const free = await providers('check', 'abbott_libreview')
    assert.deepEqual([free.code, free.stderr], [0, ''])
    const unknown = await providers('check', 'our')
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /^salus: There is no provider our\. Did you mean oura\?$/m)
  })
})
