import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { createCredentialStore, Secret } from '@salus/kernel/crypto/credential-store'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { StartupError } from '@salus/kernel/errors'
import type { Environment, EnvironmentKind } from '@salus/kernel/scope'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { TestClock } from '../../../server/test/teams-app.ts'
import { resolveApp, sandboxSettings, withSettings } from './app-settings.ts'
import type { Connector } from './connector.ts'
import { readCredential, replaceCredential, writeCredential } from './stored-credential.ts'
import {
  appCredentialName,
  findApp,
  isConfigured,
  parseOperatorApps,
  sandboxAppOf,
} from './vendor-apps.ts'

let database: TestDatabase
const clock = new TestClock()
const secrets = createSecretBox([randomBytes(32)])
const folder = mkdtempSync(join(tmpdir(), 'salus-apps-'))
const ids = { sandbox: randomUUID(), production: randomUUID() }

before(async () => {
  database = await createTestDatabase()
  const [organization, team] = [randomUUID(), randomUUID()]
  const { pool } = database
  await pool.query(`insert into organizations values ($1, 'One', now())`, [organization])
  await pool.query(
    `insert into teams (id, organization_id, name, region, created_at) values ($1, $2, 'One', 'us', now())`,
    [team, organization],
  )
  for (const [kind, id] of Object.entries(ids)) {
    await pool.query(`insert into team_environments values ($1, $2, $3, '{}')`, [id, team, kind])
  }
})
after(async () => {
  rmSync(folder, { recursive: true })
  await database.close()
})

const scopeOf = (kind: EnvironmentKind) => ({
  db: database.db,
  clock,
  environment: { id: ids[kind], kind } as Environment,
})

const OURA = '{"oura": {"client_id": "operator", "client_secret": "operator-secret"}}'

test("the team's own app comes before the operator's, and a sandbox has one anyway", async () => {
  const none = { secrets, operatorApps: parseOperatorApps(undefined) }
  const some = { secrets, operatorApps: parseOperatorApps(OURA) }
  const production = scopeOf('production')
  const sandbox = scopeOf('sandbox')
  const builtIn = sandboxAppOf(secrets)
  assert.match(builtIn.clientSecret, /^[\w-]{43}$/)
  const others = sandboxAppOf(createSecretBox([randomBytes(32)]))
  assert.notEqual(builtIn.clientSecret, others.clientSecret)
  const operators = { clientId: 'operator', clientSecret: 'operator-secret' }
  assert.equal(await findApp(production, none, 'oura'), undefined)
  assert.deepEqual(await findApp(production, some, 'oura'), operators)
  assert.equal(await findApp(production, some, 'fitbit'), undefined)
  // The secret of a real app is never shown to an emulated vendor.
  assert.deepEqual(await findApp(sandbox, some, 'oura'), builtIn)

  const own = { clientId: 'own', clientSecret: 'own-secret' }
  const store = createCredentialStore(database.db, { secrets, clock })
  const key = { environmentId: ids.production, userId: null, name: appCredentialName('oura') }
  await store.put(key, new Secret(JSON.stringify(own)), null)
  assert.deepEqual(await findApp(production, some, 'oura'), own)
  assert.deepEqual(await findApp(sandbox, some, 'oura'), builtIn)

  const oauth = (slug: string) => ({ slug, auth: { kind: 'oauth' } })
  assert.equal(await isConfigured(production, none, oauth('fitbit')), false)
  assert.equal(await isConfigured(production, none, oauth('oura')), true)
  assert.equal(await isConfigured(sandbox, none, oauth('fitbit')), true)
  const password = { slug: 'abbott_libreview', auth: { kind: 'password' } }
  assert.equal(await isConfigured(production, none, password), true)
})

test('the setting is JSON or a file of it, and shows no secret', () => {
  const path = join(folder, 'apps.json')
  writeFileSync(path, OURA)
  for (const setting of [OURA, path]) {
    const apps = parseOperatorApps(setting)
    assert.deepEqual([...apps.keys()], ['oura'])
    assert.doesNotMatch(inspect(apps, { depth: 9 }) + JSON.stringify([...apps]), /operator/)
  }
  assert.equal(parseOperatorApps('').size, 0)
})

test('a wrong setting is one clear line without anything of it', () => {
  const path = join(folder, 'broken.json')
  writeFileSync(path, '{"oura": secret')
  const pair = { client_id: 'x', client_secret: 'secret' }
  for (const [setting, message] of [
    ['/nowhere/secret.json', /neither a JSON object nor the path of a file/],
    [path, /not valid JSON/],
    ['{"secret"', /not valid JSON/],
    [JSON.stringify({ secret: pair }), /a provider that does not exist or needs no app/],
    [JSON.stringify({ apple_health_kit: pair }), /does not exist or needs no app/],
    [
      JSON.stringify({ oura: { client_id: 'secret' } }),
      /give oura a client_id and a client_secret/,
    ],
    [JSON.stringify({ oura: { ...pair, client_id: '' } }), /both not empty/],
    [JSON.stringify({ oura: 'secret' }), /give oura a client_id/],
  ] as const) {
    assert.throws(
      () => parseOperatorApps(setting),
      (error: Error) => {
        assert.ok(error instanceof StartupError)
        assert.match(error.message, /^SALUS_PROVIDER_APPS /)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /secret[^,. ]*(json|")|"secret/)
        return true
      },
    )
  }
})

test('an app has the further secrets of its connector, and no others', () => {
  const ihealth = {
    slug: 'ihealth',
    appSecrets: {
      sc: { meaning: 'Serial number of the app.', isRequired: true },
      push_key: { meaning: 'Key of messages.', isRequired: false },
    },
  } as Partial<Connector> as Connector
  const pair = { client_id: 'x', client_secret: 'y' }
  const parse = (secrets?: unknown) =>
    parseOperatorApps(JSON.stringify({ ihealth: { ...pair, secrets } }), [ihealth])
  const app = JSON.parse(parse({ sc: 'serial' }).get('ihealth')?.reveal() ?? '')
  assert.deepEqual(app, { clientId: 'x', clientSecret: 'y', secrets: { sc: 'serial' } })
  for (const [secrets, message] of [
    [undefined, /must give ihealth the secrets sc, not empty\.$/],
    [{ sc: '' }, /the secrets sc, not empty/],
    [{ sc: 'hush', other: 'hush' }, /no secrets but sc, push_key, each a text/],
    [{ sc: 'hush', push_key: 7 }, /no secrets but sc, push_key/],
    ['hush', /an object of secrets/],
  ] as const) {
    assert.throws(
      () => parse(secrets),
      (error: Error) => message.test(error.message) && !error.message.includes('hush'),
    )
  }
  const none = JSON.stringify({ oura: { ...pair, secrets: { sc: 'serial' } } })
  assert.throws(() => parseOperatorApps(none), /must give oura no secrets, each/)
})

test('a credential is kept with its tokens, and replaced by whoever is first', async () => {
  const userId = randomUUID()
  await database.pool.query(
    'insert into users (environment_id, id, client_user_id, created_at) values ($1, $2::uuid, $2::text, now())',
    [ids.production, userId],
  )
  const store = createCredentialStore(database.db, { secrets, clock })
  const key = { environmentId: ids.production, userId, name: 'abbott_libreview' }
  assert.equal(await readCredential(store, key), undefined)
  const tokens = {
    accessToken: 'access',
    refreshToken: null,
    expiresAt: Date.UTC(2026, 2, 1),
    extra: { host: 'api-eu' },
  }
  const given = { username: 'person', password: 'secret', region: null }
  await writeCredential(store, key, { tokens, given })
  const first = await readCredential(store, key)
  const second = await readCredential(store, key)
  assert.ok(first !== undefined && second !== undefined)
  assert.deepEqual([first.tokens, first.given], [tokens, given])
  assert.deepEqual(first.found.expiresAt, new Date('2026-03-01'))
  const next = { given, tokens: { ...tokens, accessToken: 'next', expiresAt: null } }
  assert.equal(await replaceCredential(store, key, first, next), true)
  assert.equal(await replaceCredential(store, key, second, next), false)
  const replaced = await readCredential(store, key)
  assert.equal(replaced?.tokens.accessToken, 'next')
  assert.equal(replaced?.found.expiresAt, null)
})

test('a provider by password has settings of an app: defaults, and those of the operator', async () => {
  const appSettings = {
    version: { meaning: 'Version of the app.', default: '4.16.0' },
    client_secret: { meaning: 'Secret of the app.', isRequired: true, sandbox: 'emulated' },
  }
  const auth = { kind: 'password' } as Connector['auth']
  const known = { slug: 'eight_sleep', auth, appSettings } as Partial<Connector> as Connector
  const parse = (app: unknown) => parseOperatorApps(JSON.stringify({ eight_sleep: app }), [known])
  const operatorApps = parse({ settings: { client_secret: 's' } })
  assert.doesNotMatch(inspect(operatorApps, { depth: 9 }), /"s"/)
  const app = await findApp(scopeOf('production'), { secrets, operatorApps }, 'eight_sleep')
  assert.deepEqual(withSettings(known, app).settings, { version: '4.16.0', client_secret: 's' })
  assert.deepEqual(sandboxSettings(known), { version: '4.16.0', client_secret: 'emulated' })
  const isReady = (apps: typeof operatorApps) =>
    isConfigured(scopeOf('production'), { secrets, operatorApps: apps }, known)
  assert.equal(await isReady(operatorApps), true)
  assert.equal(await isReady(new Map()), false)
  for (const [given, message] of [
    [{}, /the settings client_secret, not empty/],
    [{ settings: { client_secret: 's', other: 'x' } }, /no settings but version, client_secret/],
    [{ settings: 'x' }, /an object of settings/],
    [{ client_id: 'x', client_secret: 'y', settings: { client_secret: 's' } }, /settings only/],
  ] as const) {
    assert.throws(() => parse(given), message)
  }
  const oauth = { ...known, slug: 'oura', auth: { kind: 'oauth' } as Connector['auth'] }
  assert.equal(resolveApp(oauth, undefined), undefined)
})
