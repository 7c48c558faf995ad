import { setTimeout as delay } from 'node:timers/promises'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'

/**
 * The emulated vendors in a process of their own, so that what they cost is theirs. Spoken to by
 * messages; the argument is after how many milliseconds they begin to answer.
 */

const emulator = new ProviderEmulator({
  clock: { now: () => new Date() },
  store: createMemoryStore(),
})
const latencyMs = Number(process.argv[2])
let requests = 0
emulator.app.addHook('onRequest', async () => {
  requests += 1
  if (latencyMs > 0) await delay(latencyMs)
})
await emulator.listen()

/** Account names, each signed in to the app at its position. */
export interface GrantsWanted {
  grants: { account: string; clientId: string }[]
  scopes: string[]
}

async function answer(wanted: GrantsWanted | 'requests'): Promise<unknown> {
  if (wanted === 'requests') return requests
  const given = []
  for (const { account, clientId } of wanted.grants) {
    const tokens = await emulator.grant('oura', account, wanted.scopes, clientId)
    given.push({ ...tokens, accountId: emulator.accountIdOf('oura', account) })
  }
  return given
}

process.on('message', async (wanted: GrantsWanted | 'requests') => {
  process.send?.(await answer(wanted))
})
process.on('disconnect', () => process.exit())
process.send?.(emulator.url)
