import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_KEY, type ServerProcess } from '../server-process.ts'
import type { Kind } from './installation.ts'

/** A request, or a message of the laboratory, that had an outcome. */
export interface Outcome {
  /** Who sent it, one after the other. */
  client: string
  what: 'upload' | 'list' | 'order' | 'message'
  /** Of an answer; 0 for none. */
  status: number
  startedAt: number
  endedAt: number
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
  body: any
}

export interface Kill {
  kind: Kind
  at: number
  /** When what was killed runs again. */
  backAt: number
}

/** What callers saw of one kill. */
export interface Outage extends Kill {
  refused: Outcome[]
  /** Milliseconds from the kill until everyone who was refused had a success again. */
  lasted: number
}

const PATIENCE_MS = 60_000

/** Sends requests, and keeps what came of them. */
export class Outages {
  readonly outcomes: Outcome[] = []
  readonly kills: Kill[] = []
  readonly #processes: () => readonly ServerProcess[]
  #turn = 0

  constructor(processes: () => readonly ServerProcess[]) {
    this.#processes = processes
  }

  add(outcome: Omit<Outcome, 'endedAt'>): void {
    this.outcomes.push({ ...outcome, endedAt: performance.now() })
  }

  /**
   * Sends a request to the processes in turns, as a balancer does: to another one only where the
   * connection was refused, because then nothing was sent.
   */
  async send(
    { client, what }: Pick<Outcome, 'client' | 'what'>,
    method: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const startedAt = performance.now()
    let answer: Answer = { status: 0, body: undefined }
    this.#turn += 1
    const turn = this.#turn
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const processes = this.#processes()
      const { baseUrl } = processes[(turn + attempt) % processes.length] as ServerProcess
      try {
        const response = await fetch(baseUrl + path, {
          method,
          headers: { 'x-service-api-key': API_KEY, 'content-type': 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        const json: Answer['body'] = await response.json()
        answer = { status: response.status, body: json }
        break
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code !== 'ECONNREFUSED') break
      }
    }
    this.add({ client, what, status: answer.status, startedAt })
    return answer
  }

  /** Waits until every client had a success in what it began after a time. */
  async untilServed(clients: readonly string[], since: number): Promise<void> {
    const until = performance.now() + 2 * PATIENCE_MS
    for (;;) {
      const served = new Set(
        this.outcomes
          .filter(({ startedAt, status }) => status === 200 && startedAt >= since)
          .map(({ client }) => client),
      )
      const waiting = clients.filter((client) => !served.has(client))
      if (waiting.length === 0) return
      assert.ok(performance.now() < until, `${waiting} are not served`)
      await sleep(50)
    }
  }

  /** Divides what was refused by the kills before it. */
  read(): Outage[] {
    const ofClient = Map.groupBy(this.outcomes, ({ client }) => client)
    return this.kills.map((kill, index) => {
      const until = this.kills[index + 1]?.at ?? Number.POSITIVE_INFINITY
      const refused: Outcome[] = []
      let lasted = 0
      for (const outcomes of ofClient.values()) {
        const own = outcomes.filter(
          ({ status, endedAt }) => status !== 200 && endedAt >= kill.at && endedAt < until,
        )
        refused.push(...own)
        const last = own.at(-1)
        if (last === undefined) continue
        const success = outcomes.find(
          ({ status, endedAt }) => status === 200 && endedAt > last.endedAt,
        )
        lasted = Math.max(lasted, (success?.endedAt ?? Number.POSITIVE_INFINITY) - kill.at)
      }
      return { ...kill, refused, lasted }
    })
  }
}
