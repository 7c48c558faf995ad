import type { KeyObject } from 'node:crypto'
import type { EndpointHealth } from './endpoint-health.ts'

/** An endpoint as it is needed to send to it, secrets opened. */
export interface EndpointTarget {
  url: string
  /** A receiver that the deployment plays, at an address of its own machine. */
  isPlayed?: true
  headers: Record<string, string>
  /** Newest first, with the time until which each may sign. */
  keys: { key: KeyObject; until: Date | null }[]
  rateLimit: number | null
  health: EndpointHealth
}
