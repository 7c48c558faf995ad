import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type HarnessServer, startHarnessServer } from '../testing/harness-server.ts'
import { startSalus } from '../testing/salus-command.ts'

let server: HarnessServer
/** To fill a team takes a minute: here it takes as long as a test lets it. */
let filling = Promise.withResolvers<void>()
before(async () => {
  server = await startHarnessServer({}, { fillDemoTeam: () => filling.promise })
})
after(() => server?.stop())

const start = (...args: string[]) =>
  startSalus(args, { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory })
const teams = async () =>
  (await server.harness.database.pool.query('select status from demo_teams')).rows

async function waitForFilling(): Promise<void> {
  for (const end = Date.now() + 60_000; (await teams())[0]?.status !== 'filling'; ) {
    assert.ok(Date.now() < end, 'the demo team is not filled')
    await delay(50)
  }
}

test('salus demo fills a team, waits for it, and removes it', async () => {
  const command = start('demo', 'fill')
  await waitForFilling()
  filling.resolve()
  const filled = await command.result
  assert.equal(filled.code, 0, filled.stderr)
  assert.match(
    filled.stdout,
    /^The demo team [0-9a-f-]{36} is filled\. "salus console" opens it\.\n$/,
  )
  const again = await start('demo', 'fill').result
  assert.match(again.stdout, /exists\.\n$/)

  const refused = await start('demo', 'remove').result
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /Add --yes to delete the demo team\.$/m)
  assert.equal((await teams()).length, 1)
  const removed = await start('demo', 'remove', '--yes').result
  assert.equal(removed.stdout, 'The demo team is removed.\n', removed.stderr)
  assert.deepEqual(await teams(), [])
  assert.equal((await start('demo', 'remove', '--yes').result).stdout, 'There is no demo team.\n')
})

test('salus demo says why a team was not filled', async () => {
  server.harness.errors.expect('a demo team could not be filled')
  filling = Promise.withResolvers()
  // The server may come to it only after it has failed.
  filling.promise.catch(() => undefined)
  const command = start('demo', 'fill')
  await waitForFilling()
  filling.reject(new Error('A step failed.'))
  const { code, stderr } = await command.result
  assert.equal(code, 1)
  assert.match(stderr, /^salus: The demo team was not filled\. A step failed\.$/m)
})
