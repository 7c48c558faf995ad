import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles } from '../test/source-files.ts'
import { findUnknownSettings } from './config.ts'
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
