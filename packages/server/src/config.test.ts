import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles } from '../test/source-files.ts'
import { findUnknownSettings, readConfig, requireSharedAddress } from './config.ts'
import { SETTINGS } from './settings.registry.ts'

test('a variable that begins like a setting and is none is found, with the setting that was meant', () => {
  const environment = {
    SALUS_PROT: '1',
    SALUS_LOG_LEVLE: 'debug',
    SALUS_SOMETHING_ELSE: 'x',
    SALUS_LOG_LEVEL: 'info',
    SALUS_URL: 'http://localhost',
    SALUS_TEST_STORES: 'y',
    PROT: '2',
  }
  assert.deepEqual(findUnknownSettings(environment), [
    { name: 'SALUS_PROT', nearest: 'PORT' },
    { name: 'SALUS_LOG_LEVLE', nearest: 'SALUS_LOG_LEVEL' },
    { name: 'SALUS_SOMETHING_ELSE', nearest: undefined },
  ])
})

test('a process with one of the roles needs the address of them all, where its stores are shared', () => {
  const shared = { DATABASE_URL: 'postgres://127.0.0.1/salus', SALUS_ROLES: 'worker' }
  const check = (environment: Record<string, string>) =>
    requireSharedAddress(readConfig(environment))
  assert.throws(() => check(shared), {
    name: 'StartupError',
    message: /^Set SALUS_BASE_URL .+worker/,
  })
  check({ ...shared, SALUS_BASE_URL: 'https://salus.example' })
  check({ ...shared, SALUS_ROLES: 'api,worker' })
  check({ ...shared, SALUS_MIGRATE: 'only' })
  check({ SALUS_ROLES: 'api' })
})

/** Reading it refuses what Salus does not speak; nothing else depends on it. */
const READ_TO_REFUSE = ['otlpProtocol']

test('every setting is read somewhere', () => {
  const sources = readSourceFiles(
    'packages/{kernel,accounts,health,lab,fhir,rights,ops,server}/src/**/*.ts',
  )
  const text = sources
    .filter(({ path }) => !/\.test\.ts$|settings(\.registry)?\.ts$/.test(path))
    .map((source) => source.text)
    .join('\n')
  const unread = Object.keys(SETTINGS).filter((key) => !new RegExp(`\\b${key}\\b`).test(text))
  assert.deepEqual(unread, READ_TO_REFUSE)
})
