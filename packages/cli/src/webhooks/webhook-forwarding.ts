import { randomBytes } from 'node:crypto'
import { signWebhook } from '@salus/sdk/webhooks'
import { pause } from '../terminal/interruption.ts'
import { formatSeconds } from '../terminal/number-format.ts'
import type { FeedEvent } from './webhook-feed.ts'

/** Target of forwarded events, with its timing. */
export interface ForwardTarget {
  url: string
  /** Secret that signs the messages, as a webhook's does. */
  secret: string
  timing?: ForwardTiming
}

interface ForwardTiming {
  timeoutMs: number
  /** Wait before each retry. */
  waitsMs: readonly number[]
}

/** A server that restarts after a change of its code is back within these. */
const TIMING: ForwardTiming = { timeoutMs: 15_000, waitsMs: [500, 1_000, 2_000, 4_000] }

/** Generates a secret in the format of webhooks. */
export function makeSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/**
 * Sends an event to the target with some retries, and prints the outcome of each try.
 * @returns False when it was given up.
 * @throws the reason of the signal when that fires
 */
export async function forwardEvent(
  { url, secret, timing = TIMING }: ForwardTarget,
  event: FeedEvent,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { timeoutMs, waitsMs } = timing
  for (let tries = 1; ; tries++) {
    const startedAt = performance.now()
    const { isTaken, what } = await post(url, secret, event, timeoutMs, signal)
    const result = `  → ${what} in ${formatDuration(performance.now() - startedAt)}  ${event.id}`
    if (isTaken) {
      say(result)
      return true
    }
    const waitMs = waitsMs[tries - 1]
    if (waitMs === undefined) {
      say(`${result}; given up after ${tries} tries`)
      return false
    }
    say(`${result}; again in ${formatSeconds(waitMs / 1000)}`)
    await pause(waitMs, signal)
  }
}

/** 12 ms, or 1.2 s */
function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : formatSeconds(milliseconds / 1000)
}

interface Outcome {
  isTaken: boolean
  /** Status, or the reason why there is none. */
  what: string
}

async function post(
  url: string,
  secret: string,
  event: FeedEvent,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted()
  // Both are removed after each event; combined signals would accumulate.
  const limit = new AbortController()
  const stop = () => limit.abort(signal.reason)
  const timer = setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  signal.addEventListener('abort', stop)
  const request = {
    method: 'POST',
    headers: headersOf(event, secret),
    body: event.body,
    // A redirect is not followed: only the target may accept a message.
    redirect: 'manual',
    signal: limit.signal,
  } as const
  try {
    const { ok, status, body } = await fetch(url, request)
    // Read to its end, so that the connection can be used again.
    await body?.pipeTo(new WritableStream()).catch(() => {})
    return { isTaken: ok, what: String(status) }
  } catch (error) {
    signal.throwIfAborted()
    return { isTaken: false, what: explainError(error as Error) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** Returns the headers of a webhook message, under both sets of names that receivers know. */
function headersOf({ id, body }: FeedEvent, secret: string): Record<string, string> {
  const at = new Date()
  const signature = signWebhook({ id, timestamp: at, payload: body, secret })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Salus-CLI',
  }
  for (const prefix of ['webhook', 'svix']) {
    headers[`${prefix}-id`] = id
    headers[`${prefix}-timestamp`] = String(Math.floor(at.getTime() / 1000))
    headers[`${prefix}-signature`] = signature
  }
  return headers
}

function explainError({ name, message, cause }: Error): string {
  const reason = cause as Partial<NodeJS.ErrnoException> | undefined
  if (name === 'TimeoutError') return 'no response'
  if (reason?.code === 'ECONNREFUSED') return 'connection refused'
  if (reason?.code === 'ENOTFOUND') return 'unknown host'
  return `failed (${reason?.code ?? reason?.message ?? message})`
}
