import { exchange } from './exchange.ts'
import type { OutboundAgent } from './outbound-agent.ts'
import type { PostError } from './outbound-error.ts'

export interface PostRequest {
  /** URL with http or https and without credentials. */
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer | string
  /**
   * Time limit of everything: waiting for a free connection, connecting, headers and the kept body.
   */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface PostOutcome {
  /** Null exactly if there is an error. Redirects (3xx) are not followed. */
  readonly status: number | null
  /** Time until the kept part of the body arrived, or the attempt was given up. */
  readonly durationMs: number
  /** The first 4 KiB as UTF-8 without NULs, not decompressed; '' if there is none. */
  readonly responseBody: string
  readonly error: PostError | null
}

const KEPT_BYTES = 4 * 1024

/**
 * Sends one POST whose status counts, and keeps the beginning of the body for people to read.
 * Otherwise it works like `exchange`.
 */
export async function post(agent: OutboundAgent, request: PostRequest): Promise<PostOutcome> {
  const whole = { ...request, method: 'POST', keptBytes: KEPT_BYTES, isWhole: false }
  const { status, durationMs, body, error } = await exchange(agent, whole)
  const responseBody = body.toString('utf8').replaceAll('\0', '')
  // A body that need not be complete cannot be too large.
  return { status, durationMs, responseBody, error: error as PostError | null }
}
