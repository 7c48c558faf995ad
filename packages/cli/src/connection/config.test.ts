import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { readConnection } from './config.ts'
import { addGlobalOptions } from './global-options.ts'

test('the keys of a local server go to local addresses only', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-cli-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'keys.json'), '{"api_key": "sk_us_local", "team_id": "a team"}')
  const connect = (...options: string[]) => {
    const program = new Command()
    addGlobalOptions(program)
    program.parse(['--data-dir', folder, ...options], { from: 'user' })
    return readConnection(program)
  }

  for (const url of ['http://127.0.0.1:8787', 'http://localhost', 'http://[::1]:1']) {
    assert.equal(connect('--url', url).apiKey?.value, 'sk_us_local', url)
  }
  for (const url of ['https://salus.example.com', 'http://127.0.0.1.example.com']) {
    assert.equal(connect('--url', url).apiKey, undefined, url)
    assert.equal(connect('--url', url).teamId, undefined, url)
    assert.equal(connect('--url', url, '--api-key', 'sk_us_given').apiKey?.value, 'sk_us_given')
  }
})

test('a command gets the keys that it can use, and no others', () => {
  const connect = (...words: string[]) => {
    const program = new Command()
    addGlobalOptions(program)
    let connection = {} as ReturnType<typeof readConnection>
    for (const name of ['users', 'catalog', 'key']) {
      program.command(name).action((_options: object, command: Command) => {
        connection = readConnection(command)
      })
    }
    const keys = ['--api-key', 'sk_us_given', '--management-key', 'mk_given']
    program.parse([...keys, ...words], { from: 'user' })
    return [connection.apiKey?.value, connection.managementKey?.value]
  }
  assert.deepEqual(connect('users'), ['sk_us_given', undefined])
  assert.deepEqual(connect('catalog'), [undefined, 'mk_given'])
  assert.deepEqual(connect('key'), ['sk_us_given', 'mk_given'])
})
