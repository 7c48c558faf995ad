import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { parseLabPartners } from './partner-settings.ts'

const FULL = {
  production: {
    getlabs: { client_id: 'client', secret: 'very secret' },
    usps: { client_id: 'client', client_secret: 'very secret', requests_per_hour: 120 },
    stedi: { api_key: 'very secret', organization_name: 'Desert Lab', npi: '1234567893' },
    nppes: {},
  },
  sandbox: { nppes: { url: 'http://localhost:9/registry/' } },
}

test('without the setting every partner is off', () => {
  for (const text of [undefined, '', '  ', '{}']) {
    assert.deepEqual(parseLabPartners(text), { sandbox: {}, production: {} })
  }
})

test('partners have the addresses of their production by default, and environments are apart', () => {
  const { production, sandbox } = parseLabPartners(JSON.stringify(FULL))
  assert.equal(production.getlabs?.url, 'https://api.getlabs.com')
  assert.equal(production.usps?.url, 'https://apis.usps.com')
  assert.equal(production.usps?.requestsPerHour, 120)
  assert.match(production.stedi?.url ?? '', /^https:\/\/healthcare\.us\.stedi\.com\/2024-04-01\//)
  assert.equal(production.nppes?.url, 'https://npiregistry.cms.hhs.gov/api')
  assert.deepEqual(sandbox, { nppes: { url: 'http://localhost:9/registry' } })
})

test('secrets are not shown by accident', () => {
  const settings = parseLabPartners(JSON.stringify(FULL))
  assert.equal(settings.production.getlabs?.secret.reveal(), 'very secret')
  const shown = `${JSON.stringify(settings)} ${inspect(settings, { depth: 9 })}`
  assert.doesNotMatch(shown, /very secret/)
})

test('the setting may be the path of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-partners-'))
  const path = join(folder, 'partners.json')
  writeFileSync(path, JSON.stringify(FULL))
  assert.equal(parseLabPartners(path).production.usps?.clientId, 'client')
  rmSync(folder, { recursive: true })
  assert.throws(
    () => parseLabPartners(path),
    /^StartupError: SALUS_LAB_PARTNERS must be JSON or the path/,
  )
})

test('a wrong setting is refused with its reason and without its values', () => {
  const stedi = FULL.production.stedi
  const wrong: [unknown, RegExp][] = [
    [{ staging: {} }, /has an environment that is not one of sandbox, production/],
    [{ production: 7 }, /must give production an object of partners/],
    [
      { production: { hunter2: {} } },
      /has a partner of production that is not one of getlabs, usps/,
    ],
    [{ production: { usps: 'hunter2' } }, /must give production\.usps an object/],
    [{ production: { usps: { client_id: 'a' } } }, /must give production\.usps a client_secret/],
    [{ production: { usps: { client_id: 'a', client_secret: ' ' } } }, /a client_secret/],
    [{ sandbox: { nppes: { url: 'hunter2' } } }, /must give sandbox\.nppes a url that is a URL/],
    [{ sandbox: { nppes: { url: 'ftp://hunter2' } } }, /a url that is a URL/],
    [{ sandbox: { nppes: { hunter2: 1 } } }, /gives sandbox\.nppes a field that it does not have/],
    [
      { production: { stedi: { ...stedi, npi: '1234567890' } } },
      /an? npi with a right check digit/,
    ],
    [
      { production: { usps: { ...FULL.production.usps, requests_per_hour: 0 } } },
      /a requests_per_hour from 1 to/,
    ],
  ]
  for (const [given, problem] of wrong) {
    const parse = () => parseLabPartners(JSON.stringify(given))
    assert.throws(parse, { name: 'StartupError', message: problem }, JSON.stringify(given))
    assert.throws(parse, (error: Error) => !error.message.includes('hunter2'))
  }
  assert.throws(() => parseLabPartners('{"production": hunter2}'), /is not valid JSON\.$/)
})
