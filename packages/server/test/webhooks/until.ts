import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 15_000

type Nothing = false | null | undefined

/** Looks again and again until there is something to return; fails when it takes too long. */
export async function until<T>(
  what: string,
  look: () => Nothing | T | Promise<Nothing | T>,
): Promise<T> {
  const end = performance.now() + DEADLINE_MS
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}.`)
    await sleep(10)
  }
}
