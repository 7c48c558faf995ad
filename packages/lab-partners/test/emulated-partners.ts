import { after } from 'node:test'
import type { LabPartner } from '@salus/contracts/lab-partners'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { request } from '@salus/kernel/outbound/request'
import { PartnerEmulator } from '@salus/sandbox/partners'
import type { Send } from '../src/index.ts'

/** The present of tests, which they move. */
export class MovableClock {
  #now = Date.parse('2026-03-02T15:00:00Z')

  now(): Date {
    return new Date(this.#now)
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000
  }
}

/** The emulated partners of a test file, which listen on this machine until its tests are over. */
export async function openEmulatedPartners(): Promise<{
  emulator: PartnerEmulator
  clock: MovableClock
  urlOf: (partner: LabPartner) => string
  /** Waits for half a second at most. */
  send: Send
}> {
  const clock = new MovableClock()
  const emulator = new PartnerEmulator({ clock })
  const urlOf = await emulator.listen()
  const agent = createOutboundAgent({ allowPrivate: true })
  after(async () => {
    await agent.destroy()
    await emulator.close()
  })
  return {
    emulator,
    clock,
    urlOf,
    send: (wanted) => request(agent, { ...wanted, timeoutMs: 500 }),
  }
}
